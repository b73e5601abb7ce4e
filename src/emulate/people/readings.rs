//! What a board or a clock says that nobody meant: pieces read late, beside, or for a moment; levers that swing back.

use std::time::Duration;

use shakmaty::{Move, Piece, Square};

use super::{
    gesture::HandlingStyle,
    scene::{IncidentEffect, Scene, clock_side},
};
use jadoube_core::{
    decoder::{MishapParams, Params},
    position::castling_squares,
    time::Timestamp,
};

impl Scene<'_> {
    /// Puts a moved piece down beside the middle of its square, so that it is read seconds later.
    pub(super) fn off_centre(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let start = self.began + think;
        let unread = self.random.millis(Params::DEFAULT.mishaps.unread_ms);
        let target = target(m);
        self.remark("off-centre", start, target.to_string());
        self.make_while(m, start, HandlingStyle::Usual, |_, gesture| gesture.delay_reading(target, unread));
        IncidentEffect::TurnDone
    }

    /// Holds a moved piece over a square beside its target before it is put down.
    pub(super) fn hover(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let Some((square, piece)) = self.beside_target(m, false) else {
            return IncidentEffect::NotApplicable;
        };
        let start = self.began + think;
        let (held, carried) =
            (self.random.millis([100, Params::DEFAULT.hands.hover_ms]), self.random.seconds(0.03, 0.15));
        self.remark("hover", start, square.to_string());
        self.make_while(m, start, HandlingStyle::Usual, |_, gesture| {
            gesture.hover(target(m), (square, piece), held, carried);
        });
        IncidentEffect::TurnDone
    }

    /// Lets a square beside a move read the captured piece, or the moved one, for a moment.
    pub(super) fn ghost_beside(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let Some((square, piece)) = self.beside_target(m, true) else {
            return IncidentEffect::NotApplicable;
        };
        let start = self.began + think;
        let (late, shown) =
            (self.random.seconds(0.0, 0.5), self.random.millis(Params::DEFAULT.mishaps.ghost_ms));
        self.remark("ghost-beside", start, square.to_string());
        self.make_while(m, start, HandlingStyle::Usual, |_, gesture| {
            gesture.forget_squares(square.into());
            let at = gesture.made + late;
            gesture.changes_beside(square, piece, at, at + shown);
        });
        IncidentEffect::TurnDone
    }

    /// Presses so that the lever swings back: and down again by itself, or until the player presses once more.
    pub(super) fn bounce(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        if !self.make(m, self.began + think, HandlingStyle::Usual) || self.is_over() {
            return IncidentEffect::TurnDone;
        }
        let press = self.began;
        let MishapParams { swing_ms, swing_stays, notice_ms, .. } = Params::DEFAULT.mishaps;
        let back = press + self.random.millis(swing_ms);
        let stays = self.random.chance(swing_stays.probability());
        let again = self.random.millis(if stays { notice_ms } else { swing_ms });
        let again = back + again;
        let rests = [side, !side].map(|color| self.clock.rest(clock_side(color), press));
        if rests.into_iter().any(|rest| rest <= again.since(press)) {
            return IncidentEffect::TurnDone;
        }
        self.press(!side, back);
        self.press(side, again);
        self.remark("lever-bounce", press, bounce_text(stays, again));
        IncidentEffect::TurnDone
    }

    /// Chooses a free square beside the target of a move, and the piece that it is to read.
    fn beside_target(&mut self, m: Move, captured: bool) -> Option<(Square, Piece)> {
        let free: Vec<Square> = self.free_beside(m, target(m)).into_iter().collect();
        let side = self.position.turn();
        let victim = m.capture().filter(|_| captured).map(|role| Piece { color: !side, role });
        let piece = victim.unwrap_or(Piece { color: side, role: m.role() });
        Some((self.random.pick(&free).copied()?, piece))
    }
}

fn bounce_text(stays: bool, again: Timestamp) -> String {
    if stays { format!("pressed again at {again}") } else { String::new() }
}

/// Returns the square on which a move ends; that of the king in castling.
fn target(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => castling_squares(king, rook).0,
        Move::Normal { to, .. } | Move::EnPassant { to, .. } | Move::Put { to, .. } => to,
    }
}
