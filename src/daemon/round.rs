//! Tells the boards of a hall that the round has begun when the first clock of it starts (Art. 6.7.1).
//!
//! The default time counts from there for everybody, also at tables where nobody has started the clock. Each board is told
//! by the order that an arbiter may give as well, so that its capture has it and a replay says the same.

use std::{collections::BTreeSet, time::Duration};

use tokio::time::{MissedTickBehavior, interval};
use tracing::debug;

use crate::{
    service::ServiceContext,
    view::{BoardView, Boards},
};
use jadoube_core::order::Order;

/// How often clocks are looked at: the default time is counted in minutes.
const LOOK: Duration = Duration::from_secs(1);

/// Who is named in the log of orders.
const BY: &str = "first clock of the hall";

/// With more plies than this a game is no longer at its beginning.
const FIRST_PLIES: usize = 1;

/// Works until it is told to end.
pub(super) async fn run(context: ServiceContext) {
    let mut looks = interval(LOOK.min(context.heartbeat.period()));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut rounds = Rounds::default();
    while !context.shutdown.is_cancelled() {
        tokio::select! {
            _ = looks.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => {}
        }
        let is_wanted = context.config.borrow().event.first_clock_starts_round;
        let (_, boards) = context.daemon.view().read();
        for (board, game) in rounds.begun(&boards).into_iter().filter(|_| is_wanted) {
            let order = Order::InGame { game, order: Box::new(Order::RoundStarted) };
            // A board that has gone on in the meantime refuses it, and needs it no more.
            let given = context.daemon.order(&board, order, BY);
            if let Err(error) = context.heartbeat.during(given).await {
                debug!(board, "the beginning of the round was refused: {error}");
            }
        }
    }
}

/// Which games have begun, and which boards have been told that a round has.
#[derive(Debug, Default)]
struct Rounds {
    /// Games whose clock has been seen to run, or that have been told, by board and number.
    known: BTreeSet<(String, u32)>,
}

impl Rounds {
    /// Takes what the boards show; returns boards and games that wait at the start position while a round has just begun
    /// elsewhere.
    fn begun(&mut self, boards: &Boards) -> Vec<(String, u32)> {
        let games = || boards.values().filter_map(|board| Some((board, key(board)?)));
        let mut has_begun = false;
        for (board, key) in games().filter(|(board, _)| is_running(board)) {
            let plies = board.game.as_ref().map_or(0, |game| game.moves.len());
            has_begun |= self.known.insert(key) && plies <= FIRST_PLIES;
        }
        let waiting =
            games().filter(|(board, key)| has_begun && is_waiting(board) && !self.known.contains(key));
        let waiting: Vec<(String, u32)> = waiting.map(|(_, key)| key).collect();
        self.known.extend(waiting.iter().cloned());
        // Only the game that a board has now can be asked for again.
        let now: BTreeSet<(String, u32)> = games().map(|(_, key)| key).collect();
        self.known.retain(|key| now.contains(key));
        waiting
    }
}

fn key(board: &BoardView) -> Option<(String, u32)> {
    Some((board.name.to_string(), board.game.as_ref()?.number))
}

/// Tells whether a game goes on and a player's time runs.
fn is_running(board: &BoardView) -> bool {
    board.up
        && board.game.as_ref().is_some_and(|game| game.result.is_none())
        && board.clock.as_ref().is_some_and(|clock| clock.running.is_some())
}

/// Tells whether the pieces stand ready and nothing has happened.
fn is_waiting(board: &BoardView) -> bool {
    board.up
        && !is_running(board)
        && board.game.as_ref().is_some_and(|game| game.result.is_none() && game.moves.is_empty())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use shakmaty::Color;

    use super::*;
    use crate::view;
    use jadoube_core::{
        event::{Event, EventKind, LinkState, Times},
        time::Timestamp,
    };

    #[derive(Default)]
    struct Hall {
        boards: Boards,
        rounds: Rounds,
    }

    impl Hall {
        fn told(&mut self, board: &str, kind: EventKind) {
            let event = Event { at: Timestamp::ZERO, board: board.into(), kind };
            let port: Arc<str> = format!("/dev/{board}").into();
            view::apply(&mut self.boards, &port, &event, jiff::Timestamp::UNIX_EPOCH, 1);
        }

        fn set_up(&mut self, board: &str, game: u32) {
            self.told(board, EventKind::Link { state: LinkState::Up, port: board.into() });
            self.told(
                board,
                EventKind::GameStart { game, fen: "start".to_owned(), adopted: false, continued: None },
            );
            self.clock(board, None);
        }

        fn clock(&mut self, board: &str, running: Option<Color>) {
            let clock = Some(Times { white: 5400, black: 5400 });
            self.told(board, EventKind::Clock { clock, running, connected: true, low_battery: false });
        }

        fn begun(&mut self) -> Vec<(String, u32)> {
            self.rounds.begun(&self.boards)
        }
    }

    #[test]
    fn the_first_clock_begins_the_round_for_boards_that_wait() {
        let mut hall = Hall::default();
        for board in ["10001", "10002", "10003"] {
            hall.set_up(board, 1);
        }
        assert!(hall.begun().is_empty());
        hall.clock("10002", Some(Color::White));
        assert_eq!(hall.begun(), [("10001".to_owned(), 1), ("10003".to_owned(), 1)]);
        // Each is told once, and a clock that starts later is no other round.
        assert!(hall.begun().is_empty());
        hall.clock("10003", Some(Color::White));
        assert!(hall.begun().is_empty());
        assert_eq!(hall.rounds.known.len(), 3);
    }

    #[test]
    fn the_next_round_begins_anew_and_games_that_go_on_are_left_alone() {
        let mut hall = Hall::default();
        for board in ["10001", "10002", "10003"] {
            hall.set_up(board, 1);
            hall.clock(board, Some(Color::White));
        }
        assert!(hall.begun().is_empty());
        hall.set_up("10001", 2);
        hall.set_up("10002", 2);
        assert!(hall.begun().is_empty());
        hall.clock("10001", Some(Color::White));
        assert_eq!(hall.begun(), [("10002".to_owned(), 2)]);
    }
}
