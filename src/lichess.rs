//! Owns the push of games to Lichess: a snapshot of the round after every change, one request at a time.
//!
//! Lichess wants the whole of up to a hundred games each time. What it says about a game is reported once, and again when
//! it is over, and stands in `/healthz`, on the desk and in the status of the unit until then: the alerts of a board
//! follow from its capture alone, so none can report of this. A server that asks for patience gets it. Only what the public may see is sent: the games are those of
//! `round-N/games.pgn` in the directory of games, after their delay.

mod answer;
mod pace;
mod request;

use jadoube_runtime::{clock::SystemClock, private};
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

use self::{
    answer::{GameAnswer, PushOutcome},
    pace::Pace,
};
use crate::{
    config::{Config, LichessConfig},
    metrics::Figures,
    service::{
        ServiceContext,
        game_store::{has_moves, has_result},
    },
};

/// What monitoring calls it.
const SINK: &str = "lichess";

/// How often games are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Looks without anything new after which the next round is pushed: what ended the one before may be written a moment later.
const QUIET: u32 = 10;

/// The same while a game of that round has moves and no result: it may go on while the pairings of the next round are read in.
const QUIET_UNFINISHED: u32 = 60;

/// Games in one push; Lichess takes no more.
const MOST: usize = 100;

/// Largest file of games that is read, bytes.
const LARGEST: u64 = 16 << 20;

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    let mut looks = interval(LOOK.min(context.heartbeat.period()));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let clock = SystemClock::start();
    let mut push = Push::new(context.daemon.figures().clone());
    while !context.shutdown.is_cancelled() {
        tokio::select! {
            _ = looks.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => {}
        }
        let config = context.config.borrow().clone();
        let Some(lichess) = config.lichess.clone() else { continue };
        // Without rounds every board counts its games; with them the games are published first.
        let first = config.event.round.is_none().then_some(1);
        let index = context.games.index();
        let Some(round) = index.round.or(first).map(|round| push.round(round)) else { continue };
        let Some(file) = games_file(&config, round) else { continue };
        let reading = spawn_blocking(move || read_text(&file));
        let Ok(text) = context.heartbeat.during(reading).await else { continue };
        let body = push.next(&split(&text));
        // The end of a round may not be in its file yet.
        if index.rounds.get(&round).is_some_and(|round| *round.joined.text != *text) {
            push.quiet = 0;
        }
        let Some(body) = body else { continue };
        let sending = spawn_blocking(move || request::send(&lichess, &body));
        let outcome = context.heartbeat.during(sending).await;
        let outcome = outcome.unwrap_or_else(|error| PushOutcome::Unreachable(error.to_string()));
        push.handle_outcome(outcome, clock.utc(clock.now()));
    }
}

/// Returns where the games of a round are written.
fn games_file(config: &Config, round: u32) -> Option<PathBuf> {
    config.pgn.as_ref().map(|pgn| pgn.dir.join(format!("round-{round}")).join("games.pgn"))
}

/// Reads a file of games; nothing as long as there is no such file.
fn read_text(file: &Path) -> String {
    let is_small = fs::metadata(file).is_ok_and(|meta| meta.len() <= LARGEST);
    if is_small { private::read_to_string(file).unwrap_or_default() } else { String::new() }
}

/// Returns the games of a text, one by one.
fn split(text: &str) -> Vec<String> {
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
    /// The round that is pushed.
    round: Option<u32>,
    /// Looks without anything new since another one is to be.
    quiet: u32,
    /// A game of it has moves and no result.
    is_unfinished: bool,
    figures: Figures,
    /// What Lichess complains about, by game.
    complaints: BTreeMap<String, String>,
    /// Games that do not fit in.
    left_out: usize,
    /// Why the last push was not taken.
    failing: Option<String>,
}

impl Push {
    fn new(figures: Figures) -> Self {
        figures.exports.begin(SINK);
        Self { figures, ..Self::default() }
    }

    /// Returns the round to push: the one before until its end has been pushed, and then this.
    fn round(&mut self, wanted: u32) -> u32 {
        let present = *self.round.get_or_insert(wanted);
        let enough = if self.is_unfinished { QUIET_UNFINISHED } else { QUIET };
        if present == wanted || self.quiet >= enough {
            (self.round, self.quiet) = (Some(wanted), 0);
        }
        self.round.unwrap_or(wanted)
    }

    /// Returns what is to be sent now, if anything.
    fn next(&mut self, games: &[String]) -> Option<String> {
        let left_out = games.len().saturating_sub(MOST);
        if left_out > 0 && self.left_out == 0 {
            error!(
                games = games.len(),
                "Lichess takes {MOST} games in a round; those of the highest tables are left out"
            );
        }
        self.left_out = left_out;
        self.is_unfinished = games.iter().any(|game| has_moves(game) && !has_result(game));
        let body = games.iter().take(MOST).map(|game| game.trim_end()).collect::<Vec<_>>().join("\n\n");
        // An empty round says nothing, and Lichess refuses it.
        let waits = self.pace.wait() > 0;
        let is_due = !body.is_empty() && self.pace.is_due(&body);
        self.quiet = if is_due { 0 } else { self.quiet.saturating_add(u32::from(!waits)) };
        is_due.then_some(body)
    }

    /// Handles what came of a push at this instant.
    fn handle_outcome(&mut self, outcome: PushOutcome, now: jiff::Timestamp) {
        self.pace.note_outcome(&outcome);
        let wait = self.pace.wait();
        match outcome {
            PushOutcome::Taken(games) => {
                self.figures.exports.succeed(SINK, now);
                if self.failing.take().is_some() {
                    info!(games = games.len(), "Lichess takes games again");
                }
                self.handle_games(games);
            }
            PushOutcome::TooMany(_) => {
                self.figures.exports.fail(SINK);
                self.failing = Some(format!("asks for patience; next push in {wait} s"));
                warn!("Lichess asks for patience; next push in {wait} s");
            }
            PushOutcome::Refused(status, reason) => {
                self.figures.exports.fail(SINK);
                let reported = format!("refuses the push: {reason}; {}", remedy(status));
                if self.failing.replace(reported).is_none() {
                    error!(
                        status,
                        reason,
                        "Lichess refuses the push; {}; tried again every {wait} s",
                        remedy(status)
                    );
                }
            }
            PushOutcome::Unreachable(reason) => {
                self.figures.exports.fail(SINK);
                if self.failing.replace(format!("cannot be reached: {reason}")).is_none() {
                    error!(reason, "cannot push to Lichess; tried again");
                }
            }
        }
        self.figures.health.degrade(SINK, self.trouble());
    }

    /// Handles what Lichess says about each game of a push that it took.
    fn handle_games(&mut self, games: Vec<GameAnswer>) {
        let mut now = BTreeMap::new();
        for GameAnswer { round, players, error } in games {
            let known = self.complaints.remove(&round);
            match error {
                Some(reason) => {
                    if known.as_ref() != Some(&reason) {
                        error!(
                            game = round,
                            players, reason, "Lichess does not take a game; the others are not held up"
                        );
                    }
                    now.insert(round, reason);
                }
                None if known.is_some() => info!(game = round, players, "Lichess takes the game again"),
                None => {}
            }
        }
        self.figures.exports.refuse_games(SINK, now.len());
        self.complaints = now;
    }

    /// Says what the public misses, and why; no names, since monitoring reads it.
    fn trouble(&self) -> Option<String> {
        let refused =
            self.complaints.iter().map(|(game, reason)| format!("does not take game {game}: {reason}"));
        let left_out = (self.left_out > 0).then(|| format!("takes no more than {MOST} games in a round"));
        let all: Vec<String> = self.failing.clone().into_iter().chain(left_out).chain(refused).collect();
        (!all.is_empty()).then(|| all.join("; "))
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
        format!("{}/api/broadcast/round/{}/push", self.url.base(), self.round)
    }
}

#[cfg(test)]
mod tests;
