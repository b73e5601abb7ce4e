//! Owns what a beam makes of the moves: the plies of the best story, and how probable each of them is.

use std::sync::Arc;

use shakmaty::{Color, Role, Square};

use super::{
    beam::Beam,
    hands::{Cause, Debt},
    logarithm::{share, weight},
    moment::Moment,
    position::{Kind, Ply},
    price::Price,
    sensed::Context,
    token::{Made, Node, Token},
};

/// A legal ply of a story that a press completed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct ReadPly {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) promotion: Option<Role>,
    pub(crate) side: Color,
    /// When the board showed it.
    pub(crate) shown: Moment,
    /// How many of the stories have it and those before it, 1/65536.
    pub(crate) p: u32,
}

impl Beam {
    /// Returns the plies of the best story that were pressed, if it is plain: legal plies alone, no press that waits for one, and nothing on
    /// the board that it does not explain, hands aside.
    pub(crate) fn reading(&mut self, now: Moment) -> Option<Vec<ReadPly>> {
        let context = Context { sensed: &self.sensed, params: &self.params, now, limit: Price::NEVER };
        for token in &mut self.tokens {
            token.update_total(&context);
        }
        let best = self.tokens.iter().min_by_key(|token| token.total)?;
        let mut plies = plain_plies(best)?;
        let stories: Vec<(usize, u64)> = self
            .tokens
            .iter()
            .map(|token| (plies_in_common(token, &plies), weight(token.total - best.total)))
            .collect();
        let all = stories.iter().map(|(_, weight)| weight).sum();
        for (index, ply) in plies.iter_mut().enumerate() {
            let same = stories.iter().filter(|(alike, _)| *alike > index).map(|(_, weight)| weight).sum();
            ply.p = share(same, all);
        }
        Some(plies)
    }
}

/// Returns the plies of a story that were pressed, the oldest first, if it is plain.
fn plain_plies(token: &Token) -> Option<Vec<ReadPly>> {
    let is_held = |debt: &Debt| {
        debt.stray.is_none()
            && debt.missing.is_some_and(|part| matches!(part.cause, Cause::Hand | Cause::Pair))
    };
    let mut debts = token.hands.debts.iter().filter(|debt| !token.hands.dead.contains(debt.square));
    if token.ended || !token.owed.is_empty() || !debts.all(is_held) {
        return None;
    }
    let ply = |made: &Made| {
        let plain = !made.is_wrong() && made.ply.kind != Kind::Left;
        let Ply { from, to, promotion, .. } = made.ply;
        plain.then_some(ReadPly { from, to, promotion, side: made.mover, shown: made.shown, p: 0 })
    };
    let chain = pressed(token).into_iter().flat_map(|node| node.chain());
    let mut plies = chain.map(ply).collect::<Option<Vec<_>>>()?;
    plies.reverse();
    Some(plies)
}

/// Returns the last ply that was pressed, with those before it.
fn pressed(token: &Token) -> Option<&Arc<Node>> {
    let mut node = token.history.as_ref();
    for _ in 0..token.open {
        node = node?.parent.as_ref();
    }
    node
}

/// Returns how many of these plies a story begins with.
fn plies_in_common(token: &Token, plies: &[ReadPly]) -> usize {
    let mut chain: Vec<&Made> = token.history.iter().flat_map(|node| node.chain()).collect();
    chain.reverse();
    let is_it = |(made, read): &(&Made, &ReadPly)| {
        made.ply.kind != Kind::Left
            && (made.ply.from, made.ply.to, made.ply.promotion) == (read.from, read.to, read.promotion)
    };
    chain.into_iter().zip(plies).take_while(is_it).count()
}
