//! Reads moves as people write them: UCI, algebraic notation in the letters of any language of the program,
//! long or short, castling with zeros.

use shakmaty::{CastlingSide, File, Move, Rank, Role, Square};

use super::{Position, castling_squares};

/// Moves that are named to whoever has entered one that is not legal.
const NEAR: usize = 5;

/// Why a text is no move of a position.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum UnreadMove {
    /// It is no move in any notation.
    NoMove,
    /// No legal move is written so.
    Illegal,
    /// More than one legal move is written so: these, in algebraic notation.
    Ambiguous(Vec<String>),
}

/// A move as it is written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Written {
    castling: Option<CastlingSide>,
    role: Option<Role>,
    from: Option<Square>,
    file: Option<File>,
    rank: Option<Rank>,
    to: Option<Square>,
    promotion: Option<Role>,
}

impl Position {
    /// Finds the legal move that a text stands for; `letters` are those of king, queen, rook, bishop and knight in the language of
    /// the event. Where its king has the letter of the English rook, the text may mean either.
    ///
    /// # Errors
    ///
    /// Returns why it stands for none.
    pub fn read_move(&self, text: &str, letters: &str) -> Result<Move, UnreadMove> {
        let written = read(text).ok_or(UnreadMove::NoMove)?;
        let is_king = written.role == Some(Role::Rook) && text.contains('R') && letters.starts_with('R');
        let king = is_king.then_some(Written { role: Some(Role::King), ..written });
        let is_meant = |m: Move| written.is(m, self) || king.is_some_and(|king| king.is(m, self));
        let mut found = self.legal_moves().into_iter().filter(|m| is_meant(*m));
        let first = found.next().ok_or(UnreadMove::Illegal)?;
        let others: Vec<Move> = found.collect();
        if others.is_empty() {
            return Ok(first);
        }
        let san = [first].into_iter().chain(others).map(|m| self.san(m));
        Err(UnreadMove::Ambiguous(san.collect()))
    }

    /// Returns legal moves that are near to what was written, the nearest first, in algebraic notation.
    #[must_use]
    pub fn moves_near(&self, text: &str) -> Vec<String> {
        let written = read(text).unwrap_or_default();
        let mut moves: Vec<(u32, String)> =
            self.legal_moves().into_iter().map(|m| (written.distance(m), self.san(m))).collect();
        moves.sort();
        let nearest = moves.first().map_or(0, |(distance, _)| *distance);
        // What has nothing in common with it helps nobody.
        let near = moves.into_iter().filter(|(distance, _)| *distance <= nearest + 2);
        near.take(NEAR).map(|(_, san)| san).collect()
    }
}

impl Written {
    fn is(self, m: Move, position: &Position) -> bool {
        if let Some(side) = self.castling {
            return m.castling_side() == Some(side);
        }
        let Some(from) = m.from() else { return false };
        let own_rook = m.is_castle() && self.to == Some(m.to()) && self.from == Some(from);
        let to = destination(m);
        let role = self.role.unwrap_or(Role::Pawn);
        let is_role = if self.from.is_some() && self.role.is_none() {
            position.board().role_at(from) == Some(m.role())
        } else {
            m.role() == role
        };
        is_role
            && (self.to == Some(to) || own_rook)
            && self.from.is_none_or(|square| square == from)
            && self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && self.promotion == m.promotion()
    }

    /// Returns how much a move differs from what was written.
    fn distance(self, m: Move) -> u32 {
        if let Some(side) = self.castling {
            return match (m.castling_side(), m.role()) {
                (Some(other), _) if other == side => 0,
                (Some(_), _) => 1,
                (None, Role::King | Role::Rook) => 2,
                (None, _) => 9,
            };
        }
        let to = destination(m);
        let same_file = |square: Square| u32::from(square.file() != to.file());
        let goal = self.to.map_or(8, |square| square.distance(to).min(4) * 2 + same_file(square));
        let piece = if m.role() == self.role.unwrap_or(Role::Pawn) { 0 } else { 2 };
        let origin = self.from.map_or(0, |square| if Some(square) == m.from() { 0 } else { 3 });
        let piece = if self.from.is_some() && self.role.is_none() { 0 } else { piece };
        goal + piece + origin
    }
}

/// Returns the square that a move is written with: at a castling the king's.
#[must_use]
pub fn destination(m: Move) -> Square {
    if let Move::Castle { king, rook } = m { castling_squares(king, rook).0 } else { m.to() }
}

/// Reads what is written, without looking at a position.
fn read(text: &str) -> Option<Written> {
    let text = without_number(text.trim());
    let text = text.trim_end_matches(['+', '#', '!', '?', '.', '†', '‡']).trim_end();
    let text = ["e.p", "ep"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text).trim_end();
    let mut letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).map(plain).collect();
    let castled: String =
        letters.iter().filter(|c| **c != '-').map(|c| if "0oO".contains(*c) { 'O' } else { *c }).collect();
    let castling = match castled.as_str() {
        "OO" => Some(CastlingSide::KingSide),
        "OOO" => Some(CastlingSide::QueenSide),
        _ => None,
    };
    if castling.is_some() {
        return Some(Written { castling, ..Written::default() });
    }
    letters.retain(|c| !matches!(c, 'x' | ':' | '-' | '×' | '=' | '(' | ')' | '/'));
    let mut written = Written::default();
    // What a pawn becomes stands last, in UCI in a small letter.
    if let [.., rank, last] = letters.as_slice()
        && matches!(rank, '1' | '8')
        && let Some(role) = role(last.to_ascii_uppercase())
    {
        written.promotion = Some(role);
        letters.pop();
    }
    let (file, rank) = (*letters.get(letters.len().checked_sub(2)?)?, *letters.last()?);
    written.to = Some(Square::from_coords(File::from_char(file)?, Rank::from_char(rank)?));
    letters.truncate(letters.len() - 2);
    let mut rest = letters.as_slice();
    if let [first, others @ ..] = rest
        && let Some(found) = role(*first).or_else(|| small_role(*first))
    {
        (written.role, rest) = (Some(found), others);
    }
    match rest {
        [] => {}
        [file, rank] => {
            written.from = Some(Square::from_coords(File::from_char(*file)?, Rank::from_char(*rank)?));
        }
        [one] => {
            (written.file, written.rank) = (File::from_char(*one), Rank::from_char(*one));
            if written.file.is_none() && written.rank.is_none() {
                return None;
            }
        }
        _ => return None,
    }
    Some(written)
}

/// Leaves out the number that stands before a move on a score sheet.
fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['.', '…']) {
        Some(rest) if rest.len() < text.len() => rest.trim_start_matches(['.', '…']).trim_start(),
        _ => text,
    }
}

fn plain(c: char) -> char {
    match c {
        '–' | '—' | '−' | '‐' | '‑' => '-',
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        c => c,
    }
}

/// Returns the piece of a letter, English, German, French, Spanish or Italian: of these, only the king of the last three has a letter
/// that means another piece.
const fn role(letter: char) -> Option<Role> {
    match letter {
        'K' => Some(Role::King),
        'Q' | 'D' => Some(Role::Queen),
        'R' | 'T' => Some(Role::Rook),
        'B' | 'L' | 'F' | 'A' => Some(Role::Bishop),
        'N' | 'S' | 'C' => Some(Role::Knight),
        'P' => Some(Role::Pawn),
        _ => None,
    }
}

/// Returns the piece of a small letter that is no file.
const fn small_role(letter: char) -> Option<Role> {
    match letter {
        'k' => Some(Role::King),
        'q' => Some(Role::Queen),
        'r' | 't' => Some(Role::Rook),
        'l' => Some(Role::Bishop),
        'n' | 's' => Some(Role::Knight),
        _ => None,
    }
}

/// Returns the moves that stand in a piece of a score sheet, without numbers, comments and results.
pub fn moves_in(text: &str) -> impl Iterator<Item = &str> {
    let is_result = |word: &&str| matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*");
    let is_number = |word: &str| word.trim_end_matches(['.', '…']).chars().all(|c| c.is_ascii_digit());
    text.split([' ', ',', ';', '\t', '\n', '\r'])
        .filter(|word| !word.is_empty())
        .filter(move |word| !is_result(word) && !is_number(word))
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;

    #[track_caller]
    fn check(fen: &str, text: &str, expected: &str) {
        check_in("KQRBN", fen, text, expected);
    }

    #[track_caller]
    fn check_in(letters: &str, fen: &str, text: &str, expected: &str) {
        let position = Position::from_fen(fen, CastlingMode::Standard).unwrap();
        let came = position.read_move(text, letters).map(|m| position.uci(m));
        let came = came.unwrap_or_else(|error| format!("{error:?}"));
        assert_eq!(came, expected, "{text}");
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for text in ["Nf3", "Sf3", "nf3", "g1f3", "g1-f3", "Ng1-f3", "Sg1f3", "1. Nf3", "♘f3!?", " Nf3 "] {
            check(start, text, "g1f3");
        }
        for text in ["e4", "e2e4", "e2-e4", "1.e4", "Pe4", "e2–e4"] {
            check(start, text, "e2e4");
        }
        check(start, "Nf6", "Illegal");
        check(start, "hello", "NoMove");
        check(start, "", "NoMove");
        check(start, "e", "NoMove");
        let castling = "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for text in ["0-0", "O-O", "o-o", "OO", "0–0+", "e1g1", "Ke1-g1", "Kg1", "e1h1"] {
            check(castling, text, "e1g1");
        }
        check(castling, "0-0-0", "e1c1");
        for text in ["b8=Q", "b8Q", "b8D", "b7b8q", "b8=D", "b8(Q)", "b7-b8=D"] {
            check(castling, text, "b7b8q");
        }
        for text in ["bxa8=N", "b7xa8S", "bxa8S+"] {
            check(castling, text, "b7a8n");
        }
        check(castling, "b8", "Illegal");
        let two = "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
        check(two, "Rd1", r#"Ambiguous(["Rad1", "Rhd1"])"#);
        check(two, "Tad1", "a1d1");
        check(two, "R1d1", r#"Ambiguous(["Rad1", "Rhd1"])"#);
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6");
        check("4k3/8/8/8/2b5/8/1P6/4K3 b - - 0 1", "Lb3", "c4b3");
    }

    #[test]
    fn a_king_may_have_the_letter_of_the_rook() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check_in("RDTFC", start, "Cf3", "g1f3");
        let rook = "4k3/8/8/8/8/8/4K3/R7 w - - 0 1";
        check_in("RDTAC", rook, "Re3", "e2e3");
        check_in("RDTAC", rook, "Ra3", "a1a3");
        check_in("RDTAC", rook, "Rd1", r#"Ambiguous(["Rd1", "Kd1"])"#);
        check_in("RDTAC", rook, "Td1", "a1d1");
        check_in("KDTLS", rook, "Rd1", "a1d1");
        let bishop = "4k3/8/8/8/2b5/8/1P6/4K3 b - - 0 1";
        for (letters, text) in [("RDTFC", "Fb3"), ("RDTAC", "Ab3")] {
            check_in(letters, bishop, text, "c4b3");
        }
    }

    #[test]
    fn near_moves_are_named() {
        let position = Position::initial();
        assert_eq!(position.moves_near("Nf6").first().map(String::as_str), Some("Nf3"));
        assert_eq!(position.moves_near("e5").first().map(String::as_str), Some("e4"));
        assert!(position.moves_near("nothing").len() <= NEAR);
        assert_eq!(moves_in("12. Sf3 Sc6 13.Lb5 a6 *").collect::<Vec<_>>(), ["Sf3", "Sc6", "13.Lb5", "a6"]);
    }
}
