//! What holds for any game and any line: simulated people play invented games on simulated boards.
//!
//! The cases are the same in every run. Others are tried with `JADOUBE_SEED=N`, more of them with `PROPTEST_CASES`.

use std::{env, sync::Arc, time::Duration};

use jadoube_core::{
    alert::Confidence,
    capture::{Entry, Record},
    event::{Event, EventKind},
    line::{Line, Output},
    replay,
    time::Timestamp,
};
use jadoube_emulate::{
    games,
    people::Handling,
    simulate::{self, Recorded, SimulateOptions, Simulation},
    wire::Faults,
};
use proptest::{
    prelude::*,
    test_runner::{Config as ProptestConfig, RngSeed},
};

/// Seed of the cases in a usual run.
const SEED: u64 = 1886;

fn cases(cases: u32) -> ProptestConfig {
    let seed = env::var("JADOUBE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(SEED);
    let cases = env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(cases);
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(seed), ..ProptestConfig::default() }
}

/// Describes an invented game at a time control that suits it.
fn invented(seed: u32, plies: usize, control: &str) -> SimulateOptions {
    let seed = u64::from(seed);
    let mut options = SimulateOptions::new(games::invent(seed, plies), control.parse().unwrap(), seed);
    options.play.handling = Handling::every_order(seed);
    options
}

/// Feeds a line with recorded bytes in these pieces.
fn heard(pieces: &[(Timestamp, Recorded)]) -> Vec<Event> {
    let mut line = Line::new(Arc::default(), "port", 1);
    let mut events = Vec::new();
    let mut drain = |line: &mut Line| {
        let outputs = std::iter::from_fn(|| line.poll_output());
        events.extend(outputs.filter_map(|output| match output {
            Output::Event(event) => Some(event),
            Output::Send(_) | Output::Question(_) => None,
        }));
    };
    let mut end = Timestamp::ZERO;
    for (at, recorded) in pieces {
        let entry = match recorded {
            Recorded::Open => Entry::Open("port"),
            Recorded::Close => Entry::Close("gone"),
            Recorded::Sent(bytes) => Entry::Sent(bytes),
            Recorded::Received(bytes) => Entry::Received(bytes),
            Recorded::Order(json) => Entry::Order(json),
        };
        line.handle_timeout(*at);
        replay::feed(&mut line, Record { at: *at, entry }).unwrap();
        drain(&mut line);
        end = *at;
    }
    end = end + Duration::from_secs(10);
    line.finish(end);
    drain(&mut line);
    events
}

/// Puts together what came in one instant, and cuts it into pieces of the lengths that `length` gives.
fn cut(simulation: &Simulation, mut length: impl FnMut(usize) -> usize) -> Vec<(Timestamp, Recorded)> {
    let mut joined: Vec<(Timestamp, Recorded)> = Vec::new();
    for (at, recorded) in &simulation.lines {
        if let Recorded::Received(more) = recorded
            && let Some((when, Recorded::Received(bytes))) = joined.last_mut()
            && when == at
        {
            bytes.extend(more);
        } else {
            joined.push((*at, recorded.clone()));
        }
    }
    let mut pieces = Vec::new();
    for (at, recorded) in joined {
        let Recorded::Received(bytes) = recorded else {
            pieces.push((at, recorded));
            continue;
        };
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(length(rest.len()).clamp(1, rest.len()));
            pieces.push((at, Recorded::Received(piece.to_vec())));
            rest = after;
        }
    }
    pieces
}

proptest! {
    #![proptest_config(cases(10))]

    #[test]
    fn any_game_is_found_whatever_order_the_hands_prefer(
        seed in any::<u32>(),
        plies in 8_usize..60,
        control in prop_oneof![Just("90+30"), Just("15+10"), Just("3+2")],
        dumps in any::<bool>(),
    ) {
        let mut options = invented(seed, plies, control);
        options.dump_every = dumps.then_some(Duration::from_secs(10));
        let simulation = simulate::simulate(&options);
        let events = heard(&simulation.lines);
        let game = |event: &Event| if let EventKind::Game(game) = &event.kind { Some(game.clone()) } else { None };
        let last = events.iter().rev().find_map(game);
        let found: Vec<&str> = last.iter().flat_map(|game| &game.moves).map(|m| &*m.uci).collect();
        let truth: Vec<&str> = simulation.truth.moves.iter().map(|m| m.uci.as_str()).collect();
        prop_assert_eq!(found, truth);
        let sure = events.iter().filter_map(|event| {
            let EventKind::Alert(alert) = &event.kind else { return None };
            (alert.confidence == Confidence::Certain).then(|| alert.code.name())
        });
        let offences: Vec<&str> =
            sure.filter(|code| code.contains("illegal") || code.contains("press") || code.contains("promotion"))
                .collect();
        prop_assert_eq!(offences, Vec::<&str>::new());
    }
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn events_do_not_depend_on_how_bytes_arrive(
        seed in any::<u32>(),
        plies in 4_usize..16,
        rate in prop_oneof![Just(0.0), 0.001..0.02],
        lengths in prop::collection::vec(1_usize..40, 1..50),
    ) {
        let mut options = invented(seed, plies, "3+2");
        options.faults =
            Faults { drop: rate, flip: rate, insert: rate, duplicate: rate, ..Faults::NONE };
        options.dump_every = Some(Duration::from_secs(5));
        let simulation = simulate::simulate(&options);
        let at_once = heard(&cut(&simulation, |all| all));
        let mut next = lengths.iter().cycle();
        for (how, pieces) in [
            ("byte by byte", cut(&simulation, |_| 1)),
            ("in any pieces", cut(&simulation, |_| *next.next().unwrap())),
        ] {
            let events = heard(&pieces);
            for (event, expected) in events.iter().zip(&at_once) {
                prop_assert_eq!(event, expected, "{}", how);
            }
            prop_assert_eq!(events.len(), at_once.len(), "{}", how);
        }
    }
}
