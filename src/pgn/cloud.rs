//! Games in the shapes of LiveChess Cloud, for programs that still read them; nothing can be changed this way.

use serde_json::{Value, json};
use shakmaty::{CastlingMode, Color, File, Rank, Role, Square, fen::Fen};

use super::sheet::SheetRecord;
use crate::{
    rounds::PgnPlayer,
    service::game_store::{Document, RoundGames},
};

/// Number of the start position of ordinary chess among those of Chess960.
const ORDINARY: u32 = 518;

/// Most rounds that are counted up.
const MOST_ROUNDS: u32 = 99;

/// Writes a game.
pub(super) fn game(record: &SheetRecord<'_>, serial: &str) -> String {
    let shown = record.shown;
    let moves: Vec<String> = record
        .moves()
        .into_iter()
        .map(|(san, left, spent)| {
            let spent = spent.map(|seconds| format!("+{seconds}")).unwrap_or_default();
            match left {
                Some(left) => format!("{san} {left}{spent}"),
                None if spent.is_empty() => san,
                None => format!("{san} {spent}"),
            }
        })
        .collect();
    let result = match record.points() {
        "1-0" => json!("WHITEWIN"),
        "0-1" => json!("BLACKWIN"),
        "1/2-1/2" => json!("DRAW"),
        _ => Value::Null,
    };
    let first = shown.game.as_ref().and_then(|game| game.moves.first());
    let clock = shown.clock.as_ref().filter(|_| record.outcome.is_none()).map(|clock| {
        json!({
            "white": clock.white,
            "black": clock.black,
            "run": clock.running.map(Color::is_white),
            "time": clock.at.as_millisecond(),
        })
    });
    json!({
        "live": record.is_live(),
        "serialNr": serial,
        "firstMove": first.map(|first| first.at.as_millisecond()),
        "chess960": shown.game.as_ref().map_or(ORDINARY, |game| chess960(&game.start)),
        "result": result,
        "comment": Value::Null,
        "clock": clock,
        "moves": moves,
    })
    .to_string()
}

/// Writes a line of the list of pairings.
pub(super) fn pairing(record: &SheetRecord<'_>) -> String {
    json!({
        "white": player(&record.seat.white),
        "black": player(&record.seat.black),
        "result": record.points(),
        "live": record.is_live(),
    })
    .to_string()
}

/// Writes the list of pairings of a round.
pub(super) fn index(round: &RoundGames) -> Document {
    let pairings: Vec<&str> = round.games.values().map(|page| page.pairing.as_str()).collect();
    let day =
        round.games.values().map(|page| page.day.as_str()).find(|day| !day.is_empty()).unwrap_or_default();
    Document::new(format!("{{\"date\":{},\"pairings\":[{}]}}", json!(day), pairings.join(",")))
}

/// Writes the event in short: `rounds` by number, with how many games and how many of them go on.
pub(super) fn tournament(
    event: &crate::config::EventSettings,
    rounds: &std::collections::BTreeMap<u32, RoundGames>,
    serials: &[String],
) -> Document {
    let last = rounds.keys().copied().filter(|round| *round <= MOST_ROUNDS).max().unwrap_or(0);
    let counted: Vec<Value> = (1..=last)
        .map(|round| {
            let games = rounds.get(&round).map(|round| &round.games);
            let live = games.map_or(0, |games| games.values().filter(|page| page.live).count());
            json!({ "count": games.map_or(0, std::collections::BTreeMap::len), "live": live })
        })
        .collect();
    let tournament = json!({
        "id": Document::new(event.name.clone()).tag.trim_matches('"'),
        "name": event.name,
        "location": event.site,
        "country": Value::Null,
        "website": Value::Null,
        "rules": "STANDARD",
        "chess960": "REGULAR",
        "timecontrol": event.time_control.as_ref().map(ToString::to_string),
        "rounds": counted,
        "eboards": serials,
    });
    Document::new(tournament.to_string())
}

/// Splits a name: `Last, First Middle`.
fn player(player: &PgnPlayer) -> Value {
    let (last, first) = player.name.split_once(',').unwrap_or((&player.name, ""));
    let text = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    json!({
        "fname": text(first),
        "mname": Value::Null,
        "lname": text(last),
        "title": text(&player.title),
        "federation": Value::Null,
        "gender": Value::Null,
        "fideid": text(&player.fide_id),
    })
}

/// Returns the number of a start position by Scharnagl's scheme; that of ordinary chess for any other position.
fn chess960(start: &str) -> u32 {
    numbered(start).unwrap_or(ORDINARY)
}

fn numbered(start: &str) -> Option<u32> {
    let context = start.parse::<Fen>().ok()?.into_setup();
    if CastlingMode::detect(&context).is_standard() && context.board.occupied().count() != 32 {
        return None;
    }
    let rank: Vec<Role> = File::ALL
        .into_iter()
        .map(|file| context.board.role_at(Square::from_coords(file, Rank::First)))
        .collect::<Option<_>>()?;
    let files = |wanted: Role| {
        rank.iter().enumerate().filter(move |(_, role)| **role == wanted).map(|(file, _)| file)
    };
    let light = files(Role::Bishop).find(|file| file % 2 == 1)? / 2;
    let dark = files(Role::Bishop).find(|file| file % 2 == 0)? / 2;
    let others: Vec<Role> = rank.iter().copied().filter(|role| *role != Role::Bishop).collect();
    let queen = others.iter().position(|role| *role == Role::Queen)?;
    let rest: Vec<Role> = others.into_iter().filter(|role| *role != Role::Queen).collect();
    let mut knights =
        rest.iter().enumerate().filter(|(_, role)| **role == Role::Knight).map(|(place, _)| place);
    let (first, second) = (knights.next()?, knights.next()?);
    let pair = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]
        .iter()
        .position(|pair| *pair == (first, second))?;
    u32::try_from(light + 4 * dark + 16 * queen + 96 * pair).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_positions_have_scharnagls_numbers() {
        let number = |rank: &str| {
            let black = rank.to_ascii_lowercase();
            chess960(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"))
        };
        assert_eq!(number("RNBQKBNR"), 518);
        assert_eq!(number("BBQNNRKR"), 0);
        assert_eq!(number("RKRNNQBB"), 959);
        assert_eq!(chess960("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 518);
    }

    #[test]
    fn names_are_taken_apart_at_the_comma() {
        let named = |name: &str| player(&PgnPlayer { name: name.to_owned(), ..PgnPlayer::default() });
        assert_eq!(
            (&named("Last, First B.")["lname"], &named("Last, First B.")["fname"]),
            (&json!("Last"), &json!("First B."))
        );
        assert_eq!((&named("Anand")["lname"], &named("Anand")["fname"]), (&json!("Anand"), &Value::Null));
        assert_eq!(named("")["lname"], Value::Null);
    }
}
