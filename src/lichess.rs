//! Owns the push of games to Lichess: a snapshot of the round after every change, one request at a time.
//!
//! Lichess wants the whole of up to a hundred games each time. What it says about a game is told once, and again when
//! it is over; a server that asks for patience gets it. Only what the public may see is sent: the games are those of
//! `round-N/games.pgn` in the directory of games, after their delay.

mod answer;
mod pace;
mod request;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use tokio::{
    task::spawn_blocking,
    time::{MissedTickBehavior, interval},
};
use tracing::{error, info, warn};

use self::{answer::Outcome, pace::Pace};
use crate::{
    config::{Config, LichessConfig},
    daemon::services::Setup,
};

/// How often games are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Games in one push; Lichess takes no more.
const MOST: usize = 100;

/// Largest file of games that is read, bytes.
const LARGEST: u64 = 16 << 20;

/// Works until it is told to end.
pub(crate) async fn run(setup: Setup) {
    let mut looks = interval(LOOK.min(setup.heart.period()));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut push = Push::default();
    while !setup.shutdown.is_cancelled() {
        tokio::select! {
            _ = looks.tick() => setup.heart.beat(),
            () = setup.shutdown.cancelled() => {}
        }
        let config = setup.config.borrow().clone();
        let Some(lichess) = config.lichess.clone() else { continue };
        let Some(file) = games_file(&config) else { continue };
        let reading = spawn_blocking(move || read_games(&file));
        let Ok(games) = setup.heart.during(reading).await else { continue };
        let Some(body) = push.next(&games) else { continue };
        let sending = spawn_blocking(move || request::send(&lichess, &body));
        let outcome = setup.heart.during(sending).await;
        push.take(outcome.unwrap_or_else(|error| Outcome::Unreachable(error.to_string())));
    }
}

/// Returns where the games of the round that goes on are written.
fn games_file(config: &Config) -> Option<PathBuf> {
    let round = config.event.round.unwrap_or(1);
    config.pgn.as_ref().map(|pgn| pgn.dir.join(format!("round-{round}")).join("games.pgn"))
}

/// Reads the games of a file; none as long as there is no such file.
fn read_games(file: &Path) -> Vec<String> {
    let is_small = fs::metadata(file).is_ok_and(|meta| meta.len() <= LARGEST);
    let text = if is_small { fs::read_to_string(file).unwrap_or_default() } else { String::new() };
    let mut games: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("[Event ") || games.is_empty() {
            games.push(String::new());
        }
        if let Some(game) = games.last_mut() {
            game.push_str(line);
            game.push('\n');
        }
    }
    games.retain(|game| !game.trim().is_empty());
    games
}

/// What was pushed and what came of it.
#[derive(Default)]
struct Push {
    pace: Pace,
    /// What Lichess complains about, by game.
    complaints: BTreeMap<String, String>,
    crowded: bool,
    failing: bool,
}

impl Push {
    /// Returns what is to be sent now, if anything.
    fn next(&mut self, games: &[String]) -> Option<String> {
        let crowded = games.len() > MOST;
        if crowded && !self.crowded {
            error!(
                games = games.len(),
                "Lichess takes {MOST} games in a round; those of the highest tables are left out"
            );
        }
        self.crowded = crowded;
        let body = games.iter().take(MOST).map(|game| game.trim_end()).collect::<Vec<_>>().join("\n\n");
        // An empty round says nothing, and Lichess refuses it.
        (!body.is_empty() && self.pace.is_due(&body)).then_some(body)
    }

    fn take(&mut self, outcome: Outcome) {
        self.pace.take(&outcome);
        let wait = self.pace.wait();
        match outcome {
            Outcome::Taken(games) => {
                if std::mem::take(&mut self.failing) {
                    info!(games = games.len(), "Lichess takes games again");
                }
                let now: BTreeMap<String, String> =
                    games.into_iter().filter_map(|game| Some((game.name, game.error?))).collect();
                for (game, reason) in
                    now.iter().filter(|(game, reason)| self.complaints.get(*game) != Some(reason))
                {
                    error!(game, reason, "Lichess does not take a game; the others are not held up");
                }
                for game in self.complaints.keys().filter(|game| !now.contains_key(*game)) {
                    info!(game, "Lichess takes the game again");
                }
                self.complaints = now;
            }
            Outcome::TooMany(_) => warn!("Lichess asks for patience; next push in {wait} s"),
            Outcome::Refused(status, reason) => {
                if !std::mem::replace(&mut self.failing, true) {
                    error!(
                        status,
                        reason,
                        "Lichess refuses the push; {}; tried again every {wait} s",
                        remedy(status)
                    );
                }
            }
            Outcome::Unreachable(reason) => {
                if !std::mem::replace(&mut self.failing, true) {
                    error!(reason, "cannot push to Lichess; tried again");
                }
            }
        }
    }
}

/// Says what to do about an answer.
const fn remedy(status: u16) -> &'static str {
    match status {
        0 => "look at lichess.token_file",
        401 | 403 => "the token in lichess.token_file needs the right study:write",
        404 => "lichess.round has to be the id of a broadcast round, eight letters",
        400 => "a round that has a source address takes no pushes",
        _ => "look at the reason",
    }
}

impl LichessConfig {
    /// Returns the address that takes the games.
    fn address(&self) -> String {
        format!("{}/api/broadcast/round/{}/push", self.url.trim_end_matches('/'), self.round)
    }
}

#[cfg(test)]
mod tests;
