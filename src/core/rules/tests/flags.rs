//! Flags, quickplay finish, default time.

use super::*;

const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";

#[test]
fn a_fallen_flag_loses() {
    for event in ["2009", "2014 blitz", "2017 rapid", "2018 blitz", "2023"] {
        check(event, ROOKS, "flag white\nwait 0.4\nwait 0.2 => flag-fall 6.9 white");
    }
    // A move that was made and not completed does not help.
    check("2023 blitz", ROOKS, "made a1a2\nflag white\nwait 1 => flag-fall 6.9 white");
}

#[test]
fn it_draws_if_the_opponent_cannot_mate() {
    for (fen, why) in [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a bare king"),
        ("4k3/8/4n3/8/8/8/8/Q3K3 w - - 0 1", "a knight against a queen"),
        ("4k3/8/4b3/8/8/8/8/R3K3 w - - 0 1", "a bishop against a rook"),
        ("5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1", "a wall of pawns"),
        ("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "the rook must be taken"),
    ] {
        let mut hall = Hall::new("2018 rapid", fen);
        hall.run("flag white\nwait 1 => flag-fall-draw 6.9 white");
        assert_eq!(hall.alert().proposal.as_ref().unwrap().result, Some("1/2-1/2"), "{why}");
    }
    for fen in ["4k3/8/4n3/8/8/8/8/R3K3 w - - 0 1", "4k3/7p/8/8/8/8/8/R3K3 w - - 0 1"] {
        check("2018 rapid", fen, "flag white\nwait 1 => flag-fall 6.9 white");
    }
}

#[test]
fn a_mate_sensed_a_little_later_comes_first() {
    check(
        "2023",
        "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
        "flag white
         made a1a8 => checkmate 5.1.1 black, = 1-0 mate
         wait 2",
    );
}

#[test]
fn the_first_flag_decides_if_the_order_is_known() {
    check(
        "2023 rapid",
        ROOKS,
        "flag white
         wait 60 => flag-fall 6.9 white
         flag black => both-flags III.3.1 both
         wait 5",
    );
    let mut hall = Hall::new("2023 rapid", ROOKS);
    hall.step("flag white");
    hall.now = hall.now + Duration::from_millis(200);
    hall.run("flag black => flag-fall 6.9 white, both-flags III.3.1 both");
    assert_eq!(hall.alert().facts["first"], "white");
    assert_eq!(hall.alert().proposal, None);
}

#[test]
fn two_flags_in_one_report_have_no_order() {
    for (event, article, result) in [
        ("2009", "6.11", Some("1/2-1/2")),
        ("2009 rapid", "A.4.d", Some("1/2-1/2")),
        ("2023 tc=40/5400:1800", "III.3.1", None),
    ] {
        let mut hall = Hall::new(event, ROOKS);
        hall.run(&format!("flag white\nflag black => both-flags {article} both\nwait 5"));
        hall.said.clear();
        let alert = hall.referee.open_alerts().next().unwrap();
        assert_eq!(alert.facts["first"], "unknown", "{event}");
        assert_eq!(alert.proposal.as_ref().and_then(|proposal| proposal.result), result, "{event}");
    }
}

#[test]
fn in_2009_both_flags_draw_unsupervised_and_one_is_not_called() {
    let mut hall = Hall::new("2009 blitz", ROOKS);
    hall.run("flag white\nwait 1 => flag-fall 6.9 white");
    assert_eq!(hall.alert().facts["claim_only"], true);
    assert_eq!(hall.alert().authority.as_deref(), Some("A.4.d.1"));
    hall.run("flag black => both-flags A.4.d both, #1 expired");
    assert_eq!(hall.alert().proposal.as_ref().unwrap().result, Some("1/2-1/2"));
}

#[test]
fn a_flag_at_the_end_of_a_period_is_none_if_the_moves_are_done() {
    let event = "2023 tc=2/5400:1800";
    check(
        event,
        ROOKS,
        "a1a2\nh8h7\na2a3\nh7h6\nflag white\ntime 1800 600\nwait 4\nflag black\ntime 1790 1800\nwait 4",
    );
    check(event, ROOKS, "a1a2\nh8h7\nflag white\nwait 2 => flag-fall 6.9 white");
    // The clock blocks: there is no further period.
    check(event, ROOKS, "a1a2\nh8h7\na2a3\nh7h6\nblocked white\nwait 2 => flag-fall 6.9 white");
    // The second flag ends the game.
    check(
        event,
        ROOKS,
        "a1a2\nh8h7\na2a3\nh7h6\nflag white\ntime 1800 600\nwait 4\na3a4\nflag white\nwait 4 => flag-fall 6.9 white",
    );
}

/// The flag ends a period, and the clock stays at zero: its setting is wrong, nobody has lost.
#[test]
fn the_time_of_the_next_period_is_missed_at_zero() {
    let event = "2023 tc=2/5400:1800";
    let moves = "a1a2\nh8h7\na2a3\nh7h6";
    check(event, ROOKS, &format!("{moves}\nflag white\nwait 2\nwait 2 => clock-setting-wrong 6.10.2 white~"));
    check(
        event,
        ROOKS,
        &format!(
            "{moves}\nflag white\nwait 2\nflag black\nwait 2 => clock-setting-wrong 6.10.2 white~\n\
             wait 2 => clock-setting-wrong 6.10.2 black~"
        ),
    );
}

#[test]
fn the_quickplay_finish_begins_below_two_minutes() {
    let fen = ROOKS;
    check(
        "2018 qpf tc=60",
        fen,
        "time 130 600\na1a2\ntime 125 600\nh8h7\nwait 5\ntime 119 600\nwait 2 => qpf-eligible III.4 white\na2a3\ntime 118 110\nh7h6 => qpf-eligible III.4 black",
    );
    check("2014 qpf tc=60", fen, "time 119 600\nstart white => qpf-eligible G.4 white");
    // 2009 needs no announcement.
    check("2009 tc=60", fen, "time 119 600\nstart white => qpf-eligible 10.2 white");
    for event in
        ["2018 tc=60", "2018 qpf tc=60+30", "2018 qpf", "2018 blitz qpf tc=10", "2018 qpf tc=40/5400:1800"]
    {
        check(event, fen, "time 119 600\nstart white\nwait 5");
    }
}

#[test]
fn the_default_time_runs_for_whoever_has_not_been_seen() {
    check(
        "2023 default=900",
        START,
        "wait 899\nwait 2 => default-time 6.7.1 white?, default-time 6.7.1 black?\nwait 2000",
    );
    check("2009 default=900", START, "wait 901 => default-time 6.6.a white?, default-time 6.6.a black?");
    check("2023 default=900", START, "wait 100\ntouch white e2\nwait 2000 => default-time 6.7.1 black?");
    check("2023 default=900", START, "e2e4\nwait 901 => default-time 6.7.1 black?");
    check("2023 default=900", START, "e2e4\norder {\"order\":\"arrived\",\"side\":\"black\"}\nwait 2000");
    check("2023", START, "wait 100000");
}
