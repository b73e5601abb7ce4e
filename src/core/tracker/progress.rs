//! What the tracker knows of the game that it follows, and forgets when the next one begins.

use shakmaty::{Bitboard, Color, Square};

use super::{
    corrections::JudgedOffence,
    hypothesis::{Hypothesis, HypothesisPly},
    position_trust::Trust,
    window::{Press, Window},
};
use crate::{event::Times, fact::Pressed, time::Timestamp};

/// The state of one game, beside its hypotheses.
#[derive(Debug)]
pub(super) struct GameProgress {
    /// Plies of the game that all hypotheses share.
    pub(super) settled: u32,
    /// What the board shows beyond the best hypothesis.
    pub(super) shown: ShownPlies,
    /// Windows judged last; they are judged again when later evidence contradicts the judgement.
    pub(super) past: Vec<JudgedWindow>,
    /// The last press that has been judged.
    pub(super) pressed_last: Option<Press>,
    /// When the presses of the window are to be judged.
    pub(super) due: Option<Timestamp>,
    /// Since when the board shows something that is no position of the game, and no press is to be expected.
    pub(super) odd_since: Option<Timestamp>,
    /// The last change at the last search among plies that nobody has pressed for.
    pub(super) searched_after: Option<Timestamp>,
    /// When moves are to be searched through the gap in the window.
    pub(super) resync_at: Option<Timestamp>,
    /// When a piece has stood in the place of a pawn that was left on its last rank for long enough to be what it becomes.
    pub(super) exchange_at: Option<Timestamp>,
    /// Squares that have changed while nothing was heard of the board, and not since.
    pub(super) changed_unseen: Bitboard,
    /// Those of them to which a piece has come that was seen in the hand just before.
    pub(super) put_down_unseen: Bitboard,
    /// Squares that have changed while the clock stood still, and not since: that is no play, but the arbiter's or by consent.
    pub(super) changed_at_rest: Bitboard,
    /// The stretch in which nothing was heard of the board.
    pub(super) silence: Option<Silence>,
    /// Whether the clock has run in this game.
    pub(super) clocked: bool,
    /// Until when dumps may show what was played before the clock was stopped.
    pub(super) rests_at: Timestamp,
    /// A king's move that nobody had completed when the king was put into the centre, and its number: it stands, if that shows the result.
    pub(super) king_moved: Option<(u32, HypothesisPly)>,
    /// When play contradicted a result, until that is reported.
    pub(super) reopened: Option<Timestamp>,
    /// Whether a flag has fallen in this game.
    pub(super) flag_fell: bool,
    /// Whether the side to move has touched a piece since the opponent moved.
    pub(super) touched: bool,
    /// Offences judged of late, for when they are put right.
    pub(super) offences: Vec<JudgedOffence>,
    /// A press with a piece in the air, until that piece comes down.
    pub(super) in_the_air: Option<InTheAir>,
    /// Whether the position can be relied on.
    pub(super) trust: Trust,
    /// Plies of the game after which a dump last showed the position, or an arbiter said what it is.
    pub(super) shown_by_dump: u32,
    /// What the explanations of the last plies have cost together, offences left out.
    pub(super) residual_cost: u32,
    /// The Laws have ended the game after so many plies, and nobody has noticed: what is played on is still followed.
    pub(super) played_on_from: Option<u32>,
}

impl GameProgress {
    /// Begins a game; `clocked` says whether the clock runs already.
    pub(super) const fn new(clocked: bool) -> Self {
        Self {
            settled: 0,
            shown: ShownPlies { made: Vec::new(), coming: None },
            past: Vec::new(),
            pressed_last: None,
            due: None,
            odd_since: None,
            searched_after: None,
            resync_at: None,
            exchange_at: None,
            changed_unseen: Bitboard::EMPTY,
            put_down_unseen: Bitboard::EMPTY,
            changed_at_rest: Bitboard::EMPTY,
            silence: None,
            clocked,
            rests_at: Timestamp::ZERO,
            king_moved: None,
            reopened: None,
            flag_fell: false,
            touched: false,
            offences: Vec::new(),
            in_the_air: None,
            trust: Trust::Sound,
            shown_by_dump: 0,
            residual_cost: 0,
            played_on_from: None,
        }
    }

    /// Returns how many plies the game has with those of a hypothesis.
    pub(super) fn plies_of(&self, hypothesis: &Hypothesis) -> u32 {
        self.settled + count(hypothesis.steps.len())
    }

    /// Numbers offences anew after a correction of the list: those of plies that it has replaced are settled.
    pub(super) fn move_offences(&mut self, first: u32, added: u32, removed: u32) {
        self.offences.retain(|offence| !(first..first + removed).contains(&offence.ply));
        for offence in self.offences.iter_mut().filter(|offence| offence.ply >= first) {
            offence.ply = (offence.ply + added).saturating_sub(removed);
        }
    }

    /// Notes that a dump has shown the position after so many plies, or an arbiter said what it is.
    pub(super) const fn rely_on(&mut self, plies: u32, trust: Trust) {
        self.shown_by_dump = plies;
        self.trust = trust;
    }

    /// Drops what waits for time to pass: nothing more is judged of this game as it stands.
    pub(super) fn stop_waiting(&mut self) {
        self.shown.clear();
        self.due = None;
        self.odd_since = None;
        self.resync_at = None;
        self.exchange_at = None;
        self.in_the_air = None;
        self.silence = None;
    }
}

/// Plies that the board shows and no press has completed.
#[derive(Debug)]
pub(super) struct ShownPlies {
    /// Those that have held long enough to count.
    pub(super) made: Vec<ShownStep>,
    /// What the board has begun to show.
    pub(super) coming: Option<Showing>,
}

impl ShownPlies {
    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.made.clear();
        self.coming = None;
    }
}

/// A ply that the board shows and no press has completed.
#[derive(Clone, Debug)]
pub(super) struct ShownStep {
    pub(super) step: HypothesisPly,
    /// Number of changes of the window after which the board showed it.
    pub(super) count: usize,
}

/// What the board has begun to show: a further ply, another one instead of the last, or one taken back.
#[derive(Clone, Debug)]
pub(super) struct Showing {
    /// Plies of those shown before that stay.
    pub(super) kept: usize,
    pub(super) step: Option<ShownStep>,
    /// Whether that ply mates or stalemates.
    pub(super) ends_game: bool,
    /// When it counts.
    pub(super) holds_at: Timestamp,
}

/// A press with a piece in the air, until that piece comes down.
#[derive(Clone, Debug)]
pub(super) struct InTheAir {
    pub(super) pressed: Pressed,
    pub(super) from: Square,
    /// Since when it stands there again.
    pub(super) back_at: Option<Timestamp>,
}

/// A window that was judged, and where it started from.
#[derive(Debug)]
pub(super) struct JudgedWindow {
    pub(super) window: Window,
    pub(super) hypothesis: Hypothesis,
    /// What the best explanation cost.
    pub(super) cost: u32,
    pub(super) settled: u32,
}

impl JudgedWindow {
    /// Returns how many plies of the game came before it.
    pub(super) fn plies(&self) -> u32 {
        self.settled + count(self.hypothesis.steps.len())
    }
}

/// Returns a number of plies as games count them.
pub(super) fn count(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(u32::MAX)
}

/// A stretch in which nothing is heard of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Silence {
    /// Changes of the window that were seen before it.
    pub(super) since: usize,
    /// What the clock showed last before it.
    pub(super) before: Option<(Times, Timestamp)>,
    /// Whose time ran before it.
    pub(super) running: Option<Color>,
    /// When it began, at the earliest.
    pub(super) began: Timestamp,
    /// Changes of the window up to the first dump after it.
    pub(super) dumped: Option<usize>,
    /// Squares off which pieces were lifted when it began.
    pub(super) lifted: Bitboard,
}
