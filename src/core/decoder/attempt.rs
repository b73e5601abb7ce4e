//! Owns what a press completed, in the best of the stories in which it completed such a thing: a ply, and the position before it.

use super::{
    beam::Beam,
    claims::claim_of,
    position::World,
    token::{Completed, Made, Token},
};

/// What a press completed, as a story has it.
#[derive(Clone, Debug)]
pub(crate) struct Attempted {
    /// The position before it.
    pub(crate) before: World,
    /// The ply, unless it has been taken back since, or there was none.
    pub(crate) made: Option<Made>,
    /// Whether pieces lie amiss at the end of the story.
    pub(crate) amiss: bool,
    /// The number of the ply, or of the last one before a press without one.
    pub(crate) number: u32,
}

impl Beam {
    /// Returns what a press completed in the best of the stories in which it was this.
    pub(crate) fn attempted(&self, press: u32, what: Completed) -> Option<Attempted> {
        let claimed = |token: &&Token| claim_of(token, press).is_some_and(|claim| claim.what == what);
        let token = self.tokens.iter().map(Box::as_ref).filter(claimed).min_by_key(|token| token.total)?;
        let number = claim_of(token, press)?.ply;
        let mut before = token.world.clone();
        let mut made = None;
        let plies = token.history.iter().flat_map(|node| node.chain());
        for ply in plies.take_while(|ply| ply.number >= number) {
            ply.undo(&mut before);
            made = (ply.number == number && ply.is_wrong()).then_some(*ply);
        }
        if let Some(made) = made {
            before.turn = made.mover;
        }
        let number = if what == Completed::Nothing { number.saturating_sub(1) } else { number };
        let amiss = token.hands.is_displaced();
        Some(Attempted { before, made, amiss, number })
    }
}
