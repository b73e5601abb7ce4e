//! Owns what is known of the time that a board takes for one scan of its squares, as its reports show it.
//!
//! A report comes when the scan has reached its square. So the time between two reports is a number of whole scans and the way
//! from one square to the other. Periods and orders are tried side by side; the one that fits all reports is the board's.

use std::{sync::LazyLock, time::Duration};

use dgt_protocol::Field;

use crate::{model::scan, time::Timestamp};

/// Orders in which a board may look at its squares; no document says which, and recordings of each have been seen.
const ORDERS: [fn(Field) -> u8; 3] =
    [Field::number, |field| 63 - field.number(), |field| field.file() * 8 + 7 - field.rank()];

/// Added to a small number and taken away again, it rounds the number to a whole one: a number so large has no fraction. On most
/// processors `f32::round` is a call, and 450 numbers are rounded for each report.
const NO_FRACTION: f32 = 12_582_912.0;

/// Measures the scan of one board.
#[derive(Debug)]
pub(super) enum ScanMeter {
    /// Reports are compared.
    Measuring(Box<Comparison>),
    /// The period is known, or cannot be.
    Done,
}

/// How well each order and period has fitted so far, in short numbers: a scan is known to some milliseconds, and a register holds
/// twice as many.
#[derive(Debug)]
pub(super) struct Comparison {
    last: Option<(Field, Timestamp)>,
    /// Reports that have been compared.
    count: u16,
    fits: [[f32; scan::PERIODS]; ORDERS.len()],
    /// Until then reports come out of the board's log, which has no times.
    undated_until: Timestamp,
}

impl Default for ScanMeter {
    fn default() -> Self {
        Self::Measuring(Box::new(Comparison {
            last: None,
            count: 0,
            fits: [[0.0; scan::PERIODS]; ORDERS.len()],
            undated_until: Timestamp::ZERO,
        }))
    }
}

impl ScanMeter {
    /// Notes that up to an instant reports have an order and no times.
    pub(super) fn doubt_times(&mut self, until: Timestamp) {
        if let Self::Measuring(comparison) = self {
            comparison.undated_until = comparison.undated_until.max(until);
        }
    }

    /// Notes that a field has reported something; returns the period once it is known.
    pub(super) fn take_report(&mut self, field: Field, now: Timestamp) -> Option<Duration> {
        let Self::Measuring(comparison) = self else { return None };
        if now < comparison.undated_until {
            comparison.last = None;
            return None;
        }
        let last = comparison.last.replace((field, now));
        let (before, at) = last.filter(|(_, at)| now.since(*at) <= scan::APART)?;
        comparison.compare(before, field, now.since(at));
        let period = comparison.best();
        if period.is_some() || comparison.count >= scan::MOST {
            *self = Self::Done;
        }
        period
    }
}

impl Comparison {
    fn compare(&mut self, before: Field, field: Field, apart: Duration) {
        self.count += 1;
        let apart = apart.as_secs_f32();
        let whole = PERIODS.map(|period| apart / period);
        for (place, fits) in ORDERS.into_iter().zip(&mut self.fits) {
            let fraction = (f32::from(place(field)) - f32::from(place(before))) / 64.0;
            for (whole, fit) in whole.iter().zip(fits) {
                let scans = whole - fraction;
                let nearest = (scans + NO_FRACTION) - NO_FRACTION;
                *fit += 1.0 - 4.0 * (scans - nearest).abs();
            }
        }
    }

    /// Returns the period that fits all reports, if no other one does.
    fn best(&self) -> Option<Duration> {
        if self.count < scan::ENOUGH {
            return None;
        }
        let count = f32::from(self.count);
        let (mut best, mut at) = (f32::MIN, (0, 0));
        for (order, fits) in self.fits.iter().enumerate() {
            for (index, fit) in fits.iter().enumerate() {
                if *fit >= best {
                    (best, at) = (*fit, (order, index));
                }
            }
        }
        if best < scan::AGREEMENT * count {
            return None;
        }
        let mut other = f32::MIN;
        for (order, fits) in self.fits.iter().enumerate() {
            for (index, fit) in fits.iter().enumerate() {
                if order != at.0 || index.abs_diff(at.1) > scan::NEIGHBOURS {
                    other = other.max(*fit);
                }
            }
        }
        (best - other >= scan::LEAD * count).then(|| period(at.1))
    }
}

/// The periods that are tried, seconds.
static PERIODS: LazyLock<[f32; scan::PERIODS]> =
    LazyLock::new(|| std::array::from_fn(|index| period(index).as_secs_f32()));

/// Returns a period that is tried.
fn period(index: usize) -> Duration {
    Duration::from_secs_f64((0..index).fold(scan::SHORTEST.as_secs_f64(), |period, _| period * scan::STEP))
}

#[cfg(test)]
mod tests;
