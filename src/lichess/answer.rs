//! Reads what Lichess says.

use serde::Deserialize;
use serde_json::{Map, Value};

use jadoube_core::printable::without_controls;

/// What came of a push.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum PushOutcome {
    /// Lichess has it, and says this about each game.
    Taken(Vec<GameAnswer>),
    /// Too many requests; how many seconds it asks for, 0 if it does not say.
    TooMany(u32),
    /// Lichess does not want it: status, 0 if it was not even sent, and reason.
    Refused(u16, String),
    /// Lichess could not be reached, or has troubles of its own.
    Unreachable(String),
}

/// What Lichess says about a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct GameAnswer {
    /// Round and table, such as `3.17`.
    pub(super) round: String,
    /// Who plays.
    pub(super) players: String,
    /// What is wrong with it.
    pub(super) error: Option<String>,
}

/// Longest reason that is reported.
const LONGEST: usize = 200;

/// Reads an answer.
pub(super) fn read(status: u16, retry_after: Option<&str>, body: &str) -> PushOutcome {
    match status {
        200 => read_games(body).map_or_else(
            || PushOutcome::Unreachable(format!("the answer is no list of games: {}", short(body))),
            PushOutcome::Taken,
        ),
        429 => PushOutcome::TooMany(retry_after.and_then(|seconds| seconds.trim().parse().ok()).unwrap_or(0)),
        500.. => PushOutcome::Unreachable(format!("status {status}")),
        _ => {
            let value: Value = serde_json::from_str(body).unwrap_or_default();
            let reason = value.get("error").and_then(Value::as_str).unwrap_or(body);
            PushOutcome::Refused(status, short(reason))
        }
    }
}

fn read_games(body: &str) -> Option<Vec<GameAnswer>> {
    #[derive(Deserialize)]
    struct Answer {
        games: Vec<Line>,
    }
    #[derive(Deserialize)]
    struct Line {
        #[serde(default)]
        tags: Map<String, Value>,
        error: Option<String>,
    }
    let answer: Answer = serde_json::from_str(body).ok()?;
    let game = |line: Line| {
        let tag = |name: &str| line.tags.get(name).and_then(Value::as_str).unwrap_or("?");
        let players = short(&format!("{} - {}", tag("White"), tag("Black")));
        GameAnswer { round: short(tag("Round")), players, error: line.error.as_deref().map(short) }
    };
    Some(answer.games.into_iter().map(game).collect())
}

fn short(text: &str) -> String {
    without_controls(text, ' ').take(LONGEST).collect()
}
