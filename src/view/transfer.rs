//! Orders that have let a game go on at another board, as the boards have noted them: each is taken back at both.

use super::{BoardView, Boards};
use jadoube_core::{event::BoardId, order::Order, settings::same_serial};

/// Orders that are kept for a board: those of earlier games cannot be taken back.
const KEPT: usize = 16;

/// Such an order, or one that has taken it back, at one of both boards.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Transfer {
    /// The order's name here.
    pub(crate) id: String,
    /// The other board.
    other: Box<str>,
    /// Number of the game at the board that it comes from.
    game: u32,
    /// Whether the game goes on here.
    is_target: bool,
}

/// The last order of a transfer at each board: the board and the name of the order there.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Transferred {
    /// Where the game goes on.
    pub(crate) to: (BoardId, String),
    /// Where it was.
    pub(crate) from: (BoardId, String),
}

impl BoardView {
    /// Notes an order that was carried out, if it is one of a transfer.
    pub(super) fn note_transfer(&mut self, order: &Order, id: Option<&str>) {
        let Some(id) = id else { return };
        let transfer = |other: &str, game: u32, is_target: bool| Transfer {
            id: id.to_owned(),
            other: other.into(),
            game,
            is_target,
        };
        let noted = if let Order::Continue { record: Some(record), .. } = order.inner() {
            Some(transfer(&record.board, record.game, true))
        } else if let Order::Continue { to: Some(to), record: None, .. } = order.inner() {
            let game = id.rsplit('-').nth(1).and_then(|game| game.parse().ok());
            game.map(|game| transfer(to, game, false))
        } else if let Order::Undo { id: Some(undone), .. } = order.inner() {
            let known = self.transfers.iter().find(|known| known.id == *undone);
            known.map(|known| transfer(&known.other, known.game, known.is_target))
        } else {
            None
        };
        let Some(noted) = noted.filter(|noted| !same_serial(&noted.other, &self.name)) else { return };
        if self.transfers.len() >= KEPT {
            self.transfers.remove(0);
        }
        self.transfers.push(noted);
    }
}

/// Returns what an undo of the order with this name takes back, if that is one of a transfer and the last of it.
pub(crate) fn transfer_of(boards: &Boards, id: &str) -> Option<Transferred> {
    let last_of = |board: &BoardView, of: &Transfer, other: &str| {
        let same = |known: &&Transfer| known.game == of.game && same_serial(&known.other, other);
        board.transfers.iter().rfind(same).cloned()
    };
    let mut known = boards
        .values()
        .filter_map(|board| Some((board, board.transfers.iter().rfind(|known| known.id == id)?)));
    let (board, part) = known.next()?;
    let other = boards.values().find(|other| same_serial(&other.name, &part.other))?;
    let counterpart = last_of(other, part, &board.name).filter(|found| found.is_target != part.is_target)?;
    let (here, there) = ((board.name.clone(), part.id.clone()), (other.name.clone(), counterpart.id));
    let (to, from) = if part.is_target { (here, there) } else { (there, here) };
    Some(Transferred { to, from })
}
