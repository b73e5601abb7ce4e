//! What the program and the virtual boards need of the machine that they run on.

pub mod append;
pub mod clock;
pub mod fnv;
pub mod look;
pub mod notify;
pub mod platform;
pub mod private;
pub mod replace;
pub mod watchdog;
