//! What draw claims have in common: who may claim, since which press, until he touches a piece (Art. 9.4).

use super::{context::RuleContext, store::AlertStore};
use crate::{
    fact::{Fact, Verdict},
    time::Timestamp,
};

/// A move after which the other player may claim.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClaimOpening {
    pub(super) ply: u32,
    pub(super) pressed_at: Option<Timestamp>,
}

/// Returns the move that a fact completes, unless the claimant has forfeited his claim meanwhile.
///
/// Without a clock a move counts as completed when it is made.
pub(super) fn opening(fact: &Fact, context: &RuleContext<'_>, alerts: &AlertStore) -> Option<ClaimOpening> {
    let opening = match fact {
        Fact::Pressed(pressed)
            if matches!(pressed.verdict, Verdict::Legal | Verdict::LegalWithMismatch(_)) =>
        {
            ClaimOpening { ply: pressed.ply, pressed_at: Some(pressed.at) }
        }
        Fact::Made { ply } if !context.clock.connected => ClaimOpening { ply: *ply, pressed_at: None },
        _ => return None,
    };
    let ply = context.game.ply(opening.ply).filter(|ply| ply.is_exact())?;
    let pressed = opening.pressed_at.unwrap_or(ply.made_at);
    let answered =
        context.game.ply(opening.ply.saturating_add(1)).is_some_and(|reply| reply.made_at <= pressed);
    let touched = alerts.touched_between(!ply.side, ply.made_at, pressed);
    (!answered && !touched).then_some(opening)
}
