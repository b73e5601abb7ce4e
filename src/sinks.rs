//! Owns what becomes of events outside the core: log files for people and programs.
