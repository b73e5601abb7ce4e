//! Owns the rules: facts in, alerts out.
