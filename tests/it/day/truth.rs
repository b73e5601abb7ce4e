//! What is true of the day: who played whom, each move with its time, and the results; written down in every form that leaves the
//! program, by the standards and without the program's own writers.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};
use shakmaty::{Chess, Move, Position as _, san::SanPlus};

/// Seconds that each side has, and that each move adds; those of the first move are there before it.
const BASE: u32 = 900;
const INCREMENT: u32 = 10;

/// Seconds that the clock shows before a side's first move.
pub(super) const SET: u32 = BASE + INCREMENT;

/// What stands for the day on which the test runs.
const DAY: &str = "????.??.??";

/// The letters of a result in a tournament report, for White and for Black, and the half points that it gives them.
const LETTERS: [(&str, [char; 2], [u32; 2]); 9] = [
    ("1-0", ['1', '0'], [2, 0]),
    ("0-1", ['0', '1'], [0, 2]),
    ("1/2-1/2", ['=', '='], [1, 1]),
    ("0-0", ['0', '0'], [0, 0]),
    ("1/2-0", ['=', '0'], [1, 0]),
    ("0-1/2", ['0', '='], [0, 1]),
    ("+/-", ['+', '-'], [2, 0]),
    ("-/+", ['-', '+'], [0, 2]),
    ("-/-", ['-', '-'], [0, 0]),
];

/// A player.
#[derive(Clone, Debug)]
pub(super) struct Player {
    pub(super) name: String,
    pub(super) elo: u32,
    pub(super) fide_id: String,
}

/// A move, what its player had left after it, and what stands beside it.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) san: String,
    pub(super) left: u32,
    pub(super) note: &'static str,
}

/// A game of a table.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) white: Player,
    pub(super) black: Player,
    pub(super) line: Vec<Move>,
    pub(super) played: Vec<Played>,
    pub(super) position: Chess,
    /// The result; empty without one.
    pub(super) score: &'static str,
    /// The header `Termination`; empty without one.
    pub(super) ended: &'static str,
    /// Whether an arbiter has said so.
    pub(super) is_entered: bool,
    /// The board, by its serial number; empty without one.
    pub(super) serial: String,
}

impl Game {
    pub(super) fn new(white: Player, black: Player, line: Vec<Move>, serial: String) -> Self {
        let (played, position) = (Vec::new(), Chess::new());
        Self { white, black, line, played, position, score: "", ended: "", is_entered: false, serial }
    }

    /// Notes that the next move was made.
    pub(super) fn note(&mut self, m: Move, left: u32) {
        let san = SanPlus::from_move(self.position.clone(), m).to_string();
        self.position.play_unchecked(m);
        self.played.push(Played { san, left, note: "" });
    }

    /// Returns what a move has left its player and has taken.
    fn times(&self, index: usize) -> (u32, u32) {
        let before = index.checked_sub(2).map_or(SET, |before| self.played[before].left);
        let left = self.played[index].left;
        (left, before + INCREMENT - left)
    }

    fn points(&self) -> &'static str {
        match self.score {
            "" => "*",
            "+/-" => "1-0",
            "-/+" => "0-1",
            "-/-" => "0-0",
            score => score,
        }
    }

    pub(super) fn pgn(&self, round: u32, table: u32) -> String {
        let mut text = String::new();
        let (white, black) = (&self.white, &self.black);
        let forfeit = if self.score.contains(['+', '/']) && !self.score.starts_with(['0', '1']) {
            "forfeit"
        } else {
            self.ended
        };
        for (name, value) in [
            ("Event", "Day"),
            ("Site", "Hall"),
            ("Date", DAY),
            ("Round", &format!("{round}.{table}")),
            ("White", &white.name),
            ("Black", &black.name),
            ("Result", self.points()),
            ("TimeControl", &format!("{BASE}+{INCREMENT}")),
            ("Board", &table.to_string()),
            ("WhiteElo", &white.elo.to_string()),
            ("WhiteFideId", &white.fide_id),
            ("BlackElo", &black.elo.to_string()),
            ("BlackFideId", &black.fide_id),
            ("Termination", forfeit),
        ] {
            if !value.is_empty() {
                writeln!(text, "[{name} \"{value}\"]").unwrap();
            }
        }
        text.push('\n');
        let face = |seconds: u32| format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        let mut tokens: Vec<String> = Vec::new();
        for (index, Played { san, note, .. }) in self.played.iter().enumerate() {
            let number = index / 2 + 1;
            // A comment stands between a move and its answer, so that both have their number.
            tokens.push(format!("{number}{} {san}", if index.is_multiple_of(2) { "." } else { "..." }));
            let (left, spent) = self.times(index);
            let mut comment = vec![format!("[%clk {}]", face(left)), format!("[%emt {}]", face(spent))];
            comment.extend(note.split_whitespace().map(str::to_owned));
            comment.first_mut().unwrap().insert(0, '{');
            comment.last_mut().unwrap().push('}');
            tokens.extend(comment);
        }
        let ends = ["1-0", "0-1", "1/2-1/2"].contains(&self.points());
        tokens.push(if ends { self.points() } else { "*" }.to_owned());
        let mut width = 0;
        for token in tokens {
            if width > 0 {
                let fits = width + 1 + token.len() <= 80;
                text.push(if fits { ' ' } else { '\n' });
                width = if fits { width + 1 } else { 0 };
            }
            text.push_str(&token);
            width += token.len();
        }
        text.push('\n');
        text
    }

    /// Writes the game in the shape of LiveChess Cloud, without the instant of its first move.
    pub(super) fn cloud(&self) -> Value {
        let reported = |index: usize| {
            let (left, spent) = self.times(index);
            format!("{} {left}+{spent}", self.played[index].san)
        };
        let result = match self.points() {
            "1-0" => json!("WHITEWIN"),
            "0-1" => json!("BLACKWIN"),
            "1/2-1/2" => json!("DRAW"),
            _ => Value::Null,
        };
        json!({
            "live": false, "serialNr": self.serial, "firstMove": self.played.first().map(|_| 0), "chess960": 518,
            "result": result, "comment": null, "clock": null, "moves": (0..self.played.len()).map(reported).collect::<Vec<_>>(),
        })
    }

    fn pairing(&self) -> Value {
        let player = |player: &Player| {
            let (last, first) = player.name.split_once(", ").unwrap();
            json!({
                "fname": first, "mname": null, "lname": last, "title": null, "federation": null, "gender": null,
                "fideid": player.fide_id,
            })
        };
        json!({ "white": player(&self.white), "black": player(&self.black), "result": self.points(), "live": false })
    }
}

/// A round, by table.
pub(super) type Round = BTreeMap<u32, Game>;

/// Writes all games of a round.
pub(super) fn pgn(number: u32, round: &Round) -> String {
    let games: Vec<String> = round.iter().map(|(table, game)| game.pgn(number, *table)).collect();
    games.join("\n")
}

/// Returns a text with the day of today in place of that on which it was written.
pub(super) fn undated(text: &str) -> String {
    let line =
        |line: &str| if line.starts_with("[Date ") { format!("[Date \"{DAY}\"]") } else { line.to_owned() };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Writes who plays whom, in the shape of LiveChess Cloud and without the day.
pub(super) fn index(round: &Round) -> Value {
    json!(round.values().map(Game::pairing).collect::<Vec<_>>())
}

/// Writes the results of a round.
pub(super) fn csv(number: u32, round: &Round) -> String {
    let mut text =
        "round,table,white,black,result,white_elo,black_elo,white_fide_id,black_fide_id,state\n".to_owned();
    for (table, Game { white, black, score, is_entered, .. }) in round {
        let state = if *is_entered { "entered" } else { "sensed" };
        writeln!(
            text,
            "{number},{table},\"{}\",\"{}\",{score},{},{},{},{},{state}",
            white.name, black.name, white.elo, black.elo, white.fide_id, black.fide_id
        )
        .unwrap();
    }
    text
}

/// Writes the report of the event after a round (TRF26): players by rating, their points, ranks, opponents, colours and results.
pub(super) fn trf(last: u32, rounds: &BTreeMap<u32, Round>) -> String {
    let mut players: BTreeMap<&str, &Player> = BTreeMap::new();
    let mut games: BTreeMap<(&str, u32), (&str, usize, &str)> = BTreeMap::new();
    for (number, round) in rounds.range(..=last) {
        for game in round.values() {
            let pair = [&game.white, &game.black];
            for (side, player) in pair.into_iter().enumerate() {
                players.insert(&player.name, player);
                games.insert((&player.name, *number), (&pair[1 - side].name, side, game.score));
            }
        }
    }
    let letters = |score: &str| LETTERS.into_iter().find(|(known, ..)| *known == score).unwrap();
    let mut order: Vec<&Player> = players.into_values().collect();
    order.sort_by_key(|player| (std::cmp::Reverse(player.elo), player.name.clone()));
    let start = |name: &str| order.iter().position(|player| player.name == name).unwrap() + 1;
    let points = |player: &Player| -> u32 {
        let of = |round: u32| {
            games.get(&(&*player.name, round)).map_or(0, |(_, side, score)| letters(score).2[*side])
        };
        (1..=last).map(of).sum()
    };
    let mut ranking = order.clone();
    ranking.sort_by_key(|player| std::cmp::Reverse(points(player)));
    let count = order.len();
    let mut text =
        format!("012 Day\n022 Hall\n062 {count}\n092 Individual: Swiss-System\n122 15+10\n142 {last}\n");
    for player in &order {
        let halves = points(player);
        let rank = ranking.iter().position(|other| other.name == player.name).unwrap() + 1;
        // Columns of the standard: start 5-8, name 15-47, rating 49-52, number 58-68, points 81-84, rank 86-89.
        let mut line = vec![' '; 89];
        let mut put = |end: usize, text: &str| {
            for (index, letter) in text.chars().rev().enumerate() {
                line[end - 1 - index] = letter;
            }
        };
        put(3, "001");
        put(8, &start(&player.name).to_string());
        put(14 + player.name.chars().count(), &player.name);
        put(52, &player.elo.to_string());
        put(68, &player.fide_id);
        put(84, &format!("{}.{}", halves / 2, halves % 2 * 5));
        put(89, &rank.to_string());
        let mut line: String = line.into_iter().collect();
        for round in 1..=last {
            // From column 92 on ten for each round.
            match games.get(&(&*player.name, round)) {
                Some((other, side, score)) => {
                    let colour = ['w', 'b'][*side];
                    write!(line, "  {:>4} {colour} {}", start(other), letters(score).1[*side]).unwrap();
                }
                None => line.push_str("  0000 - Z"),
            }
        }
        writeln!(text, "{line}").unwrap();
    }
    text
}
