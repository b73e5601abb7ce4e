//! Owns one board: squares, clock, tracker, game and rules, in that order.
