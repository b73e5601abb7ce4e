//! Owns what is reported: claims as they become probable and cease to be, and the moves of the best story.

use shakmaty::{CastlingMode, Color, Role};

use super::{
    beam::Beam,
    claims::Belief,
    hands::Part,
    moment::Moment,
    position::{Kind, World},
    token::{Completed, Token},
    two_hands::two_hands,
};
use crate::alert::Confidence;

/// Presses that are looked at again; of more, the oldest is not.
const LOOKED_AT: usize = 32;

/// Claims that are remembered as reported; of more, the oldest stays reported.
const MOST_REPORTED: usize = 64;

/// What is claimed of a press.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Claimed {
    /// It completed something that the Laws do not allow, or nothing.
    Completed(Completed),
    /// It completed castling with two hands (7.5.4).
    TwoHands,
}

/// A claim that is reported, changed or withdrawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClaimReport {
    /// Number of the press.
    pub press: u32,
    /// What is claimed.
    pub claimed: Claimed,
    /// Against whom.
    pub side: Color,
    /// The ply.
    pub ply: u32,
    /// Probability, 1/65536.
    pub p: u32,
    /// The word for it; `None` withdraws the claim.
    pub word: Option<Confidence>,
    /// The best story in which something else is true of the press.
    pub otherwise: Option<Completed>,
    /// Whether the claim had been reported before.
    pub again: bool,
}

/// A press that is to be looked at.
#[derive(Clone, Copy, Debug)]
struct Look {
    due: Moment,
    press: u32,
    pressed: Moment,
    /// Which of the looks.
    number: u8,
}

/// What has been reported, and what is to be looked at.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClaimReporter {
    looks: Vec<Look>,
    reported: Vec<(u32, Claimed, Color, u32)>,
}

impl ClaimReporter {
    /// Notes a press.
    pub(crate) fn note(&mut self, press: u32, beam: &Beam, now: Moment) {
        for (number, after) in (0..).zip(beam.params.claims.looks_ms) {
            self.looks.push(Look { due: now.after(after), press, pressed: now, number });
        }
        let most = LOOKED_AT * beam.params.claims.looks_ms.len();
        let excess = self.looks.len().saturating_sub(most);
        self.looks.drain(..excess);
    }

    /// Returns when a press is to be looked at.
    pub(crate) fn deadline(&self) -> Option<Moment> {
        self.looks.iter().map(|look| look.due).min()
    }

    /// Looks at the press that is due first, if it is; returns whether there was one.
    pub(crate) fn look(
        &mut self,
        beam: &mut Beam,
        now: Moment,
        mut report: impl FnMut(ClaimReport, Moment),
    ) -> bool {
        let Some(due) = self.deadline().filter(|due| *due <= now) else { return false };
        let Some(index) = self.looks.iter().position(|look| look.due == due) else { return false };
        let look = self.looks.swap_remove(index);
        beam.search(due, beam.params.search.depth_at_rest);
        let beliefs = beam.beliefs(look.press, look.pressed, due);
        // So many presses ago that no token remembers it: what was reported stays.
        if beliefs.is_empty() {
            return true;
        }
        let claims = beam.params.claims;
        let mut held = Vec::new();
        for belief in &beliefs {
            if belief.what == Completed::Castling
                && look.number == claims.changes_from
                && belief.p > claims.likely
            {
                self.look_for_two_hands(beam, belief, &look, &mut report);
            }
            let Some(claimed) = claimed(belief.what) else { continue };
            // The pawn that was left is the opponent's.
            let side = if belief.what == Completed::Stands { !belief.side } else { belief.side };
            if belief.p >= claims.withdrawn {
                held.push((claimed, side));
            }
            let Some(word) = claims.word(belief.p) else { continue };
            let Belief { ply, p, otherwise, .. } = *belief;
            let again = self.is_reported(look.press, claimed, side);
            let may = match word {
                Confidence::Certain => true,
                Confidence::Likely => look.number >= claims.likely_from,
                Confidence::Possible => look.number >= claims.possible_from,
            };
            if again && look.number >= claims.changes_from || !again && may {
                self.remember(look.press, claimed, side, ply);
                report(
                    ClaimReport {
                        press: look.press,
                        claimed,
                        side,
                        ply,
                        p,
                        word: Some(word),
                        otherwise,
                        again,
                    },
                    due,
                );
            }
        }
        self.withdraw(look.press, &held, &beliefs, |reported| report(reported, due));
        true
    }

    /// Withdraws what is no longer believed of a press.
    fn withdraw(
        &mut self,
        press: u32,
        held: &[(Claimed, Color)],
        beliefs: &[Belief],
        mut report: impl FnMut(ClaimReport),
    ) {
        self.reported.retain(|(of, claimed, side, ply)| {
            let stays = *of != press || *claimed == Claimed::TwoHands || held.contains(&(*claimed, *side));
            if !stays {
                let p = beliefs
                    .iter()
                    .find(|belief| Claimed::Completed(belief.what) == *claimed)
                    .map_or(0, |belief| belief.p);
                let otherwise = beliefs.first().map(|belief| belief.what);
                let (claimed, side, ply) = (*claimed, *side, *ply);
                report(ClaimReport { press, claimed, side, ply, p, word: None, otherwise, again: true });
            }
            stays
        });
    }

    fn look_for_two_hands(
        &mut self,
        beam: &Beam,
        belief: &Belief,
        look: &Look,
        report: &mut impl FnMut(ClaimReport, Moment),
    ) {
        let Some(p) = beam.best().and_then(|token| two_hands(token, &beam.sensed, belief.side, look.due))
        else {
            return;
        };
        if p <= beam.params.claims.two_hands || self.is_reported(look.press, Claimed::TwoHands, belief.side) {
            return;
        }
        let Belief { side, ply, .. } = *belief;
        self.remember(look.press, Claimed::TwoHands, side, ply);
        let (claimed, word) = (Claimed::TwoHands, Some(Confidence::Likely));
        report(
            ClaimReport {
                press: look.press,
                claimed,
                side,
                ply,
                p,
                word,
                otherwise: Some(Completed::Castling),
                again: false,
            },
            look.due,
        );
    }

    fn is_reported(&self, press: u32, claimed: Claimed, side: Color) -> bool {
        self.reported.iter().any(|reported| (reported.0, reported.1, reported.2) == (press, claimed, side))
    }

    fn remember(&mut self, press: u32, claimed: Claimed, side: Color, ply: u32) {
        if self.is_reported(press, claimed, side) {
            return;
        }
        if self.reported.len() >= MOST_REPORTED {
            self.reported.remove(0);
        }
        self.reported.push((press, claimed, side, ply));
    }
}

/// Returns what is claimed of a press that completed this, if anything.
const fn claimed(what: Completed) -> Option<Claimed> {
    match what {
        Completed::Illegal
        | Completed::Unreplaced
        | Completed::Early
        | Completed::Stands
        | Completed::Nothing => Some(Claimed::Completed(what)),
        Completed::Legal | Completed::Castling | Completed::Back => None,
    }
}

/// A ply of the best story.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Listed {
    /// In UCI.
    pub uci: String,
    /// In standard algebraic notation, or in UCI if it is not legal.
    pub san: String,
    /// Whether it is legal.
    pub legal: bool,
    /// Who made it.
    pub side: Color,
    /// Whether nobody heard it.
    pub inferred: bool,
}

/// Describes a story: cost, last plies, what is owed.
pub(crate) fn describe(token: &Token, rotated: bool) -> String {
    let mut plies: Vec<String> = token
        .history
        .iter()
        .flat_map(|node| node.chain())
        .take(5)
        .map(|made| format!("{}{}{}", made.ply.from, made.ply.to, if made.legal { "" } else { "!" }))
        .collect();
    plies.reverse();
    let debts: Vec<String> = token
        .hands
        .debts
        .iter()
        .map(|debt| {
            let cause =
                |part: Option<Part>| part.map_or_else(String::new, |part| format!("{:?}", part.cause));
            format!("{}-{}+{}", debt.square, cause(debt.missing), cause(debt.stray))
        })
        .collect();
    let owed: Vec<String> = token.owed.iter().map(|owed| format!("{} {:?}", owed.side, owed.what)).collect();
    let claims: Vec<String> =
        token.claims.iter().rev().take(3).map(|claim| format!("{} {:?}", claim.press, claim.what)).collect();
    format!(
        "{:5} {:5} {} {} open {} owed {owed:?} {}{}{} {claims:?} {}",
        token.total.units(),
        token.cost.units(),
        token.plies(),
        plies.join(" "),
        token.open,
        if rotated { "rotated " } else { "" },
        if token.mirrored { "mirrored " } else { "" },
        if token.ended { "ended" } else { "" },
        debts.join(" ")
    )
}

/// Returns the plies of a story.
pub(crate) fn list(token: &Token, mode: CastlingMode) -> Vec<Listed> {
    let mut world = token.world.clone();
    let mut listed: Vec<Listed> = token
        .history
        .iter()
        .flat_map(|node| node.chain())
        .filter_map(|made| {
            made.undo(&mut world);
            if made.ply.kind == Kind::Left {
                return None;
            }
            let (from, to) = (made.ply.from, made.ply.to);
            let position = World { turn: made.mover, ..world.clone() }.position(mode);
            let found = position.find(from, to, made.ply.promotion).filter(|_| made.legal);
            let plain = || {
                format!(
                    "{from}{to}{}",
                    made.ply.promotion.map_or(String::new(), |role: Role| role.char().to_string())
                )
            };
            let uci = found.map_or_else(plain, |m| position.uci(m));
            let san = found.map_or_else(plain, |m| position.san(m));
            Some(Listed { uci, san, legal: made.legal, side: made.mover, inferred: made.inferred })
        })
        .collect();
    listed.reverse();
    listed
}
