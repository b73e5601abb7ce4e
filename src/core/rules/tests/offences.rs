//! Illegal moves and what is treated as one: articles, penalties, counts, what decides the game.

use super::*;

/// White leaves his king on e1 in check from h4.
const IN_CHECK: &str = "4k2r/8/8/8/7b/8/3P4/4K2R w - - 0 1";
/// The same, and Black can never mate.
const BARE: &str = "8/8/8/8/4k3/8/4P3/4K2R w - - 0 1";
const PROMOTION: &str = "8/4P1k1/8/8/8/8/7r/4K3 w - - 0 1";

#[test]
fn an_illegal_move_has_the_article_of_its_edition() {
    for (event, article) in [
        ("2009", "7.4.a"),
        ("2014", "7.5.a"),
        ("2017", "7.5.1"),
        ("2018", "7.5.1"),
        ("2023", "7.5.1"),
        ("2023 rapid supervised", "7.5.1"),
    ] {
        check(event, IN_CHECK, &format!("bad d2d4 check => illegal-move {article} white"));
    }
}

#[test]
fn a_legal_move_and_a_reaction_are_none() {
    check("2023", START, "e2e4\ne7e5\nreact white\nreact black");
}

#[test]
fn a_pawn_left_on_the_last_rank_has_the_article_of_its_edition() {
    for (event, article) in [("2009", "7.4.a"), ("2014", "7.5.a"), ("2017", "7.5.2"), ("2018", "7.5.2")] {
        check(event, PROMOTION, &format!("pawn e7e8 => promotion-not-replaced {article} white"));
    }
}

#[test]
fn a_null_press_is_forbidden_before_2017_and_counts_since() {
    for (edition, article, counts) in [
        ("2009", "6.7.c", false),
        ("2014", "6.2.c", false),
        ("2017", "7.8.1", true),
        ("2018", "7.5.3", true),
        ("2023", "7.5.3", true),
    ] {
        let mut hall = Hall::new(edition, START);
        hall.run(&format!("e2e4\ne7e5\nnull white => press-without-move {article} white"));
        assert_eq!(hall.alert().proposal.is_some(), counts, "{edition}");
        let second = if counts { "illegal-move 7.5.1 white, game-lost-illegal" } else { "illegal-move" };
        let mut out = Vec::new();
        std::mem::swap(&mut out, &mut hall.said);
        hall.step("bad b1b3 pattern");
        let said = said(&hall.said);
        assert!(said.join(", ").starts_with(second), "{edition}: {said:?}");
        assert_eq!(said.len(), usize::from(counts) + 1, "{edition}: {said:?}");
    }
}

#[test]
fn a_press_that_only_the_log_has_accuses_nobody() {
    let mut hall = Hall::new("2023", START);
    hall.run("e2e4\ne7e5");
    hall.referee.doubt_times(Timestamp::MAX);
    hall.run("null white");
}

/// Seconds for the first irregularity, `None` if it decides the game or has to be claimed.
#[test]
fn the_first_irregularity_costs_what_the_table_says() {
    let table = [
        ("standard", [120, 120, 120, 120, 120].map(Some)),
        ("rapid supervised", [120, 120, 120, 120, 60].map(Some)),
        ("rapid", [Some(120), None, None, Some(120), Some(60)]),
        ("blitz supervised", [120, 60, 60, 60, 60].map(Some)),
        ("blitz supervised letter", [120, 60, 60, 60, 120].map(Some)),
        ("blitz", [None, None, None, Some(60), Some(60)]),
    ];
    for (control, row) in table {
        for (edition, seconds) in Edition::all().zip(row) {
            let mut hall = Hall::new(&format!("{edition} {control}"), IN_CHECK);
            hall.step("bad d2d4 check");
            let Some(Notice::Raised(alert)) = hall.said.first() else { panic!("{:?}", hall.said) };
            let add = alert.proposal.as_ref().and_then(|proposal| proposal.add);
            assert_eq!(add, seconds.map(|seconds| (seconds, Color::Black)), "{edition} {control}");
            let take_back = alert.proposal.as_ref().and_then(|proposal| proposal.take_back);
            assert_eq!(take_back, seconds.map(|_| (10, Color::White)), "{edition} {control}");
        }
    }
}

/// The number of the irregularity that decides, for each edition.
#[test]
fn the_game_is_lost_at_the_number_the_table_says() {
    let table = [
        ("standard", [3, 2, 2, 2, 2]),
        ("rapid supervised", [3, 2, 2, 2, 2]),
        ("rapid", [3, 1, 1, 2, 2]),
        ("blitz supervised", [3, 2, 2, 2, 2]),
        ("blitz", [1, 1, 1, 2, 2]),
    ];
    for (control, row) in table {
        for (edition, loses_at) in Edition::all().zip(row) {
            for record in 0..loses_at {
                let mut hall = Hall::new(&format!("{edition} {control}"), IN_CHECK);
                for _ in 0..record {
                    hall.step(r#"order {"order":"penalty","side":"white"}"#);
                }
                hall.said.clear();
                hall.step("bad d2d4 check");
                let decided = said(&hall.said).len() > 1;
                assert_eq!(decided, record + 1 == loses_at, "{edition} {control} after {record}");
            }
        }
    }
}

#[test]
fn the_article_of_a_lost_game_is_the_penalty_clause() {
    for (event, article) in [
        ("2014", "7.5.b"),
        ("2017", "7.5.3"),
        ("2018", "7.5.5"),
        ("2023", "7.5.5"),
        ("2018 rapid", "7.5.5"),
        ("2023 blitz", "7.5.5"),
    ] {
        let script = r#"order {"order":"penalty","side":"white"}"#;
        let lost = format!("bad d2d4 check => illegal-move ARTICLE white, game-lost-illegal {article} white");
        let illegal = if event == "2014" { "7.5.a" } else { "7.5.1" };
        check(event, IN_CHECK, &format!("{script}\n{}", lost.replace("ARTICLE", illegal)));
    }
    check(
        "2014 rapid",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.a white, game-lost-illegal A.4.b white",
    );
    check(
        "2017 blitz",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white, game-lost-illegal A.4.2 white",
    );
    check(
        "2009",
        IN_CHECK,
        r#"order {"order":"penalty","side":"white"}
           order {"order":"penalty","side":"white"}
           bad d2d4 check => illegal-move 7.4.a white, game-lost-illegal 7.4.b white"#,
    );
}

#[test]
fn an_opponent_who_cannot_mate_gets_a_draw() {
    check("2014 rapid", BARE, "bad e1c1 pattern => illegal-move 7.5.a white, game-drawn-illegal A.4.b white");
    check(
        "2009 blitz",
        BARE,
        "bad e1c1 pattern => illegal-move 7.4.a white, claim-draw-available B.3.c black",
    );
    check(
        "2009 blitz",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.4.a white, claim-win-available B.3.c black",
    );
}

/// A pawn that becomes a queen is tested as one: two queens against a bare king cannot be mated.
#[test]
fn a_pawn_that_was_left_is_tested_as_a_queen() {
    let fen = "8/5P1k/5K2/8/8/8/P7/8 w - - 0 1";
    check(
        "2014",
        fen,
        "bad a2b3 pattern => illegal-move 7.5.a white
         h7h8
         pawn f7f8 => promotion-not-replaced 7.5.a white, game-drawn-illegal 7.5.b white",
    );
}

#[test]
fn what_lapsed_in_an_unsupervised_game_does_not_count() {
    let script = "bad d2d4 check => illegal-move 7.5.1 white
         h4f6 => #1 expired, claim-window-closed A.5.2 white
         bad e1c1 pattern => illegal-move 7.5.1 white";
    check("2023 rapid", IN_CHECK, script);
    let script = "bad d2d4 check => illegal-move 7.5.1 white
         h4f6
         bad e1c1 pattern => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white";
    check("2023 rapid supervised", IN_CHECK, script);
}

#[test]
fn each_player_has_a_record_of_his_own() {
    check(
        "2023",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         bad h8g6 pattern => illegal-move 7.5.1 black",
    );
}

#[test]
fn a_likely_offence_does_not_count_but_may_itself_decide() {
    check(
        "2023",
        IN_CHECK,
        "likely bad d2d4 check => illegal-move 7.5.1 white~
         h8g8
         bad e1c1 pattern => illegal-move 7.5.1 white, #1 open, #2 open",
    );
    check(
        "2023",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         h8g8
         likely bad e1c1 pattern => illegal-move 7.5.1 white~, game-lost-illegal 7.5.5 white~",
    );
}

#[test]
fn counters_of_2017_are_joint_unless_the_event_separates_them() {
    let script = |lost: &str| {
        format!(
            "null white => press-without-move 7.8.1 white\nbad d2d4 check => illegal-move 7.5.1 white{lost}"
        )
    };
    check("2017", IN_CHECK, &script(", game-lost-illegal 7.5.3 white"));
    check("2017 separate", IN_CHECK, &script(""));
    check(
        "2018 separate",
        IN_CHECK,
        "null white => press-without-move 7.5.3 white
         bad d2d4 check => illegal-move 7.5.1 white, game-lost-illegal 7.5.5 white",
    );
}

/// On the board White has taken the last piece that could mate; before the move it was there.
#[test]
fn two_positions_that_disagree_are_both_shown() {
    let mut hall = Hall::new("2014 rapid", "k7/8/8/8/8/8/5r2/K7 w - - 0 1");
    let mut board = hall.game.position().board().clone();
    board.discard_piece_at(Square::F2);
    board.discard_piece_at(Square::A1);
    board.set_piece_at(Square::F2, Color::White.king());
    hall.push(Played::Irregular(Box::new(Irregular {
        from: Square::A1,
        to: Square::F2,
        promotion: None,
        board,
        set: None,
    })));
    hall.said.clear();
    hall.press_last(Verdict::Illegal(Reason::Other), Vec::new());
    let said = said(&hall.said);
    assert_eq!(said, ["illegal-move 7.5.a white", "game-lost-illegal A.4.b white~"]);
    assert_eq!(hall.alert().facts["mate_on_board"], "impossible");
}

#[test]
fn the_offence_names_what_an_arbiter_needs() {
    let mut hall = Hall::new("2023 rapid", IN_CHECK);
    hall.step("bad d2d4 check");
    let alert = serde_json::to_value(hall.alert()).unwrap();
    assert_eq!(alert["id"], "4711-1-1");
    assert_eq!(alert["authority"], "A.5.2");
    assert_eq!(alert["edition"], "2023");
    assert_eq!(alert["ply"], 1);
    assert_eq!(alert["window"], "until black's next move is made");
    assert_eq!(
        alert["proposal"],
        serde_json::json!({"add_s": 60, "to": "black", "take_back_s": 10, "from": "white"})
    );
    assert_eq!(alert["facts"]["reason"], "king-in-check");
    assert_eq!(alert["facts"]["reinstate"], IN_CHECK);
    assert_eq!(alert["facts"]["move"], "d2d4");
    assert_eq!(
        alert["text"],
        "White completed an illegal move: the king on e1 is left in check (7.5.1). Reinstate the position \
         immediately before the irregularity. White must move a touched piece that can move (4.3.1). Give 1 minute extra time to Black (A.3). Take back White's \
         increment: 10 seconds (7.1). Open until Black's next move is made."
    );
}

#[test]
fn a_second_offence_names_the_first() {
    let mut hall = Hall::new("2023", IN_CHECK);
    hall.run("bad d2d4 check => illegal-move 7.5.1 white\nh8g8");
    hall.step("bad e1c1 pattern");
    let Some(Notice::Raised(offence)) = hall.said.iter().find(|notice| matches!(notice, Notice::Raised(_)))
    else {
        panic!("{:?}", hall.said)
    };
    assert_eq!(offence.facts["earlier"], serde_json::json!(["4711-1-1"]));
    assert_eq!(offence.facts["offence"], 2);
    assert_eq!(offence.proposal, None);
}

#[test]
fn in_2009_nobody_acts_unasked_without_supervision() {
    let mut hall = Hall::new("2009 rapid", IN_CHECK);
    hall.step("bad d2d4 check");
    assert_eq!(hall.alert().facts["claim_only"], true);
    assert!(hall.alert().text.contains("Act only if Black claims (A.4.c)."), "{}", hall.alert().text);
    let mut hall = Hall::new("2009", IN_CHECK);
    hall.step("bad d2d4 check");
    assert!(!hall.alert().facts.contains_key("claim_only"));
}

/// Whoever presses back after an irregularity of the opponent is not punished for it, whatever is on his record.
#[test]
fn who_presses_back_has_broken_nothing() {
    check(
        "2023",
        IN_CHECK,
        r#"order {"order":"penalty","side":"black"}
           bad d2d4 check => illegal-move 7.5.1 white
           null black => #1 open"#,
    );
    check(
        "2023 blitz",
        PROMOTION,
        "pawn e7e8 => promotion-not-replaced 7.5.2 white, illegal-position-armed A.5.4 white
         null black => #1 open",
    );
    // After a move of his own it is an offence like any other.
    check(
        "2023",
        IN_CHECK,
        "bad d2d4 check => illegal-move 7.5.1 white
         h8g8
         null white => press-without-move 7.5.3 white, game-lost-illegal 7.5.5 white",
    );
}

/// Two irregularities on the board: the position before the first one is the last that was right.
#[test]
fn a_second_irregularity_restores_the_position_before_the_first() {
    let mut hall = Hall::new("2023", IN_CHECK);
    hall.run("bad d2d4 check => illegal-move 7.5.1 white");
    hall.said.clear();
    hall.step("bad h8g6 pattern");
    assert_eq!(hall.alert().facts["reinstate"], IN_CHECK);
    assert!(hall.alert().text.contains("before the first irregularity, White's"), "{}", hall.alert().text);
}

/// If one of two falls, the other costs what it costs alone.
#[test]
fn the_other_offence_gets_its_own_penalty_back() {
    let mut hall = Hall::new("2023", IN_CHECK);
    hall.step("bad d2d4 check");
    hall.step("h8g8");
    hall.step("bad e1c1 pattern");
    let lost = hall.alert().clone();
    assert!(lost.text.contains("nobody has ruled on"), "{}", lost.text);
    assert_eq!(lost.facts["unconfirmed"], serde_json::json!(["4711-1-1"]));
    hall.step(r#"order {"order":"dismiss","alert":"4711-1-1"}"#);
    let second = hall.referee.open_alerts().find(|alert| alert.id == "4711-1-2").unwrap();
    assert_eq!(second.proposal.as_ref().unwrap().add, Some((120, Color::Black)));
}
