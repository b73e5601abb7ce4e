use shakmaty::CastlingMode;

use super::*;
use crate::position::Position;

fn position(fen: &str) -> Position {
    Position::from_fen(fen, CastlingMode::Standard).unwrap()
}

/// Returns the plies that a side needs, all kinds of pieces counted anew.
fn needed(board: &Board, goal: &Board, faulty: Bitboard, side: Color) -> usize {
    Needs::of(board, goal, faulty, side).after(board, usize::MAX - CASTLING_SAVES).unwrap()
}

#[test]
fn what_a_move_leaves_to_be_done_is_what_its_position_needs() {
    // Castling, promotions with and without captures, en passant, and pieces of all kinds that have to come somewhere.
    let pairs = [
        (
            "r3k2r/pppq1ppp/8/3pP3/8/8/PPP2PPP/R3K2R w KQkq d6 0 1",
            "2kr3r/pppq1ppp/3P4/8/8/8/PPP2PPP/R4RK1 b - - 0 1",
        ),
        ("1n2k3/P6P/8/8/8/8/1p6/R3K3 w Q - 0 1", "1Q2k2Q/8/8/8/8/8/8/q3K3 w - - 0 1"),
        (
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1",
            "r1bq1rk1/ppppbppp/5n2/4n3/4P3/2N5/PPPP1PPP/R1BQKB1R w KQ - 0 1",
        ),
    ];
    for (start, goal) in pairs {
        let (start, goal) = (position(start), position(goal));
        for before in [start.clone(), start.pass()] {
            for faulty in [Bitboard::EMPTY, Bitboard::from(Square::A1), goal.board().rooks()] {
                for side in Color::ALL {
                    let needs = Needs::of(before.board(), goal.board(), faulty, side);
                    for m in before.legal_moves() {
                        let after = before.play(m);
                        let exact = needed(after.board(), goal.board(), faulty, side);
                        for most in 0..12 {
                            let expected = (exact <= most).then_some(exact);
                            assert_eq!(needs.after(after.board(), most), expected, "{m:?} {side:?} {most}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn castling_brings_king_and_rook_in_one_ply() {
    let before = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let goal = position("4k3/8/8/8/8/8/8/5RK1 b - - 0 1");
    assert_eq!(needed(before.board(), goal.board(), Bitboard::EMPTY, Color::White), 1);
    assert_eq!(needed(before.board(), goal.board(), Bitboard::EMPTY, Color::Black), 0);
}

#[test]
fn long_ranging_pieces_need_two_plies_at_most() {
    let square = |name: &str| name.parse::<Square>().unwrap();
    let plies = |piece: Piece, from: &str, to: &str| {
        nearest(piece, Bitboard::from(square(from)).with(square("h8")), square(to)).unwrap()
    };
    assert_eq!(plies(Color::White.bishop(), "a1", "d4"), 1);
    assert_eq!(plies(Color::White.bishop(), "c1", "h4"), 2);
    assert_eq!(plies(Color::White.bishop(), "f6", "a2"), NEVER, "both stand on dark squares");
    assert_eq!(plies(Color::Black.rook(), "a1", "a7"), 1);
    assert_eq!(plies(Color::Black.rook(), "a1", "b7"), 2);
    assert_eq!(plies(Color::White.queen(), "a1", "g7"), 1);
    assert_eq!(plies(Color::White.queen(), "a1", "b4"), 2);
    assert_eq!(plies(Color::White.knight(), "a1", "b3"), 1);
    assert_eq!(plies(Color::White.knight(), "a1", "d2"), 2);
    assert_eq!(plies(Color::Black.king(), "a1", "c4"), 3);
    assert_eq!(plies(Color::White.pawn(), "e2", "f4"), 2);
    assert_eq!(nearest(Color::White.pawn(), Bitboard::EMPTY, square("e4")), None);
}
