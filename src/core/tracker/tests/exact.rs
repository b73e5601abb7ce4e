//! A board that shows exactly one move is judged at once; a search among all explanations has to say the same.

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};
use shakmaty::Move;

use super::*;
use crate::fact::Verdict;

/// How a move is made.
#[derive(Clone, Copy, Debug)]
struct Handling {
    /// Which of the legal moves.
    choice: prop::sample::Index,
    order: Order,
    /// Another piece is lifted first and put back.
    adjusts: bool,
    /// The opponent lifts the piece that moves next before the press.
    hurries: bool,
    /// Milliseconds from the last change to the press, and from there to the next change.
    press_after: u64,
    next_after: u64,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    MoverFirst,
    VictimFirst,
    /// The captor is put where the victim stands: the square never reads empty.
    InItsPlace,
}

fn handling() -> impl Strategy<Value = Handling> {
    let order = prop_oneof![Just(Order::MoverFirst), Just(Order::VictimFirst), Just(Order::InItsPlace)];
    let often = || prop::bool::weighted(0.15);
    (any::<prop::sample::Index>(), order, often(), often(), 0_u64..900, 40_u64..1500).prop_map(
        |(choice, order, adjusts, hurries, press_after, next_after)| Handling {
            choice,
            order,
            adjusts,
            hurries,
            press_after,
            next_after,
        },
    )
}

/// Returns what the squares show while a move is made.
fn shown(position: &Position, m: Move, handling: Handling) -> Vec<(Square, Option<Piece>)> {
    let (before, after) = (position.board(), position.play(m));
    let us = position.turn();
    let odd = crate::position::differences(before, after.board());
    let (own, victims) = (odd & before.by_color(us), odd & before.by_color(!us));
    let reached = odd & after.board().by_color(us);
    let lifts = |squares: Bitboard| squares.into_iter().map(|square| (square, None));
    let puts = reached.into_iter().map(|square| (square, after.board().piece_at(square)));
    let mut shown = Vec::new();
    if handling.adjusts
        && let Some(square) = (before.by_color(us) & !odd).last()
    {
        shown.extend([(square, None), (square, before.piece_at(square))]);
    }
    match handling.order {
        Order::MoverFirst => shown.extend(lifts(own).chain(lifts(victims)).chain(puts)),
        Order::VictimFirst => shown.extend(lifts(victims).chain(lifts(own)).chain(puts)),
        Order::InItsPlace => shown.extend(lifts(own).chain(puts).chain(lifts(victims & !reached))),
    }
    shown
}

/// What a tracker has made of a game.
type Followed = (Vec<(Played, Color, bool)>, Vec<(Color, Timestamp, Verdict, u32)>);

/// Plays a game; returns its plies, what each press completed, and how many presses were judged at once.
fn follow(handlings: &[Handling], searches_always: bool) -> (Followed, usize) {
    let tuning =
        Tuning { scan: Duration::from_millis(225), settle: Duration::from_millis(500), measured: None };
    let mut tracker = Tracker::new(tuning);
    tracker.searches_always = searches_always;
    let mut now = Timestamp::ZERO;
    for (square, piece) in Board::new() {
        tracker.handle_square(square, Some(piece), true, now);
    }
    tracker.start(1, Position::initial());
    tracker.handle_running(Some(Color::White), now);
    let mut position = Position::initial();
    let (mut facts, mut at_once) = (Vec::new(), 0);
    let mut lifted = None;
    let mut steps = handlings.iter().peekable();
    while let Some(handling) = steps.next() {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = *handling.choice.get(&moves);
        let early = lifted.take();
        feed(&mut tracker, Input::Wait(handling.next_after), &mut now);
        for (square, piece) in shown(&position, m, *handling) {
            if piece.is_none() && early == Some(square) {
                continue;
            }
            feed(&mut tracker, Input::Square(square, piece, false), &mut now);
            feed(&mut tracker, Input::Wait(120), &mut now);
        }
        let side = position.turn();
        position = position.play(m);
        feed(&mut tracker, Input::Wait(handling.press_after), &mut now);
        let replies = position.legal_moves();
        if handling.hurries
            && !replies.is_empty()
            && let Some(next) = steps.peek().filter(|next| !next.adjusts)
        {
            lifted = next.choice.get(&replies).from();
            if let Some(square) = lifted {
                feed(&mut tracker, Input::Square(square, None, false), &mut now);
            }
        }
        feed(&mut tracker, Input::Press(side, true), &mut now);
        at_once += usize::from(tracker.window.presses().is_empty());
        facts.extend(tracker.take_facts());
    }
    feed(&mut tracker, Input::Wait(5000), &mut now);
    tracker.finish(now);
    facts.extend(tracker.take_facts());
    let judged = facts.into_iter().filter_map(|fact| {
        let Fact::Pressed(pressed) = fact else { return None };
        Some((pressed.side, pressed.at, pressed.verdict, pressed.ply))
    });
    let plies = tracker.game().unwrap().plies().iter();
    let reported =
        (plies.map(|ply| (ply.played.clone(), ply.side, ply.completed)).collect(), judged.collect());
    (reported, at_once)
}

proptest! {
    #![proptest_config(Config { cases: 48, rng_seed: RngSeed::Fixed(15), ..Config::default() })]

    #[test]
    fn an_exact_board_is_judged_as_a_search_would(handlings in prop::collection::vec(handling(), 10..60)) {
        let (reported, at_once) = follow(&handlings, false);
        let (searched, never) = follow(&handlings, true);
        let presses = reported.1.len();
        prop_assert_eq!(reported, searched);
        prop_assert!(2 * at_once > presses, "{} of {} judged at once", at_once, presses);
        prop_assert_eq!(never, 0);
    }
}
