//! A game that goes on at another board: what is known of it here, as the orders for both boards have it.

use crate::view::{BoardView, GameView, View};
use jadoube_core::{
    order::{Continued, ContinuedMove, Order, Players},
    settings::same_serial,
};

/// The orders that take a game from one board to another.
#[derive(Debug)]
pub(super) struct Transfer {
    /// The board where it goes on.
    pub(super) to: String,
    /// What that one is sent.
    pub(super) take: Order,
    /// The board that it comes from.
    pub(super) from: String,
    /// What that one is sent.
    pub(super) leave: Order,
}

/// Returns what is to be done if an order lets a game go on at another board than the one where it is, or why that cannot be.
pub(super) fn transfer(view: &View, board: &str, order: &Order) -> Option<Result<Transfer, String>> {
    let Order::Continue { to, from, record: None } = order.inner() else { return None };
    let (to, from) = (to.as_deref().unwrap_or(board), from.as_deref().unwrap_or(board));
    if same_serial(to, from) {
        return None;
    }
    Some(plan(view, to, from, order.game()))
}

fn plan(view: &View, to: &str, from: &str, named: Option<u32>) -> Result<Transfer, String> {
    let find = |name: &str| view.board(name).ok_or_else(|| format!("there is no board {name}"));
    let (target, source) = (find(to)?, find(from)?);
    let game = source.game.as_ref().ok_or_else(|| format!("there is no game on board {from}"))?;
    if let Some(named) = named.filter(|named| *named != game.number) {
        return Err(format!("the order is for game {named}, and game {} is on board {from}", game.number));
    }
    if game.result.is_some() {
        return Err(format!("game {} of board {from} is over", game.number));
    }
    let record = Some(Box::new(record(&source, game)));
    let take = Order::Continue { to: None, from: None, record };
    let leave = Order::Continue { to: Some(target.name.to_string()), from: None, record: None };
    let leave = Order::InGame { game: game.number, order: Box::new(leave) };
    Ok(Transfer { to: target.name.to_string(), take, from: source.name.to_string(), leave })
}

/// Describes a game as it is known here.
fn record(board: &BoardView, game: &GameView) -> Continued {
    let turn = |fen: &str| fen.split(' ').nth(1) == Some("w");
    let mut white_to_move = turn(&game.start);
    let moves = game.moves.iter().map(|played| {
        let was_white = !turn(&played.fen);
        let in_turn = white_to_move == was_white;
        white_to_move = !was_white;
        ContinuedMove {
            uci: played.uci.to_string(),
            fen: (!played.legal || !in_turn).then(|| played.fen.to_string()),
            clock: played.clock.map(|clock| (clock.white, clock.black)),
            alternatives: played.alternatives,
            entered: played.entered,
            remark: played.remark.as_deref().map(str::to_owned),
        }
    });
    let named =
        |of: fn(&Players) -> &Option<String>| game.players.as_deref().and_then(|players| of(players).clone());
    Continued {
        board: board.name.to_string(),
        game: game.number,
        fen: game.start.clone(),
        moves: moves.collect(),
        white: named(|players| &players.white),
        black: named(|players| &players.black),
        counts: board.confirmed.map_or((0, 0), |counts| (counts.white, counts.black)),
        adopted: game.adopted,
        ..Continued::default()
    }
}
