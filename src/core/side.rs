//! Owns the names of the two sides, as the interface writes them, and whose turn it is in a FEN.

use shakmaty::Color;

/// Returns the name of a side as the interface writes it.
#[must_use]
pub const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Returns whose turn it is in a FEN; White's where it does not say so.
#[must_use]
pub fn turn_of(fen: &str) -> Color {
    Color::from_white(fen.split(' ').nth(1) != Some("b"))
}
