//! Owns the observations: what each message of the board makes of all tokens.

mod clock;
mod dump;
mod square;
