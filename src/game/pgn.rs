//! Writes a game as PGN.

use std::fmt::Write as _;

use shakmaty::Color;

use super::{Game, GameResult};
use crate::event::Times;

/// Longest line of a move text (PGN standard 8.2.1).
const WIDTH: usize = 80;

/// Headers that do not come from the board.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tags {
    /// Name of the event.
    pub event: String,
    /// Calendar date of the game, `YYYY.MM.DD`, or empty.
    pub date: String,
    /// Round and table, such as `1.7`, or empty.
    pub round: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Time control as the PGN standard writes it, or empty.
    pub time_control: String,
}

impl Game {
    /// Writes the game as PGN with clock times.
    ///
    /// The main line ends before the first move that is not legal, since PGN readers refuse such games; what follows
    /// stands in a comment.
    #[must_use]
    pub fn pgn(&self, tags: &Tags) -> String {
        let mut pgn = String::new();
        let or =
            |text: &str, default: &str| if text.is_empty() { default.to_owned() } else { text.to_owned() };
        let result = self.result().map_or("*", GameResult::score);
        tag(&mut pgn, "Event", &or(&tags.event, "?"));
        tag(&mut pgn, "Site", "?");
        tag(&mut pgn, "Date", &or(&tags.date, "????.??.??"));
        tag(&mut pgn, "Round", &or(&tags.round, "?"));
        tag(&mut pgn, "White", &or(&tags.white, "?"));
        tag(&mut pgn, "Black", &or(&tags.black, "?"));
        tag(&mut pgn, "Result", result);
        if self.is_chess960() {
            tag(&mut pgn, "Variant", "Chess960");
        }
        if self.start() != &crate::position::Position::initial() {
            tag(&mut pgn, "SetUp", "1");
            tag(&mut pgn, "FEN", &self.start().fen());
        }
        if !tags.time_control.is_empty() {
            tag(&mut pgn, "TimeControl", &tags.time_control);
        }
        pgn.push('\n');
        let mut text = Wrapped::default();
        self.write_moves(&mut text);
        text.token(result);
        pgn.push_str(&text.text);
        pgn.push('\n');
        pgn
    }

    fn write_moves(&self, text: &mut Wrapped) {
        let legal = self.plies().iter().take_while(|ply| ply.is_legal()).count();
        let mut number = first_move_number(self);
        let mut announced = false;
        for ply in self.plies().iter().take(legal) {
            if ply.side == Color::White {
                text.token(&format!("{number}."));
            } else if !announced {
                text.token(&format!("{number}..."));
            }
            announced = ply.side == Color::White;
            text.token(&ply.san);
            if let Some(clock) = ply.clock {
                announced = false;
                text.token(&clock_comment(clock, ply.side));
            }
            number += u32::from(ply.side == Color::Black);
        }
        let rest: Vec<&str> = self.plies().iter().skip(legal).map(|ply| ply.san.as_str()).collect();
        if !rest.is_empty() {
            text.token(&format!("{{ illegal move stands, play went on: {} }}", rest.join(" ")));
        }
    }
}

fn first_move_number(game: &Game) -> u32 {
    game.start().fen().rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

fn clock_comment(clock: Times, side: Color) -> String {
    let seconds = clock.of(side);
    format!("{{[%clk {}:{:02}:{:02}]}}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn tag(pgn: &mut String, name: &str, value: &str) {
    let value: String = value.chars().filter(|c| !c.is_control()).collect();
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(pgn, "[{name} \"{value}\"]").unwrap_or_default();
}

/// Text broken into lines between tokens.
#[derive(Default)]
struct Wrapped {
    text: String,
    column: usize,
}

impl Wrapped {
    fn token(&mut self, token: &str) {
        for word in token.split(' ') {
            if self.column > 0 && self.column + 1 + word.len() > WIDTH {
                self.text.push('\n');
                self.column = 0;
            } else if self.column > 0 {
                self.text.push(' ');
                self.column += 1;
            }
            self.text.push_str(word);
            self.column += word.len();
        }
    }
}
