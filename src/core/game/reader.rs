//! Reads PGN: headers, moves, comments and results, in the order of the text; tolerates what is wrong in common files.
//!
//! Variations and annotations are skipped, and so is what is neither a header nor a move.

use std::borrow::Cow;

use shakmaty::{
    CastlingSide, Color, KnownOutcome, Outcome,
    san::{San, SanPlus, Suffix},
};
use thiserror::Error;

/// A part of a PGN text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PgnToken<'a> {
    /// A game begins; what follows is its headers.
    Game,
    /// A header.
    Tag {
        /// Its name.
        name: &'a str,
        /// Its value.
        value: Cow<'a, str>,
    },
    /// The headers end; what follows is moves. They end at an empty line or before a header, finished or not.
    Moves,
    /// A move of the main line.
    Move(SanPlus),
    /// A comment in braces.
    Comment(&'a str),
    /// A result.
    Outcome(Outcome),
}

/// What ends the reading.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum PgnError {
    /// The text ends in a header.
    #[error("unterminated tag")]
    Tag,
    /// The text ends in a comment.
    #[error("unterminated comment")]
    Comment,
}

/// Where the reader is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    Between,
    Tags,
    Moves,
}

/// Reads a text; its tokens come from [`Iterator::next`].
///
/// ```
/// use jadoube_core::game::{PgnReader, PgnToken};
///
/// let moves = PgnReader::new("[White \"A\"]\n\n1. e4 {a comment} e5 1-0\n").filter_map(|token| match token {
///     Ok(PgnToken::Move(san)) => Some(san.to_string()),
///     _ => None,
/// });
/// assert_eq!(moves.collect::<Vec<_>>(), ["e4", "e5"]);
/// ```
#[derive(Clone, Debug)]
pub struct PgnReader<'a> {
    rest: &'a str,
    place: Place,
    /// The rest when lines were last counted, and the number of its first line.
    counted: &'a str,
    line: u64,
}

impl<'a> PgnReader<'a> {
    /// Makes a reader of a text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { rest: text, place: Place::Between, counted: text, line: 1 }
    }

    /// Returns the number of the line of the last header or error, from 1.
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.line
    }

    fn count_lines(&mut self) {
        let passed = self.counted.bytes().take(self.counted.len().saturating_sub(self.rest.len()));
        self.line = passed.filter(|byte| *byte == b'\n').fold(self.line, |line, _| line + 1);
        self.counted = self.rest;
    }

    /// Returns the text up to a place in it, and goes there.
    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    /// Goes to the next of these, or to the end.
    fn skip_until(&mut self, is_end: impl Fn(char) -> bool) {
        self.take(self.rest.find(is_end).unwrap_or(self.rest.len()));
    }

    fn eat(&mut self, text: &str) -> bool {
        self.rest.strip_prefix(text).map(|rest| self.rest = rest).is_some()
    }

    fn eat_dash(&mut self) -> bool {
        ["-", "–", "—"].iter().any(|dash| self.eat(dash))
    }

    /// Skips space, lines that begin with `%`, and byte order marks: files that were put together have several.
    fn skip_space(&mut self, mut begins_line: bool) {
        while let Some(next) = self.rest.chars().next() {
            match next {
                ' ' | '\t' | '\r' | '\n' | '\u{feff}' => {
                    begins_line |= next == '\n';
                    self.take(next.len_utf8());
                }
                '%' if begins_line => self.skip_until(|next| next == '\n'),
                _ => return,
            }
        }
    }

    /// Skips what closes a header, if it is closed.
    fn skip_end_of_tag(&mut self) {
        self.skip_until(|next| !matches!(next, ' ' | '\t' | '\r'));
        if self.eat("]") {
            self.skip_space(false);
        } else if self.rest.starts_with('\n') {
            self.skip_space(true);
        }
    }

    /// Reads a header behind its bracket; `None` if it has no value.
    fn tag(&mut self) -> Result<Option<PgnToken<'a>>, PgnError> {
        let quote = self.rest.find(['"', '\n', ']']).ok_or(PgnError::Tag)?;
        let name = self.take(quote).trim();
        let is_quoted = self.take(1) == "\"";
        let mut token = None;
        if is_quoted {
            let mut escaped = false;
            let end = self.rest.find(|next| {
                let is_end = !escaped && matches!(next, '"' | '\n');
                escaped = !escaped && next == '\\';
                is_end
            });
            let value = self.take(end.ok_or(PgnError::Tag)?);
            self.eat("\"");
            token = Some(PgnToken::Tag { name, value: unescape(value) });
        }
        self.skip_end_of_tag();
        Ok(token)
    }

    /// Reads what comes next among moves; `None` for what is skipped.
    fn movetext(&mut self) -> Result<Option<PgnToken<'a>>, PgnError> {
        let decided = |winner| Some(PgnToken::Outcome(Outcome::Known(KnownOutcome::Decisive { winner })));
        let drawn = Some(PgnToken::Outcome(Outcome::Known(KnownOutcome::Draw)));
        let Some(next) = self.rest.chars().next() else { return Ok(None) };
        match next {
            '\n' => self.end_of_line(),
            ' ' | '\t' | '\r' | '.' | ')' | '!' | '?' => {
                self.take(1);
            }
            '{' => {
                self.take(1);
                let comment = self.take(self.rest.find('}').ok_or(PgnError::Comment)?);
                self.take(1);
                return Ok(Some(PgnToken::Comment(comment)));
            }
            ';' => self.skip_until(|next| next == '\n'),
            '(' => self.variation(),
            '*' => {
                self.take(1);
                return Ok(Some(PgnToken::Outcome(Outcome::Unknown)));
            }
            '½' => {
                self.take(next.len_utf8());
                return Ok(drawn.filter(|_| self.eat_dash() && self.eat("½")));
            }
            '0'..='9' => {
                self.take(1);
                let is_dash = matches!(next, '0' | '1') && self.eat_dash();
                if next == '1' && is_dash {
                    return Ok(decided(Color::White).filter(|_| self.eat("0")));
                } else if is_dash && self.eat("1") {
                    return Ok(decided(Color::Black));
                } else if is_dash {
                    return Ok(self.eat("0").then(|| self.castle_with_zeros()));
                } else if next == '1' && self.eat("/2") {
                    return Ok(drawn.filter(|_| self.eat_dash() && self.eat("1/2")));
                } else if next != '0' {
                    self.skip_until(|next| !next.is_ascii_digit());
                    self.skip_until(|next| !matches!(next, '.' | ' '));
                }
            }
            _ => {
                if let Ok((san, length)) = SanPlus::from_ascii_prefix(self.rest.as_bytes()) {
                    self.take(length);
                    let is_whole = self.rest.chars().next().is_none_or(ends_token);
                    return Ok(is_whole.then_some(PgnToken::Move(san)));
                }
                self.take(next.len_utf8());
                self.skip_until(ends_token);
            }
        }
        Ok(None)
    }

    /// Reads `0-0` and `0-0-0` behind the second zero.
    fn castle_with_zeros(&mut self) -> PgnToken<'a> {
        let is_long = self.eat_dash() && self.eat("0");
        let side = if is_long { CastlingSide::QueenSide } else { CastlingSide::KingSide };
        let check = self.eat("+").then_some(Suffix::Check);
        let suffix = check.or_else(|| self.eat("#").then_some(Suffix::Checkmate));
        PgnToken::Move(SanPlus { san: San::Castle(side), suffix })
    }

    /// Whether moves end at this line break.
    fn ends_moves(&self) -> bool {
        ["\n[", "\n\n", "\n\r\n"].iter().any(|end| self.rest.starts_with(end))
    }

    fn end_of_line(&mut self) {
        if self.ends_moves() {
            self.place = Place::Between;
        }
        self.take(1);
        if self.rest.starts_with('%') {
            self.skip_until(|next| next == '\n');
        }
    }

    /// Skips a variation, and those in it; without an end, to the end of the moves.
    fn variation(&mut self) {
        let mut depth = 0u32;
        while let Some(next) = self.rest.chars().next().filter(|_| !self.ends_moves()) {
            match next {
                '{' => self.skip_until(|next| next == '}'),
                ';' => {
                    self.skip_until(|next| next == '\n');
                    continue;
                }
                '\n' => {
                    self.end_of_line();
                    continue;
                }
                _ => {}
            }
            self.take(next.len_utf8());
            depth = match next {
                '(' => depth + 1,
                ')' => depth - 1,
                _ => depth,
            };
            if depth == 0 {
                return;
            }
        }
    }
}

impl<'a> Iterator for PgnReader<'a> {
    type Item = Result<PgnToken<'a>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let read = match self.place {
                Place::Between => {
                    self.skip_space(true);
                    if self.rest.is_empty() {
                        return None;
                    }
                    self.place = Place::Tags;
                    Ok(Some(PgnToken::Game))
                }
                Place::Tags if self.rest.starts_with('[') => {
                    self.count_lines();
                    self.take(1);
                    self.tag()
                }
                Place::Tags => {
                    self.place = Place::Moves;
                    Ok(Some(PgnToken::Moves))
                }
                Place::Moves if self.rest.is_empty() => return None,
                Place::Moves => self.movetext(),
            };
            if read.is_err() {
                self.count_lines();
                // Nothing behind it can be read.
                self.rest = "";
                self.place = Place::Between;
            }
            if let Some(read) = read.transpose() {
                return Some(read);
            }
        }
    }
}

const fn ends_token(next: char) -> bool {
    matches!(next, ' ' | '\t' | '\n' | '\r' | '{' | '}' | '(' | ')' | '!' | '?' | '$' | ';' | '.' | '*')
}

/// Removes the backslash from quotes and backslashes.
fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('\\') {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut characters = value.chars().peekable();
    while let Some(next) = characters.next() {
        let escaped = if next == '\\' { characters.next_if(|next| matches!(next, '"' | '\\')) } else { None };
        text.push(escaped.unwrap_or(next));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests;
