//! Reads games from PGN; tolerates the deviations of common files.
//!
//! Variations, annotations and unknown tags are skipped; of comments only the clock times are read.

use std::time::Duration;

use super::{Builder, Ending, GameError, GameRecord};

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
    let mut reader = Reader::default();
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in text.lines().enumerate() {
        reader.line(line, number + 1);
    }
    reader.finish_game();
    reader.read
}

#[derive(Default)]
struct Reader {
    read: PgnText,
    game: Option<PartialGame>,
    /// The part of a comment in braces that was read; `None` outside of comments.
    comment: Option<String>,
    /// How many variations are open.
    depth: usize,
}

/// The game that is being read.
struct PartialGame {
    builder: Builder,
    white: String,
    black: String,
    ending: Ending,
    increment: Duration,
    /// The mover's clock time after each move.
    clocks: Vec<Option<Duration>>,
    /// Whether the move text has begun.
    moved: bool,
    /// Whether the rest of the move text is skipped.
    broken: bool,
}

impl PartialGame {
    fn new() -> Self {
        Self {
            builder: Builder::new(),
            white: "?".to_owned(),
            black: "?".to_owned(),
            ending: Ending::Unknown,
            increment: Duration::ZERO,
            clocks: Vec::new(),
            moved: false,
            broken: false,
        }
    }

    fn tag(&mut self, name: &str, value: &str) {
        match name {
            "White" => value.clone_into(&mut self.white),
            "Black" => value.clone_into(&mut self.black),
            "Result" => self.ending = Ending::from_score(value).unwrap_or(Ending::Unknown),
            "TimeControl" => {
                let increment = value.rsplit_once('+').and_then(|(_, seconds)| seconds.parse().ok());
                self.increment = Duration::from_secs(increment.unwrap_or(0));
            }
            _ => {}
        }
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

impl Reader {
    fn line(&mut self, line: &str, number: usize) {
        if line.starts_with('%') {
            return;
        }
        let mut rest = line;
        if self.comment.is_none()
            && self.depth == 0
            && let Some((name, value)) = tag(line)
        {
            if self.game.as_ref().is_some_and(|game| game.moved) {
                self.finish_game();
            }
            let game = self.game.get_or_insert_with(PartialGame::new);
            game.tag(name, &value);
            if name == "FEN" && !value.starts_with(INITIAL) {
                game.broken = true;
                self.read.flaws.push(GameError::Start { line: number });
            }
            return;
        }
        while let Some(word) = self.next_word(&mut rest) {
            self.word(word, number);
        }
        if let Some(comment) = &mut self.comment {
            comment.push(' ');
        }
    }

    /// Skips comments and variations, and removes and returns the next word.
    fn next_word<'a>(&mut self, rest: &mut &'a str) -> Option<&'a str> {
        loop {
            if let Some(comment) = &mut self.comment {
                let (text, after) =
                    rest.split_once('}').map_or((*rest, None), |(text, after)| (text, Some(after)));
                comment.push_str(text);
                *rest = after?;
                let text = self.comment.take().unwrap_or_default();
                if self.depth == 0
                    && let Some(game) = &mut self.game
                {
                    game.comment(&text);
                }
                continue;
            }
            *rest = rest.trim_start();
            let first = rest.chars().next()?;
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            match first {
                ';' => return None,
                '{' => self.comment = Some(String::new()),
                '(' => self.depth += 1,
                ')' => self.depth = self.depth.saturating_sub(1),
                _ => {
                    let end = rest.find([' ', '\t', '{', '(', ')', ';']).unwrap_or(rest.len());
                    let (word, after) = rest.split_at(end);
                    *rest = after;
                    if self.depth > 0 {
                        continue;
                    }
                    return Some(word);
                }
            }
            *rest = after;
        }
    }

    fn word(&mut self, word: &str, line: usize) {
        // A move number may precede its move without a space.
        let bare = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = if bare.starts_with('.') { bare.trim_start_matches('.') } else { word };
        if word.is_empty() || word.starts_with('$') || word.chars().all(|c| matches!(c, '!' | '?' | '.')) {
            return;
        }
        let game = self.game.get_or_insert_with(PartialGame::new);
        game.moved = true;
        if let Some(ending) = Ending::from_score(word) {
            if ending != Ending::Unknown {
                game.ending = ending;
            }
            self.finish_game();
            return;
        }
        if game.broken || word.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        if let Err(error) = game.builder.push_san(word, line) {
            game.broken = true;
            self.read.flaws.push(error);
        }
    }

    fn finish_game(&mut self) {
        self.depth = 0;
        if let Some(game) = self.game.take().filter(|game| !game.builder.moves.is_empty()) {
            self.read.games.push(game.finish());
        }
    }
}

/// How the FEN of the initial position begins.
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";

/// Reads `[Name "value"]`.
fn tag(line: &str) -> Option<(&str, String)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
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
