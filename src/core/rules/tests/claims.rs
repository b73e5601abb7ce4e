//! Claims that an arbiter enters.

use super::*;

const ROUND: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

fn after(event: &str, moves: usize) -> Hall {
    let mut hall = Hall::new(event, START);
    for uci in ROUND.iter().cycle().take(moves) {
        hall.step(uci);
    }
    hall.said.clear();
    hall
}

#[test]
fn a_correct_claim_ends_the_game() {
    let mut hall = after("2023", 8);
    hall.run(r#"order {"order":"claim","side":"white","kind":"threefold"} => #1 expired, threefold-claimable 9.2.2 white, = 1/2-1/2 threefold"#);
    assert_eq!(hall.alert().state, AlertState::Confirmed);
    check(
        "2023",
        "4k3/8/8/8/8/8/8/R3K3 w - - 100 80",
        r#"order {"order":"claim","side":"white","kind":"fifty"} => fifty-claimable 9.3.2 white, = 1/2-1/2 fifty"#,
    );
}

#[test]
fn a_claim_with_an_intended_move_is_judged_after_it() {
    let mut hall = after("2023", 7);
    hall.run(r#"order {"order":"claim","side":"black","kind":"intended","move":"Ng8"} => threefold-claimable 9.2.1 black, = 1/2-1/2 threefold"#);
    let mut hall = after("2014", 7);
    hall.run(r#"order {"order":"claim","side":"black","kind":"intended","move":"f6g8"} => threefold-claimable 9.2.a black, = 1/2-1/2 threefold"#);
    check(
        "2023",
        "4k3/8/8/8/8/8/8/R3K3 w - - 99 80",
        r#"order {"order":"claim","side":"white","kind":"intended","move":"Ra2"} => fifty-claimable 9.3.1 white, = 1/2-1/2 fifty"#,
    );
}

#[test]
fn a_wrong_claim_costs_time_and_binds_to_the_intended_move() {
    for (event, seconds) in [
        ("2009", 180),
        ("2014", 120),
        ("2014 blitz", 60),
        ("2018 rapid", 120),
        ("2023", 120),
        ("2023 rapid", 60),
        ("2023 rapid supervised", 60),
        ("2023 blitz", 60),
        ("2023 blitz supervised letter", 120),
    ] {
        let mut hall = after(event, 4);
        hall.step(r#"order {"order":"claim","side":"white","kind":"intended","move":"Nf3"}"#);
        let alert = hall.alert();
        assert_eq!(alert.state, AlertState::Dismissed, "{event}");
        assert_eq!(alert.proposal.as_ref().unwrap().add, Some((seconds, Color::Black)), "{event}");
        assert!(alert.text.contains("White must now make Nf3."), "{}", alert.text);
    }
}

#[test]
fn a_wrong_claim_is_no_illegal_move() {
    let mut hall = after("2023", 4);
    hall.step(r#"order {"order":"claim","side":"white","kind":"threefold"}"#);
    hall.run("null white => press-without-move 7.5.3 white");
}

#[test]
fn a_claim_after_touching_a_piece_is_the_arbiters_to_decide() {
    let mut hall = after("2023", 8);
    hall.run(
        r#"touch white g1 => #1 expired
           order {"order":"claim","side":"white","kind":"threefold"} => threefold-claimable 9.2.2 white"#,
    );
    assert_eq!(hall.alert().state, AlertState::Open);
    assert!(hall.alert().text.contains("(9.4)"), "{}", hall.alert().text);
}

#[test]
fn a_claim_on_time_needs_a_fallen_flag_and_by_edition_time() {
    let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    let claim = r#"order {"order":"claim","side":"black","kind":"time"}"#;
    check(
        "2018 blitz",
        rooks,
        &format!("flag white\nwait 1 => flag-fall 6.9 white\n{claim} => #1 confirmed, = 0-1 flag"),
    );
    for (event, refused) in [
        ("2009 blitz", true),
        ("2014 rapid", true),
        ("2017 rapid", true),
        ("2018 rapid", false),
        ("2023", false),
    ] {
        let mut hall = Hall::new(event, rooks);
        hall.step("flag white");
        hall.step("wait 1");
        hall.clock.times = Some(Times { white: 0, black: 0 });
        if refused {
            assert!(
                hall.refused(claim.strip_prefix("order ").unwrap())
                    .starts_with("black has no time left either"),
                "{event}"
            );
        } else {
            hall.said.clear();
            hall.run(&format!("{claim} => #1 confirmed, = 0-1 flag"));
        }
    }
}

#[test]
fn a_claim_in_the_quickplay_finish_needs_one() {
    let claim = r#"{"order":"claim","side":"white","kind":"qpf"}"#;
    let mut hall = Hall::new("2018 qpf tc=60", START);
    assert_eq!(hall.refused(claim), "white does not have less than two minutes left");
    hall.run(&format!("time 100 300\norder {claim} => qpf-eligible III.5 white"));
    let mut hall = Hall::new("2018 tc=60", START);
    hall.step("time 100 300");
    assert!(hall.refused(claim).starts_with("a quickplay finish needs"), "{}", hall.refused(claim));
}

#[test]
fn no_claim_after_the_game() {
    let mut hall = after("2023", 8);
    hall.step("ended 1-0 kings");
    assert_eq!(hall.refused(r#"{"order":"claim","side":"white","kind":"threefold"}"#), "the game is over");
}
