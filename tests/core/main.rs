//! The core with virtual boards: lines with several boards, in virtual time.
#![cfg(test)]

mod bus;
mod middle;
