use dgt_protocol::{Decoder, Field, Message, Placement};
use shakmaty::Board;

use super::*;
use crate::{
    games,
    people::{Handling, Incident, PlannedIncident, RulingStyle},
};
use jadoube_core::capture::Reader;

fn options(seed: u64, change: impl FnOnce(&mut SimulateOptions)) -> SimulateOptions {
    let mut options = SimulateOptions::new(games::invent(seed, 80), "3+2".parse().expect("a control"), seed);
    change(&mut options);
    options
}

fn simulated(seed: u64, change: impl FnOnce(&mut SimulateOptions)) -> Simulation {
    simulate(&options(seed, change))
}

/// What a host knows at the end that believes everything.
fn believed(simulation: &Simulation) -> (Placement, dgt_protocol::Tally) {
    let mut decoder = Decoder::new();
    let mut placement = Placement::EMPTY;
    for (_, line) in &simulation.lines {
        if let Recorded::Received(bytes) = line {
            let mut input = &bytes[..];
            while let Some(frame) = decoder.next_frame(&mut input) {
                if let Message::BoardDump(dump) = frame.message() {
                    placement = dump;
                } else if let Message::FieldUpdate { field, piece } = frame.message() {
                    placement.set(field, piece);
                }
            }
        }
    }
    (placement, decoder.tally())
}

/// What stands on the board at the end, by the people's own account.
fn standing(options: &SimulateOptions) -> Placement {
    let play = people::play(&options.game, &options.play);
    let mut placement = Placement::EMPTY;
    for (square, piece) in &play.standing {
        let field = Field::all().find(|field| field.to_string() == square.to_string()).expect("a field");
        placement.set(field, dgt_protocol::Piece::from_letter(piece.char()).expect("a piece"));
    }
    if options.board.rotated { placement.rotated() } else { placement }
}

#[test]
fn a_simulation_is_a_valid_capture_that_ends_as_the_game_did() {
    for seed in 0..60 {
        let options = options(seed, |options| options.play.handling = Handling::every_order(seed));
        let simulation = simulate(&options);
        let text = simulation.capture();
        let mut reader = Reader::new("simulation", text.as_bytes()).expect("a header");
        let mut lines = 0;
        while reader.next_record().expect("a good line").is_some() {
            lines += 1;
        }
        assert_eq!(lines, simulation.lines.len());
        assert!(!reader.torn());
        let (placement, tally) = believed(&simulation);
        assert_eq!((tally.noise_bytes, tally.broken), (0, 0), "seed {seed}");
        assert_eq!(placement, standing(&options), "seed {seed}");
    }
}

#[test]
fn the_same_seed_gives_the_same_capture() {
    let capture = |seed| simulated(seed, |options| options.faults = Faults::NOISY).capture();
    assert_eq!(capture(5), capture(5));
    assert_ne!(capture(5), capture(6));
}

#[test]
fn dumps_are_asked_for_as_often_as_wanted() {
    let count = |every: Option<u64>| {
        let simulation = simulated(3, |options| options.dump_every = every.map(Duration::from_secs));
        simulation.lines.iter().filter(|(_, line)| *line == Recorded::Sent(vec![0x42])).count()
    };
    let end = simulated(3, |_| {}).lines.last().expect("lines").0.as_secs();
    assert_eq!(count(None), 1);
    let dumps = f64::from(u32::try_from(count(Some(10))).expect("few"));
    assert!((dumps - end / 10.0).abs() <= 2.0, "{dumps} in {end} s");
}

#[test]
fn the_products_host_asks_for_a_dump_after_a_lost_update() {
    let asked = |lose_updates: f64| {
        let options = options(3, |options| options.faults.lose_updates = lose_updates);
        let mut at = TableOptions::new(options.board.clone(), options.play.time_control.clone());
        at.faults = options.faults;
        let play = people::play(&options.game, &options.play);
        let simulation = record(Table::new(at, &options.play.standing), play);
        let (placement, _) = believed(&simulation);
        assert_eq!(placement, standing(&options));
        let end = simulation.lines.last().map_or(0.0, |(at, _)| at.as_secs());
        let dumps = simulation.lines.iter().filter(|(_, line)| *line == Recorded::Sent(vec![0x42])).count();
        f64::from(u32::try_from(dumps).expect("few")) / end
    };
    let (sound, faulty) = (asked(0.0), asked(0.05));
    // Ten seconds after the last one, or sooner.
    assert!(sound > 0.09, "{sound} dumps a second");
    assert!(faulty > sound, "{faulty} dumps a second, {sound} on a sound line");
}

#[test]
fn an_unplugged_board_is_greeted_again() {
    let options = options(8, |options| {
        options.play.incidents = vec![PlannedIncident {
            incident: Incident::Unplugged,
            from_ply: 10,
            ruling: RulingStyle::Stands,
        }];
    });
    let simulation = simulate(&options);
    let kinds: Vec<&Recorded> = simulation
        .lines
        .iter()
        .map(|(_, line)| line)
        .filter(|line| matches!(line, Recorded::Open | Recorded::Close))
        .collect();
    assert_eq!(kinds, [&Recorded::Open, &Recorded::Close, &Recorded::Open]);
    let (placement, tally) = believed(&simulation);
    assert_eq!(tally.broken, 0);
    assert_eq!(placement, standing(&options));
}

#[test]
fn a_lost_update_is_lost_until_a_dump() {
    let lost = |dump_every| {
        let simulation = simulated(12, |options| {
            options.play.handling = Handling::plain();
            options.dump_every = dump_every;
            options.play.incidents = vec![PlannedIncident {
                incident: Incident::LostUpdate,
                from_ply: 10,
                ruling: RulingStyle::Stands,
            }];
        });
        assert_eq!(simulation.truth.incidents.len(), 1);
        let (_, tally) = believed(&simulation);
        tally.frames
    };
    let whole = |dump_every| {
        let simulation = simulated(12, |options| {
            options.play.handling = Handling::plain();
            options.dump_every = dump_every;
        });
        believed(&simulation).1.frames
    };
    assert_eq!(lost(None) + 1, whole(None));
}

#[test]
fn a_dead_square_never_shows_anything() {
    let options = options(21, |options| {
        options.play.incidents = vec![PlannedIncident {
            incident: Incident::DeadSquare,
            from_ply: 3,
            ruling: RulingStyle::Stands,
        }];
    });
    let simulation = simulate(&options);
    let remark =
        simulation.truth.remarks.iter().find(|remark| remark.what == "dead-square").expect("a remark");
    let dead: shakmaty::Square = remark.about.parse().expect("a square");
    assert_ne!(believed(&simulation).0, standing(&options));
    assert!(simulation.truth.moves.iter().any(|m| m.uci[2..4] == dead.to_string()), "nobody went there");
}

#[test]
fn the_truth_is_written_for_other_programs() {
    let simulation = simulated(2, |options| {
        options.play.handling = Handling::plain();
        options.play.incidents = vec![PlannedIncident {
            incident: Incident::IllegalMove,
            from_ply: 12,
            ruling: RulingStyle::Arbiter,
        }];
    });
    let truth = simulation.truth_json();
    let alerts = truth["alerts"].as_array().expect("a list");
    assert_eq!(alerts.len(), 1);
    assert_eq!(alerts[0]["code"], "illegal-move");
    assert_eq!(alerts[0]["color"], "black");
    assert_eq!(alerts[0]["ply"], 12);
    assert_eq!(truth["control"], "blitz");
    assert_eq!(truth["moves"].as_array().map(Vec::len), Some(simulation.truth.moves.len()));
    assert_eq!(truth["plan"]["12"], "illegal-move");
    assert_eq!(truth["rotated"], simulation.table.board.rotated);
}

#[test]
fn orders_are_in_the_capture_if_the_arbiter_reports_the_tool() {
    let simulation = simulated(2, |options| {
        options.play.orders = true;
        options.play.incidents = vec![PlannedIncident {
            incident: Incident::IllegalMove,
            from_ply: 12,
            ruling: RulingStyle::Arbiter,
        }];
    });
    let orders: Vec<&str> = (simulation.lines.iter())
        .filter_map(|(_, line)| if let Recorded::Order(order) = line { Some(order.as_str()) } else { None })
        .collect();
    assert_eq!(orders, [r#"{"order":"penalty","seconds":60,"side":"black"}"#]);
}

/// A board that is set up by the players first: nothing stands on it when they sit down.
#[test]
fn an_empty_board_is_set_up_first() {
    let options = options(4, |options| options.play.standing = Board::empty());
    let simulation = simulate(&options);
    let (placement, _) = believed(&simulation);
    assert_eq!(placement, standing(&options));
}

/// Two presses inside one poll of the clock leave the lever as it was; the host never learns of them.
#[test]
fn replies_in_no_time_are_pressed_unseen() {
    let levers = |premove| {
        let simulation = simulated(6, |options| {
            options.play.handling = Handling { premove, ..Handling::plain() };
        });
        let mut decoder = Decoder::new();
        let (mut lever, mut changes) = (None, 0);
        for (_, line) in &simulation.lines {
            if let Recorded::Received(bytes) = line {
                let mut input = &bytes[..];
                while let Some(frame) = decoder.next_frame(&mut input) {
                    if let Message::Clock(report) = frame.message() {
                        changes +=
                            usize::from(lever.replace(report.lever).is_some_and(|was| was != report.lever));
                    }
                }
            }
        }
        (changes, simulation.truth.moves.len())
    };
    let (changes, plies) = levers(0.0);
    assert!(changes + 1 >= plies, "{changes} of {plies}");
    let (changes, plies) = levers(0.5);
    assert!(changes + 10 < plies, "{changes} of {plies}");
}
