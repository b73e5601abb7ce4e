//! Games that are picked up in their middle while a piece stands on a square that shows nothing.

use shakmaty::{Color, Square};

use super::{Table, set};
use crate::{alert::Confidence, code::Code, event::EventKind};

const MIDDLE: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R";
const PLAY: &str = "a2a3 d7d6 b1c3 a7a6 d1e2 h7h6 e1g1 c8g4 h2h3 e8g8 c3a2 g4f3 e2f3 c6d4 f3d1";
const MOVES: &str = "a3 d6 Nc3 a6 Qe2 h6 O-O Bg4 h3 O-O Na2 Bxf3 Qxf3 Nd4 Qd1";

/// Picks up a game with a square that shows nothing, from the first dump to the last.
fn picked_up(placement: &str, turn: Color, dead: Square, rotated: bool) -> Table {
    let mut table = Table::new(&[]);
    table.rotated = rotated;
    table.dead.push(dead);
    table.set_up(placement);
    table.start(turn);
    table.wait(8.0);
    table
}

/// Plays moves, with the rook of a king that castles on the kings' side.
fn play(table: &mut Table, moves: &str) {
    for uci in moves.split_whitespace() {
        let side = table.make(uci);
        match uci {
            "e1g1" => table.hands("h1- f1R"),
            "e8g8" => table.hands("h8- f8r"),
            _ => {}
        }
        table.press(side);
        table.wait(1.2);
    }
}

#[test]
fn a_piece_nobody_saw_stood_there_when_the_game_was_adopted() {
    use Square::{A7, B1, C8, D1, D7, H1, H2, H7, H8};
    for rotated in [false, true] {
        for dead in [A7, B1, C8, D1, D7, H1, H2, H7, H8] {
            let mut table = picked_up(MIDDLE, Color::White, dead, rotated);
            play(&mut table, PLAY);
            table.finish();
            assert_eq!(table.moves(), MOVES, "{dead} dead, rotated: {rotated}");
            let start = table.starts().pop().unwrap();
            assert!(start.starts_with(MIDDLE), "{dead} dead, rotated: {rotated}: {start}");
            let named = table.alerts();
            let all_of_the_board = named.iter().all(|alert| alert.starts_with("board-mismatch"));
            assert!(all_of_the_board, "{dead} dead, rotated: {rotated}: {named:?}");
        }
    }
}

/// Returns how sure it is said to be that moves were illegal.
fn words_of_illegal_moves(table: &Table) -> Vec<Confidence> {
    table.pick(|kind| {
        let EventKind::Alert(alert) = kind else { return None };
        (alert.code == Code::IllegalMove).then_some(alert.confidence)
    })
}

#[test]
fn a_hidden_piece_before_a_king_allows_no_certain_offence() {
    // Black's pawn on f7 protects his king from the bishop that goes to c4.
    let castled = "r1bq1rk1/pppp1ppp/2n2n2/4p3/8/3B1N2/PPPP1PPP/RNBQK2R";
    for (dead, words) in [(Square::F7, vec![Confidence::Likely]), (Square::A8, vec![])] {
        let mut table = picked_up(castled, Color::White, dead, false);
        table.play("a2a3 a7a6 d3c4 b7b6 h2h3 h7h6");
        assert_eq!(words_of_illegal_moves(&table), words, "{dead} dead");
    }
}

#[test]
fn a_check_across_a_square_that_reported_is_certain() {
    let mut table = picked_up("1k6/p5pp/RP6/8/8/8/6PP/4K3", Color::White, Square::D5, false);
    table.play("h2h3 a7b6 g2g3 b8a8");
    table.finish();
    assert_eq!(words_of_illegal_moves(&table), [Confidence::Certain]);
}

#[test]
fn a_piece_slid_while_a_dump_came_has_stood_nowhere_else_before() {
    use Square::{A1, A4, A6, A7, A8};
    let rook = Some(Color::White.rook());
    let mut table = picked_up("1r4k1/5ppp/8/8/8/8/5PPP/R5K1", Color::White, Square::D5, false);
    table.play("h2h3 h7h6");
    for (square, shows) in [(A1, None), (A4, rook), (A4, None), (A6, rook)] {
        table.set(square, shows);
        table.wait(0.2);
    }
    // The dump shows the rook on its way, and the board does not.
    set(&mut table.stands, A6, None);
    set(&mut table.stands, A7, rook);
    table.dump();
    table.wait(0.1);
    table.set(A6, None);
    set(&mut table.stands, A7, None);
    table.set(A8, rook);
    table.wait(0.3);
    table.press(Color::White);
    table.wait(1.5);
    table.play("b8a8 g2g3 h6h5");
    table.finish();
    assert_eq!(table.starts().len(), 1, "{:?}", table.starts());
    assert_eq!(words_of_illegal_moves(&table), [], "{}", table.moves());
}

#[test]
fn a_piece_that_came_to_a_dead_square_was_not_there_before() {
    let mut table = picked_up("1r4k1/p4ppp/8/8/8/8/P4PPP/R5K1", Color::White, Square::A5, false);
    table.play("h2h3 a7a6 g2g3 a6a5 f2f3 g7g6 g1g2 a5a4 g2f2 h7h6");
    table.finish();
    assert_eq!(table.moves(), "h3 a6 g3 a5 f3 g6 Kg2 a4 Kf2 h6");
    assert_eq!(table.starts().len(), 1, "{:?}", table.starts());
}
