//! Results of a round for pairing programs: as CSV, and as a tournament report (TRF26) of all rounds so far.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use super::{Book, PgnPlayer, Round, Seat};
use crate::config::EventSettings;
use jadoube_core::score::Score;

/// Writes the results of a round as CSV, one table a line.
pub(crate) fn csv(round: &Round) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let head = [
        "round",
        "table",
        "white",
        "black",
        "result",
        "white_elo",
        "black_elo",
        "white_fide_id",
        "black_fide_id",
        "state",
    ];
    writer.write_record(head).unwrap_or_default();
    for (number, table) in round.paired() {
        let standing = table.standing();
        let (white, black) = (&table.seat.white, &table.seat.black);
        let state = format!("{:?}", standing.state).to_lowercase();
        let record: [&str; 10] = [
            &round.number.to_string(),
            &number.to_string(),
            &white.name,
            &black.name,
            standing.score.map_or("", Score::text),
            &white.elo,
            &black.elo,
            &white.fide_id,
            &black.fide_id,
            &state,
        ];
        writer.write_record(record).unwrap_or_default();
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// A player with a game in each round, if there was one: the opponent, whether with White, and the result.
#[derive(Default)]
struct Entrant<'a> {
    player: Option<&'a PgnPlayer>,
    games: BTreeMap<u32, (Key<'a>, bool, Option<Score>)>,
}

/// A name, and the number of FIDE where several players have that name.
type Key<'a> = (&'a str, &'a str);

/// Returns the names that two players of one round have.
fn shared_names(book: &Book) -> BTreeSet<&str> {
    let mut shared = BTreeSet::new();
    for round in book.rounds().values() {
        let mut names = BTreeSet::new();
        let seats = round.paired().map(|(_, table)| &table.seat);
        let players = seats.flat_map(|seat| [&seat.white, &seat.black]);
        shared.extend(players.map(|player| player.name.as_str()).filter(|name| !names.insert(*name)));
    }
    shared
}

fn key<'a>(player: &'a PgnPlayer, shared: &BTreeSet<&str>) -> Key<'a> {
    let is_shared = shared.contains(player.name.as_str());
    (&player.name, if is_shared { &player.fide_id } else { "" })
}

/// Writes the report of an event up to a round: every player whom the pairings have named, by rating.
pub(crate) fn trf(book: &Book, last: u32, event: &EventSettings) -> String {
    let shared = shared_names(book);
    let mut entrants: BTreeMap<Key<'_>, Entrant<'_>> = BTreeMap::new();
    for (number, round) in book.rounds().range(..=last) {
        for (_, table) in round.paired() {
            let Seat { white, black, .. } = &table.seat;
            let score = table.standing().score;
            for (player, other, is_white) in [(white, black, true), (black, white, false)] {
                let entrant = entrants.entry(key(player, &shared)).or_default();
                entrant.player = Some(player);
                entrant.games.insert(*number, (key(other, &shared), is_white, score));
            }
        }
    }
    let mut order: Vec<Key<'_>> = entrants.keys().copied().collect();
    let rating = |name: &Key<'_>| {
        entrants.get(name).and_then(|entrant| entrant.player?.elo.parse::<u32>().ok()).unwrap_or(0)
    };
    order.sort_by_key(|name| (std::cmp::Reverse(rating(name)), *name));
    let starts: BTreeMap<Key<'_>, usize> = order.iter().copied().zip(1..).collect();
    let points: BTreeMap<Key<'_>, u32> =
        entrants.iter().map(|(name, entrant)| (*name, entrant.games.values().map(halves).sum())).collect();
    let mut ranking = order.clone();
    ranking.sort_by_key(|name| std::cmp::Reverse(points.get(name).copied().unwrap_or(0)));
    let ranks: BTreeMap<Key<'_>, usize> = ranking.into_iter().zip(1..).collect();
    let mut text = String::new();
    for (code, value) in [
        ("012", event.name.clone()),
        ("022", event.site.clone()),
        ("062", order.len().to_string()),
        ("092", "Individual: Swiss-System".to_owned()),
        ("122", event.time_control.as_ref().map(ToString::to_string).unwrap_or_default()),
        ("142", event.rounds.unwrap_or(last).max(last).to_string()),
    ] {
        if !value.is_empty() {
            writeln!(text, "{code} {value}").unwrap_or_default();
        }
    }
    for name in &order {
        let Some(Entrant { player: Some(player), games }) = entrants.get(name) else { continue };
        let halves = points.get(name).copied().unwrap_or(0);
        write!(
            text,
            "001 {:>4}  {:>3} {:<33} {:>4} {:<3} {:>11}            {:>4} {:>4}",
            starts.get(name).copied().unwrap_or(0),
            player.title,
            player.name.chars().take(33).collect::<String>(),
            player.elo,
            player.federation,
            player.fide_id,
            format!("{}.{}", halves / 2, halves % 2 * 5),
            ranks.get(name).copied().unwrap_or(0),
        )
        .unwrap_or_default();
        for round in 1..=last {
            let game = games.get(&round);
            let (opponent, colour, result) = match game {
                Some((other, is_white, score)) => {
                    let opponent = starts.get(other).copied().unwrap_or(0);
                    (format!("{opponent:>4}"), if *is_white { 'w' } else { 'b' }, code(*score, *is_white))
                }
                None => ("0000".to_owned(), '-', 'Z'),
            };
            write!(text, "  {opponent} {colour} {result}").unwrap_or_default();
        }
        text.push('\n');
    }
    text
}

/// Returns what a game gives, in halves of a point.
fn halves((_, is_white, score): &(Key<'_>, bool, Option<Score>)) -> u32 {
    match code(*score, *is_white) {
        '1' | '+' => 2,
        '=' => 1,
        _ => 0,
    }
}

/// Returns the letter for a result as one player sees it.
const fn code(score: Option<Score>, is_white: bool) -> char {
    let Some(score) = score else { return ' ' };
    let (white, black) = match score {
        Score::White => ('1', '0'),
        Score::Black => ('0', '1'),
        Score::Draw => ('=', '='),
        Score::Neither => ('0', '0'),
        Score::HalfWhite => ('=', '0'),
        Score::HalfBlack => ('0', '='),
        Score::ForfeitWhite => ('+', '-'),
        Score::ForfeitBlack => ('-', '+'),
        Score::ForfeitBoth => ('-', '-'),
    };
    if is_white { white } else { black }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::rounds::{Entered, Table};

    #[test]
    fn players_of_one_name_are_two_in_a_report() {
        let player = |name: &str, id: &str| PgnPlayer {
            name: name.to_owned(),
            fide_id: id.to_owned(),
            ..PgnPlayer::default()
        };
        let mut book = Book::default();
        let seats = [("1", "An", "3", "Bo"), ("2", "An", "4", "Cy")];
        let mut round = Round::new(1, "Open".to_owned(), Timestamp::UNIX_EPOCH);
        for (number, (white, name, black, other)) in (1..).zip(seats) {
            let seat = Seat { board: number, white: player(name, white), black: player(other, black) };
            let score = Some(if number == 1 { Score::White } else { Score::Black });
            let entered = Entered { score, by: String::new(), at: Timestamp::UNIX_EPOCH, reason: None };
            round.tables.insert(number, Table { seat, entered: Some(entered), ..Table::default() });
        }
        book.take(round);
        let text = trf(&book, 1, &EventSettings::default());
        let reported: Vec<(&str, &str)> = text
            .lines()
            .filter(|line| line.starts_with("001"))
            .map(|line| (line[57..68].trim(), line[80..].trim()))
            .collect();
        let expected = [
            ("1", "1.0    1     3 w 1"),
            ("2", "0.0    3     4 w 0"),
            ("3", "0.0    4     1 b 0"),
            ("4", "1.0    2     2 b 1"),
        ];
        assert_eq!(reported, expected, "{text}");
    }

    #[test]
    fn a_report_is_read_by_the_reader_of_pairings() {
        let player = |name: &str, elo: &str| PgnPlayer {
            name: name.to_owned(),
            elo: elo.to_owned(),
            ..PgnPlayer::default()
        };
        let mut book = Book::default();
        for (number, score) in [(1, Score::Draw), (2, Score::ForfeitBlack)] {
            let mut round = Round::new(number, "Open".to_owned(), Timestamp::UNIX_EPOCH);
            let (one, two) = (player("Ada, Å", "2100"), player("Bob", "2200"));
            let (white, black) = if number == 1 { (one, two) } else { (two, one) };
            let entered =
                Entered { score: Some(score), by: String::new(), at: Timestamp::UNIX_EPOCH, reason: None };
            let seat = Seat { board: 7, white, black };
            round.tables.insert(7, Table { seat, entered: Some(entered), ..Table::default() });
            book.take(round);
        }
        let event = EventSettings { name: "Open".to_owned(), rounds: Some(5), ..EventSettings::default() };
        let text = trf(&book, 2, &event);
        let expected = [
            "012 Open",
            "062 2",
            "092 Individual: Swiss-System",
            "142 5",
            "001    1      Bob                               2200                             0.5    2     2 b =     2 w -",
            "001    2      Ada, Å                            2100                             1.5    1     1 w =     1 b +",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
        let read = crate::pairings::parse("report", text.as_bytes(), Some(2)).unwrap();
        assert_eq!((read.games[0].white.name.as_str(), read.games[0].black.name.as_str()), ("Bob", "Ada, Å"));
        let round = book.round(2).unwrap();
        let first = "round,table,white,black,result,white_elo,black_elo,white_fide_id,black_fide_id,state\n";
        assert_eq!(csv(round), format!("{first}2,7,Bob,\"Ada, Å\",-/+,2200,2100,,,entered\n"));
    }
}
