use super::*;
use crate::{alert::Confidence, decoder::Completed};

const WORKS: Bitboard = Bitboard::EMPTY;

/// After 1. e4 and a press: what the board says at these instants, milliseconds, and then a press of Black.
fn black_does(changes: &[(u64, Square, Option<char>)], pressed_ms: u64) -> Vec<Belief> {
    let position = Position::from_fen(
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        shakmaty::CastlingMode::Standard,
    )
    .unwrap();
    let at = |ms: u64| Timestamp::from_micros(60_000_000 + ms * 1000);
    let params = &Params::DEFAULT;
    let mut decoder = Decoder::at(&position, position.board(), WORKS, Some(Color::Black), params, at(0));
    for (ms, square, is) in changes {
        decoder.handle_square(*square, is.and_then(Piece::from_char), at(*ms));
    }
    let press = decoder.handle_press(Color::Black, true, at(pressed_ms));
    decoder.look(at(pressed_ms + 1800));
    decoder.beliefs(press, at(pressed_ms), at(pressed_ms + 1800))
}

fn first(beliefs: &[Belief]) -> (Completed, Option<Confidence>) {
    (beliefs[0].what, Params::DEFAULT.claims.word(beliefs[0].p))
}

#[test]
fn a_legal_move_is_one() {
    let beliefs = black_does(&[(5000, Square::E7, None), (5300, Square::E5, Some('p'))], 5800);
    assert_eq!(first(&beliefs), (Completed::Legal, Some(Confidence::Certain)));
}

#[test]
fn an_illegal_move_comes_with_what_else_it_may_be() {
    let beliefs = black_does(&[(5000, Square::A8, None), (5800, Square::A5, Some('r'))], 6400);
    assert_eq!(beliefs[0].what, Completed::Illegal);
    assert!(beliefs[0].p >= Params::DEFAULT.claims.possible && beliefs[0].side == Color::Black);
}

#[test]
fn a_press_for_nothing_is_one() {
    let beliefs = black_does(&[], 6400);
    assert_eq!(beliefs[0].what, Completed::Nothing);
}

#[test]
fn a_square_that_is_known_to_be_faulty_changes_nothing() {
    let position = Position::initial();
    let mut shown = position.board().clone();
    shown.discard_piece_at(Square::A8);
    let (params, faulty) = (&Params::DEFAULT, Bitboard::from(Square::A8));
    let at = |ms: u64| Timestamp::from_micros(ms * 1000);
    let mut decoder = Decoder::at(&position, &shown, faulty, Some(Color::White), params, at(0));
    decoder.handle_square(Square::E2, None, at(4000));
    decoder.handle_square(Square::E4, Some(Color::White.pawn()), at(4300));
    let press = decoder.handle_press(Color::White, true, at(5000));
    decoder.look(at(6800));
    let beliefs = decoder.beliefs(press, at(5000), at(6800));
    assert_eq!(first(&beliefs), (Completed::Legal, Some(Confidence::Certain)));
}

#[test]
fn a_press_back_for_what_fell_is_none_without_a_move() {
    let position = Position::initial();
    let at = |ms: u64| Timestamp::from_micros(60_000_000 + ms * 1000);
    let params = &Params::DEFAULT;
    let mut decoder = Decoder::at(&position, position.board(), WORKS, Some(Color::White), params, at(0));
    let pawn = Color::White.pawn();
    decoder.handle_square(Square::C1, None, at(4600));
    decoder.handle_square(Square::B4, Some(pawn), at(4810));
    decoder.handle_square(Square::B2, None, at(4820));
    decoder.handle_press(Color::White, true, at(5140));
    let press = decoder.handle_press(Color::Black, true, at(7270));
    decoder.handle_square(Square::C1, Some(Color::White.bishop()), at(7340));
    decoder.look(at(9070));
    let beliefs = decoder.beliefs(press, at(7270), at(9070));
    assert_eq!(beliefs[0].what, Completed::Back);
}

#[test]
fn what_was_proposed_is_not_proposed_again() {
    let position = Position::initial();
    let at = |ms: u64| Timestamp::from_micros(60_000_000 + ms * 1000);
    let params = &Params::DEFAULT;
    let mut decoder = Decoder::at(&position, position.board(), WORKS, Some(Color::White), params, at(0));
    decoder.handle_square(Square::G1, None, at(4000));
    decoder.handle_square(Square::F3, Some(Color::White.knight()), at(4300));
    let mut made = || {
        let before = decoder.beam.made;
        decoder.look(at(4300));
        decoder.beam.made - before
    };
    made();
    assert_eq!(made(), 0);
}
