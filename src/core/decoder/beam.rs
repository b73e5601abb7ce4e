//! Owns the beam: every observation moves all tokens on, actions make new ones, equal states merge, the rest is pruned.

use std::collections::{BTreeMap, VecDeque};

use shakmaty::{Bitboard, Board, Color};

use super::{
    actions::{self, Unheard},
    moment::Moment,
    params::Params,
    position::World,
    price::Price,
    sensed::{Context, Sensed},
    token::{Token, Tokens},
};
use crate::position::differences;

/// How much of the past is remembered, milliseconds: more than a press is looked at after it.
const PAST_MS: i32 = 20_000;

/// Most instants of it; of more, every second one goes.
const MOST_PAST: usize = 256;

/// All stories of one game that are alive, the best first.
#[derive(Clone, Debug)]
pub(crate) struct Beam {
    pub(crate) tokens: Tokens,
    pub(crate) sensed: Sensed,
    pub(crate) params: Params,
    /// Presses so far.
    pub(crate) presses: u32,
    /// What the best story has cost since the beginning, nats, and what it had at earlier instants.
    pub(crate) base: i64,
    past: VecDeque<(Moment, i64)>,
    /// Tokens that were made so far.
    pub(crate) made: u64,
    /// When the game was found in its middle.
    found: Option<Moment>,
    start: World,
}

impl Beam {
    /// Begins with what a board shows; `start` is the position that games start from.
    pub(crate) fn new(board: Board, start: World, params: &Params, now: Moment) -> Self {
        let mut beam = Self {
            tokens: Vec::new(),
            sensed: Sensed::new(board, params, now),
            params: *params,
            presses: 0,
            base: 0,
            past: VecDeque::new(),
            made: 0,
            found: None,
            start,
        };
        beam.restart(now);
        beam
    }

    /// Begins in the middle of a game, with what is known of its position and of squares that are faulty.
    pub(crate) fn resume(world: World, shown: Board, faulty: Bitboard, params: &Params, now: Moment) -> Self {
        let mut beam = Self::new(shown, world.clone(), params, now);
        beam.found = None;
        beam.sensed.clock = true;
        let context = Context { sensed: &beam.sensed, params, now, limit: Price::NEVER };
        let mut token = Token::new(world, false, Price::FREE, now);
        token.begins = false;
        token.hands.dead = faulty;
        for square in differences(&token.world.board, &beam.sensed.board) {
            if faulty.contains(square) {
                token.hands.owe_dead(square, &token.world, now, params);
            } else {
                token.settle(square, now, &context);
            }
        }
        beam.tokens = vec![Box::new(token)];
        beam
    }

    /// Begins a game, or joins one in its middle.
    pub(crate) fn restart(&mut self, now: Moment) {
        let known = self.sensed.board == self.start.board;
        self.found = (!known).then_some(now);
        let found = |turn| World::found(self.sensed.board.clone(), turn);
        let worlds =
            if known { vec![self.start.clone()] } else { [Color::White, Color::Black].map(found).to_vec() };
        let mirrored = self.params.clock.mirrored;
        self.tokens = worlds
            .into_iter()
            .flat_map(|world| {
                [Token::new(world.clone(), false, Price::FREE, now), Token::new(world, true, mirrored, now)]
                    .map(Box::new)
            })
            .collect();
    }

    /// Returns the best story.
    pub(crate) fn best(&self) -> Option<&Token> {
        self.tokens.first().map(Box::as_ref)
    }

    /// Returns whether the sensors show the position that games start from.
    pub(crate) fn shows_start(&self) -> bool {
        self.sensed.board == self.start.board
    }

    /// Changes each token, given what is the same for all.
    pub(crate) fn for_each_token(&mut self, now: Moment, mut change: impl FnMut(&mut Token, &Context<'_>)) {
        let context = Context { sensed: &self.sensed, params: &self.params, now, limit: Price::NEVER };
        for token in &mut self.tokens {
            change(token, &context);
        }
    }

    /// Replaces each token by those that come of it.
    pub(crate) fn replace_tokens(
        &mut self,
        now: Moment,
        replace: impl Fn(&Token, &Context<'_>, &mut dyn FnMut(Box<Token>)),
    ) {
        let context = Context { sensed: &self.sensed, params: &self.params, now, limit: Price::NEVER };
        let mut next = Vec::with_capacity(self.tokens.len());
        for token in &self.tokens {
            replace(token, &context, &mut |mut token| {
                token.renew();
                next.push(token);
            });
        }
        self.tokens = next;
    }

    /// Proposes actions that nobody reported, up to so many at once.
    pub(crate) fn search(&mut self, now: Moment, depth: u8) {
        let context = Context { sensed: &self.sensed, params: &self.params, now, limit: Price::NEVER };
        let search = self.params.search;
        let mut survivors: BTreeMap<u64, Box<Token>> = BTreeMap::new();
        let mut frontier = std::mem::take(&mut self.tokens);
        for token in &mut frontier {
            token.update_total(&context);
        }
        let mut best = lowest(&frontier, Price::NEVER);
        let most = self.made + search.most_made;
        for level in 0..=depth {
            let mut next = Vec::new();
            shorten(&mut frontier, search.beam);
            for mut token in frontier {
                if token.total > best + search.margin {
                    continue;
                }
                let key = token.keys().future;
                if survivors.get(&key).is_some_and(|old| old.total <= token.total) {
                    continue;
                }
                if level < depth {
                    let limit = best + search.margin;
                    let near = token.total <= best + search.reach && self.made < most;
                    let context = Context { limit, ..context };
                    actions::propose(&mut token, near, self.found, &context, &mut |mut token| {
                        self.made += 1;
                        token.renew();
                        token.update_total(&context);
                        if token.total <= limit {
                            next.push(token);
                        }
                    });
                    if next.len() > 4 * search.beam {
                        shorten(&mut next, search.beam);
                    }
                }
                survivors.insert(key, token);
            }
            best = lowest(&next, best);
            frontier = next;
            if frontier.is_empty() {
                break;
            }
        }
        let mut tokens: Tokens =
            survivors.into_values().filter(|token| token.total <= best + search.margin).collect();
        shorten(&mut tokens, search.beam);
        self.keep(tokens, now);
    }

    /// Keeps the tokens that remain; costs are relative to the best.
    fn keep(&mut self, tokens: Tokens, now: Moment) {
        self.tokens = tokens;
        let best = lowest(&self.tokens, Price::NEVER);
        if best == Price::NEVER {
            return;
        }
        for token in &mut self.tokens {
            token.cost -= best;
            token.total -= best;
            token.proposed.lower(best + self.params.search.margin, best);
        }
        debug_assert!(self.past.back().is_none_or(|(at, _)| *at <= now), "time does not go back");
        debug_assert!(self.tokens.is_sorted_by_key(|token| token.total), "the best token is the first");
        self.base += i64::from(best.units());
        self.past.push_back((now, self.base));
        while self.past.len() > 2 && self.past.get(1).is_some_and(|(at, _)| now.since(*at) > PAST_MS) {
            self.past.pop_front();
        }
        if self.past.len() > MOST_PAST {
            let mut odd = false;
            self.past.retain(|_| {
                odd = !odd;
                odd
            });
        }
    }

    /// Returns what the best story has cost since an instant.
    pub(crate) fn cost_since(&self, at: Moment) -> i64 {
        let before = self.past.iter().rev().find(|(then, _)| *then <= at).or_else(|| self.past.front());
        self.base - before.map_or(self.base, |(_, cost)| *cost)
    }

    /// Searches plies that nobody saw, during an outage: whatever is off its square has no cause before.
    pub(crate) fn search_gap(&mut self, now: Moment) {
        let context = Context { sensed: &self.sensed, params: &self.params, now, limit: Price::NEVER };
        let search = self.params.search;
        let mut level = std::mem::take(&mut self.tokens);
        let first = lowest(&level, Price::NEVER);
        level.retain(|token| token.total <= first + search.gap_from);
        for token in &mut level {
            token.hands.debts.clear();
            token.total = token.cost + actions::gap_price(&token.world, &context);
        }
        let mut found: BTreeMap<u64, Box<Token>> = BTreeMap::new();
        let mut best = Price::NEVER;
        let mut remaining = search.gap_positions;
        for _ in 0..search.gap_plies {
            // Each ply takes a quarter of what is left.
            shorten(&mut level, remaining / 4 + 1);
            remaining = remaining.saturating_sub(level.len());
            if level.first().is_none_or(|first| first.total > best + search.gap_margin) {
                break;
            }
            let mut plies: Vec<(Price, usize, Unheard)> = Vec::new();
            for (index, token) in level.iter().enumerate() {
                best = best.min(token.total);
                actions::unheard(token, best + search.gap_margin, &context, |unheard| {
                    plies.push((unheard.total, index, unheard));
                });
            }
            plies.sort_by_key(|(total, ..)| *total);
            // Of those with the same future the first is the cheapest.
            let mut next: BTreeMap<u64, Box<Token>> = BTreeMap::new();
            for (_, index, unheard) in plies {
                if next.len() > remaining / 4 {
                    break;
                }
                let made = level.get(index).and_then(|token| unheard.make(token, &context));
                self.made += 1;
                if let Some(token) = made {
                    insert_best(&mut next, token);
                }
            }
            for token in level {
                insert_best(&mut found, token);
            }
            level = next.into_values().collect();
        }
        for mut token in found.into_values().filter(|token| token.total <= best + search.gap_kept) {
            for square in differences(&context.sensed.board, &token.world.board) {
                token.handle_square(square, &context);
            }
            self.tokens.push(token);
        }
        self.search(now, search.depth_at_press);
    }
}

/// Keeps the cheaper one of two tokens with the same future.
fn insert_best(tokens: &mut BTreeMap<u64, Box<Token>>, mut token: Box<Token>) {
    token.renew();
    let key = token.keys().future;
    if tokens.get(&key).is_none_or(|old| old.total > token.total) {
        tokens.insert(key, token);
    }
}

/// Returns the lowest total.
fn lowest(tokens: &[Box<Token>], or: Price) -> Price {
    tokens.iter().map(|token| token.total).fold(or, Price::min)
}

/// Keeps so many of the best, in order; of equal ones those that came first.
fn shorten(tokens: &mut Tokens, most: usize) {
    tokens.sort_by_key(|token| token.total);
    tokens.truncate(most);
}
