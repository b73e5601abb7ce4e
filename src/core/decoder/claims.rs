//! Owns claims: what each press completed, with the share of the probability of those tokens in which it did, and the word for it.
//!
//! Beside the tokens stands *something else*, which explains anything at a fixed price; where even the best story has paid much around a
//! press, it takes its share, so that nothing is certain only because its rivals were not in the list.

use shakmaty::Color;

use super::{
    beam::Beam,
    logarithm::{share, weight},
    moment::Moment,
    params::ClaimParams,
    price::Price,
    sensed::Context,
    token::{Claim, Completed, Token},
};
use crate::alert::{Confidence, Probability};

/// What a press may have completed, and how probable that is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Belief {
    /// What the press completed.
    pub what: Completed,
    /// Who pressed.
    pub side: Color,
    /// The ply that it completed; with [`Completed::Nothing`] and the like the one that would have come.
    pub ply: u32,
    /// Probability, 1/65536.
    pub p: u32,
    /// The best story in which something else is true of the press.
    pub otherwise: Option<Completed>,
}

impl ClaimParams {
    /// Returns a probability in 1/65536 as it is reported beside a word: never so much that a stronger word would follow from it, also where it
    /// is rounded to four decimals.
    #[must_use]
    pub fn beside(&self, word: Confidence, p: Probability) -> Probability {
        const ROUNDED: u32 = 4;
        let most = match word {
            Confidence::Certain => Probability::ONE,
            Confidence::Likely => self.certain - ROUNDED,
            Confidence::Possible => self.likely - ROUNDED,
        };
        p.min(Probability::new(most))
    }

    /// Returns the word for a probability in 1/65536; none below one in two.
    #[must_use]
    pub const fn word(&self, p: u32) -> Option<Confidence> {
        if p >= self.certain {
            Some(Confidence::Certain)
        } else if p >= self.likely {
            Some(Confidence::Likely)
        } else if p >= self.possible {
            Some(Confidence::Possible)
        } else {
            None
        }
    }
}

impl Beam {
    /// Returns the posterior of what a press completed, the most probable first. `at`: when it was pressed.
    ///
    /// It is empty if no token remembers the press any more: what was reported of it stays.
    pub(crate) fn beliefs(&mut self, press: u32, at: Moment, now: Moment) -> Vec<Belief> {
        let context = Context { sensed: &self.sensed, params: &self.params, now, limit: Price::NEVER };
        for token in &mut self.tokens {
            // A press for which no ply is known yet counts as what it will be if none comes.
            token.total = token.cost + token.pending(&context) + token.to_come(&context);
        }
        let stories: Vec<u64> = self.tokens.iter_mut().map(|token| token.keys().story).collect();
        let tokens = self.tokens.iter().map(Box::as_ref);
        let mut sorted: Vec<(u64, &Token)> = stories.into_iter().zip(tokens).collect();
        sorted.sort_by_key(|(_, token)| token.total);
        let Some((_, lead)) = sorted.first() else { return Vec::new() };
        let best = lead.total;
        let mut all = weight(self.something_else(lead, at, &context));
        let mut reported: Vec<u64> = Vec::new();
        let mut sums: Vec<(Belief, u64)> = Vec::new();
        for (story, token) in sorted {
            if reported.contains(&story) {
                continue;
            }
            reported.push(story);
            let weight = weight(token.total - best);
            all += weight;
            let Some(claim) = claim_of(token, press) else { continue };
            let same =
                |(belief, _): &&mut (Belief, u64)| belief.what == claim.what && belief.side == claim.side;
            if let Some((_, sum)) = sums.iter_mut().find(same) {
                *sum += weight;
            } else {
                let Claim { what, side, ply, .. } = claim;
                sums.push((Belief { what, side, ply, p: 0, otherwise: None }, weight));
            }
        }
        sums.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
        let first = sums.first().map(|(belief, _)| belief.what);
        let second = sums.get(1).map(|(belief, _)| belief.what);
        sums.into_iter()
            .map(|(belief, sum)| {
                let otherwise = if Some(belief.what) == first { second } else { first };
                Belief { p: share(sum, all), otherwise, ..belief }
            })
            .collect()
    }

    /// Returns by how much *something else* is worse than the best story: its price falls by what that still owes for pieces that lie
    /// elsewhere, and by what was paid from some seconds before the press on.
    fn something_else(&self, lead: &Token, at: Moment, context: &Context<'_>) -> Price {
        let claims = &context.params.claims;
        let paid = self.cost_since(at.after(-claims.look_back_ms)) + i64::from(lead.total.units());
        let rest = i64::from((claims.something_else - lead.hands.price_amiss(context)).units()) - paid;
        Price::new(i32::try_from(rest.clamp(-1 << 20, 1 << 20)).unwrap_or(0))
    }
}

/// Returns what a press completed in a story.
pub(crate) fn claim_of(token: &Token, press: u32) -> Option<Claim> {
    let owed = token.owed.iter().find(|owed| owed.press == press).map(|owed| Claim {
        press,
        what: owed.what,
        side: owed.side,
        ply: token.plies() + 1,
    });
    owed.or_else(|| token.claims.iter().find(|claim| claim.press == press).copied())
}
