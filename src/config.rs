//! Owns the configuration: keys, defaults, errors that name file, key and remedy.
pub struct Config;
