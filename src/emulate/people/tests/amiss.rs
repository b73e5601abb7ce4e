//! What pieces beside a move, the board and the lever do in the incidents that nobody means.

use shakmaty::Square;

use super::*;

/// Plays one incident in each of the built-in games; returns those in which it happened.
fn plays(incident: Incident, ruling: RulingStyle) -> Vec<Play> {
    let plays = (0..).zip(games::built_in()).map(|(seed, record)| {
        played(&record, seed, |options| {
            options.handling = Handling::plain();
            options.incidents = vec![PlannedIncident { incident, from_ply: 6, ruling }];
        })
    });
    let plays: Vec<Play> = plays.filter(|play| !play.truth.incidents.is_empty()).collect();
    assert!(plays.len() >= 15, "{incident} in {} games", plays.len());
    plays
}

/// Returns when a remark was made, and the squares it is about: home and where it lies.
fn displaced(play: &Play) -> (Timestamp, Vec<(Square, Option<Square>)>) {
    let remark = play.truth.remarks.first().expect("a remark");
    let squares = remark.about.split(' ').map(|pair| {
        let (home, lies) = pair.split_at(2);
        (home.parse().expect("a square"), lies.parse().ok())
    });
    (remark.at, squares.collect())
}

/// Returns when the square is changed from an instant on: when it becomes empty, and when something stands on it.
fn changes(play: &Play, of: Square, from: Timestamp) -> (Timestamp, Timestamp) {
    let find = |stands: bool| {
        let sets = play.actions.iter().filter(|timed| timed.at >= from);
        let mut sets = sets.filter(|timed| {
            let set =
                if let Action::Set(square, piece) = timed.action { Some((square, piece)) } else { None };
            set.is_some_and(|(square, piece)| square == of && piece.is_some() == stands)
        });
        sets.next().map_or(Timestamp::MAX, |timed| timed.at)
    };
    (find(false), find(true))
}

fn presses(play: &Play, from: Timestamp) -> Vec<(Timestamp, Color)> {
    let presses = play.actions.iter().filter(|timed| timed.at >= from);
    presses
        .filter_map(
            |timed| if let Action::Press(side) = timed.action { Some((timed.at, side)) } else { None },
        )
        .collect()
}

#[test]
fn a_shoved_piece_reads_beside_at_once_and_is_put_back() {
    for play in plays(Incident::Shoved, RulingStyle::Stands) {
        let (at, squares) = displaced(&play);
        let [(home, Some(lies))] = squares[..] else { panic!("one piece: {squares:?}") };
        assert_eq!(home.distance(lies), 1);
        let ((gone, back), (_, reads)) = (changes(&play, home, at), changes(&play, lies, at));
        assert!(gone <= reads && reads.since(gone).as_secs_f64() <= 0.35, "{gone} {reads}");
        assert!(reads < back && back.since(reads).as_secs_f64() < 12.0, "{reads} {back}");
        assert!(play.truth.alerts.iter().all(|alert| !alert.is_violation()), "nobody is to blame");
    }
}

#[test]
fn a_piece_that_stays_shoved_is_played_from_where_it_stands() {
    let mut moved = 0;
    for play in plays(Incident::ShoveAccepted, RulingStyle::Stands) {
        let (at, squares) = displaced(&play);
        let [(_, Some(lies))] = squares[..] else { panic!("one piece: {squares:?}") };
        let later = play.truth.moves.iter().filter(|m| m.made_at > at);
        moved += later.filter(|m| m.uci.starts_with(&lies.to_string())).count();
        assert!(play.truth.moves.iter().all(|m| m.legal));
    }
    assert!(moved > 0);
}

#[test]
fn pieces_lie_until_they_are_put_up() {
    for (incident, presses_before) in [
        (Incident::ShoveLeft, 3),
        (Incident::KnockedOverLeft, 1),
        (Incident::KnockedOverPressed, 1),
        (Incident::KnockedOver, 0),
    ] {
        let (mut most, mut before) = (0, Vec::new());
        for play in plays(incident, RulingStyle::Stands) {
            let (at, squares) = displaced(&play);
            most = most.max(squares.len());
            for (home, _) in squares {
                let (gone, back) = changes(&play, home, at);
                assert!(gone < back, "{incident} {home}");
                before.push(presses(&play, gone).into_iter().filter(|(at, _)| *at < back).count());
            }
        }
        before.sort_unstable();
        assert!(before[before.len() / 2] >= presses_before, "{incident}: {before:?}");
        assert!(incident != Incident::KnockedOver || before.last() == Some(&0), "{before:?}");
        assert_eq!(most > 1, incident != Incident::ShoveLeft, "{incident}");
    }
}

#[test]
fn the_opponent_presses_back_and_the_player_presses_again() {
    let mut times = 0;
    for play in plays(Incident::PressBack, RulingStyle::Stands) {
        let Some(back) = play.truth.remarks.iter().find(|remark| remark.what == "press-back") else {
            continue;
        };
        let sides: Vec<Color> =
            presses(&play, play.truth.remarks[0].at).iter().map(|press| press.1).collect();
        assert_eq!([sides[0], sides[2]], [!sides[1], sides[0]]);
        assert_eq!(presses(&play, back.at)[0], (back.at, sides[1]));
        times += 1;
    }
    assert!(times >= 15, "{times}");
}

#[test]
fn a_lever_that_swings_back_is_down_again_at_last() {
    let mut quick = 0;
    for play in plays(Incident::LeverBounce, RulingStyle::Stands) {
        let Some(remark) = play.truth.remarks.first() else { continue };
        let presses = presses(&play, remark.at);
        let [(first, side), (second, other), (third, again), ..] = presses[..] else {
            panic!("three presses")
        };
        assert_eq!((other, again), (!side, side));
        assert!(second.since(first).as_secs_f64() < 0.2);
        quick += usize::from(third.since(first).as_secs_f64() <= 0.2);
    }
    assert!((3..15).contains(&quick), "{quick} by themselves");
}

#[test]
fn readings_beside_a_move_last_a_moment() {
    for (incident, longest) in [(Incident::Hover, 0.6), (Incident::GhostBeside, 1.5)] {
        for play in plays(incident, RulingStyle::Stands) {
            let remark = play.truth.remarks.first().expect("a remark");
            let square: Square = remark.about.parse().expect("a square");
            let (_, shown) = changes(&play, square, remark.at);
            let (hidden, _) = changes(&play, square, shown);
            assert!(hidden.since(shown).as_secs_f64() <= longest + 0.01, "{incident} {shown} {hidden}");
        }
    }
}

#[test]
fn a_piece_off_the_centre_is_read_late_or_never() {
    let (mut late, mut after_press) = (0, 0);
    for play in plays(Incident::OffCentre, RulingStyle::Stands) {
        let remark = play.truth.remarks.first().expect("a remark");
        let made = play.truth.moves.iter().find(|m| m.made_at > remark.at).expect("a move").made_at;
        let (_, read) = changes(&play, remark.about.parse().expect("a square"), made);
        late += usize::from(read.since(made).as_secs_f64() >= 0.79);
        after_press += usize::from(presses(&play, made).first().is_some_and(|press| press.0 < read));
    }
    assert!(late >= 15 && after_press >= 10, "{late} {after_press}");
}

#[test]
fn both_moves_with_a_king_are_reported_of() {
    for ruling in [RulingStyle::Arbiter, RulingStyle::Stands] {
        for play in plays(Incident::KingCaptured, ruling) {
            let [first, second] = &play.truth.alerts[..2] else { panic!("two alerts") };
            assert_eq!((second.side, second.ply), (first.side.map(|side| !side), first.ply + 1));
            let kings = play.standing.kings().count();
            assert_eq!(kings == 1, ruling == RulingStyle::Stands, "{ruling:?}");
        }
    }
}

#[test]
fn games_begin_with_a_piece_less() {
    for play in plays(Incident::Handicap, RulingStyle::Stands) {
        let start =
            play.actions.iter().position(|timed| timed.action == Action::StartClock).expect("a start");
        let mut board = Board::new();
        for timed in &play.actions[..start] {
            if let Action::Set(square, None) = timed.action {
                board.discard_piece_at(square);
            }
        }
        assert_eq!(board.occupied().count(), 31);
        assert!(play.truth.moves.iter().all(|m| m.legal) && play.truth.moves.len() >= 10);
    }
}

#[test]
fn a_game_without_a_clock_has_no_offence_of_the_clock() {
    for play in plays(Incident::NoClock, RulingStyle::Stands) {
        assert!(play.actions.iter().any(|timed| timed.action == Action::ConnectClock(false)));
        assert!(play.truth.alerts.iter().all(|alert| !alert.is_violation()));
    }
    let record = &games::built_in()[0];
    let play = played(record, 1, |options| {
        options.incidents = [Incident::NoClock, Incident::IllegalMove, Incident::Flag]
            .map(|incident| PlannedIncident { incident, from_ply: 5, ruling: RulingStyle::Stands })
            .to_vec();
    });
    assert_eq!(play.truth.unsuited, [Incident::IllegalMove, Incident::Flag]);
}
