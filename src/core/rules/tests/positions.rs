//! Illegal positions, and games that began wrong.

use super::*;

const CHECKED: &str = "4k3/8/8/p7/8/1B6/8/4K2r w - - 0 1";
const PROMOTION: &str = "8/4P1k1/8/8/8/8/7r/4K3 w - - 0 1";

#[test]
fn both_kings_in_check_arm_and_the_next_move_draws() {
    let mut hall = Hall::new("2018 rapid", CHECKED);
    hall.run(
        "bad b3a4 check => illegal-move 7.5.1 white, illegal-position-armed A.4.4 both
         bad h1g1 check => #1 expired, claim-window-closed A.4.2 white, illegal-move 7.5.1 black, \
         #2 expired, illegal-position-draw A.4.4 both",
    );
    assert_eq!(hall.alert().proposal.as_ref().unwrap().result, Some("1/2-1/2"));
}

#[test]
fn a_legal_position_disarms_silently() {
    check(
        "2018 blitz",
        CHECKED,
        "bad b3a4 check => illegal-move 7.5.1 white, illegal-position-armed A.4.4 both
         e8e7 => #1 expired, claim-window-closed A.4.2 white, #2 expired
         e1e2
         h1h3",
    );
}

/// Black's own king stays in check, White's does not: *the* position is gone, *an* illegal one is there.
#[test]
fn the_or_an_illegal_position() {
    check(
        "2014 rapid",
        CHECKED,
        "bad b3a4 check => illegal-move 7.5.a white, game-lost-illegal A.4.b white, illegal-position-armed A.4.d both
         bad h1h8 check => #1 expired, #2 expired, claim-window-closed A.4.b white, illegal-move 7.5.a black, \
         game-lost-illegal A.4.b black, #3 expired",
    );
    let mut hall = Hall::new("2018 rapid", CHECKED);
    hall.run(
        "bad b3a4 check => illegal-move 7.5.1 white, illegal-position-armed A.4.4 both
         bad h1h8 check => #1 expired, claim-window-closed A.4.2 white, illegal-move 7.5.1 black, #2 expired, \
         illegal-position-draw A.4.4 both~",
    );
    assert_eq!(
        hall.alert().facts["alternatives"],
        serde_json::json!([{ "article": "A.4.2", "side": "black" }])
    );
}

#[test]
fn a_pawn_on_the_last_rank_names_its_side_and_draws() {
    check(
        "2023 blitz",
        PROMOTION,
        "pawn e7e8 => promotion-not-replaced 7.5.2 white, illegal-position-armed A.5.4 white
         h2h3 => #1 expired, claim-window-closed A.5.2 white, #2 expired, illegal-position-draw A.5.4 both
         e1e2",
    );
}

/// A draw is no surer than the position that it rests on.
#[test]
fn a_draw_by_an_illegal_position_is_as_sure_as_the_position() {
    check(
        "2023 blitz",
        PROMOTION,
        "likely pawn e7e8 => promotion-not-replaced 7.5.2 white~, illegal-position-armed A.5.4 white~
         h2h3 => #1 expired, claim-window-closed A.5.2 white, #2 expired, illegal-position-draw A.5.4 both~
         e1e2",
    );
}

#[test]
fn a_pawn_replaced_in_time_disarms() {
    check(
        "2023 blitz",
        PROMOTION,
        "pawn e7e8 => promotion-not-replaced 7.5.2 white, illegal-position-armed A.5.4 white
         replace e8 Q
         righted white => #1 corrected, #2 corrected
         h2h3 => #1 corrected",
    );
}

#[test]
fn the_competition_rules_know_no_illegal_position() {
    for event in ["2018", "2018 rapid supervised", "2023 blitz supervised", "2009 blitz supervised"] {
        let article = if event.starts_with("2009") { "7.4.a" } else { "7.5.2" };
        check(event, PROMOTION, &format!("pawn e7e8 => promotion-not-replaced {article} white\nh2h3"));
    }
}

#[test]
fn in_2009_the_arbiter_intervenes_in_rapid_and_never_in_blitz() {
    check(
        "2009 rapid",
        PROMOTION,
        "pawn e7e8 => promotion-not-replaced 7.4.a white, illegal-position-intervene A.4.c white
         h2h3",
    );
    check(
        "2009 blitz",
        PROMOTION,
        "pawn e7e8 => promotion-not-replaced 7.4.a white, claim-win-available B.3.c black
         h2h3 => #1 expired, #2 expired, claim-window-closed B.3.c white",
    );
}

/// A mating capture is the next move; it ends the game before it could be judged.
#[test]
fn mate_comes_first() {
    let mut hall = Hall::new("2014 rapid", "5K2/8/1q6/1N1k4/8/8/8/2R1R3 w - - 0 1");
    hall.run(
        "e1e5
         bad b6c5 check => illegal-move 7.5.a black, game-lost-illegal A.4.b black, illegal-position-armed A.4.d both
         made c1c5 => #1 expired, #2 expired, claim-window-closed A.4.b black, checkmate 5.1.a black, = 1-0 mate
         pressed",
    );
    hall.run("ended 1-0 mate => #3 ended, #4 ended, #5 ended");
}

#[test]
fn withdrawn_moves_take_their_positions_with_them() {
    check(
        "2023 blitz",
        PROMOTION,
        "pawn e7e8 => promotion-not-replaced 7.5.2 white, illegal-position-armed A.5.4 white
         made h2h3 => #1 expired, claim-window-closed A.5.2 white
         withdraw 2 unfinished => #3 corrected, #1 open
         made h2h4 => #1 expired, claim-window-closed A.5.2 white",
    );
}

const SWAPPED: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w kq - 0 1";

#[test]
fn a_wrong_set_up_is_found_at_the_first_press() {
    for (event, article) in [("2009", "7.1.a"), ("2014", "7.2.a"), ("2018", "7.2.1"), ("2023 blitz", "7.2.1")]
    {
        check(event, SWAPPED, &format!("e2e4 => start-position-wrong {article} white\ne7e5"));
    }
    check(
        "2018",
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        "react black\ne2e4 => start-position-wrong 7.2.1 black",
    );
    check(
        "2018",
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1",
        "e2e4 => start-position-wrong 7.2.1 both",
    );
    check(
        "2018",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBNR w Kkq - 0 1",
        "e2e4 => start-position-wrong 7.2.1 white",
    );
}

#[test]
fn other_games_have_no_wrong_set_up() {
    for (event, fen) in [
        ("2018", START),
        ("2018", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"),
        ("2018", "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBKQBNR w kq - 0 1"),
        ("2018 chess960", "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w HAha - 0 1"),
    ] {
        check(event, fen, "b1c3\nb8c6");
    }
}

#[test]
fn a_wrong_set_up_stands_after_ten_moves_in_2009_after_three() {
    let pawns = "abcdefgh".chars().flat_map(|file| [format!("{file}2{file}3"), format!("{file}7{file}6")]);
    let further = ["a3a4", "a6a5", "b3b4", "b6b5"].map(str::to_owned);
    let plies: Vec<String> = pawns.chain(further).collect();
    for (event, moves, article, first) in [
        ("2018 rapid", 10, "A.4.1.2", "7.2.1"),
        ("2023 blitz", 10, "A.5.1.2", "7.2.1"),
        ("2014 blitz", 10, "A.4.a", "7.2.a"),
        ("2009 rapid", 3, "A.4.a", "7.1.a"),
    ] {
        let mut hall = Hall::new(event, SWAPPED);
        hall.run(&format!("{} => start-position-wrong {first} white", plies[0]));
        for uci in &plies[1..2 * moves - 1] {
            hall.run(uci);
        }
        hall.run(&format!("{} => #1 expired, start-claim-closed {article} white", plies[2 * moves - 1]));
    }
}

#[test]
fn a_wrong_set_up_never_stands_in_the_competition_rules() {
    let mut hall = Hall::new("2018 rapid supervised", SWAPPED);
    hall.step("g1f3");
    for uci in ["g8f6", "f3g1", "f6g8", "g1f3"].iter().cycle().take(40) {
        hall.step(uci);
    }
    assert!(!said(&hall.said).iter().any(|line| line.contains("start-claim-closed")));
}
