//! Writes games as PGN that every reader takes.
//!
//! The main line holds lawful moves only, since readers refuse whole games for one that is not. After an illegal move that stands the
//! game goes on as a second one from the position that followed; headers name each other, and the last part has the result. A move has one comment, because some readers refuse a second.

mod text;

use arrayvec::{ArrayString, ArrayVec};
use shakmaty::{Board, CastlingMode, Color};

use self::text::{Wrapped, clean, face, in_seconds, tag};
use super::{Game, GameResult, Ply, played::UNKNOWN_SAN};
use crate::{
    event::Times,
    laws::TimeControl,
    position::{Position, differences},
    score::Score,
    side::turn_of,
};

/// A time, as a comment has it; seven letters and signs beside it, and the time itself has sixteen at most.
type TimeNote = ArrayString<24>;

/// The header of a part of a game that names the one after it.
const CONTINUED_IN: &str = "ContinuedIn";

/// The header of a part of a game that names the one before it.
const CONTINUATION_OF: &str = "ContinuationOf";

/// Headers that describe the end of a game, or its present.
const OF_LAST: [&str; 4] = ["WhiteClock", "BlackClock", "ReferenceTime", "Termination"];

/// The squares on which kings show a result, as moves end.
const CENTRE: [&str; 4] = ["d4", "e4", "d5", "e5"];

/// Headers that do not come from the board.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Tags {
    /// Name of the event.
    pub event: String,
    /// Town and country.
    pub site: String,
    /// Calendar date of the game, `YYYY.MM.DD`, or empty.
    pub date: String,
    /// Round and table, such as `1.7`, or empty.
    pub round: String,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// Time control.
    pub time_control: Option<TimeControl>,
    /// Further headers, in this order; those without a value are left out.
    pub more: Vec<(&'static str, String)>,
}

/// A game as it is written down.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    /// Its headers.
    pub tags: &'a Tags,
    /// Its first position.
    pub start: &'a str,
    /// Whether castling is that of Chess960.
    pub chess960: bool,
    /// Its moves.
    pub moves: Vec<SheetEntry<'a>>,
    /// What [`Score`] reads, or `*` while it goes on.
    pub result: &'static str,
}

/// A move as it is written down.
#[derive(Clone, Copy, Debug)]
pub struct SheetEntry<'a> {
    /// Who moved.
    pub side: Color,
    /// In standard algebraic notation.
    pub san: &'a str,
    /// Whether it kept to Art. 3.
    pub legal: bool,
    /// Whether it is completed.
    pub completed: bool,
    /// What the clock showed when it was completed.
    pub clock: Option<Times>,
    /// Seconds since the move before it.
    pub elapsed: Option<u32>,
    /// If nobody saw it: how many other paths remained.
    pub inferred: Option<u32>,
    /// The position after it, where the main line may have to go on from it.
    pub after: Option<&'a str>,
    /// Whether an order has entered it.
    pub entered: bool,
    /// What the record says beside it.
    pub remark: Option<&'a str>,
}

impl Game {
    /// Writes the game as PGN with clock times.
    #[must_use]
    pub fn pgn(&self, tags: &Tags) -> String {
        let start = self.start().fen();
        let afters = self.after_irregular();
        let mut before = None;
        let moves = self.plies().iter().zip(&afters).map(|(ply, after)| {
            let elapsed = before.map(|before| ply.made_at.since(before).as_secs());
            before = Some(ply.made_at);
            SheetEntry {
                side: ply.side,
                san: &ply.san,
                legal: ply.is_legal(),
                completed: ply.completed,
                clock: ply.clock,
                elapsed: elapsed.and_then(|seconds| u32::try_from(seconds).ok()),
                inferred: ply.inferred,
                after: after.as_deref(),
                entered: ply.entered,
                remark: ply.remark.as_deref(),
            }
        });
        let moves = moves.collect();
        let result = self.result().map_or("*", GameResult::score);
        Sheet { tags, start: &start, chess960: self.is_chess960(), moves, result }.write()
    }

    /// Returns the positions after all plies from the first irregular one on.
    fn after_irregular(&self) -> Vec<Option<String>> {
        let turns = [self.start().turn(), !self.start().turn()].into_iter().cycle();
        let mut regular = true;
        let after = |((ply, turn), number): ((&Ply, Color), u32)| {
            regular &= ply.is_exact() && ply.side == turn;
            (!regular).then(|| self.position_after(number).fen())
        };
        self.plies().iter().zip(turns).zip(1..).map(after).collect()
    }
}

impl Sheet<'_> {
    /// Writes the game.
    #[must_use]
    pub fn write(&self) -> String {
        self.write_from(1, &self.tags.round)
    }

    /// Writes the game from one of its parts on; `round` is what the first one has.
    fn write_from(&self, part: u32, round: &str) -> String {
        let lawful = self.is_lawful();
        let main = if lawful { self.main_line() } else { 0 };
        let Some((count, after)) = self.continuation(main) else { return self.write_part(lawful) };
        let (remaining, following) = self.moves.split_at(count);
        let place = |part: u32| match (round, part) {
            ("", part) => part.to_string(),
            (round, 1) => round.to_owned(),
            (round, part) => format!("{round}.{part}"),
        };
        let mut tags = self.tags.clone();
        tags.more.retain(|(name, _)| !OF_LAST.contains(name));
        tags.more.push((CONTINUED_IN, place(part + 1)));
        let first = Sheet { tags: &tags, moves: remaining.to_vec(), result: "*", ..self.clone() };
        let first = first.write_part(lawful);
        let mut tags = self.tags.clone();
        tags.more.retain(|(name, _)| *name != CONTINUATION_OF);
        tags.more.push((CONTINUATION_OF, place(part)));
        if !round.is_empty() {
            tags.round = place(part + 1);
        }
        let next = Sheet { tags: &tags, start: after, moves: following.to_vec(), ..self.clone() };
        format!("{first}\n{}", next.write_from(part + 1, round))
    }

    /// Returns after how many moves readers can follow again, and the position there; the first `main` are those of the main line.
    fn continuation(&self, main: usize) -> Option<(usize, &str)> {
        let (line, rest) = self.moves.split_at(main);
        // The last move of the main line may lead to another position than the board shows.
        let rest: Vec<_> = line.last().into_iter().chain(self.without_pending(rest)).collect();
        let first = main.saturating_sub(1);
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let is_lawful =
            |fen: &&str| Position::from_fen(fen, mode).is_ok_and(|position| position.lawful().is_some());
        let followed = rest.windows(2).enumerate().filter_map(|(index, pair)| {
            let [entry, next] = pair else { return None };
            let after = entry.after?;
            (next.legal && next.side == turn_of(after)).then_some((first + index + 1, after))
        });
        let mut lawful = followed.filter(|(_, after)| is_lawful(after));
        lawful.next()
    }

    fn write_part(&self, lawful: bool) -> String {
        let mut pgn = self.headers(lawful && self.start != Position::initial().fen());
        pgn.push('\n');
        let mut text = Wrapped::default();
        self.write_moves(lawful, &mut text);
        text.token(&[Score::parse(self.result).map_or("*", Score::termination)]);
        pgn.push_str(&text.text);
        pgn.push('\n');
        pgn
    }

    fn headers(&self, setup: bool) -> String {
        let mut pgn = String::new();
        let tags = self.tags;
        for (name, value, default) in [
            ("Event", &tags.event, "?"),
            ("Site", &tags.site, "?"),
            ("Date", &tags.date, "????.??.??"),
            ("Round", &tags.round, "?"),
            ("White", &tags.white, "?"),
            ("Black", &tags.black, "?"),
        ] {
            let value = clean(value);
            tag(&mut pgn, name, if value.is_empty() { default } else { &value });
        }
        let score = Score::parse(self.result);
        tag(&mut pgn, "Result", score.map_or("*", Score::points));
        if self.chess960 {
            tag(&mut pgn, "Variant", "Chess960");
        }
        if setup {
            tag(&mut pgn, "SetUp", "1");
            tag(&mut pgn, "FEN", self.start);
        }
        if let Some(control) = &tags.time_control {
            tag(&mut pgn, "TimeControl", &in_seconds(control));
        }
        for (name, value) in &tags.more {
            let value = clean(value);
            if !value.is_empty() {
                tag(&mut pgn, name, &value);
            }
        }
        if score.is_some_and(Score::is_forfeit) {
            tag(&mut pgn, "Termination", "forfeit");
        }
        pgn
    }

    /// Returns the moves of the main line with seconds remaining and elapsed.
    pub fn main_line_with_times(&self) -> impl Iterator<Item = (&str, Option<u32>, Option<u32>)> {
        let main = self.moves.iter().take(if self.is_lawful() { self.main_line() } else { 0 });
        main.enumerate().map(|(index, entry)| {
            let (remaining, elapsed) = self.remaining_and_elapsed(index, entry);
            (entry.san, remaining, elapsed)
        })
    }

    /// Returns whether readers take its first position.
    fn is_lawful(&self) -> bool {
        let mode = if self.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        Position::from_fen(self.start, mode).is_ok_and(|start| start.lawful().is_some())
    }

    fn write_moves(&self, lawful: bool, text: &mut Wrapped) {
        let (main, rest) = self.moves.split_at(if lawful { self.main_line() } else { 0 });
        let rest = self.without_pending(rest);
        let mut number: u32 =
            self.start.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1);
        let mut announced = false;
        for (index, entry) in main.iter().enumerate() {
            // A number at the end of a line would be hard to read.
            let mut digits = itoa::Buffer::new();
            match entry.side {
                Color::White => text.token(&[digits.format(number), ". ", entry.san]),
                Color::Black if announced => text.token(&[entry.san]),
                Color::Black => text.token(&[digits.format(number), "... ", entry.san]),
            }
            let times = self.times(index, entry);
            let mut notes = Vec::new();
            if let Some(others) = entry.inferred {
                notes.push("inferred,".to_owned());
                notes.extend(words(&format!("alternatives: {others}")));
            }
            if entry.entered {
                notes.extend(words("entered by the arbiter"));
            }
            notes.extend(entry.remark.into_iter().flat_map(words));
            if index + 1 == main.len() {
                notes.extend(comment_on_rest(rest));
            }
            announced = entry.side == Color::White && times.is_empty() && notes.is_empty();
            text.comment(times.iter().map(TimeNote::as_str).chain(notes.iter().map(String::as_str)));
            number = number.saturating_add(u32::from(entry.side == Color::Black));
        }
        if main.is_empty() {
            let mut notes = Vec::new();
            if !lawful {
                notes.extend(words(&format!("The game began from an irregular position: {}", self.start)));
            }
            notes.extend(comment_on_rest(rest));
            text.comment(notes.iter().map(String::as_str));
        }
    }

    /// Counts the moves before play became irregular: by an illegal move that stands, or by a move out of turn after
    /// a press without one.
    fn main_line(&self) -> usize {
        let turns = std::iter::successors(Some(turn_of(self.start)), |turn| Some(!*turn));
        let (mut exact, mut before) = (true, board_of(self.start));
        let regular = self.moves.iter().zip(turns).take_while(|(entry, turn)| {
            let follows = exact && entry.legal && entry.side == *turn;
            // Where positions are given from some move on only, that one leads to another than readers come to.
            let after = entry.after.and_then(board_of);
            let leads =
                |after| before.as_ref().is_some_and(|before| !is_beside_displaced(before, after, entry.san));
            exact = after.as_ref().is_none_or(leads);
            before = after;
            follows
        });
        let count = regular.count();
        // A king that goes to the centre may be about to show a result: that is no move.
        let gesture =
            |last: &SheetEntry<'_>| !last.completed && last.san.starts_with('K') && ends_in_centre(last.san);
        let pending =
            self.result == "*" && count == self.moves.len() && self.moves.last().is_some_and(gesture);
        count - usize::from(pending)
    }

    /// Leaves out what may be withdrawn before anybody has to know of it.
    fn without_pending<'b, 'c>(&self, rest: &'b [SheetEntry<'c>]) -> &'b [SheetEntry<'c>] {
        match rest.split_last() {
            // After what a further part goes on from, play went on.
            Some((last, before)) if self.result == "*" && !last.completed && !self.names(CONTINUED_IN) => {
                before
            }
            _ => rest,
        }
    }

    /// Returns whether a header names another part of the game.
    fn names(&self, header: &str) -> bool {
        self.tags.more.iter().any(|(name, _)| *name == header)
    }

    /// Writes what the clock showed after a move, and how long it took.
    fn times(&self, index: usize, entry: &SheetEntry<'_>) -> ArrayVec<TimeNote, 2> {
        let (remaining, elapsed) = self.remaining_and_elapsed(index, entry);
        let note = |name: &str, seconds: u32| {
            let mut note = TimeNote::new();
            for part in ["[%", name, " ", &face(seconds), "]"] {
                note.push_str(part);
            }
            note
        };
        let remaining = remaining.map(|remaining| note("clk", remaining));
        remaining.into_iter().chain(elapsed.map(|elapsed| note("emt", elapsed))).collect()
    }

    fn remaining_and_elapsed(&self, index: usize, entry: &SheetEntry<'_>) -> (Option<u32>, Option<u32>) {
        let Some(clock) = entry.clock.filter(|_| entry.completed) else { return (None, None) };
        let remaining = clock.of(entry.side);
        (Some(remaining), self.elapsed(index, entry.side, remaining).or(entry.elapsed))
    }

    /// Returns what a move took by the clock, if nothing but the increment was added meanwhile.
    fn elapsed(&self, index: usize, side: Color, remaining: u32) -> Option<u32> {
        let control = self.tags.time_control.as_ref()?;
        let before = match index.checked_sub(2).and_then(|index| self.moves.get(index)) {
            Some(earlier) => earlier.clock.filter(|_| earlier.completed)?.of(side),
            None if self.names(CONTINUATION_OF) => return None,
            None => self.at_first(control, side)?,
        };
        before.checked_add(increment(control, index / 2))?.checked_sub(remaining)
    }

    /// Returns what a side had before its first move, seconds. Most clocks add the increment of that move before the game, some do not:
    /// the first press leaves the opponent's time as it was set.
    fn at_first(&self, control: &TimeControl, side: Color) -> Option<u32> {
        let first = self.moves.first()?;
        let set = first.clock.filter(|_| first.completed)?.of(!first.side);
        let period = control.periods().first()?;
        let is_usual = set == period.base_s || period.base_s.checked_add(period.increment_s) == Some(set);
        (is_usual || side != first.side).then_some(set)
    }
}

/// Returns what is added for a move after so many of the same player, seconds.
pub(super) fn increment(control: &TimeControl, played: usize) -> u32 {
    let mut remaining = u32::try_from(played).unwrap_or(u32::MAX);
    let mut periods = control.periods().iter().peekable();
    while let Some(period) = periods.next() {
        match period.moves {
            Some(moves) if remaining >= moves && periods.peek().is_some() => remaining -= moves,
            _ => return period.increment_s,
        }
    }
    0
}

/// Returns the moves that the main line cannot hold, as a comment.
fn comment_on_rest(rest: &[SheetEntry<'_>]) -> Vec<String> {
    let Some(first) = rest.first() else { return Vec::new() };
    if let Some(set) = first.remark.filter(|_| first.san == UNKNOWN_SAN) {
        let went_on = if rest.len() > 1 { "; play went on:" } else { "" };
        return words(&format!("{set}{went_on}"))
            .chain(rest.iter().skip(1).map(|entry| entry.san.to_owned()))
            .collect();
    }
    let what = if first.legal { "A press without a move stands" } else { "An illegal move stands" };
    let went_on = if rest.len() > 1 { ", play went on:" } else { ":" };
    words(&format!("{what}{went_on}")).chain(rest.iter().map(|entry| entry.san.to_owned())).collect()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().map(str::to_owned)
}

fn ends_in_centre(san: &str) -> bool {
    CENTRE.iter().any(|square| san.trim_end_matches(['+', '#']).ends_with(square))
}

/// Returns whether more squares differ between two boards than a move changes: beside it pieces were displaced.
fn is_beside_displaced(before: &Board, after: &Board, san: &str) -> bool {
    match differences(before, after).count() {
        3 => !san.contains('x'),
        4 => !san.starts_with('O'),
        // Two that stand on each other's squares, beside castling or a capture in passing.
        5 | 6 => true,
        _ => false,
    }
}

/// Returns what stands on the board in a FEN.
fn board_of(fen: &str) -> Option<Board> {
    Board::from_ascii_board_fen(fen.split(' ').next()?.as_bytes()).ok()
}
