//! The model by which a board's reports are judged: what is supposed, what is observed, and every number of it.
//!
//! # Hypotheses
//!
//! | what is supposed | where it is kept |
//! |---|---|
//! | how the board lies, on which side of the clock White sits | `board/seats.rs`: four hypotheses, one cost each |
//! | position with castling and en passant rights, plies since the last one that all agree on | `tracker/hypothesis.rs` |
//! | squares that are faulty | `tracker/hypothesis.rs` `faulty`, for each hypothesis its own |
//! | who owes a move and a press, pieces in the hand | `tracker/press.rs`, from the position and the presses of the window |
//! | what the board loses, which squares are weak, which pieces come late | `tracker/sensor_faults.rs`, for the board |
//! | how long the board takes for a scan, and in which order | `board/scan_meter.rs`, for the board |
//! | what the line damages, whether dumps are all there is | `tracker/reporting.rs` |
//! | whether the position can be relied on | `tracker/position_trust.rs`; `tracker/judge/trust.rs` adds up what explanations have cost of late |
//!
//! # Observations
//!
//! | what is observed | who prices it |
//! |---|---|
//! | a change of a square, reported or shown by a dump | `tracker/explain/emission.rs` for a ply, `residual.rs` for the rest |
//! | a press, seen or inferred from the times alone | `tracker/press.rs` |
//! | silence, an outage, a late start | `tracker/silence.rs`, `gap_search.rs` and `move_prior.rs`; `board/adoption.rs` without a game before |
//! | a position and a lever before the first move | `board/seats.rs` |
//!
//! # Units
//!
//! Costs are −10·ln p, rounded: they add up where probabilities multiply. 7 is one in two, 23 one in ten, 46 one in a hundred,
//! 69 one in a thousand. A single one lies between 0 and [`cost::SEAT_LEAD`]; only leads of one explanation over another mean
//! something, and no lead beyond [`cost::MARGIN`] is looked at. Times are durations, counts are plain numbers.
//!
//! Sources are named beside the numbers: recordings of real games, the protocol (`protocol/PROTOCOL.md`), what operators report,
//! or *fitted*: chosen on seeds 1,000 to 1,059 of `tests/behaviour`, and judged on seeds from 700,000 on. A number without a
//! source is an estimate that the rows of `tests/behaviour.txt` hold in its place.
//!
//! # From a lead to a word
//!
//! What an arbiter loses by a word, in units of a late but true alert:
//!
//! | | the offence took place | it did not |
//! |---|---|---|
//! | reported as `certain` | 0 | 1,000: acted on, the game is decided wrongly |
//! | reported as `likely` | 0 | 10: looked at on the board |
//! | reported as `possible` or not at all | 1 to 10: missed until somebody claims | 0 |
//!
//! So `certain` is worth its risk below one wrong in a thousand, and `likely` below about one in ten. [`decision::word`] takes the
//! lead of the best explanation over the best innocent one; what the lead cannot know (a line that damages reports, a board that
//! loses them, moves that nobody saw) lowers the word in `tracker/judge/trust.rs`. What is reached is counted by
//! `tests/behaviour/calibration.rs`.

pub(crate) mod cost;
pub(crate) mod decision;
pub(crate) mod effort;
pub(crate) mod hands;
pub(crate) mod scan;
pub(crate) mod sensors;
pub(crate) mod wait;
