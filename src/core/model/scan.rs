//! By what the scan of a board is measured (`board/scan_meter.rs`): a board looks at its squares one after another, in one order,
//! over and over, so that the instants of all its reports fit one period and one order.

use std::time::Duration;

/// The shortest period that is tried: half of what wired boards take, 200 to 250 ms (`protocol/PROTOCOL.md`).
pub(crate) const SHORTEST: Duration = Duration::from_millis(100);

/// Each period that is tried is longer than the one before by this factor …
pub(crate) const STEP: f64 = 1.012;

/// … and so many are tried, up to 600 ms: boards over Bluetooth take about twice as long as wired ones.
pub(crate) const PERIODS: usize = 150;

/// Reports further apart say nothing of the period: by then a step of it has added up to a twentieth of a scan.
pub(crate) const APART: Duration = Duration::from_millis(1200);

/// So many reports are compared with the one before them at least …
pub(crate) const ENOUGH: u16 = 16;

/// … and at most; a line that delays them by tens of milliseconds is not measured.
pub(crate) const MOST: u16 = 96;

/// How well they have to fit, from −1 to 1: at random 0 comes out, with an error of 0.14 over [`ENOUGH`] reports; on 24 simulated
/// lines 0.94 at least.
pub(crate) const AGREEMENT: f32 = 0.75;

/// By how much they have to fit better than by any other order, or by a period that is not a neighbour.
pub(crate) const LEAD: f32 = 0.2;

/// Periods so many steps away are neighbours: the fit falls slowly beside the best one.
pub(crate) const NEIGHBOURS: usize = 5;

/// What is added to a measured period for what line and machine take to pass reports on.
pub(crate) const READING: Duration = Duration::from_millis(20);
