//! What holds whatever the tracker may say.

use std::collections::BTreeMap;

use proptest::prelude::*;
use shakmaty::{Bitboard, ByColor};

use super::{words::context, *};
use crate::fact::{MismatchCause, Pressed, Withdrawal};

const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

/// A game that repeats itself, with an irregular ply in its middle.
fn game(plies: usize, number: u32) -> Game {
    let mut hall = Hall::new("2023", START);
    for (index, uci) in SHUFFLE.iter().cycle().take(plies).enumerate() {
        if index == 9 {
            hall.irregular("a2a5");
            hall.irregular("a7a6");
        }
        hall.make(uci);
    }
    let mut game = Game::new(number, Position::initial());
    for ply in hall.game.plies() {
        game.push(ply.side, ply.played.clone(), ply.made_at, ply.confidence);
    }
    game
}

fn side() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

fn ply() -> impl Strategy<Value = u32> {
    prop_oneof![0..24u32, Just(u32::MAX)]
}

fn square() -> impl Strategy<Value = Square> {
    (0..64u32).prop_map(Square::new)
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        3 => Just(Verdict::Legal),
        1 => square().prop_map(|square| Verdict::LegalWithMismatch(Bitboard::from(square))),
        2 => Just(Verdict::Illegal(Reason::Other)),
        1 => square().prop_map(Verdict::PromotionLeft),
        1 => Just(Verdict::Nothing),
        1 => square().prop_map(|from| Verdict::InTheAir { from, placed: None }),
        1 => Just(Verdict::Reaction),
    ]
}

fn pressed() -> impl Strategy<Value = Fact> {
    (side(), verdict(), ply(), 0..3u64, any::<bool>()).prop_map(|(side, verdict, ply, at, sure)| {
        Fact::Pressed(Box::new(Pressed {
            side,
            at: Timestamp::from_micros(at * 1_000_000),
            seen: true,
            verdict,
            confidence: if sure { Confidence::Certain } else { Confidence::Likely },
            weight: None,
            ply,
            before: Position::initial(),
            board: Board::new(),
            attempt: Vec::new(),
            off: Bitboard::EMPTY,
            high_residual: false,
            increment_s: 2,
            clock: None,
        }))
    })
}

fn fact() -> impl Strategy<Value = Fact> {
    let because = prop_oneof![
        Just(Withdrawal::Unfinished),
        Just(Withdrawal::Reconsidered),
        Just(Withdrawal::Reinstated),
        Just(Withdrawal::TakenBack),
        Just(Withdrawal::Ordered),
    ];
    prop_oneof![
        1 => Just(Fact::GameStarted),
        1 => Just(Fact::PlayStarted),
        6 => ply().prop_map(|ply| Fact::Made { ply }),
        2 => ply().prop_map(|ply| Fact::Completed { ply }),
        2 => (ply(), because).prop_map(|(ply, because)| Fact::Withdrawn { ply, because }),
        8 => pressed(),
        2 => (side(), any::<bool>(), 0..3u64).prop_map(|(side, overturned, at)| {
            Fact::Righted { pressed_at: Timestamp::from_micros(at * 1_000_000), side, overturned }
        }),
        2 => (side(), square()).prop_map(|(side, square)| Fact::Touched { side, square }),
        1 => (side(), any::<bool>()).prop_map(|(side, blocked)| Fact::Flag { side, blocked }),
        1 => Just(Fact::ClockStopped),
        1 => side().prop_map(|side| Fact::ClockStarted { side }),
        1 => square().prop_map(|square| {
            Fact::Mismatch { squares: Bitboard::from(square), cause: MismatchCause::Unexplained }
        }),
        1 => square().prop_map(|square| Fact::MismatchCleared { squares: Bitboard::from(square) }),
        1 => any::<bool>().prop_map(|up| Fact::Link { up }),
        1 => any::<u8>().prop_map(|percent| Fact::BoardBattery { percent }),
    ]
}

fn run(event: &str, facts: &[Fact]) -> Vec<Notice> {
    let mut hall = Hall::new(event, START);
    let clock = ClockView { connected: true, flags: ByColor::default(), ..ClockView::default() };
    let (mut number, mut now, mut out) = (1, Timestamp::ZERO, Vec::new());
    for (index, fact) in facts.iter().enumerate() {
        number += u32::from(*fact == Fact::GameStarted);
        let game = game(4 + index % 16, number);
        now = now + Duration::from_millis(400);
        hall.referee.handle(fact, &context(&game, &clock, now), &mut out);
        if hall.referee.deadline().is_some_and(|(at, _)| at <= now) {
            hall.referee.handle_timeout(&context(&game, &clock, now), &mut out);
        }
        assert!(hall.referee.open_alerts().count() <= 12);
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_facts_leave_the_referee_sane(
        event in prop_oneof![Just("2009 blitz"), Just("2014 rapid"), Just("2017"), Just("2018 rapid"), Just("2023 blitz")],
        facts in prop::collection::vec(fact(), 1..80),
    ) {
        let notices = run(event, &facts);
        prop_assert_eq!(&notices, &run(event, &facts), "the same facts make the same notices");
        let mut raised = BTreeMap::new();
        for notice in notices {
            match notice {
                Notice::Raised(alert) => {
                    prop_assert!(raised.insert(alert.id.clone(), alert.state).is_none(), "{} twice", alert.id);
                }
                Notice::Updated(update) => {
                    let state = raised.insert(update.id.clone(), update.state);
                    prop_assert!(state.is_some(), "{} was never raised", update.id);
                    prop_assert!(state != Some(update.state) || !update.facts.is_empty(), "{update:?} says nothing");
                }
                Notice::Result(_)
                | Notice::Entered { .. }
                | Notice::Counted { .. }
                | Notice::Question { .. } => {}
            }
        }
    }
}
