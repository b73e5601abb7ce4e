//! The tracker alone: what it keeps stays bounded, whatever it gets, and an exact board is judged as a search would.

mod exact;
mod window;

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};

use super::*;
use super::{hypothesis::HypothesisPly, progress::ShownStep};
use crate::{alert::Confidence, game::Played};

/// Something that a tracker gets.
#[derive(Clone, Copy, Debug)]
enum Input {
    Square(Square, Option<Piece>, bool),
    Press(Color, bool),
    Running(Option<Color>),
    Gap,
    Dump,
    Wait(u64),
}

fn input() -> impl Strategy<Value = Input> {
    let side = || prop_oneof![Just(Color::White), Just(Color::Black)];
    let piece = (0_usize..13).prop_map(|index| "PNBRQKpnbrqk".chars().nth(index).and_then(Piece::from_char));
    prop_oneof![
        60 => (0_u32..64, piece, prop::bool::weighted(0.1))
            .prop_map(|(square, piece, dumped)| Input::Square(Square::new(square), piece, dumped)),
        20 => (side(), any::<bool>()).prop_map(|(side, seen)| Input::Press(side, seen)),
        2 => prop::option::of(side()).prop_map(Input::Running),
        1 => Just(Input::Gap),
        2 => Just(Input::Dump),
        20 => (0_u64..400).prop_map(Input::Wait),
    ]
}

fn feed(tracker: &mut Tracker, input: Input, now: &mut Timestamp) {
    match input {
        Input::Square(square, piece, dumped) => tracker.handle_square(square, piece, dumped, *now),
        Input::Press(side, seen) => {
            tracker
                .handle_press(Press { side, at: *now, up_at: None, seen, increment_s: 0, clock: None }, *now);
        }
        Input::Running(side) => tracker.handle_running(side, *now),
        Input::Gap => tracker.handle_gap(*now),
        Input::Dump => tracker.handle_dump(*now),
        Input::Wait(millis) => {
            let end = *now + Duration::from_millis(millis);
            while let Some((at, _)) = tracker.deadline().filter(|(at, _)| *at <= end) {
                *now = at.max(*now);
                tracker.handle_timeout(*now);
            }
            *now = end;
        }
    }
}

/// Returns a tracker of a game from the start position, which the board shows.
fn at_the_start() -> Tracker {
    let tuning =
        Tuning { scan: Duration::from_millis(225), settle: Duration::from_millis(500), measured: None };
    let mut tracker = Tracker::new(tuning);
    for (square, piece) in Board::new() {
        tracker.handle_square(square, Some(piece), true, Timestamp::ZERO);
    }
    tracker.start(1, Position::initial());
    tracker
}

#[test]
fn what_the_board_showed_beyond_a_hypothesis_ends_with_its_lead() {
    let mut tracker = at_the_start();
    let ply = |position: &Position, from, to| {
        let played = Played::Legal(position.find(from, to, None).unwrap());
        let made_at = Timestamp::ZERO;
        HypothesisPly {
            played,
            side: position.turn(),
            made_at,
            completed: true,
            clock: None,
            inferred: None,
            most: Confidence::Certain,
        }
    };
    let start = Position::initial();
    let mut first = Hypothesis::new(start.clone(), Bitboard::EMPTY);
    first.push(ply(&start, Square::E2, Square::E4));
    let mut second = Hypothesis::new(start.clone(), Bitboard::EMPTY);
    second.push(ply(&start, Square::E2, Square::E3));
    // Black has pressed for nothing: the same side is to move again.
    second.position = second.position.pass();
    let reply = ply(&first.position, Square::E7, Square::E5);
    tracker.progress.shown.made =
        vec![ShownStep { step: HypothesisPly { completed: false, ..reply }, count: 0 }];
    first.cost = 10;
    tracker.hypotheses = vec![first, second];
    tracker.rank_branches();
    assert!(tracker.progress.shown.made.is_empty());
    let plies: Vec<Played> = tracker.game().unwrap().plies().iter().map(|ply| ply.played.clone()).collect();
    let best = tracker.hypotheses.first().unwrap();
    assert_eq!(plies, best.steps.iter().map(|step| step.played.clone()).collect::<Vec<_>>());
    assert_eq!(tracker.shown_positions(), vec![best.position.clone()]);
}

proptest! {
    #![proptest_config(Config { cases: 6, rng_seed: RngSeed::Fixed(64), ..Config::default() })]

    #[test]
    fn noise_fills_nothing_up(input in prop::collection::vec(input(), 300..600)) {
        let mut tracker = at_the_start();
        let mut now = Timestamp::ZERO;
        for input in input {
            feed(&mut tracker, input, &mut now);
            let facts = tracker.take_facts().count();
            prop_assert!(facts < 500, "{facts} facts at once");
            let windows = tracker.progress.past.iter().map(|past| &past.window).chain([&tracker.window]);
            for window in windows {
                prop_assert!(window.changes().len() <= effort::WINDOW);
                prop_assert!(window.presses().len() <= effort::MOST_PRESSES);
            }
            prop_assert!(tracker.progress.past.len() <= effort::MOST_PAST);
            // Windows that are judged again together have to follow one another.
            let windows = tracker.progress.past.iter().map(|past| &past.window).chain([&tracker.window]);
            for (first, second) in windows.clone().zip(windows.skip(1)) {
                prop_assert_eq!(first.board(), second.base());
            }
            prop_assert!(tracker.hypotheses.len() <= effort::EXPLANATIONS);
            for hypothesis in &tracker.hypotheses {
                prop_assert!(hypothesis.steps.len() <= effort::MOST_UNSETTLED + effort::DEPTH);
            }
            prop_assert!(tracker.progress.shown.made.len() <= effort::DEPTH + 1, "{} plies shown", tracker.progress.shown.made.len());
            prop_assert!(tracker.progress.offences.len() <= effort::MOST_OFFENCES);
        }
    }
}
