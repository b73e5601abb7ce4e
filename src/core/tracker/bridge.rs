//! Goes on where evidence ends: after a gap, from a restored position, from a board that no play explains.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Square};

use super::{
    Tracker,
    branch::{Branch, Step},
    explain::{self, Explanation},
    gap,
    judge::{Findings, HOPELESS},
};
use crate::{
    alert::Confidence,
    fact::{Fact, MismatchCause, Withdrawal},
    game::{Irregular, Played},
    position::differences,
    time::Timestamp,
};

impl Tracker {
    /// Finds the moves that were made while nothing was heard of the board.
    pub(super) fn bridge_gap(&mut self) {
        let mut found = self.search(&self.window, 0, &self.branches);
        self.add_paths(&mut found);
        self.past.clear();
        if found.cost() < HOPELESS {
            self.adopt(&found, 0);
        } else {
            self.take_board_as_it_stands();
        }
    }

    /// Adds the legal paths from each branch to what stands on the board.
    fn add_paths(&self, found: &mut Findings) {
        let shown = self.window.changes().len();
        for (origin, branch) in self.branches.iter().enumerate() {
            for path in
                gap::paths(&branch.position, self.window.board(), branch.lies, self.running, &self.credit)
            {
                let mut side = !branch.position.turn();
                let steps = path.moves.iter().map(|m| {
                    side = !side;
                    explain::Step { played: Played::Legal(*m), side, shown }
                });
                let explanation = Explanation {
                    origin,
                    steps: steps.collect(),
                    position: path.position,
                    cost: branch.cost + path.cost,
                    lies: branch.lies,
                    outcomes: ArrayVec::new(),
                };
                explain::insert(&mut found.explanations, explanation);
            }
        }
    }

    /// Goes back to an earlier position if the board shows it when the clock is started again.
    pub(super) fn restore(&mut self, now: Timestamp) {
        let stands = self.branches.first().is_some_and(|best| self.matches(&best.position));
        if !self.window.paused || stands {
            return;
        }
        // Who puts pieces back knows what was played.
        let (branches, settled) = (self.branches.clone(), self.settled);
        if self.confidence() > Confidence::Possible {
            self.branches.truncate(1);
            self.settle();
        }
        let back = self.earlier_positions().into_iter().find(|(_, position)| self.matches(position));
        if back.is_none() {
            (self.branches, self.settled) = (branches, settled);
        }
        if let Some((keep, _)) = back {
            self.go_back(keep);
            self.window.cut(usize::MAX, usize::MAX);
            self.shown.clear();
            self.showing = None;
            self.publish(Withdrawal::Reinstated);
        } else {
            self.showing = self.compare(now);
        }
    }

    /// Goes on without an explanation of the first `presses`: by a legal path to what stands on the board if there is
    /// one, otherwise from the board as it stands.
    pub(super) fn lose_track(&mut self, presses: usize) {
        self.window.cut(0, presses);
        let mut found = self.search(&self.window, 0, &[]);
        self.window.gap = true;
        self.add_paths(&mut found);
        if found.cost() < HOPELESS {
            self.adopt(&found, 0);
        } else {
            self.window.gap = false;
            self.take_board_as_it_stands();
        }
    }

    fn take_board_as_it_stands(&mut self) {
        let Some(best) = self.branches.first() else { return };
        let board = self.window.board();
        let odd = differences(best.position.board(), board) & !best.lies;
        let kings = Color::ALL.into_iter().all(|color| board.king_of(color).is_some());
        let Some((from, to)) = ends(odd, board.occupied()).filter(|_| kings) else { return };
        let side = best.position.turn();
        let made_at = self.window.last_change().unwrap_or_default();
        let irregular = Irregular { from, to, promotion: None, board: board.clone() };
        let played = Played::Irregular(Box::new(irregular));
        let mut branch = Branch { cost: 0, ..best.clone() };
        branch.position = played.apply(&branch.position);
        if self.running.is_some_and(|running| running != branch.position.turn()) {
            branch.position = branch.position.pass();
        }
        branch.steps.push(Step { played, side, made_at, completed: true, clock: None });
        branch.offender = None;
        self.branches = vec![branch];
        self.window.cut(usize::MAX, 0);
        self.past.clear();
        self.shown.clear();
        self.showing = None;
        self.publish(Withdrawal::Reconsidered);
        self.facts.push(Fact::Mismatch { squares: odd, cause: MismatchCause::Unexplained });
    }
}

/// Names a change of many squares by one that was left and one that was reached.
fn ends(odd: Bitboard, occupied: Bitboard) -> Option<(Square, Square)> {
    let (left, reached) = (odd & !occupied, odd & occupied);
    let from = left.first().or_else(|| reached.first())?;
    let to = reached.first().or_else(|| left.last())?;
    Some((from, to))
}
