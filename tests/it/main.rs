//! Tests of the program as it is shipped: the binary, its files, its exit statuses.
#![cfg(test)]

mod activation;
mod bad_input;
mod bundle;
mod bus;
mod captures;
mod command_line;
mod daemon;
mod day;
mod disks;
mod doctor;
mod emulator;
mod faults;
mod fuzz;
mod hall;
mod home;
mod hostile;
mod hostile_hall;
mod http;
mod hub;
mod kills;
mod licences;
mod lichess;
mod livechess;
mod machine;
mod mqtt;
#[cfg(feature = "http")]
mod open;
mod pgn;
mod properties;
mod readme;
mod replaying;
mod runner;
mod scenarios;
mod support;
mod tables;
mod tidy;
mod upgrades;
