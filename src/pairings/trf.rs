//! Reads a TRF16 or TRF26 report: the player lines (`001`), whose columns are fixed and the same in both, and the teams.
//!
//! A report knows no tables. They are numbered in the order in which FIDE has pairings published (C.04.2, D): by the
//! score of the higher ranked player, then by the sum of both scores, then by the higher player's number. Where TRF26
//! reports of teams it is the same for matches, and within a match by board.

mod teams;

use std::{cmp::Reverse, collections::BTreeMap};

use self::teams::Teams;
use super::{Pairing, PairingRow, Player, Wrong};
use crate::config::PlayerSettings;

/// Where the columns of the first round begin, from 0, and how many a round has.
const ROUNDS: usize = 91;
const ROUND: usize = 10;

struct TrfLine {
    number: u64,
    points: u32,
    player: Player,
    rounds: Vec<Option<(u32, bool, bool)>>,
}

/// Reads the games of one round: the wanted one, or else the last one that is paired.
pub(super) fn parse(text: &str, wanted: Option<u32>) -> Result<Vec<PairingRow>, Wrong> {
    let mut players = BTreeMap::new();
    let mut teams = Teams::default();
    text.lines().for_each(|line| teams.add_line(line));
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| line.starts_with("001 ")) {
        let (rank, player) = player(line, number).map_err(|reason| (Some(number), reason))?;
        if players.insert(rank, player).is_some() {
            return Err((
                Some(number),
                format!("player {rank} is there twice; every player has one line 001"),
            ));
        }
    }
    let last = players
        .values()
        .map(|line| line.rounds.iter().rposition(Option::is_some).map_or(0, |at| at + 1))
        .max();
    let round = wanted.and_then(|round| usize::try_from(round).ok()).or(last).unwrap_or(0);
    if round == 0 || last.is_none_or(|last| round > last) {
        let reason = format!("has no pairings of round {round}; export it again after the pairing");
        return Err((None, reason));
    }
    let mut games = Vec::new();
    let round_number = u32::try_from(round).unwrap_or(u32::MAX);
    for (rank, line) in &players {
        let Some(Some((opponent, true, _))) = line.rounds.get(round - 1) else { continue };
        let other = players.get(opponent);
        let other = other.ok_or_else(|| {
            (Some(line.number), format!("player {rank} meets {opponent}, who has no line 001"))
        })?;
        let (high, low) = if (Reverse(line.points), rank) < (Reverse(other.points), opponent) {
            (line.points, rank)
        } else {
            (other.points, opponent)
        };
        let alone = (Reverse(high), Reverse(line.points + other.points), *low, 0);
        let order = teams.place(round_number, *rank, *opponent).unwrap_or(alone);
        let seat = |rank: u32, line: &TrfLine| {
            let mut player = line.player.clone();
            teams.name(rank).clone_into(&mut player.more.team);
            player
        };
        let game = Pairing { white: seat(*rank, line), black: seat(*opponent, other), ..Pairing::default() };
        games.push((order, PairingRow { line: line.number, round: Some(round_number), game }));
    }
    games.sort_by_key(|(order, _)| *order);
    let number = |((_, mut row), table): ((_, PairingRow), u32)| {
        row.game.table = Some(table);
        row
    };
    Ok(games.into_iter().zip(1..).map(number).collect())
}

fn player(line: &str, number: u64) -> Result<(u32, TrfLine), String> {
    let chars: Vec<char> = line.chars().collect();
    let columns = |from, to| columns(&chars, from, to);
    let rank = columns(5, 8);
    let rank = rank.parse().map_err(|_| format!("start number '{rank}' in columns 5 to 8 is no number"))?;
    let name = columns(15, 47);
    if name.is_empty() {
        return Err("no name in columns 15 to 47".to_owned());
    }
    let title = match columns(11, 13).as_str() {
        "g" => "GM".to_owned(),
        "m" => "IM".to_owned(),
        "f" => "FM".to_owned(),
        "c" => "CM".to_owned(),
        other => other.to_uppercase(),
    };
    let more = PlayerSettings {
        title,
        fide_id: columns(58, 68),
        elo: columns(49, 52).parse().ok().filter(|elo| *elo > 0),
        federation: columns(54, 56),
        team: String::new(),
    };
    let points = tenths(&columns(81, 84));
    let rounds = (0..).map(|index| ROUNDS + index * ROUND + 1).take_while(|column| *column <= chars.len());
    let rounds = rounds.map(|column| {
        let opponent = columns(column, column + 3).parse().ok().filter(|opponent| *opponent > 0)?;
        let colour = columns(column + 5, column + 5);
        let result = columns(column + 7, column + 7);
        matches!(colour.as_str(), "w" | "b").then(|| (opponent, colour == "w", result.is_empty()))
    });
    Ok((rank, TrfLine { number, points, player: Player { name, more }, rounds: rounds.collect() }))
}

/// Returns columns as the format counts them, from 1, both ends included, without spaces around.
fn columns(chars: &[char], from: usize, to: usize) -> String {
    let end = to.min(chars.len());
    chars.get(from - 1..end).unwrap_or_default().iter().collect::<String>().trim().to_owned()
}

/// Reads points as tenths, so that scores can be compared exactly.
fn tenths(points: &str) -> u32 {
    let (whole, tenth) = points.split_once('.').unwrap_or((points, "0"));
    whole.parse::<u32>().unwrap_or(0).saturating_mul(10).saturating_add(tenth.parse().unwrap_or(0))
}
