//! Reads games from PGN; tolerates the deviations of common files.
//!
//! Variations, annotations and unknown tags are skipped; of comments only the clock times are read.

use std::{ops::ControlFlow, time::Duration};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
use shakmaty::Outcome;

use super::{Builder, Ending, GameError, GameRecord};

/// Longest header or comment that is read in one piece, bytes.
const LONGEST: usize = 4096;

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
    let mut reader = Reader::build(text.as_bytes())
        .set_supported_tag_line_length(LONGEST)
        .set_supported_comment_length(LONGEST)
        .finish();
    let mut games = Games::default();
    loop {
        match reader.read_game(&mut games) {
            Ok(Some(())) => {}
            Ok(None) => break,
            Err(error) => {
                games.read.flaws.push(GameError::Text { game: games.begun, reason: error.to_string() });
                break;
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

    fn tag(&mut self, name: &[u8], value: &str) -> Result<(), GameError> {
        match name {
            b"White" => value.clone_into(&mut self.white),
            b"Black" => value.clone_into(&mut self.black),
            b"Result" => self.ending = Ending::from_score(value).unwrap_or(Ending::Unknown),
            b"TimeControl" => {
                let increment = value.rsplit_once('+').and_then(|(_, seconds)| seconds.parse().ok());
                self.increment = Duration::from_secs(increment.unwrap_or(0));
            }
            b"FEN" if !value.starts_with(INITIAL) => {
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
}

impl Visitor for Games {
    /// Whether the game has a header.
    type Tags = bool;
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), bool> {
        ControlFlow::Continue(false)
    }

    fn tag(&mut self, begun: &mut bool, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if !std::mem::replace(begun, true) {
            self.begin_game();
        }
        let outcome = self.open.as_mut().map_or(Ok(()), |game| game.tag(name, &value.decode_utf8_lossy()));
        self.read.flaws.extend(outcome.err());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, begun: bool) -> ControlFlow<(), ()> {
        if !begun && self.open.as_ref().is_none_or(|game| game.ended) {
            self.begin_game();
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        // Some files have several games without headers in one line.
        if self.open.as_ref().is_none_or(|game| game.ended) {
            self.begin_game();
        }
        if let Some(game) = self.open.as_mut().filter(|game| !game.broken)
            && let Err(error) = game.builder.push_san(san.san, game.number)
        {
            game.broken = true;
            self.read.flaws.push(error);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        if let Some(game) = &mut self.open {
            game.comment(&String::from_utf8_lossy(comment.as_bytes()));
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, (): &mut (), outcome: Outcome) -> ControlFlow<()> {
        if let Some(game) = &mut self.open {
            if let Outcome::Known(known) = outcome {
                game.ending = known.winner().map_or(Ending::Drawn, Ending::Won);
            }
            game.ended = true;
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
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
