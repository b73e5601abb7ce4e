//! A bus line that goes again and again while the boards play on.

use super::*;

/// Lets the boards play with nobody listening.
pub(super) fn go_down(rig: &mut Rig, span: Duration) {
    rig.link(Said::Close);
    let end = rig.now + span;
    loop {
        let next = [rig.boards.poll_timeout(), rig.line.poll_timeout().map(|(at, _)| at)];
        let Some(now) = next.into_iter().flatten().min().filter(|at| *at <= end) else { break };
        rig.now = now.max(rig.now);
        rig.boards.handle_timeout(rig.now);
        while rig.boards.poll_output(rig.now).is_some() {}
        rig.line.handle_timeout(rig.now);
        rig.drain();
    }
    rig.now = end;
    rig.link(Said::Open);
}

/// Lets the line go after each of these times, in milliseconds: games are exact, and the capture says the same again.
#[track_caller]
fn check_outages(ups_ms: [u64; 12]) {
    // In 12 and 20 the clock is read between a press and the next move, which was reported without a pause then.
    for seed in (1..=10).chain([12, 20]) {
        let mut rig = Rig::new(&HallOptions { seed, ..options(4) }, 4);
        rig.run(30);
        for up in ups_ms {
            go_down(&mut rig, Duration::from_millis(2500));
            rig.run_for(Duration::from_millis(up));
        }
        rig.run(60);
        rig.check(Duration::from_mins(1));
        rig.check_replay();
    }
}

#[test]
fn a_line_that_goes_every_few_seconds_takes_no_move_away() {
    check_outages([1000, 2000, 3000, 2000, 1000, 4000, 2000, 3000, 1000, 2000, 6000, 1000]);
}

#[test]
fn a_line_that_goes_before_its_boards_are_known_loses_no_move() {
    check_outages([400, 600, 800, 1000, 500, 700, 900, 2000, 3000, 1200, 6000, 1000]);
}

/// A hundred and fifty plies are reported in ten seconds: nothing stands where none should because of that.
#[test]
fn a_board_away_for_five_minutes_of_quick_play_is_caught_up() {
    for seed in [13, 24, 33, 57] {
        let games = vec![games::invent(seed, 260)];
        let thinking = Thinking::About(1.0);
        let mut rig = Rig::new(&HallOptions { seed, games, thinking, ..options(1) }, 1);
        rig.run(30);
        let before = rig.moves(0).len();
        go_down(&mut rig, Duration::from_mins(5));
        let made = rig.truths[0].moves.iter().filter(|m| m.made_at <= rig.now).count();
        assert!(made - before >= 150, "{before} and {made}");
        rig.run(60);
        rig.check(Duration::from_mins(1));
        rig.check_replay();
    }
}

/// What has changed in 250 plies takes two seconds on the wire, and moves are made in them.
#[test]
fn a_board_that_plays_on_during_its_report_is_caught_up_with() {
    for seed in [7, 13, 15, 20, 37] {
        let games = vec![games::invent(seed, 400)];
        let thinking = Thinking::About(1.0);
        let mut rig = Rig::new(&HallOptions { seed, games, thinking, ..options(1) }, 1);
        rig.run(30);
        let before = rig.moves(0).len();
        go_down(&mut rig, Duration::from_secs(500));
        let made = rig.truths[0].moves.iter().filter(|m| m.made_at <= rig.now).count();
        assert!(made - before >= 220, "{before} and {made}");
        rig.run(60);
        rig.check(Duration::from_mins(1));
        rig.check_replay();
    }
}
