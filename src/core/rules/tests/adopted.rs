//! A game that was first heard of in its middle: nothing that rests on what is unknown is more than possible.

use super::*;

const ROUND: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];
const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
const SINCE: &str = "Counted since the board was first heard of in this game";

/// Adopts a game and goes to and fro; says what the last step raised.
fn to_and_fro(event: &str, plies: usize) -> Hall {
    let mut hall = Hall::new(event, START);
    for uci in ROUND.iter().cycle().take(plies) {
        hall.said.clear();
        hall.step(uci);
    }
    hall
}

#[test]
fn a_repetition_of_the_adopted_position_is_only_possible() {
    // The rights that belonged to the first position are not known.
    let hall = to_and_fro("2023 adopted", 8);
    assert_eq!(said(&hall.said), ["threefold-claimable 9.2.2 white?"]);
    assert!(hall.alert().text.contains(SINCE), "{}", hall.alert().text);
    assert_eq!(hall.alert().facts["counted_since"], "adoption");
    let hall = to_and_fro("2023 adopted", 9);
    assert_eq!(said(&hall.said), ["threefold-claimable 9.2.2 black"]);
    assert!(hall.alert().text.contains(SINCE), "{}", hall.alert().text);
    let hall = to_and_fro("2023", 8);
    assert_eq!(said(&hall.said), ["threefold-claimable 9.2.2 white"]);
    assert!(!hall.alert().text.contains(SINCE), "{}", hall.alert().text);
    assert!(!hall.alert().facts.contains_key("counted_since"));
}

#[test]
fn the_first_position_is_none_of_five() {
    assert_eq!(to_and_fro("2023", 16).game.result().unwrap().by, "fivefold");
    let hall = to_and_fro("2023 adopted", 16);
    assert_eq!(hall.game.result(), None);
    let hall = to_and_fro("2023 adopted", 17);
    assert_eq!(hall.game.result().unwrap().by, "fivefold");
    assert!(hall.alert().text.contains(SINCE), "{}", hall.alert().text);
}

#[test]
fn quiet_moves_are_counted_since() {
    check("2023 adopted", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", "a1a2 => fifty-claimable 9.3.2 black");
    let mut hall = Hall::new("2023 adopted", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80");
    hall.step("a1a2");
    assert!(hall.alert().text.contains(SINCE), "{}", hall.alert().text);
    let mut hall = Hall::new("2023 de adopted", "4k3/8/8/8/8/8/8/R3K3 w - - 149 99");
    hall.step("a1a2");
    assert_eq!(hall.game.result().unwrap().by, "seventyfive");
    assert!(hall.alert().text.contains("Gezählt, seit das Brett"), "{}", hall.alert().text);
}

#[test]
fn a_claim_that_what_was_not_seen_may_prove_is_no_wrong_one() {
    for kind in [r#""kind":"threefold""#, r#""kind":"fifty""#, r#""kind":"intended","move":"Nf3""#] {
        let mut hall = to_and_fro("2023 adopted", 4);
        hall.said.clear();
        hall.step(&format!(r#"order {{"order":"claim","side":"white",{kind}}}"#));
        let alert = hall.alert();
        assert_eq!((alert.state, alert.confidence), (AlertState::Open, Confidence::Possible), "{kind}");
        assert_eq!(alert.proposal, None, "{kind}");
        assert_eq!(alert.facts["claim"], "unknown", "{kind}");
        // Nobody knows that the claim was wrong: no move is owed for it.
        hall.said.clear();
        hall.step("b1c3");
        assert_eq!(said(&hall.said), Vec::<String>::new(), "{kind}");
    }
}

#[test]
fn a_claim_that_what_was_seen_proves_is_correct() {
    let mut hall = to_and_fro("2023 adopted", 9);
    hall.run(r#"order {"order":"claim","side":"black","kind":"threefold"} => #2 expired, threefold-claimable 9.2.2 black, = 1/2-1/2 threefold"#);
    // Three times with the first position, of which nobody knows the rights.
    let mut hall = to_and_fro("2023 adopted", 8);
    hall.run(r#"order {"order":"claim","side":"white","kind":"threefold"} => #1 expired, threefold-claimable 9.2.2 white?"#);
}

#[test]
fn an_illegal_intended_move_is_a_wrong_claim_in_any_game() {
    let mut hall = to_and_fro("2023 adopted", 4);
    hall.step(r#"order {"order":"claim","side":"white","kind":"intended","move":"Qh5"}"#);
    assert_eq!(hall.alert().state, AlertState::Dismissed);
}

#[test]
fn a_flag_that_may_end_a_period_loses_possibly() {
    let event = "2023 adopted tc=2/5400:1800";
    check(event, ROOKS, "a1a2\nh8h7\nflag white\nwait 2 => flag-fall 6.9 white?");
    let mut hall = Hall::new(event, ROOKS);
    hall.step("flag white");
    hall.step("wait 2");
    assert!(hall.alert().text.contains("count the moves"), "{}", hall.alert().text);
    assert!(!hall.alert().facts.contains_key("moves_due"));
    // The clock blocks: there is no further period, whatever was played before.
    check(event, ROOKS, "a1a2\nh8h7\nblocked white\nwait 2 => flag-fall 6.9 white");
    // One period for all moves.
    check("2023 adopted tc=60", ROOKS, "a1a2\nh8h7\nflag white\nwait 2 => flag-fall 6.9 white");
    check(event, ROOKS, "flag white\nflag black => both-flags 6.9 both?");
    check("2023 adopted tc=60", ROOKS, "flag white\nflag black => both-flags 6.9 both");
}

#[test]
fn a_quickplay_finish_in_an_unknown_period_may_be_claimed_only() {
    let (event, claim) =
        ("2018 qpf adopted tc=40/5400:1800", r#"order {"order":"claim","side":"white","kind":"qpf"}"#);
    check(event, ROOKS, "time 119 600\nstart white\nwait 5");
    check(event, ROOKS, &format!("time 119 600\nstart white\n{claim} => qpf-eligible III.5 white"));
}

#[test]
fn reversed_colours_ask_for_the_score_sheets() {
    let mut hall = to_and_fro("2023 adopted", 4);
    hall.run(r#"order {"order":"colours-reversed"} => colours-reversed 7.3 both?"#);
    assert_eq!(hall.alert().facts["then"], "count");
    let mut hall = Hall::new("2023", START);
    hall.run(r#"order {"order":"colours-reversed"} => colours-reversed 7.3 both"#);
    assert_eq!(hall.alert().facts["then"], "new-game");
}

#[test]
fn pieces_that_came_back_to_their_camps_are_no_wrong_start() {
    let swapped = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1";
    check("2023", swapped, "e2e4 => start-position-wrong 7.2.1 white");
    check("2023 adopted", swapped, "e2e4");
}

#[test]
fn an_offence_says_that_earlier_ones_are_not_known() {
    let mut hall = Hall::new("2023 adopted", ROOKS);
    hall.run("bad a1b3 pattern => illegal-move 7.5.1 white");
    assert!(hall.alert().text.contains("before the board was first heard of"), "{}", hall.alert().text);
    let mut hall = Hall::new("2023", ROOKS);
    hall.run("bad a1b3 pattern => illegal-move 7.5.1 white");
    assert!(!hall.alert().text.contains("before the board was first heard of"), "{}", hall.alert().text);
}

#[test]
fn the_default_time_accuses_nobody_for_certain() {
    check("2023 adopted default=900", START, "e2e4\nwait 901 => default-time 6.7.1 black?");
}
