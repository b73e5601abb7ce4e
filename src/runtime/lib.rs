//! What the program and the virtual boards need of the machine that they run on.

pub mod clock;
