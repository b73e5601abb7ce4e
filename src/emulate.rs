//! Owns virtual boards: what a board does on the wire, and people who play on it.
