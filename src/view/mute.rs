//! Orders that mute a board, as far as they can be taken back.

use jiff::{SignedDuration, Timestamp};

use super::BoardView;
use jadoube_core::order::{Order, Undone};

/// Orders that are kept for a board.
const KEPT: usize = 8;

/// Such an order, or one that has taken it back.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct MuteOrder {
    id: String,
    /// For how long it mutes, or the one that it takes back.
    seconds: u32,
    is_undo: bool,
    /// Until when the board was muted before it.
    before: Option<Timestamp>,
}

impl BoardView {
    /// Notes an order that was carried out, if the board is muted by it, or is no longer.
    pub(super) fn note_mute(&mut self, order: &Order, id: Option<&str>, at: Timestamp) {
        let muted = |seconds: u32| {
            at.checked_add(SignedDuration::from_secs(seconds.into())).ok().filter(|_| seconds > 0)
        };
        let (seconds, is_undo, until) = if let Order::Mute { seconds } = order.inner() {
            (*seconds, false, muted(*seconds))
        } else if let Order::Undo { what: Some(Undone::Mute), .. } = order.inner() {
            (0, false, None)
        } else if let Order::Undo { id: Some(undone), .. } = order.inner() {
            let Some(known) = self.mutes.iter().rfind(|known| known.id == *undone) else { return };
            let until = if known.is_undo { muted(known.seconds) } else { known.before };
            (known.seconds, !known.is_undo, until)
        } else {
            return;
        };
        let before = std::mem::replace(&mut self.muted_until, until);
        let Some(id) = id else { return };
        if self.mutes.len() >= KEPT {
            self.mutes.remove(0);
        }
        self.mutes.push(MuteOrder { id: id.to_owned(), seconds, is_undo, before });
    }
}
