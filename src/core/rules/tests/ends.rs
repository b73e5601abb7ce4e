//! What ends a game by itself, and what only a claim makes a draw.

use super::*;

#[test]
fn mate_ends_the_game_when_it_is_made() {
    for (event, article) in [("2009", "5.1.a"), ("2014", "5.1.a"), ("2018", "5.1.1")] {
        check(
            event,
            "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
            &format!(
                "made a1a8 => checkmate {article} black, = 1-0 mate
                 flag white
                 wait 2
                 null black"
            ),
        );
    }
}

#[test]
fn stalemate_ends_the_game_when_it_is_made() {
    check(
        "2018 blitz",
        "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
        "made g6f7 => stalemate 5.2.1 black, = 1/2-1/2 stalemate\npressed\nreact black",
    );
    check("2014", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "made g6f7 => stalemate 5.2.a black, = 1/2-1/2 stalemate");
}

#[test]
fn a_dead_position_ends_the_game() {
    check(
        "2023 rapid",
        "8/8/8/4k3/8/8/4r3/4K1B1 w - - 0 1",
        "made e1e2 => dead-position 5.2.2 both, = 1/2-1/2 dead",
    );
    check(
        "2014 rapid",
        "8/8/8/4k3/8/8/4r3/4K1B1 w - - 0 1",
        "made e1e2 => dead-position 5.2.b both, = 1/2-1/2 dead",
    );
    // King and knight against king and knight can be mated with help.
    check("2023", "8/8/8/4k3/8/8/4n3/4K1N1 w - - 0 1", "made g1f3");
}

#[test]
fn a_wall_of_pawns_is_dead_once_it_is_proved() {
    let fen = "8/8/5k2/1p1p1p1p/1P1P1P1P/8/8/4K3 w - - 0 1";
    check("2023", fen, "made e1e2 => dead-position 5.2.2 both, = 1/2-1/2 dead");
    let mut hall = Hall::new("2023", fen);
    hall.answers = false;
    hall.run("made e1e2\nanswer no\nanswer yes\nmade f6e6");
    hall.run("answer no\nmade e2d2\nwait 3");
    // A wall that a bishop can get round.
    check("2023", "8/8/5k2/1p1p1p1p/1P1P1P1P/8/8/B3K2B w - - 0 1", "made e1e2");
}

/// Knights out and home again, four plies a round.
const ROUND: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

#[test]
fn the_third_appearance_may_be_claimed_by_the_player_to_move() {
    for (event, article) in [("2009", "9.2.b"), ("2014", "9.2.b"), ("2018", "9.2.1.2"), ("2023", "9.2.2")] {
        let mut hall = Hall::new(event, START);
        for uci in ROUND.iter().chain(&ROUND[..3]) {
            hall.run(uci);
        }
        hall.run(&format!(
            "made f6g8
             pressed => threefold-claimable {article} white
             touch white g1 => #1 expired"
        ));
    }
}

#[test]
fn castling_rights_make_another_position() {
    let fen = "4k2r/p7/8/8/8/8/P7/4K2R w Kk - 0 1";
    let mut hall = Hall::new("2023", fen);
    for uci in ["h1g1", "h8g8", "g1h1", "g8h8"].iter().cycle().take(8) {
        hall.run(uci);
    }
}

#[test]
fn without_a_clock_a_move_opens_the_claim_when_it_is_made() {
    let mut hall = Hall::new("2023", START);
    hall.clock = ClockView::default();
    for uci in ROUND.iter().chain(&ROUND[..3]) {
        hall.step(&format!("made {uci}"));
    }
    assert_eq!(hall.said, []);
    hall.run("made f6g8 => threefold-claimable 9.2.2 white");
}

#[test]
fn who_has_touched_a_piece_before_the_press_may_not_claim() {
    let mut hall = Hall::new("2023", START);
    for uci in ROUND.iter().chain(&ROUND[..3]) {
        hall.run(uci);
    }
    hall.run("made f6g8\ntouch white g1\npressed");
}

#[test]
fn five_appearances_end_the_game_and_in_2014_only_in_a_row() {
    let rounds = |hall: &mut Hall, count: usize| {
        for uci in ROUND.iter().cycle().take(count) {
            hall.step(uci);
        }
        hall.said.clear();
    };
    for (event, article) in [("2014", "9.6.a"), ("2017", "9.6.1"), ("2018", "9.6.1"), ("2023", "9.6.1")] {
        let mut hall = Hall::new(event, START);
        rounds(&mut hall, 15);
        hall.run(&format!("made f6g8 => fivefold-draw {article} both, = 1/2-1/2 fivefold"));
    }
    let detour = "b1c3\nb8c6\ng1f3\ng8f6\nf3g1\nf6g8\nc3b1";
    for (event, expected) in
        [("2018", "fivefold-draw 9.6.1 both, = 1/2-1/2 fivefold"), ("2014", ""), ("2009", "")]
    {
        let mut hall = Hall::new(event, START);
        rounds(&mut hall, 12);
        hall.run(detour);
        hall.run(&format!("made c6b8 => {expected}"));
    }
}

#[test]
fn the_hundredth_quiet_ply_is_reported_once() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 b - - 98 80";
    check(
        "2023",
        fen,
        "e8e7\nmade a1a2\npressed => fifty-claimable 9.3.2 black\ntouch black e7 => #1 expired\ne7e6\na2a3",
    );
    check("2009", fen, "e8e7\na1a2 => fifty-claimable 9.3.b black\ne7e6 =>\na2a3");
}

#[test]
fn the_150th_quiet_ply_ends_the_game_but_not_in_2009() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 b - - 149 120";
    check("2014", fen, "made e8e7 => seventyfive-draw 9.6.b both, = 1/2-1/2 seventyfive");
    check("2023", fen, "made e8e7 => seventyfive-draw 9.6.2 both, = 1/2-1/2 seventyfive");
    check("2009", fen, "e8e7\ne1e2");
    // Mate comes first.
    check("2023", "6k1/5ppp/8/8/8/8/8/R6K w - - 149 120", "made a1a8 => checkmate 5.1.1 black, = 1-0 mate");
}

/// After an illegal move that stands the counts start afresh.
#[test]
fn counts_restart_after_an_irregular_move() {
    check(
        "2023 rapid",
        "4k3/8/8/8/8/8/8/R3K3 b - - 149 120",
        "bad e8c8 pattern => illegal-move 7.5.1 black
         made a1a2 => #1 expired, claim-window-closed A.5.2 black
         made c8c7",
    );
}

#[test]
fn a_mate_that_was_only_a_slide_is_taken_back() {
    let mut hall = Hall::new("2023", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1");
    hall.run("made a1a8 => checkmate 5.1.1 black, = 1-0 mate");
    hall.game.set_result(None);
    hall.run("withdraw 1 unfinished => #1 corrected\nmade a1a7\nwithdraw 1 unfinished\nmade a1a8 => checkmate 5.1.1 black, = 1-0 mate");
}

#[test]
fn a_mate_is_no_surer_than_the_moves_that_have_just_led_to_it() {
    let board = "6k1/5ppp/8/1p6/8/8/8/R6K w - - 0 1";
    let likely = "likely made h1g1\nmade b5b4\nmade a1a8 => checkmate 5.1.1 black~\nstop => = 1-0 mate";
    check("2023", board, likely);
    let later =
        "likely made h1g1\nmade b5b4\nmade g1g2\nmade b4b3\nmade a1a8 => checkmate 5.1.1 black, = 1-0 mate";
    check("2023", board, later);
}

#[test]
fn after_the_game_all_is_silent_but_the_equipment() {
    check(
        "2023",
        START,
        "e2e4
         ended 1/2-1/2 kings
         bad e7e4 pattern
         null white
         flag white
         wait 5
         missing d2d4 h1
         stop
         wait 1000
         link down => board-link both",
    );
}
