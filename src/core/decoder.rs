//! Owns the decoder: a beam of stories about what hands and clock did, and the posterior of what is claimed of each press.
//!
//! It follows a board beside the [`tracker`](crate::tracker), and nothing that is told rests on it yet.

pub mod params;
mod price;

pub use self::{
    params::Params,
    price::{Growth, Price},
};
