//! The life of alerts: windows, corrections, rulings, numbers, bounds.

use super::*;

const IN_CHECK: &str = "4k2r/8/8/8/7b/8/3P4/4K2R w - - 0 1";

#[test]
fn a_window_closes_when_the_next_move_is_made_and_not_before() {
    check(
        "2018 rapid",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         touch black h4
         made h4f6 => #1 expired, claim-window-closed A.4.2 white
         pressed",
    );
}

#[test]
fn pressing_back_or_the_offenders_move_does_not_close_it() {
    check(
        "2018 blitz",
        START,
        "e2e4
         e7e5
         null white => press-without-move 7.5.3 white
         react black
         g1f3
         made b8c6 => #1 expired, claim-window-closed A.4.2 white",
    );
}

#[test]
fn it_stays_open_till_the_end_under_the_competition_rules() {
    check(
        "2018",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         h4f6
         e1d2
         h8h2
         ended 0-1 arbiter => #1 ended",
    );
}

/// A king captured in reply is an offence of its own, and closes the claimant's window.
#[test]
fn capturing_the_king_closes_the_window_and_is_an_offence() {
    check(
        "2018 blitz",
        "4k3/7p/8/8/8/8/4R3/6K1 b - - 0 1",
        "bad h7h6 check => illegal-move 7.5.1 black
         bad e2e8 king => #1 expired, claim-window-closed A.4.2 black, illegal-move 7.5.1 white",
    );
}

#[test]
fn a_reply_before_the_press_was_judged_closes_what_it_opened() {
    let mut hall = Hall::new("2023 blitz", IN_CHECK);
    hall.irregular("d2d4");
    let press = hall.now + Duration::from_millis(100);
    hall.make("h4f6");
    hall.said.clear();
    hall.now = press;
    let before = hall.game.start().clone();
    hall.pressed_fact(
        Color::White,
        Verdict::Illegal(Reason::Other),
        1,
        before,
        Vec::new(),
        Confidence::Certain,
    );
    let said = said(&hall.said);
    assert_eq!(said, ["illegal-move 7.5.1 white", "#1 expired", "claim-window-closed A.5.2 white"]);
}

#[test]
fn what_players_put_right_had_been_completed_and_counts() {
    check(
        "2018",
        "8/P3P1k1/8/8/8/8/4K3/7r w - - 0 1",
        "pawn e7e8 => promotion-not-replaced 7.5.2 white
         replace e8 Q
         righted white => #1 corrected
         h1h5
         pawn a7a8 => promotion-not-replaced 7.5.2 white, game-lost-illegal 7.5.5 white",
    );
}

#[test]
fn what_evidence_overturns_falls_with_all_that_hangs_on_it() {
    check(
        "2014 rapid",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.a white, game-lost-illegal A.4.b white
         overturned white => #2 withdrawn, #1 withdrawn",
    );
    check(
        "2018",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         h8g8
         bad e1c1 pattern => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white
         overturned white => #3 withdrawn, #2 withdrawn
         g8f8
         bad d4d6 pattern => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white",
    );
}

#[test]
fn a_loss_falls_when_an_earlier_offence_is_dismissed() {
    check(
        "2018",
        IN_CHECK,
        r#"bad d2d4 check => illegal-move 7.5.1 white
           h8g8
           bad e1c1 pattern => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white
           order {"order":"dismiss","alert":"4711-1-1","reason":"seen otherwise"} => #1 dismissed, #3 corrected, #2 open"#,
    );
}

#[test]
fn a_confirmed_offence_stays_on_record_in_an_unsupervised_game() {
    check(
        "2023 rapid",
        IN_CHECK,
        r#"bad d2d4 check => illegal-move 7.5.1 white
           order {"order":"confirm","alert":"4711-1-1","seconds":60} => #1 confirmed
           h4f6
           bad e1c1 pattern => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white
           order {"order":"confirm","alert":"4711-1-3"} => #3 confirmed, #2 confirmed, = 0-1 arbiter"#,
    );
}

#[test]
fn a_confirmation_that_comes_late_does_not_count() {
    check(
        "2023 rapid",
        IN_CHECK,
        r#"bad d2d4 check => illegal-move 7.5.1 white
           h4f6 => #1 expired, claim-window-closed A.5.2 white
           order {"order":"confirm","alert":"4711-1-1"} => noted: Recorded, but the time to intervene was over: Black had made the next move (A.5.2). It does not count among the illegal moves., #1 confirmed
           bad e1c1 pattern => illegal-move 7.5.1 white"#,
    );
}

#[test]
fn a_penalty_without_a_name_settles_the_last_offence() {
    check(
        "2018",
        IN_CHECK,
        r#"bad d2d4 check => illegal-move 7.5.1 white
           order {"order":"penalty","side":"white","seconds":120} => #1 confirmed
           h8g8
           bad e1c1 pattern => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white"#,
    );
}

#[test]
fn acknowledged_alerts_still_expire() {
    check(
        "2023 rapid",
        IN_CHECK,
        r#"bad d2d4 check => illegal-move 7.5.1 white
           order {"order":"acknowledge","alert":"4711-1-1"} => #1 acknowledged
           h4f6 => #1 expired, claim-window-closed A.5.2 white"#,
    );
}

/// The arbiter has put the position back: he has acted, whatever he types later.
#[test]
fn a_reinstated_position_keeps_the_offence_on_record() {
    check(
        "2023 rapid",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         stop
         withdraw 1 reinstated => #1 corrected
         start white
         e1d1
         h4f6
         bad d1b1 pattern => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white",
    );
}

#[test]
fn a_window_that_a_slide_closed_opens_again() {
    check(
        "2023 rapid",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         made h4g5 => #1 expired, claim-window-closed A.5.2 white
         withdraw 2 unfinished => #2 corrected, #1 open
         made h4f6 => #1 expired, claim-window-closed A.5.2 white
         pressed",
    );
}

#[test]
fn orders_that_cannot_be_carried_out_change_nothing() {
    let mut hall = Hall::new("2023", IN_CHECK);
    hall.run("bad d2d4 check => illegal-move 7.5.1 white");
    for (json, reason) in [
        (r#"{"order":"confirm","alert":"4711-1-7"}"#, "there is no alert 4711-1-7 in this game"),
        (r#"{"order":"confirm","alert":"4711-2-1"}"#, "there is no alert 4711-2-1 in this game"),
        (r#"{"order":"dismiss","alert":"nonsense"}"#, "there is no alert nonsense in this game"),
        (
            r#"{"order":"result","result":"2-0"}"#,
            "2-0 is no result; there are 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+, -/- and *",
        ),
        (r#"{"order":"claim","side":"white","kind":"threefold"}"#, "white is not to move"),
        (
            r#"{"order":"claim","side":"black","kind":"intended","move":"Ke9"}"#,
            "Ke9 is no move; write it as Nf3 or g1f3",
        ),
        (r#"{"order":"claim","side":"black","kind":"time"}"#, "the clock shows no fallen flag of white"),
    ] {
        assert_eq!(hall.refused(json), reason);
    }
    hall.step(r#"order {"order":"confirm","alert":"4711-1-1"}"#);
    assert_eq!(
        hall.refused(r#"{"order":"confirm","alert":"4711-1-1"}"#),
        "alert 4711-1-1 has been dealt with in this way already"
    );
    assert_eq!(hall.refused(r#"{"order":"acknowledge","alert":"4711-1-1"}"#), "alert 4711-1-1 is closed");
}

#[test]
fn an_arbiter_may_change_his_mind() {
    check(
        "2018",
        IN_CHECK,
        r#"bad d2d4 check => illegal-move 7.5.1 white
           order {"order":"dismiss","alert":"4711-1-1"} => #1 dismissed
           order {"order":"confirm","alert":"4711-1-1"} => #1 confirmed
           order {"order":"dismiss","alert":"4711-1-1"} => #1 dismissed
           h8g8
           bad e1c1 pattern => illegal-move 7.5.1 white"#,
    );
}

#[test]
fn a_muted_board_says_nothing() {
    check(
        "2018",
        IN_CHECK,
        r#"order {"order":"mute","seconds":5} => noted: No alerts of this board are raised for 5 seconds.
           bad d2d4 check
           wait 10
           h8g8
           bad e1c1 pattern => illegal-move 7.5.1 white"#,
    );
}

#[test]
fn the_result_confirms_the_alert_that_proposed_it() {
    check(
        "2018",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1",
        "flag white
         wait 1 => flag-fall 6.9 white
         ended 0-1 arbiter => #1 confirmed",
    );
    check(
        "2018",
        "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1",
        r#"flag white
           wait 1 => flag-fall 6.9 white
           order {"order":"confirm","alert":"4711-1-1"} => #1 confirmed, = 0-1 flag"#,
    );
}

#[test]
fn every_game_counts_afresh() {
    let mut hall = Hall::new("2023", IN_CHECK);
    hall.run(
        r#"link down => board-link both
           order {"order":"penalty","side":"white"}
           bad d2d4 check => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white
           next game => #2 ended
           bad b1b3 pattern => illegal-move 7.5.1 white"#,
    );
    assert_eq!(hall.alert().id, "4711-2-1");
    hall.run("link up");
    hall.run("wait 5 => #1 corrected");
}

/// A penalty may be entered before the game is known to have begun.
#[test]
fn a_penalty_before_the_start_stays_on_record() {
    let mut hall = Hall::new("2023", IN_CHECK);
    hall.step(r#"order {"order":"penalty","side":"white"}"#);
    hall.fact(&Fact::GameStarted);
    hall.run("bad d2d4 check => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white");
}

#[test]
fn what_is_kept_is_bounded_and_records_survive() {
    let mut hall = Hall::new("2009", START);
    for round in 0..200 {
        hall.said.clear();
        hall.step("null white");
        if round % 3 == 0 {
            let id = hall.alert().id.clone();
            hall.step(&format!(r#"order {{"order":"confirm","alert":"{id}"}}"#));
        }
    }
    assert!(hall.referee.open_alerts().count() <= 12);
    let mut hall = Hall::new("2023", START);
    hall.step("null white");
    hall.step(r#"order {"order":"confirm","alert":"4711-1-1"}"#);
    for round in 0..200 {
        // Equipment that comes and goes fills the list with closed alerts.
        hall.step(if round % 2 == 0 { "clock gone" } else { "clock there" });
    }
    hall.said.clear();
    hall.run("null white => press-without-move 7.5.3 white, game-lost-illegal 7.5.5 white");
}

/// Second thoughts judge a press again; what has been said of it is not said twice.
#[test]
fn a_press_that_is_judged_again_says_nothing_new() {
    let mut hall = Hall::new("2018", IN_CHECK);
    hall.run("bad d2d4 check => illegal-move 7.5.1 white");
    hall.said.clear();
    let (press, before) = (hall.now.before(Duration::from_millis(100)), hall.game.start().clone());
    hall.now = press;
    hall.pressed_fact(
        Color::White,
        Verdict::Illegal(Reason::Other),
        1,
        before,
        Vec::new(),
        Confidence::Certain,
    );
    assert_eq!(said(&hall.said), Vec::<String>::new());
}

/// Once put right on the board it still counts; reported again it would count twice, and lose the game.
#[test]
fn a_press_that_was_put_right_and_is_judged_again_counts_once() {
    let mut hall = Hall::new("2018", IN_CHECK);
    hall.run("bad d2d4 check => illegal-move 7.5.1 white");
    let press = hall.now.before(Duration::from_millis(100));
    hall.step("righted white");
    hall.said.clear();
    let before = hall.game.start().clone();
    hall.now = press;
    hall.pressed_fact(
        Color::White,
        Verdict::Illegal(Reason::Other),
        1,
        before,
        Vec::new(),
        Confidence::Certain,
    );
    assert_eq!(said(&hall.said), Vec::<String>::new());
}

#[test]
fn mate_ends_a_game_on_a_muted_board_too() {
    check(
        "2018",
        "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
        r#"order {"order":"mute","seconds":60} => noted: No alerts of this board are raised for 1 minute.
           made a1a8 => = 1-0 mate"#,
    );
}
