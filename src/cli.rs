//! Owns the command line.
