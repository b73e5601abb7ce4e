//! Judges presses: what did each of them complete?

use std::time::Duration;

use arrayvec::ArrayVec;
use shakmaty::Bitboard;

use super::{
    Branch, InTheAir, Offence, Past, ShownStep, Step, Tracker, cost,
    explain::{self, Evidence, Explanation, Root},
    gap, offence,
    press::Outcome,
    publish::confidence,
    window::{Press, Window},
};
use crate::{
    alert::Confidence,
    fact::{Fact, Pressed, Verdict, Withdrawal},
    game::Played,
    position::Position,
    time::Timestamp,
};

/// Windows kept for second thoughts.
const MOST_PAST: usize = 3;

/// Plies that may be taken back at once.
const MOST_BACK: u32 = 8;

/// An explanation that costs more than this is looked at twice.
const TROUBLE: u32 = 30;

/// No explanation that costs more than this is believed.
const HOPELESS: u32 = 260;

/// An offence is judged only when the board has been quiet for this long …
const QUIET: Duration = Duration::from_millis(300);

/// … but this long after the press at the latest.
const PATIENCE: Duration = Duration::from_millis(1400);

/// How long judgement waits for a board that is not quiet.
const AGAIN: Duration = Duration::from_millis(150);

/// What a root of the search stands for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Origin {
    /// A branch as it is.
    Branch(usize),
    /// A branch in which a press without a move was accepted.
    Passed(usize),
    /// The first branch, taken back to this ply.
    Back(u32),
}

impl Tracker {
    /// Judges a press on which the board leaves no doubt; returns whether it did.
    pub(super) fn judge_at_once(&mut self, now: Timestamp) -> bool {
        let [press] = *self.window.presses() else { return false };
        if self.branches.len() != 1 || self.window.gap || self.window.paused {
            return false;
        }
        if self.showing.as_ref().is_some_and(|showing| showing.step.is_some()) {
            self.hold(now);
        }
        let Some(first) = self.shown.first() else { return false };
        if first.step.side != press.side || !first.step.played.is_legal() || !self.shows_no_more() {
            return false;
        }
        let first = self.shown.remove(0);
        let Some(branch) = self.branches.first().cloned() else { return false };
        let before = branch.position.clone();
        let ply = self.settled + u32::try_from(branch.steps.len()).unwrap_or(0) + 1;
        let pressed = self.pressed(press, Verdict::Legal, Confidence::Certain, ply, before, first.count);
        self.remember(branch, first.count, 1);
        self.advance(Step { completed: Some(press.clock), ..first.step });
        self.forget_before(first.count, 1);
        self.publish(Withdrawal::Reconsidered);
        self.facts.push(Fact::Pressed(Box::new(pressed)));
        true
    }

    /// Tells whether the board shows just what was published, but for a piece in the hand of the side to move.
    fn shows_no_more(&self) -> bool {
        let positions = self.shown_positions();
        let Some(last) = positions.last() else { return false };
        let odd = crate::position::differences(last.board(), self.window.board()) & !self.lies();
        (odd & (self.window.board().occupied() | !last.board().by_color(last.turn()))).is_empty()
    }

    /// Judges the presses of the window that are settled, with `force` all of them; without it an offence waits for a
    /// quiet board.
    pub(super) fn judge(&mut self, now: Timestamp, force: bool) {
        self.due = None;
        let ripe = |press: &&Press| force || press.at + self.tuning.settle <= now;
        let ripe = self.window.presses().iter().take_while(ripe).count();
        let Some(first) = self.window.presses().first().copied().filter(|_| ripe > 0) else { return };
        let (found, origins) = self.search(&self.window, ripe, &self.branches, true);
        self.dbg("judge", now, &self.window, &found, &origins);
        let innocent = found.first().is_some_and(Explanation::is_innocent);
        let patient = !force && now.since(first.at) < PATIENCE && !self.window.quiet_for(QUIET, now);
        if patient && !innocent {
            self.due = Some(now + AGAIN);
            return;
        }
        let cost = found.first().map_or(HOPELESS, |best| best.cost);
        if cost < TROUBLE || !self.think_again(cost, ripe) {
            if cost < HOPELESS {
                self.adopt(&found, &origins, ripe);
            } else {
                self.lose_track(ripe);
            }
        }
        self.due = self.window.presses().first().map(|press| press.at + self.tuning.settle);
    }

    //DBG
    fn dbg(&self, what: &str, now: Timestamp, window: &Window, found: &[Explanation], origins: &[Origin]) { //DBG
        if std::env::var("JT").is_err() { return; } //DBG
        eprintln!("== {what} {now} settled {} branches {}", self.settled, self.branches.len()); //DBG
        for c in window.changes() { eprintln!("   {} {}{}{}", c.at, c.square, c.is.map_or('-', |p| p.char()), if c.dumped {" d"} else {""}); } //DBG
        for p in window.presses() { eprintln!("   press {:?} {} seen {} inc {}", p.side, p.at, p.seen, p.increment_s); } //DBG
        for e in found.iter().take(6) { //DBG
            eprint!("   {} {:?} ", e.cost, origins.get(e.origin)); //DBG
            for s in &e.steps { match &s.played { Played::Legal(m) => eprint!("{m}@{} ", s.shown), Played::Irregular(i) => eprint!("!{}{}@{} ", i.from, i.to, s.shown) } } //DBG
            eprintln!(" {:?} lies {:?}", e.outcomes, e.lies.into_iter().map(|s| s.to_string()).collect::<Vec<_>>()); //DBG
        } //DBG
    } //DBG

    /// Searches a window from all branches and, if `widely`, from what they may have gone back or passed to.
    fn search(
        &self,
        window: &Window,
        ripe: usize,
        branches: &[Branch],
        widely: bool,
    ) -> (ArrayVec<Explanation, { explain::MOST }>, Vec<Origin>) {
        let evidence = self.evidence(window, ripe);
        let mut origins = Vec::new();
        let mut found = ArrayVec::new();
        let mut explain = |origin: Origin, branch: &Branch, position: Position, price: u32| {
            let number = origins.len();
            origins.push(origin);
            let offender = branch.offender.filter(|_| matches!(origin, Origin::Branch(_)));
            let root = Root { number, position, lies: branch.lies, cost: branch.cost + price, offender };
            explain::explain(evidence, &root, &mut found);
            found.first().map_or(u32::MAX, |best| best.cost)
        };
        let mut least = u32::MAX;
        for (index, branch) in branches.iter().enumerate() {
            least = explain(Origin::Branch(index), branch, branch.position.clone(), 0);
        }
        for (index, branch) in branches.iter().enumerate().filter(|_| widely) {
            if branch.offender == Some(branch.position.turn()) {
                least = explain(Origin::Passed(index), branch, branch.position.pass(), cost::PASS);
            }
        }
        if let (true, [branch]) = (widely && (window.paused || least >= TROUBLE), branches) {
            for (keep, position) in self.earlier_positions() {
                let further = self.settled.saturating_sub(keep + 1);
                let price = if window.paused { cost::REINSTATED } else { cost::TAKEN_BACK };
                explain(Origin::Back(keep), branch, position, price + cost::TAKEN_BACK_PLY * further);
            }
        }
        (found, origins)
    }

    fn evidence<'a>(&self, window: &'a Window, ripe: usize) -> Evidence<'a> {
        Evidence {
            window,
            presses: window.presses(),
            ripe,
            alive: self.alive,
            jitter: self.tuning.scan * 2,
            settle: self.tuning.settle,
            running: self.running,
        }
    }

    /// Returns the last settled positions before the present one, the latest first.
    fn earlier_positions(&self) -> Vec<(u32, Position)> {
        let Some(game) = &self.game else { return Vec::new() };
        if self.branches.len() != 1 {
            return Vec::new();
        }
        let from = self.settled.saturating_sub(MOST_BACK);
        let mut position = game.position_after(from);
        let mut positions = Vec::new();
        for ply in from + 1..=self.settled {
            let next = game.ply(ply).map(|ply| ply.apply(&position));
            positions.push((ply - 1, position));
            let Some(next) = next else { return positions };
            position = next;
        }
        positions.reverse();
        positions
    }

    /// Asks whether the evidence judged before, taken together with the present, tells another story.
    fn think_again(&mut self, cost: u32, ripe: usize) -> bool {
        let mut window = self.window.clone();
        let mut ripe = ripe;
        for index in (0..self.past.len()).rev() {
            let Some(past) = self.past.get(index) else { return false };
            window = Window::joined(&past.window, &window);
            ripe += past.window.presses().len();
            let (found, origins) = self.search(&window, ripe, std::slice::from_ref(&past.branch), false);
            self.dbg("again", Timestamp::ZERO, &window, &found, &origins);
            let better = found.first().is_some_and(|best| best.cost + TROUBLE / 2 < cost && best.is_innocent());
            if better {
                self.branches = vec![past.branch.clone()];
                self.settled = past.settled;
                self.window = window;
                self.past.truncate(index);
                self.adopt(&found, &origins, ripe);
                return true;
            }
        }
        false
    }

    /// Takes the explanations found for the branches to be, and says what the best one makes of the presses.
    fn adopt(&mut self, found: &[Explanation], origins: &[Origin], ripe: usize) {
        let Some(best) = found.first() else { return };
        let presses: Vec<Press> = self.window.presses().iter().take(ripe).copied().collect();
        let because = match origins.get(best.origin) {
            Some(Origin::Back(_)) if self.window.paused => Withdrawal::Reinstated,
            Some(Origin::Back(_)) => Withdrawal::TakenBack,
            _ => Withdrawal::Reconsidered,
        };
        let verdicts = self.verdicts(best, origins, found, &presses);
        if let Some(Origin::Back(keep)) = origins.get(best.origin) {
            self.go_back(*keep);
        }
        let (count, cut) = self.completed(best, ripe);
        if let Some(Origin::Branch(index) | Origin::Passed(index)) = origins.get(best.origin)
            && let Some(branch) = self.branches.get(*index).cloned()
        {
            self.remember(branch, cut, ripe);
        }
        self.branches = self.grown(found, origins, &presses);
        // Plies that the board shows and nobody has pressed for.
        let unpressed = best.steps.iter().skip(count);
        self.shown = unpressed.map(|step| self.shown_step(step)).collect();
        self.showing = None;
        self.forget_before(cut, presses.len());
        self.publish(because);
        self.report(verdicts);
        // What the board shows beyond the plies that were completed.
        if let Some(at) = self.window.last_change() {
            self.showing = self.compare(at);
        }
    }

    fn shown_step(&self, step: &explain::Step) -> ShownStep {
        let made_at = self.shown_at(step.shown);
        let count = step.shown;
        ShownStep { step: Step { played: step.played.clone(), side: step.side, made_at, completed: None }, count }
    }

    /// Returns when the board had shown that many changes.
    fn shown_at(&self, count: usize) -> Timestamp {
        let change = count.checked_sub(1).and_then(|index| self.window.changes().get(index));
        change.or(self.window.changes().first()).map_or(Timestamp::ZERO, |change| change.at)
    }

    /// Returns the branches that the explanations make.
    fn grown(&self, found: &[Explanation], origins: &[Origin], presses: &[Press]) -> Vec<Branch> {
        let least = found.first().map_or(0, |best| best.cost);
        let best_is_back = found.first().and_then(|best| origins.get(best.origin)).is_some_and(|origin| matches!(origin, Origin::Back(_)));
        let mut branches: Vec<Branch> = Vec::new();
        for explanation in found.iter().filter(|explanation| explanation.cost <= least + cost::MARGIN) {
            let Some(origin) = origins.get(explanation.origin).copied() else { continue };
            let mut branch = match origin {
                Origin::Branch(index) | Origin::Passed(index) => match self.branches.get(index) {
                    Some(branch) if !best_is_back => branch.clone(),
                    _ => continue,
                },
                // Plies taken back are no longer settled: only the best explanation can take them.
                Origin::Back(_) if best_is_back => match self.branches.first() {
                    Some(branch) => branch.clone(),
                    None => continue,
                },
                Origin::Back(_) => continue,
            };
            if matches!(origin, Origin::Passed(_)) {
                branch.position = branch.position.pass();
            }
            let count = self.completed(explanation, presses.len()).0;
            let clock = |index: usize| {
                let press = explanation.outcomes.iter().position(|outcome| *outcome == Outcome::Ply(index));
                press.and_then(|press| presses.get(press)).map(|press| press.clock)
            };
            let mut branch = branch.extended(explanation, count, |shown| self.shown_at(shown), clock);
            branch.cost = explanation.cost - least;
            if !branches.iter().any(|other| other.position == branch.position && other.lies == branch.lies) {
                branches.push(branch);
            }
            if best_is_back {
                break;
            }
        }
        branches
    }

    /// Cuts the game and the branch back to an earlier ply.
    fn go_back(&mut self, keep: u32) {
        let Some(game) = &self.game else { return };
        let position = game.position_after(keep);
        self.settled = keep;
        self.past.clear();
        if let Some(branch) = self.branches.first_mut() {
            branch.steps.clear();
            branch.position = position;
            branch.offender = None;
        }
    }

    /// Says what the best explanation makes of each press.
    fn verdicts(&self, best: &Explanation, origins: &[Origin], found: &[Explanation], presses: &[Press]) -> Vec<Pressed> {
        let (base, mut position, known) = match origins.get(best.origin) {
            Some(Origin::Branch(index) | Origin::Passed(index)) => {
                let Some(branch) = self.branches.get(*index) else { return Vec::new() };
                let plies = u32::try_from(branch.steps.len()).unwrap_or(0);
                (self.settled + plies, branch.position.clone(), branch.lies)
            }
            Some(Origin::Back(keep)) => {
                let Some(game) = &self.game else { return Vec::new() };
                (*keep, game.position_after(*keep), self.lies())
            }
            None => return Vec::new(),
        };
        if matches!(origins.get(best.origin), Some(Origin::Passed(_))) {
            position = position.pass();
        }
        let innocent = found.iter().find(|other| other.is_innocent()).map(|other| other.cost - best.cost);
        let guilt = confidence(innocent);
        let lead = confidence(found.get(1).map(|second| second.cost - best.cost));
        let mut pressed = Vec::new();
        let mut played = 0;
        for (press, outcome) in presses.iter().zip(&best.outcomes) {
            let upto = match outcome {
                Outcome::Ply(index) => index + 1,
                _ => played,
            };
            let mut before = position.clone();
            for step in best.steps.iter().skip(played).take(upto - played) {
                before = position;
                position = step.played.apply(&before);
            }
            let ply = base + u32::try_from(upto).unwrap_or(0);
            let verdict = verdict(*outcome, best, known, &before);
            let sure = if matches!(verdict, Verdict::Legal | Verdict::LegalWithMismatch(_)) { lead } else { guilt };
            // Presumed innocent: what a quirk of the sensors explains almost as well is no offence.
            let verdict = if sure == Confidence::Possible && is_offence(&verdict) { Verdict::Reaction } else { verdict };
            let count = best.steps.get(upto.wrapping_sub(1)).map_or(self.window.changes().len(), |step| step.shown);
            pressed.push(self.pressed(*press, verdict, sure, ply, before, count));
            played = upto.max(played);
        }
        pressed
    }

    fn pressed(&self, press: Press, verdict: Verdict, confidence: Confidence, ply: u32, before: Position, count: usize) -> Pressed {
        Pressed {
            side: press.side,
            at: press.at,
            seen: press.seen,
            verdict,
            confidence,
            ply,
            before,
            board: self.window.board().clone(),
            attempt: self.window.changes().iter().take(count).copied().collect(),
            increment_s: press.increment_s,
        }
    }

    fn report(&mut self, verdicts: Vec<Pressed>) {
        for pressed in verdicts {
            if let Verdict::InTheAir { from, .. } = pressed.verdict {
                self.in_the_air = Some(InTheAir { pressed, from });
                continue;
            }
            if is_offence(&pressed.verdict) {
                self.offences.push(Offence { ply: pressed.ply, side: pressed.side, pressed_at: pressed.at });
            }
            self.facts.push(Fact::Pressed(Box::new(pressed)));
        }
    }

    /// Returns how many steps of an explanation have been completed, and the changes that show them.
    fn completed(&self, explanation: &Explanation, ripe: usize) -> (usize, usize) {
        let pressed = explanation.outcomes.iter().take(ripe).filter_map(|outcome| match outcome {
            Outcome::Ply(index) => Some(index + 1),
            _ => None,
        });
        // Nobody saw the presses of a gap: all plies were pressed but the last one of a side whose time still runs.
        let count = if self.window.gap && explanation.outcomes.is_empty() {
            let waits = self.running.is_some_and(|running| running != explanation.position.turn());
            explanation.steps.len().saturating_sub(usize::from(waits))
        } else {
            pressed.max().unwrap_or(0)
        };
        let shown = explanation.steps.iter().take(count).map(|step| step.shown).max().unwrap_or(0);
        (count, shown)
    }

    /// Keeps the evidence that is about to be cut, in case it has to be judged again.
    fn remember(&mut self, branch: Branch, count: usize, presses: usize) {
        if self.past.len() == MOST_PAST {
            self.past.remove(0);
        }
        self.past.push(Past { window: self.window.head(count, presses), branch, settled: self.settled });
    }

    /// Goes on from what stands on the board, since no play explains it.
    fn lose_track(&mut self, presses: usize) {
        self.window.cut(0, presses);
    }

    /// Goes back to an earlier position if the board shows it when the clock is started again.
    pub(super) fn restore(&mut self, now: Timestamp) {
        let Some(branch) = self.branches.first().filter(|_| self.window.paused && self.branches.len() == 1) else {
            return;
        };
        if self.matches(&branch.position) {
            return;
        }
        let back = self.earlier_positions().into_iter().find(|(_, position)| self.matches(position));
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

    /// Finds the moves that were made while nothing was heard of the board.
    pub(super) fn bridge_gap(&mut self, now: Timestamp) {
        let (mut found, origins) = self.search(&self.window, 0, &self.branches, false);
        let count = self.window.changes().len();
        for (index, branch) in self.branches.iter().enumerate() {
            for path in gap::paths(&branch.position, self.window.board(), branch.lies, self.running) {
                let mut side = branch.position.turn();
                let steps = path.moves.iter().map(|m| {
                    let step = explain::Step { played: Played::Legal(*m), side, shown: count };
                    side = !side;
                    step
                });
                let explanation = Explanation {
                    origin: index,
                    steps: steps.collect(),
                    position: path.position,
                    cost: branch.cost + path.cost,
                    lies: branch.lies,
                    outcomes: ArrayVec::new(),
                };
                explain::insert(&mut found, explanation);
            }
        }
        self.dbg("bridge", now, &self.window, &found, &origins);
        self.past.clear();
        if found.first().is_some_and(|best| best.cost < HOPELESS) {
            self.adopt(&found, &origins, 0);
        }
    }
}

/// Says what a press completed; squares that were `known` to lie are no news.
fn verdict(outcome: Outcome, best: &Explanation, known: Bitboard, before: &Position) -> Verdict {
    match outcome {
        Outcome::Ply(index) => match best.steps.get(index).map(|step| &step.played) {
            Some(Played::Irregular(irregular)) => match offence::pawn_left(before, irregular) {
                Some(square) => Verdict::PromotionLeft(square),
                None => Verdict::Illegal(offence::reason(before, irregular)),
            },
            _ => {
                let own = best.steps.iter().map(|step| &step.played).fold(Bitboard::EMPTY, |squares, played| match played {
                    Played::Legal(m) => m.from().into_iter().fold(squares.with(m.to()), Bitboard::with),
                    Played::Irregular(irregular) => squares.with(irregular.from).with(irregular.to),
                });
                let fresh = best.lies & !known & !own;
                if fresh.is_empty() { Verdict::Legal } else { Verdict::LegalWithMismatch(fresh) }
            }
        },
        Outcome::Nothing => Verdict::Nothing,
        Outcome::InTheAir(from) => Verdict::InTheAir { from, placed: None },
        Outcome::Reaction | Outcome::NoDuty => Verdict::Reaction,
    }
}

const fn is_offence(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Illegal(_) | Verdict::PromotionLeft(_) | Verdict::Nothing)
}
