//! Owns the editions of the Laws of Chess as data: which article says what, which penalty it sets, until when.
//!
//! Every difference between editions is a cell of a table here; rules ask, they never compare editions.


use serde::{Deserialize, Serialize};

/// An edition of the Laws of Chess, by the year in which it came into force.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Edition {
    /// 1 July 2009.
    #[serde(rename = "2009")]
    E2009,
    /// 1 July 2014.
    #[serde(rename = "2014")]
    E2014,
    /// 1 July 2017.
    #[serde(rename = "2017")]
    E2017,
    /// 1 January 2018.
    #[serde(rename = "2018")]
    E2018,
    /// 1 January 2023.
    #[default]
    #[serde(rename = "2023")]
    E2023,
}

/// Which part of the Laws applies.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// The Competition Rules.
    #[default]
    Standard,
    /// Appendix A.
    Rapid,
    /// Appendix B.
    Blitz,
}
