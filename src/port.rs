//! Owns one port: opens it, reads it, writes it, and drives one `Line` with what it says.
