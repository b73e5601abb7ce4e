use std::collections::BTreeMap;

use super::*;
use crate::{
    clock::Speed,
    games,
    hall::table,
    people::{Action, Handling, Incident, Thinking},
    wire::Faults,
};

fn options(boards: usize, incidents: &[Incident]) -> Arc<HallOptions> {
    Arc::new(HallOptions {
        first_serial: 1025,
        first_address: None,
        boards,
        games: games::built_in(),
        incidents: incidents.to_vec(),
        ruling: None,
        handling: Handling::plain(),
        thinking: Thinking::About(1.0),
        time_control: "3+2".parse().expect("a control"),
        flag_control: None,
        control: jadoube_core::laws::Control::Standard,
        speed: Speed::REAL,
        faults: Faults::NONE,
        command_faults: Faults::NONE,
        hostile: Vec::new(),
        bus: false,
        seed: 1,
    })
}

/// Plays the first game of every board and counts what went wrong.
fn first_games(boards: usize, incidents: &[Incident]) -> BTreeMap<Incident, usize> {
    let options = options(boards, incidents);
    let mut counts = BTreeMap::new();
    for number in 0..boards {
        let (_, mut schedule) = table(&options, number);
        for (_, incident) in schedule.next_play().truth.incidents {
            *counts.entry(incident).or_default() += 1;
        }
    }
    counts
}

#[test]
fn incidents_are_shared_out_among_the_boards() {
    let counts = first_games(1, &[Incident::Swept, Incident::Adjust, Incident::Slide]);
    assert_eq!(counts.into_values().collect::<Vec<_>>(), [1, 1, 1], "one board has them all");
    let counts = first_games(2, &[Incident::Swept, Incident::Adjust, Incident::Slide]);
    assert_eq!(counts.into_values().collect::<Vec<_>>(), [1, 1, 1]);
    let counts = first_games(6, &[Incident::Swept, Incident::Adjust]);
    assert_eq!(counts.into_values().collect::<Vec<_>>(), [3, 3]);
    let counts = first_games(20, &Incident::common());
    assert_eq!(counts.len(), 20, "every kind on a board of its own: {counts:?}");
}

#[test]
fn the_next_game_begins_on_the_board_as_it_was_left() {
    let (_, mut schedule) = table(&options(1, &[]), 0);
    let first = schedule.next_play();
    assert_eq!(*schedule.standing(), first.standing);
    assert_ne!(first.standing, Board::new());
    let mut board = first.standing;
    let second = schedule.next_play();
    for timed in second.actions.iter().take_while(|timed| timed.action != Action::StartClock) {
        if let Action::Set(square, piece) = timed.action {
            match piece {
                Some(piece) => board.set_piece_at(square, piece),
                None => board.discard_piece_at(square),
            }
        }
    }
    assert_eq!(board, Board::new());
}

#[test]
fn a_flag_need_not_be_waited_for() {
    let mut changed = (*options(1, &[Incident::Flag])).clone();
    changed.flag_control = Some("1/20".parse().expect("a control"));
    let (_, mut schedule) = table(&Arc::new(changed), 0);
    let play = schedule.next_play();
    assert!(play.end < Timestamp::from_micros(90_000_000), "{}", play.end);
    assert_eq!(play.truth.incidents.len(), 1);
}
