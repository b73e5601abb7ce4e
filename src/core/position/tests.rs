use shakmaty::perft;

use super::*;

const STANDARD: CastlingMode = CastlingMode::Standard;

fn position(fen: &str) -> Position {
    Position::from_fen(fen, STANDARD).unwrap()
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn legal_moves_to(position: &Position, targets: impl Fn(Role, Square) -> Bitboard) -> MoveList {
    let mut moves = MoveList::new();
    position.add_legal_moves_to(targets, &mut moves);
    moves
}

/// Counts leaves through the irregular generator alone, so that the library can check it.
fn irregular_perft(setup: &Setup, depth: u32) -> u64 {
    let moves = irregular::legal_moves(setup, STANDARD);
    if depth == 1 {
        return moves.len().try_into().unwrap();
    }
    moves.iter().map(|m| irregular_perft(&irregular::play(setup, *m), depth - 1)).sum()
}

#[test]
fn irregular_generator_agrees_with_the_library() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    ] {
        let setup = Fen::from_str(fen).unwrap().into_setup();
        let chess = Chess::from_setup(setup.clone(), STANDARD).unwrap();
        assert_eq!(irregular_perft(&setup, 3), perft(&chess, 3), "{fen}");
    }
}

#[test]
fn nobody_has_more_than_initial_and_promoted_pieces() {
    assert!(Position::initial().has_possible_material());
    assert!(position("QQ2k3/8/8/8/8/8/PPPPPPP1/4K3 w - - 0 1").has_possible_material());
    assert!(!position("QQ2k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1").has_possible_material());
    assert!(
        !position("rnbqkbnr/pppppppp/8/5R2/8/5R2/PPPPPPPP/RNBQKBNR w KQkq - 0 1").has_possible_material()
    );
}

#[test]
fn play_goes_on_with_the_wrong_king_in_check() {
    let before = position("4k3/8/8/8/7b/8/3P4/4K2R w - - 0 1");
    let mut board = before.board().clone();
    board.discard_piece_at(Square::D2);
    board.set_piece_at(Square::D4, Color::White.pawn());
    let after = before.leave(board);
    assert!(after.lawful().is_none());
    assert!(after.is_check(Color::White));
    let m = after.find(square("h4"), square("f6"), None).unwrap();
    assert_eq!(after.san(m), "Bf6");
    assert!(after.play(m).lawful().is_some(), "the check is gone, so the library may judge again");
}

#[test]
fn a_pawn_may_stay_on_the_last_rank() {
    let before = position("8/4P1k1/8/8/8/8/7r/4K3 w - - 0 1");
    let mut board = before.board().clone();
    board.discard_piece_at(Square::E7);
    board.set_piece_at(Square::E8, Color::White.pawn());
    let after = before.leave(board);
    assert!(after.lawful().is_none());
    assert!(after.find(square("h2"), square("h3"), None).is_some());
    assert_eq!(after.fen(), "4P3/6k1/8/8/8/8/7r/4K3 b - - 0 1");
}

#[test]
fn a_missing_king_does_not_stop_play() {
    let position = position("4R3/7p/8/8/8/8/8/6K1 b - - 0 1");
    assert!(position.lawful().is_none());
    assert!(!position.is_checkmate());
    assert!(!position.is_stalemate());
    assert!(position.find(square("h7"), square("h6"), None).is_some());
}

#[track_caller]
fn check_find(fen: &str, from: &str, to: &str, promotion: Option<Role>, san: Option<&str>) {
    let position = position(fen);
    let found = position.find(square(from), square(to), promotion);
    assert_eq!(found.map(|m| position.san(m)).as_deref(), san, "{fen} {from}{to}");
}

#[test]
fn finds_a_move_by_its_squares() {
    check_find("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "g1", None, Some("O-O"));
    check_find("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8", "c8", None, Some("O-O-O"));
    check_find("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "e1", "g1", None, None);
    check_find("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4", "e3", None, Some("dxe3"));
    check_find("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1", "d4", "e3", None, None);
    check_find("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7", "e8", Some(Role::Queen), Some("e8=Q"));
    check_find("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7", "e8", None, None);
    check_find("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e4", "e5", None, None);
}

#[test]
fn castling_rights_go_with_the_pieces_that_left() {
    let before = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let mut board = before.board().clone();
    board.discard_piece_at(Square::H1);
    board.set_piece_at(Square::B3, Color::White.rook());
    assert_eq!(before.leave(board).fen(), "r3k2r/8/8/8/8/1R6/8/R3K3 b Qkq - 1 1");
}

#[test]
fn equal_positions_have_equal_keys() {
    let with_rights = position("4k2r/p7/8/8/8/8/P7/4K2R w Kk - 0 1");
    let without = position("4k2r/p7/8/8/8/8/P7/4K2R w k - 4 3");
    assert_ne!(with_rights.key(), without.key());
    assert_eq!(without.key(), position("4k2r/p7/8/8/8/8/P7/4K2R w k - 0 9").key());
    // An en passant square that no pawn can use does not make a difference (Art. 9.2.3.1).
    let idle = position("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
    assert_eq!(idle.key(), position("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1").key());
}

#[test]
fn differences_are_exactly_the_squares_that_differ() {
    let a = position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let b = position("4k3/8/8/8/4P3/8/8/4Q3 w - - 0 1");
    let squares: Vec<String> = differences(a.board(), b.board()).into_iter().map(|s| s.to_string()).collect();
    assert_eq!(squares, ["e1", "e2", "e4"]);
}

/// Positions that the chess library refuses: no king, two kings, the side not on move in check, pawns on the last rank.
const IRREGULAR: [&str; 6] = [
    "rnbq1bnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQ - 0 3",
    "4k2r/8/8/8/1b6/8/3N4/4K2k w k - 0 1",
    "r3k2r/pppq1ppp/2n2n2/1B2p3/4P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 1",
    "1k2P3/8/8/q7/8/2p5/P2P4/R3K2R w KQ - 0 1",
    "4r2k/8/8/4pP2/8/8/7p/3RK2p w - e6 0 1",
    "8/8/4K3/8/8/2Q5/8/k7 w - - 0 1",
];

#[test]
fn moves_in_irregular_positions_leave_the_king_safe() {
    let mut positions: Vec<Position> = IRREGULAR.into_iter().map(position).collect();
    for _ in 0..2 {
        for before in std::mem::take(&mut positions) {
            let us = before.turn();
            for m in before.legal_moves() {
                let after = before.play(m);
                assert!(!after.is_check(us), "{m:?} in {}", before.fen());
                positions.push(after);
            }
            let wanted = |_: Role, from: Square| Bitboard::from(from.rank()).with(Square::D4);
            let fits = |m: &Move| !matches!(m, Move::Normal { from, to, .. } if !wanted(Role::King, *from).contains(*to));
            let expected: Vec<Move> = before.legal_moves().into_iter().filter(fits).collect();
            assert_eq!(legal_moves_to(&before, wanted).to_vec(), expected, "{}", before.fen());
            // What is left out leaves the king attacked.
            for from in before.board().by_color(us) & !before.board().pawns() {
                for to in
                    before.board().attacks_from(from) & !before.board().by_color(us) & !before.board().kings()
                {
                    let mut board = before.board().clone();
                    let piece = board.remove_piece_at(from).unwrap();
                    board.set_piece_at(to, piece);
                    let safe = !before.leave(board).is_check(us);
                    assert_eq!(before.find(from, to, None).is_some(), safe, "{from}{to} in {}", before.fen());
                }
            }
        }
    }
    assert!(positions.len() > 1000);
}

/// Plays pseudo-random games from positions with rare castling rights, captures in passing and mates.
#[test]
fn positions_and_moves_are_written_as_shakmaty_writes_them() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17",
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 90",
        "8/8/8/8/2k5/8/1q6/K7 w - - 99 4294967295",
        "k7/8/8/1PpP4/8/8/8/K7 w - c6 0 1",
    ];
    let squares = || Square::ALL.into_iter();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let (mut stalemates, mut mates) = (0, 0);
    for (start, game) in starts.iter().flat_map(|start| (0..40).map(move |game| (start, game))) {
        let mode = if start.contains('G') { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let mut position = Position::from_fen(start, mode).unwrap();
        for ply in 0..120 {
            let chess = position.lawful().unwrap().clone();
            let fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
            assert_eq!(position.fen(), fen, "game {game}, ply {ply}");
            let moves = chess.legal_moves();
            let is_stalemate = moves.is_empty() && !chess.is_check();
            assert_eq!(position.is_stalemate(), is_stalemate, "{fen}");
            stalemates += u32::from(is_stalemate);
            mates += u32::from(position.is_checkmate());
            for m in &moves {
                let san = SanPlus::from_move(chess.clone(), *m).to_string();
                assert_eq!(position.san(*m), san, "{fen}");
            }
            // What is legal, and what nearly is; a few games have all of it.
            let pairs = squares().flat_map(|from| squares().map(move |to| (from, to)));
            for (from, to) in pairs.filter(|_| game < 3) {
                for promotion in [None, Some(Role::Queen), Some(Role::King)] {
                    let Some(role) = chess.board().role_at(from) else { continue };
                    let capture = chess.board().role_at(to);
                    let m = Move::Normal { role, from, capture, to, promotion };
                    assert_eq!(position.is_legal(m), moves.contains(&m), "{fen} {m:?}");
                    let other = Move::Normal { role, from, capture: Some(Role::Pawn), to, promotion };
                    assert_eq!(position.is_legal(other), moves.contains(&other), "{fen} {other:?}");
                }
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let Some(count) = u64::try_from(moves.len()).ok().filter(|count| *count > 0) else { break };
            let m = moves[usize::try_from((state >> 33) % count).unwrap()];
            position = position.play(m);
        }
    }
    assert!(stalemates > 0 && mates > 0, "{stalemates} stalemates, {mates} mates");
}

#[test]
fn a_move_is_legal_in_an_irregular_position_if_it_is_listed() {
    let squares = || Square::ALL.into_iter();
    for fen in [
        "P3k3/8/8/8/8/8/3p4/R3K2R w KQ - 0 1",
        "4k3/4R3/8/2Pp4/8/8/8/4K3 w - d6 0 1",
        "r3k2r/8/8/8/7B/8/8/8 b kq - 0 1",
    ] {
        let position = position(fen);
        assert!(position.lawful().is_none(), "{fen}");
        let listed = position.legal_moves();
        assert!(listed.iter().all(|m| position.is_legal(*m)), "{fen}");
        for (from, to) in squares().flat_map(|from| squares().map(move |to| (from, to))) {
            for role in Role::ALL {
                let capture = position.board().role_at(to);
                let m = Move::Normal { role, from, capture, to, promotion: None };
                assert_eq!(position.is_legal(m), listed.contains(&m), "{fen} {m:?}");
            }
        }
    }
}

#[test]
fn some_moves_of_a_lawful_position_come_as_in_the_list_of_all() {
    let mut random = 1_u64;
    let mut squares = move || {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        Bitboard(random ^ (random >> 29))
    };
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/2P1P1P1/8/3pP3/8/b6r/3PP1PP/2R1K3 w - d6 0 1",
        "4k3/4q3/8/8/8/4B3/3P4/4K3 w - - 0 1",
    ] {
        let mut position = position(fen);
        for ply in 0..12 {
            let all = position.legal_moves();
            for _ in 0..24 {
                let (wanted, from) = (squares(), squares());
                let targets = |_, square| if from.contains(square) { wanted } else { Bitboard::EMPTY };
                let is_wanted = |m: &&Move| match m {
                    Move::Normal { from, to, .. } => targets(Role::Pawn, *from).contains(*to),
                    Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => true,
                };
                let expected: Vec<Move> = all.iter().filter(is_wanted).copied().collect();
                assert_eq!(legal_moves_to(&position, targets).to_vec(), expected, "{}", position.fen());
            }
            assert_eq!(legal_moves_to(&position, |_, _| Bitboard::FULL), all, "{}", position.fen());
            let Some(m) = all.get(ply * 7 % all.len().max(1)) else { break };
            position = position.play(*m);
        }
    }
}

#[test]
fn the_board_after_a_move_is_that_of_the_position_after_it() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 0 1",
        "1n2k3/P6P/8/8/8/8/8/4K2R b K - 0 1",
        "P3k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    ] {
        let before = position(fen);
        for m in before.legal_moves() {
            assert_eq!(before.board_after(m), *before.play(m).board(), "{fen} {m:?}");
        }
    }
}
