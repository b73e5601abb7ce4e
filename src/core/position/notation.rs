//! Writes lawful positions and moves, as shakmaty does, with less work: each ply is written several times.

use arrayvec::ArrayVec;
use shakmaty::{
    Bitboard, Chess, Color, EnPassantMode, Move, MoveList, Piece, Position as _, Role, Square, attacks,
    fen::Fen,
    san::{San, SanPlus, Suffix},
};

/// Bytes of the longest FEN: 71 for a full board, and two numbers of ten digits.
const FEN: usize = 104;

/// Bytes of the longest move.
const SAN: usize = 9;

/// Returns the FEN.
pub(super) fn fen(chess: &Chess) -> String {
    let rights = chess.castles().castling_rights();
    if !(rights & !Bitboard::CORNERS).is_empty() {
        // Only other rooks need the letters of their files.
        return Fen::from_position(chess, EnPassantMode::Legal).to_string();
    }
    let mut text = ArrayVec::<u8, FEN>::new();
    for (rank, letters) in letters(chess.board()).as_chunks::<8>().0.iter().enumerate() {
        if rank > 0 {
            text.push(b'/');
        }
        let mut empty = b'0';
        for letter in letters {
            if *letter == EMPTY {
                empty += 1;
                continue;
            }
            if empty > b'0' {
                text.push(empty);
                empty = b'0';
            }
            text.push(*letter);
        }
        if empty > b'0' {
            text.push(empty);
        }
    }
    let mut say = |letters: &[u8]| text.extend(letters.iter().copied());
    say(if chess.turn().is_white() { b" w " } else { b" b " });
    for (letter, rook) in [(b"K", Square::H1), (b"Q", Square::A1), (b"k", Square::H8), (b"q", Square::A8)] {
        if rights.contains(rook) {
            say(letter);
        }
    }
    if rights.is_empty() {
        say(b"-");
    }
    say(b" ");
    match chess.ep_square(EnPassantMode::Legal) {
        Some(square) => say(square.to_string().as_bytes()),
        None => say(b"-"),
    }
    for number in [chess.halfmoves(), chess.fullmoves().get()] {
        say(b" ");
        let mut digits = ArrayVec::<u8, 10>::new();
        let mut rest = number;
        while rest > 0 || digits.is_empty() {
            digits.push(u8::try_from(rest % 10).unwrap_or(0) + b'0');
            rest /= 10;
        }
        digits.reverse();
        say(&digits);
    }
    String::from_utf8(text.to_vec()).unwrap_or_default()
}

/// What stands for an empty square in [`letters`].
const EMPTY: u8 = 0;

/// Returns the letters of what stands on the squares, in the order in which a FEN names them.
fn letters(board: &shakmaty::Board) -> [u8; 64] {
    let mut letters = [EMPTY; 64];
    for color in Color::ALL {
        for role in Role::ALL {
            let letter = if color.is_white() { role.upper_char() } else { role.char() };
            for square in board.by_piece(Piece { color, role }) {
                // A FEN begins with the eighth rank.
                if let Some(place) = letters.get_mut(usize::from(square.flip_vertical())) {
                    *place = u8::try_from(letter).unwrap_or(EMPTY);
                }
            }
        }
    }
    letters
}

/// Returns a legal move in standard algebraic notation, with check and mate; `after` is the position that it leads to.
pub(super) fn san(chess: &Chess, m: Move, after: &Chess) -> String {
    // Most moves give no check: they need no list of the replies.
    let suffix = after
        .is_check()
        .then(|| if after.legal_moves().is_empty() { Suffix::Checkmate } else { Suffix::Check });
    let mut text = String::with_capacity(SAN);
    SanPlus { san: disambiguated(chess, m), suffix }.append_to_string(&mut text);
    text
}

/// Returns what a move is called among the others; mostly there is none of the kind to its square.
fn disambiguated(chess: &Chess, m: Move) -> San {
    if let Move::Normal {
        role: role @ (Role::Knight | Role::Bishop | Role::Rook | Role::Queen),
        from,
        to,
        ..
    } = m
        && let piece = role.of(chess.turn())
        && (attacks::attacks(to, piece, chess.board().occupied()) & chess.our(role)).without(from).any()
    {
        return San::disambiguate(m, &chess.san_candidates(role, to));
    }
    San::disambiguate(m, &MoveList::new())
}
