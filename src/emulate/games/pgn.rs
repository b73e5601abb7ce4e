//! Reads games from PGN; tolerates the deviations of common files.
//!
//! Variations, annotations and unknown tags are skipped; of comments only the clock times are read.

use std::time::Duration;

use jadoube_core::game::{PgnReader, PgnToken};
use shakmaty::{Outcome, san::SanPlus};

use super::{Builder, Ending, GameError, GameRecord};

/// How the FEN of the initial position begins.
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";

/// The result of reading a PGN text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct PgnText {
    /// The games; a game with an error ends before it.
    pub games: Vec<GameRecord>,
    /// The errors.
    pub flaws: Vec<GameError>,
}

/// Reads all games of a text.
#[must_use]
pub fn read_pgn(text: &str) -> PgnText {
    let mut games = Games::default();
    for token in PgnReader::new(text) {
        match token {
            Ok(token) => games.take(token),
            Err(error) => {
                games.read.flaws.push(GameError::Text { game: games.begun, reason: error.to_string() });
            }
        }
    }
    games.finish_game();
    games.read
}

/// Collects the games that the reader finds.
#[derive(Default)]
struct Games {
    read: PgnText,
    /// Games that have begun, with or without moves.
    begun: usize,
    /// The game that is being read, and the last one: an empty line may stand among its moves.
    open: Option<PartialGame>,
    /// Whether the game has a header.
    has_tags: bool,
}

/// The game that is being read.
struct PartialGame {
    /// Number of the game in the text, from 1.
    number: usize,
    builder: Builder,
    white: String,
    black: String,
    ending: Ending,
    increment: Duration,
    /// The mover's clock time after each move.
    clocks: Vec<Option<Duration>>,
    /// Whether its result has been read.
    ended: bool,
    /// Whether the rest of the move text is skipped.
    broken: bool,
}

impl PartialGame {
    fn new(number: usize) -> Self {
        Self {
            number,
            builder: Builder::new(),
            white: "?".to_owned(),
            black: "?".to_owned(),
            ending: Ending::Unknown,
            increment: Duration::ZERO,
            clocks: Vec::new(),
            ended: false,
            broken: false,
        }
    }

    fn tag(&mut self, name: &str, value: &str) -> Result<(), GameError> {
        match name {
            "White" => value.clone_into(&mut self.white),
            "Black" => value.clone_into(&mut self.black),
            "Result" => self.ending = Ending::from_score(value).unwrap_or(Ending::Unknown),
            "TimeControl" => {
                let increment = value.rsplit_once('+').and_then(|(_, seconds)| seconds.parse().ok());
                self.increment = Duration::from_secs(increment.unwrap_or(0));
            }
            "FEN" if !value.starts_with(INITIAL) => {
                self.broken = true;
                return Err(GameError::Start { game: self.number });
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads `[%clk 1:30:00]` and `[%emt 0:00:12]` of a comment behind a move.
    fn comment(&mut self, text: &str) {
        if let Some(last) = self.builder.thinks.last_mut() {
            *last = time_of(text, "[%emt ").or(*last);
        }
        if let Some(left) = time_of(text, "[%clk ") {
            self.clocks.resize(self.builder.moves.len(), None);
            if let Some(last) = self.clocks.last_mut() {
                *last = Some(left);
            }
        }
    }

    fn finish(mut self) -> GameRecord {
        let before = self.clocks.iter().copied();
        let after = self.clocks.iter().copied().skip(2);
        for ((before, after), think) in before.zip(after).zip(self.builder.thinks.iter_mut().skip(2)) {
            let spent =
                before.zip(after).map(|(before, after)| (before + self.increment).saturating_sub(after));
            *think = think.or(spent);
        }
        self.builder.finish(format!("{} - {}", self.white, self.black), self.ending)
    }
}

impl Games {
    /// Ends the game before and begins another one.
    fn begin_game(&mut self) -> &mut PartialGame {
        self.finish_game();
        self.begun += 1;
        self.open.insert(PartialGame::new(self.begun))
    }

    fn finish_game(&mut self) {
        if let Some(game) = self.open.take().filter(|game| !game.builder.moves.is_empty()) {
            self.read.games.push(game.finish());
        }
    }

    fn is_between(&self) -> bool {
        self.open.as_ref().is_none_or(|game| game.ended)
    }

    fn take(&mut self, token: PgnToken<'_>) {
        match token {
            PgnToken::Game => self.has_tags = false,
            PgnToken::Tag { name, value } => {
                if !std::mem::replace(&mut self.has_tags, true) {
                    self.begin_game();
                }
                let outcome = self.open.as_mut().map_or(Ok(()), |game| game.tag(name, &value));
                self.read.flaws.extend(outcome.err());
            }
            PgnToken::Moves => {
                if !self.has_tags && self.is_between() {
                    self.begin_game();
                }
            }
            PgnToken::Move(san) => self.play(san),
            PgnToken::Comment(comment) => {
                if let Some(game) = &mut self.open {
                    game.comment(comment);
                }
            }
            PgnToken::Outcome(outcome) => {
                if let Some(game) = &mut self.open {
                    if let Outcome::Known(known) = outcome {
                        game.ending = known.winner().map_or(Ending::Drawn, Ending::Won);
                    }
                    game.ended = true;
                }
            }
        }
    }

    fn play(&mut self, san: SanPlus) {
        // Some files have several games without headers in one line.
        if self.is_between() {
            self.begin_game();
        }
        if let Some(game) = self.open.as_mut().filter(|game| !game.broken)
            && let Err(error) = game.builder.push_san(san.san, game.number)
        {
            game.broken = true;
            self.read.flaws.push(error);
        }
    }
}

/// Reads the `H:MM:SS` behind a command in a comment; fractions of a second are dropped.
fn time_of(comment: &str, command: &str) -> Option<Duration> {
    let (_, after) = comment.split_once(command)?;
    let (time, _) = after.split_once(']')?;
    let mut seconds = 0u64;
    for part in time.trim().split(':') {
        let whole = part.split_once('.').map_or(part, |(whole, _)| whole);
        seconds = seconds.checked_mul(60)?.checked_add(whole.parse().ok()?)?;
    }
    Some(Duration::from_secs(seconds))
}
