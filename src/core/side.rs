//! Owns the names of the two sides, as the interface writes them.

use shakmaty::Color;

/// Returns the name of a side as the interface writes it.
#[must_use]
pub const fn side_name(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}
