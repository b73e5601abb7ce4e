//! Owns the decoder: a beam of stories about what hands and clock did, and the posterior of what is claimed of each press.
//!
//! The [`tracker`](crate::tracker) finds the moves. Where it accuses somebody, the board asks a decoder that begins in a position known
//! some plies before, and the word follows from its posterior. Where the moves do not lead to what the board shows, it reads them
//! again.
//!
//! | file | content |
//! |---|---|
//! | `params` | every rate, time and price |
//! | `position` | positions that may be irregular, and plies |
//! | `hands` | a debt for every square that does not show what stands there |
//! | `token` | one story: what each step costs |
//! | `actions` | what may have happened unseen |
//! | `observe` | what each message makes of all tokens |
//! | `beam` | search, merging and pruning |
//! | `claims` | the posterior of what a press completed |
//! | `attempt` | the ply that a press completed |
//! | `publish` | what is reported of it, and the moves |
//! | `reading` | the plies of the best story, and how probable each is |
//! | `resume` | the same for some plies from a known position on |
//! | `follower` | messages in, claims and games out |

mod actions;
mod attempt;
mod beam;
mod claims;
mod follower;
mod hands;
mod logarithm;
mod mix;
mod moment;
mod observe;
pub mod params;
mod position;
mod price;
mod publish;
mod reading;
mod resume;
mod sensed;
mod token;
mod two_hands;

pub use self::{
    claims::Belief,
    follower::{Follower, Output},
    params::{HandParams, MishapParams, Params},
    price::{Growth, Price},
    publish::{ClaimReport, Claimed, Listed},
    resume::{Attempt, Decoder, ReadMove},
    token::Completed,
};
