//! What the sensors saw of a move: hands, touches, releases, the order of castling, mismatches.

use super::*;

const CASTLING: &str = "4k3/7p/8/8/8/8/7P/4K2R w K - 0 1";

#[track_caller]
fn castling(event: &str, sensed: &str, expected: &str) {
    check(event, CASTLING, &format!("e1g1 by {sensed} => {expected}"));
}

const TWO_HANDED: &str = "e1- 0.20 h1- 0.24 g1K 0.62 f1R 0.66";

#[test]
fn castling_with_two_hands_has_the_article_of_its_edition() {
    castling("2009", TWO_HANDED, "two-hands-suspect 4.1 white~");
    castling("2014", TWO_HANDED, "two-hands-suspect 4.1 white~");
    castling("2017", TWO_HANDED, "two-hands-suspect 7.7.1 white~");
    castling("2018 blitz", TWO_HANDED, "two-hands-suspect 7.5.4 white~");
    castling("2023", TWO_HANDED, "two-hands-suspect 7.5.4 white~");
}

#[test]
fn castling_with_one_hand_is_silent() {
    for sensed in [
        "e1- 0.20 g1K 0.55 h1- 0.85 f1R 1.20",
        // The king put down off-centre and sensed late.
        "e1- 0.20 h1- 0.55 g1K 0.67 f1R 0.90",
        // All within one scan.
        "e1- 0.20 h1- 0.21 g1K 0.22 f1R 0.23",
        "g1K 0.20 e1- 0.21 f1R 0.30 h1- 0.31",
    ] {
        castling("2018", sensed, "");
    }
}

/// A slow board shows a fast one-handed castling in a single scan, a two-handed one in two.
#[test]
fn slow_scans_do_not_make_two_hands() {
    castling("2018 scan=225", "e1- 0.20 g1K 0.21 h1- 0.22 f1R 0.23", "");
    castling("2018 scan=225", "e1- 0.20 h1- 0.41 g1K 0.42 f1R 0.61", "");
    castling("2018 scan=225", "e1- 0.19 h1- 0.20 g1K 0.68 f1R 0.69", "two-hands-suspect 7.5.4 white~");
    castling("2018 scan=500", "e1- 0.19 h1- 0.20 g1K 0.68 f1R 0.69", "two-hands-suspect 7.5.4 white~");
}

#[test]
fn both_in_the_air_over_a_scan_is_likely_if_taken_at_once() {
    castling("2018 blitz", "e1- 0.20 h1- 0.40 g1K 1.80 f1R 2.00", "two-hands-suspect 7.5.4 white~");
    castling("2018 blitz scan=500", "e1- 0.20 h1- 0.60 g1K 2.80 f1R 3.10", "two-hands-suspect 7.5.4 white~");
    // One hand may carry both: it takes them up in turn, or puts them down in turn.
    castling("2018 blitz", "e1- 0.20 h1- 0.40 g1K 1.80 f1R 2.30", "two-hands-suspect 7.5.4 white?");
    castling("2018 blitz", "e1- 0.20 h1- 0.70 g1K 1.80 f1R 2.30", "two-hands-suspect 7.5.4 white?");
    castling("2018 blitz scan=500", "e1- 0.20 h1- 0.80 g1K 2.80 f1R 3.40", "two-hands-suspect 7.5.4 white?");
}

#[test]
fn a_measured_scan_bounds_how_long_both_were_in_the_air() {
    let suspect = "two-hands-suspect 7.5.4 white~";
    // The lifts lie in two scans, and so do the placements: nothing is simultaneous, but 0.27 s lie between.
    let sensed = "e1- 0.20 h1- 0.42 g1K 0.69 f1R 0.90";
    castling("2018", sensed, "");
    castling("2018 measured=225", sensed, suspect);
    castling("2018 measured=245", sensed, suspect);
    castling("2018 measured=260", sensed, "");
    castling("2018 measured=450", sensed, "");
    castling("2018 measured=450", "e1- 0.20 h1- 0.64 g1K 1.14 f1R 1.55", suspect);
    // The king stands on f1 for a moment: a hand has let it go.
    castling("2018 measured=225", "e1- 0.20 h1- 0.42 f1K 0.60 f1- 0.65 g1K 0.80 f1R 0.90", "");
    let mut hall = Hall::new("2018 measured=225", CASTLING);
    hall.step(&format!("e1g1 by {sensed}"));
    let facts = &hall.alert().facts;
    assert_eq!((facts["least_ms"].as_u64(), facts["most_ms"].as_u64()), (Some(25), Some(515)));
}

/// Changes that come in answers have the time of the answer.
#[test]
fn on_a_polled_board_two_hands_need_an_answer_in_between() {
    castling("2018 polled", "e1- 0.20 h1- 0.20 g1K 1.20 f1R 1.20", "");
    castling("2018 polled", "e1- 0.20 h1- 0.20 g1K 1.30 f1R 1.30", "");
    let fen = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    check("2018 polled", fen, "e7e8q by e7- 0.40 e8Q 0.40");
}

#[test]
fn a_fast_board_shows_captures_that_one_hand_cannot_do() {
    let far = "7r/k6p/8/8/8/8/P7/B3K3 w - - 0 1";
    let suspect = "two-hands-suspect 7.5.4 white";
    check("2023 blitz measured=100", far, &format!("a1h8 by h8- 0.40 a1- 0.41 h8B 0.80 => {suspect}~"));
    check("2023 blitz measured=225", far, &format!("a1h8 by h8- 0.40 a1- 0.41 h8B 0.80 => {suspect}?"));
    check("2023 blitz measured=300", far, "a1h8 by h8- 0.40 a1- 0.41 h8B 0.80");
}

const UNDONE: &str = "e1- 0.20 h1- 0.24 g1K 0.62 f1R 0.66 g1- 1.20 e1K 1.50 f1- 1.70 h1R 2.00 \
                      e1- 2.30 g1K 2.70 h1- 3.10 f1R 3.50";

#[test]
fn a_move_back_before_the_press_is_an_offence_in_2017_only() {
    castling("2018 blitz", UNDONE, "");
    castling("2017 blitz", UNDONE, "");
    castling("2017 unpressed", UNDONE, "two-hands-suspect 7.7.1 white~");
    castling("2018 unpressed", UNDONE, "");
}

#[test]
fn two_hands_never_count_unconfirmed_and_never_lose_a_game() {
    check(
        "2017 blitz",
        CASTLING,
        &format!(
            "e1g1 by {TWO_HANDED} => two-hands-suspect 7.7.1 white~
             made e8e7 => #1 expired"
        ),
    );
    check(
        "2018",
        CASTLING,
        &format!(
            "e1g1 by {TWO_HANDED} => two-hands-suspect 7.5.4 white~
             e8e7
             null white => press-without-move 7.5.3 white"
        ),
    );
}

#[test]
fn two_hands_that_are_confirmed_count() {
    check(
        "2017 blitz",
        CASTLING,
        &format!(
            r#"e1g1 by {TWO_HANDED} => two-hands-suspect 7.7.1 white~
             order {{"order":"confirm","alert":"4711-1-1"}} => #1 confirmed, game-lost-illegal A.4.2 white"#
        ),
    );
    check(
        "2018",
        CASTLING,
        &format!(
            r#"e1g1 by {TWO_HANDED} => two-hands-suspect 7.5.4 white~
             order {{"order":"confirm","alert":"4711-1-1"}} => #1 confirmed
             e8e7
             null white => press-without-move 7.5.3 white, game-lost-illegal 7.5.5 white"#
        ),
    );
    check(
        "2014",
        CASTLING,
        &format!(
            r#"e1g1 by {TWO_HANDED} => two-hands-suspect 4.1 white~
             order {{"order":"confirm","alert":"4711-1-1"}} => #1 confirmed"#
        ),
    );
}

#[test]
fn a_capture_shows_two_hands_only_from_corner_to_corner() {
    let far = "7r/k6p/8/8/8/8/P7/B3K3 w - - 0 1";
    check("2023 blitz", far, "a1h8 by h8- 0.40 a1- 0.40 h8B 0.80 => two-hands-suspect 7.5.4 white?");
    check("2023 blitz scan=300", far, "a1h8 by h8- 0.40 a1- 0.42 h8B 0.80");
    check("2023 blitz", far, "a1h8 by h8- 0.40 a1- 0.60 h8B 0.80");
    check("2023 blitz", far, "a1h8 by a1- 0.40 h8B 0.80");
    let near = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    check("2023 blitz", near, "e4d5 by d5- 0.40 e4- 0.40 d5P 0.80");
}

#[test]
fn a_promotion_within_one_scan_is_possible() {
    let fen = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    check("2018", fen, "e7e8q by e7- 0.40 e8Q 0.44 => two-hands-suspect 7.5.4 white?");
    for sensed in ["e7- 0.40 e8Q 1.10", "e8Q 0.40 e7- 1.00", "e7- 0.40 e8P 0.80 e8- 1.30 e8Q 1.65"] {
        check("2018", fen, &format!("e7e8q by {sensed}"));
    }
    check("2018 scan=500", fen, "e7e8q by e7- 0.40 e8Q 0.44");
}

#[test]
fn castling_in_chess960_may_be_done_in_any_order() {
    let fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1";
    let mut hall = Hall::new("2023 chess960", fen);
    let castle = shakmaty::Move::Castle { king: Square::F1, rook: Square::H1 };
    hall.push(Played::Legal(castle));
    let before = hall.game.start().board().clone();
    let sensed = ["f1-", "0.10", "h1-", "0.80", "f1R", "1.30", "g1K", "1.80"];
    let attempt = changes(&before, &sensed, hall.now);
    hall.press_last(Verdict::Legal, attempt);
    assert_eq!(said(&hall.said), Vec::<String>::new());
}

#[test]
fn the_rook_lifted_first_is_reported_unless_a_scan_mixed_them() {
    castling("2023", "h1- 0.10 f1R 0.50 e1- 1.00 g1K 1.40", "castling-rook-first 4.4.2 white~");
    castling("2009", "h1- 0.10 f1R 0.50 e1- 1.00 g1K 1.40", "castling-rook-first 4.4.b white~");
    castling("2023", "h1- 0.10 e1- 0.20 g1K 0.45 f1R 0.90", "");
    // The rook was adjusted before.
    castling("2023", "h1- 0.10 h1R 0.40 e1- 0.80 g1K 1.10 h1- 1.20 f1R 1.30", "");
}

const DEVELOPED: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";

#[test]
fn a_piece_held_and_put_back_is_reported() {
    check("2023", DEVELOPED, "d2d4 by g1- 0.10 g1N 1.70 d2- 2.00 d4P 2.40 => touch-move-suspect 4.3 white?");
    for (sensed, why) in [
        ("g1- 0.10 g1N 1.50 d2- 2.00 d4P 2.40", "adjusted"),
        ("a1- 0.10 a1R 3.60 d2- 4.00 d4P 4.40", "it cannot move"),
        ("d2- 0.10 d2P 1.90 d2- 2.00 d4P 2.40", "the piece that moved"),
        ("b8- 0.10 b8n 3.60 d2- 4.00 d4P 4.40", "it cannot be captured"),
    ] {
        let mut hall = Hall::new("2023", DEVELOPED);
        hall.run(&format!("d2d4 by {sensed}"));
        assert!(hall.said.is_empty(), "{why}");
    }
}

#[test]
fn a_piece_of_the_opponent_held_must_be_captured() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    check("2018", fen, "e1d2 by d5- 0.10 d5p 2.70 e1- 3.20 d2K 3.60 => touch-move-suspect 4.3 white?");
    check("2018", fen, "e4d5 by d5- 0.10 d5p 2.70 e4- 3.20 d5- 3.40 d5P 3.60");
}

/// What happens before the opponent's press may be the opponent's hand.
#[test]
fn touches_before_the_opponents_press_are_not_the_players() {
    let mut hall = Hall::new("2023", START);
    hall.step("e2e4");
    hall.make("e7e5");
    let mut attempt = changes(
        hall.game.position_after(1).board(),
        &["g8-", "0.00", "g8n", "1.55", "e7-", "1.60", "e5p", "1.70"],
        hall.now,
    );
    for change in attempt.iter_mut().take(2) {
        change.at = change.at.before(Duration::from_millis(1600));
    }
    hall.said.clear();
    hall.press_last(Verdict::Legal, attempt);
    assert_eq!(hall.said, []);
}

#[test]
fn a_piece_that_rested_elsewhere_is_reported() {
    let sensed = |rest: &str| format!("g1h3 by g1- 0.10 f3N 0.40 f3- {rest} h3N 2.40");
    check("2014", DEVELOPED, &format!("{} => released-piece-moved 4.7 white?", sensed("2.00")));
    check("2009", DEVELOPED, &format!("{} => released-piece-moved 4.6 white?", sensed("2.00")));
    check("2014", DEVELOPED, &sensed("1.80"));
    // Not a square on which it could stay.
    check("2014", DEVELOPED, "g1f3 by g1- 0.10 g3N 0.40 g3- 2.40 f3N 2.70");
}

#[test]
fn another_choice_at_a_promotion_is_reported() {
    let fen = "8/4P1k1/7p/8/8/8/P7/4K3 w - - 0 1";
    let changed = "e7e8n by e7- 0.10 e8Q 0.50 e8- 1.20 e8N 1.60";
    check("2023", fen, &format!("{changed} => promotion-choice-changed 4.4.4 white~"));
    check("2014", fen, &format!("{changed} => promotion-choice-changed 4.4.d white~"));
    check("2023", fen, "e7e8n by e7- 0.10 e8q 0.50 e8- 1.20 e8N 1.60");
    check("2023", fen, "e7e8n by e7- 0.10 e8P 0.50 e8- 1.20 e8N 1.60");
    check("2023", fen, "e7e8n by e7- 0.10 e8Q 0.50 e8N 0.55");
}

#[test]
fn a_dump_says_nothing_of_hands() {
    let mut hall = Hall::new("2018", CASTLING);
    hall.make("e1g1");
    let words: Vec<&str> = TWO_HANDED.split(' ').collect();
    let mut attempt = changes(hall.game.start().board(), &words, hall.now);
    attempt[3].dumped = true;
    hall.press_last(Verdict::Legal, attempt);
    assert_eq!(hall.said, []);
}

#[test]
fn a_press_with_a_piece_in_the_air_is_no_illegal_move() {
    for (event, article) in [("2009", "6.7.a"), ("2014", "6.2.c"), ("2018 blitz", "6.2.4"), ("2023", "6.2.4")]
    {
        check(event, START, &format!("air white e2 => press-before-made {article} white~\nbad e2e5 pattern => illegal-move ILLEGAL white").replace("ILLEGAL", if event == "2009" { "7.4.a" } else if event == "2014" { "7.5.a" } else { "7.5.1" }));
    }
}

#[test]
fn suspicions_end_when_the_opponent_touches_a_piece() {
    check(
        "2023",
        CASTLING,
        "e1g1 by h1- 0.10 f1R 0.50 e1- 1.00 g1K 1.40 => castling-rook-first 4.4.2 white~
         touch black e8 => #1 expired",
    );
    // The touch came before the press was judged.
    let mut hall = Hall::new("2023", CASTLING);
    hall.make("e1g1");
    let attempt = changes(
        hall.game.start().board(),
        &["h1-", "0.10", "f1R", "0.50", "e1-", "1.00", "g1K", "1.40"],
        hall.now,
    );
    let press = hall.now;
    hall.now = hall.now + Duration::from_millis(700);
    hall.step("touch black e8");
    let before = hall.game.start().clone();
    hall.now = press;
    hall.pressed_fact(Color::White, Verdict::Legal, 1, before, attempt, Confidence::Certain);
    let said = said(&hall.said);
    assert_eq!(said, ["castling-rook-first 4.4.2 white~", "#1 expired"]);
}

#[test]
fn squares_that_read_wrongly_are_reported_once_and_withdrawn() {
    check(
        "2023",
        START,
        "missing e2e4 h1+h2 => board-mismatch 7.4.1 white~
         missing e7e5 h2 =>
         cleared h1
         cleared h2 => #1 corrected
         missing d2d3 h2 => board-mismatch 7.4.1 white~",
    );
    check("2014", START, "missing e2e4 h1 => board-mismatch 7.4 white~");
    check(
        "2023",
        START,
        "mismatch missing h1
         mismatch dead h1 => board-mismatch 7.4.1 both~
         mismatch unexplained a1+a2 => board-mismatch 7.4.1 both~
         next game => #2 corrected",
    );
}
