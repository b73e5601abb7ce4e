//! The home of an ordinary user: where configuration and state lie if the directories of the service are not the user's.
//!
//! `$XDG_CONFIG_HOME/jadoube/jadoube.toml` and `$XDG_STATE_HOME/jadoube`, by default below `~/.config` and `~/.local/state`;
//! on Windows below `%APPDATA%` and `%LOCALAPPDATA%`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{Exit, Failure};
use crate::config::{Config, HttpConfig};
use jadoube_runtime::{platform, private};

/// Name of the directories in the home.
const NAME: &str = "jadoube";

/// The directories of an ordinary user.
pub(super) struct Home {
    config: PathBuf,
    state: PathBuf,
}

impl Home {
    /// Returns the home of this process's user; `None` for root, and for users without a home.
    pub(super) fn of_user() -> Option<Self> {
        if platform::is_root() {
            return None;
        }
        let (config, state) = platform::user_directories()?;
        Some(Self { config: config.join(NAME).join("jadoube.toml"), state: state.join(NAME) })
    }

    /// Returns where the user's configuration file lies, or would lie.
    #[cfg(feature = "http")]
    pub(super) fn place(&self) -> &Path {
        &self.config
    }

    /// Returns the user's configuration file, if there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.config.exists().then_some(&*self.config)
    }

    /// Moves directories that nobody has chosen, and that this user may not write to, into the home; the desk's token as well.
    ///
    /// `starts` is whether a daemon is to run: other commands look here only if one has run here.
    pub(super) fn settle(&self, config: &mut Config, starts: bool) {
        let usual = Config::default();
        let is_open = platform::check_directory(&usual.state_dir).is_ok();
        if is_open || config.state_dir != usual.state_dir || !(starts || self.state.exists()) {
            return;
        }
        config.state_dir.clone_from(&self.state);
        if config.log_dir == usual.log_dir {
            config.log_dir = self.state.join("log");
        }
        if let Some(pgn) = &mut config.pgn
            && pgn.dir.starts_with(&usual.state_dir)
        {
            pgn.dir = self.state.join("pgn");
        }
        if cfg!(feature = "http") && !config.has_no_desk {
            let http = config.http.get_or_insert_default();
            if http.token_file == HttpConfig::default().token_file && !http.token_file.exists() {
                http.token_file = self.state.join("token");
            }
        }
    }

    /// Makes the token of the desk if there is none yet; returns what the user has to know.
    ///
    /// # Errors
    ///
    /// Returns an error if the home cannot be written to.
    pub(super) fn prepare(&self, config: &Config) -> Result<Vec<String>, Failure> {
        if config.state_dir != self.state {
            return Ok(Vec::new());
        }
        let mut reported = vec![format!("state and logs are in {}", self.state.display())];
        let Some(http) = config.http.as_ref() else { return Ok(reported) };
        if http.token_file.starts_with(&self.state) && !http.token_file.exists() {
            let made = private::make_directory(&self.state)
                .and_then(|()| private::write(&http.token_file, format!("{}\n", random_token()?).as_bytes()));
            made.map_err(|error| {
                Failure::new(Exit::of(error.kind()), format_args!("{}: {error}", http.token_file.display()))
            })?;
        }
        reported.push(format!(
            "the boards are shown live at http://{}/; orders need the token in {}",
            http.listen,
            http.token_file.display()
        ));
        Ok(reported)
    }

    /// Returns where the boards are shown, if the desk was opened for want of any configuration.
    #[cfg(feature = "http")]
    pub(super) fn plain_desk(&self, config: &Config) -> Option<std::net::SocketAddr> {
        let http = config.http.as_ref().filter(|http| http.token_file == self.state.join("token"))?;
        (config.state_dir == self.state).then_some(http.listen)
    }
}

/// Returns a new token.
pub(super) fn random_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    platform::fill_random(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

/// Returns whether there is a configuration of the machine.
pub(super) fn is_configured(file: &str) -> bool {
    fs::metadata(file).is_ok()
}
