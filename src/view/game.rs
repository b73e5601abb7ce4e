//! What is known of the game on a board.

use std::sync::Arc;

use serde::Serialize;
use shakmaty::{ByColor, Color};

use jadoube_core::{
    alert::Confidence,
    event::{Continuation, GameEvent, MoveEvent, SanText, Times, UciText},
    order::Players,
    side::turn_of,
};

/// What is known of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameView {
    /// Number of the game on this board.
    pub number: u32,
    /// Its first position.
    pub start: String,
    /// Whether it was first heard of in its middle: move numbers and counts are since then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub adopted: bool,
    /// Where it was played before, if it has gone on here.
    #[serde(skip)]
    pub continued: Option<Continuation>,
    /// Who plays, if an order has named them.
    #[serde(skip)]
    pub players: Option<Box<Players>>,
    /// When it began, UTC; an adopted game, when it was first heard of.
    pub began: jiff::Timestamp,
    /// Its moves.
    pub moves: Vec<MoveView>,
    /// `1-0`, `0-1` or `1/2-1/2`, once it has a result.
    pub result: Option<&'static str>,
    /// What says so.
    pub by: Option<&'static str>,
    /// How often each player has pressed since it began, which the counter of the clock shows; `None` if that may not be all of them.
    #[serde(skip)]
    pub presses: Option<ByColor<u32>>,
    /// The same when a move was completed last: a press comes before the move that it completes.
    #[serde(skip)]
    pub counted: Option<ByColor<u32>>,
    /// The whole game, once it has ended.
    #[serde(skip)]
    pub ended: Option<Arc<GameEvent>>,
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveView {
    /// The move in UCI.
    pub uci: UciText,
    /// The move in standard algebraic notation.
    pub san: SanText,
    /// Whether it kept to Art. 3.
    pub legal: bool,
    /// Whether it is completed.
    pub completed: bool,
    /// Confidence that this, and not another move, was played.
    pub confidence: Confidence,
    /// What the clock showed.
    pub clock: Option<Times>,
    /// When it was completed, or else made, UTC.
    pub at: jiff::Timestamp,
    /// The position after it.
    pub fen: Box<str>,
    /// If nobody saw it: the number of other paths that remained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    /// Whether an order has entered it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub entered: bool,
    /// What the record says beside it, such as plies that were taken back after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<Box<str>>,
}

impl GameView {
    /// A game that begins from this position.
    pub(crate) fn new(number: u32, start: &str, adopted: bool, began: jiff::Timestamp) -> Self {
        Self {
            number,
            start: start.to_owned(),
            adopted,
            continued: None,
            players: None,
            began,
            moves: Vec::new(),
            result: None,
            by: None,
            presses: (!adopted).then(ByColor::default),
            counted: None,
            ended: None,
        }
    }

    /// Notes a press; whoever lets the opponent's clock run before the first move has made none.
    pub(super) fn press(&mut self, side: Color) {
        let is_start = self.moves.is_empty() && self.first() != side;
        if let Some(presses) = self.presses.as_mut().filter(|_| self.result.is_none() && !is_start) {
            *presses.get_mut(side) += 1;
        }
    }

    /// Returns how often each player has pressed, if that is not the number of moves that they have completed.
    #[must_use]
    pub fn counter(&self) -> Option<ByColor<u32>> {
        let mut completed = ByColor { white: 0, black: 0 };
        let mut side = self.first();
        for played in &self.moves {
            *completed.get_mut(side) += u32::from(played.completed);
            side = !side;
        }
        self.counted.filter(|counted| *counted != completed)
    }

    /// Returns who has the first move.
    fn first(&self) -> Color {
        turn_of(&self.start)
    }

    /// Returns the position after the last move.
    #[must_use]
    pub fn fen(&self) -> &str {
        self.moves.last().map_or(&self.start, |last| &last.fen)
    }

    /// Returns the number of the next move and who is to play it.
    #[must_use]
    pub fn next(&self) -> Option<(u32, Color)> {
        let mut parts = self.fen().split(' ');
        let side = parts.nth(1).map(|side| if side == "b" { Color::Black } else { Color::White })?;
        let number = parts.nth(3).and_then(|number| number.parse().ok())?;
        Some((number, side))
    }

    /// Adds a move, new or reported anew.
    pub(super) fn play(&mut self, played: &MoveEvent, at: jiff::Timestamp) {
        let Some(index) = usize::try_from(played.ply).ok().and_then(|ply| ply.checked_sub(1)) else { return };
        let view = MoveView {
            uci: played.uci,
            san: played.san,
            legal: played.legal,
            completed: played.completed,
            confidence: played.confidence,
            clock: played.clock,
            at,
            fen: played.fen.as_str().into(),
            alternatives: played.alternatives,
            entered: played.entered,
            remark: played.remark.clone(),
        };
        match self.moves.get_mut(index) {
            Some(known) => *known = view,
            None => self.moves.push(view),
        }
        if played.completed {
            self.counted = self.presses;
        }
    }

    /// Withdraws this ply and all after it.
    pub(super) fn retract(&mut self, ply: u32) {
        let keep = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
        self.moves.truncate(keep);
    }
}
