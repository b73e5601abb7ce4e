//! The tracker alone: what it keeps stays bounded, whatever it is told.

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};

use super::*;

/// Something that a tracker is told.
#[derive(Clone, Copy, Debug)]
enum Told {
    Square(Square, Option<Piece>, bool),
    Press(Color, bool),
    Running(Option<Color>),
    Gap,
    Dump,
    Wait(u64),
}

fn told() -> impl Strategy<Value = Told> {
    let side = || prop_oneof![Just(Color::White), Just(Color::Black)];
    let piece = (0_usize..13).prop_map(|index| "PNBRQKpnbrqk".chars().nth(index).and_then(Piece::from_char));
    prop_oneof![
        60 => (0_u32..64, piece, prop::bool::weighted(0.1))
            .prop_map(|(square, piece, dumped)| Told::Square(Square::new(square), piece, dumped)),
        20 => (side(), any::<bool>()).prop_map(|(side, seen)| Told::Press(side, seen)),
        2 => prop::option::of(side()).prop_map(Told::Running),
        1 => Just(Told::Gap),
        2 => Just(Told::Dump),
        20 => (0_u64..400).prop_map(Told::Wait),
    ]
}

fn tell(tracker: &mut Tracker, told: Told, now: &mut Timestamp) {
    match told {
        Told::Square(square, piece, dumped) => tracker.handle_square(square, piece, dumped, *now),
        Told::Press(side, seen) => {
            tracker.handle_press(Press { side, at: *now, seen, increment_s: 0, clock: None }, *now);
        }
        Told::Running(side) => tracker.handle_running(side, *now),
        Told::Gap => tracker.handle_gap(*now),
        Told::Dump => tracker.handle_dump(*now),
        Told::Wait(millis) => {
            let end = *now + Duration::from_millis(millis);
            while let Some((at, _)) = tracker.deadline().filter(|(at, _)| *at <= end) {
                *now = at.max(*now);
                tracker.handle_timeout(*now);
            }
            *now = end;
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 6, rng_seed: RngSeed::Fixed(64), ..Config::default() })]

    #[test]
    fn noise_fills_nothing_up(told in prop::collection::vec(told(), 300..600)) {
        let tuning = Tuning { scan: Duration::from_millis(225), settle: Duration::from_millis(500) };
        let mut tracker = Tracker::new(tuning);
        let mut now = Timestamp::ZERO;
        for (square, piece) in Board::new() {
            tracker.handle_square(square, Some(piece), true, now);
        }
        tracker.start(1, Position::initial());
        for told in told {
            tell(&mut tracker, told, &mut now);
            let facts = tracker.take_facts();
            prop_assert!(facts.len() < 500, "{} facts at once", facts.len());
            let windows = tracker.progress.past.iter().map(|past| &past.window).chain([&tracker.window]);
            for window in windows {
                prop_assert!(window.changes().len() <= effort::WINDOW);
                prop_assert!(window.presses().len() <= effort::MOST_PRESSES);
            }
            prop_assert!(tracker.progress.past.len() <= effort::MOST_PAST);
            prop_assert!(tracker.hypotheses.len() <= effort::EXPLANATIONS);
            for hypothesis in &tracker.hypotheses {
                prop_assert!(hypothesis.steps.len() <= effort::MOST_UNSETTLED + effort::DEPTH);
            }
            prop_assert!(tracker.progress.shown.made.len() <= effort::DEPTH + 1, "{} plies shown", tracker.progress.shown.made.len());
            prop_assert!(tracker.progress.offences.len() <= effort::MOST_OFFENCES);
        }
    }
}
