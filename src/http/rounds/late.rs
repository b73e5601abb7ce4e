//! Games that have left their boards, as the event log has them.

use std::{borrow::Cow, path::Path};

use axum::http::StatusCode;
use serde::Deserialize;
use tokio::task::spawn_blocking;

use crate::{
    http::{App, error::ApiError},
    sinks::tail,
    view::{GameView, MoveView},
};
use jadoube_core::{
    alert::Confidence,
    event::{SanText, Times, UciText},
    score::Score,
};

/// The log of all events.
const LOG: &str = "events.jsonl";

/// How much of it is read.
const MOST: u64 = 64 << 20;

/// What is read of a line.
#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the keys are those of the log")]
struct LogLine<'a> {
    #[serde(borrow)]
    board: Cow<'a, str>,
    #[serde(borrow)]
    event: Cow<'a, str>,
    at: jiff::Timestamp,
    game: u32,
    #[serde(default)]
    fen: String,
    #[serde(default)]
    adopted: bool,
    #[serde(default)]
    ply: usize,
    #[serde(default)]
    uci: String,
    #[serde(default)]
    san: String,
    #[serde(default)]
    legal: bool,
    #[serde(default)]
    completed: bool,
    #[serde(default)]
    clock: Option<Times>,
    #[serde(default)]
    alternatives: Option<u32>,
    #[serde(default)]
    entered: bool,
    #[serde(default)]
    remark: Option<Box<str>>,
    #[serde(default)]
    result: String,
}

/// Finds a game of a board.
///
/// # Errors
///
/// Returns an error if the log does not have it.
pub(super) async fn find(app: &App, board: &str, number: u32) -> Result<GameView, ApiError> {
    let (log_dir, name) = (app.config().log_dir.clone(), board.to_owned());
    let read = spawn_blocking(move || read(&log_dir, &name, number)).await.ok().flatten();
    let reason = || format!("game {number} is not on board {board} any more, and the log does not have it");
    read.ok_or_else(|| ApiError::new(StatusCode::CONFLICT, reason()))
}

fn read(log_dir: &Path, board: &str, number: u32) -> Option<GameView> {
    let log = log_dir.join(LOG);
    let keys = [format!("\"board\":\"{board}\""), format!("\"game\":{number},")];
    let mut game = None;
    for file in [log.with_added_extension("1"), log] {
        let (text, _) = tail(&file, MOST).ok()?;
        let lines = text.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok());
        for text in lines.filter(|text| keys.iter().all(|key| text.contains(key.as_str()))) {
            // Lines of an alert or of the whole game have other keys.
            if let Ok(line) = serde_json::from_str::<LogLine<'_>>(text)
                && line.board == board
                && line.game == number
            {
                line.add_to(&mut game);
            }
        }
    }
    game.filter(|game: &GameView| !game.moves.is_empty())
}

impl LogLine<'_> {
    fn add_to(&self, game: &mut Option<GameView>) {
        if self.event == "game-start" {
            let began = game.as_ref().map_or(self.at, |known| known.began);
            *game = Some(GameView::new(self.game, &self.fen, self.adopted, began));
            return;
        }
        let Some(game) = game else { return };
        let index = self.ply.saturating_sub(1);
        match &*self.event {
            "retract" => game.moves.truncate(index),
            "move" => {
                let played = self.played();
                match game.moves.get_mut(index) {
                    Some(known) => *known = played,
                    None => game.moves.push(played),
                }
            }
            "result" => {
                let score = Score::parse(&self.result).map(Score::text);
                (game.result, game.by) = (score, score.map(|_| "arbiter"));
            }
            _ => {}
        }
    }

    fn played(&self) -> MoveView {
        MoveView {
            uci: UciText::from(&self.uci).unwrap_or_default(),
            san: SanText::from(&self.san).unwrap_or_default(),
            legal: self.legal,
            completed: self.completed,
            confidence: Confidence::Certain,
            clock: self.clock,
            at: self.at,
            fen: self.fen.as_str().into(),
            alternatives: self.alternatives,
            entered: self.entered,
            remark: self.remark.clone(),
        }
    }
}
