//! Owns the replay of captures through the code that runs live.
