//! A day of four rounds on two dozen boards, with all that happens on one: pairings replaced while games run, skittles, a board that dies
//! and is replaced, players who do not come, results put right after the reset, moves that were entered wrongly, orders taken back. What
//! leaves the program is compared with what was played, character by character.
//!
//! Nothing is asserted of times but what the clocks showed; every step waits until the desk shows what the hands have done.

mod desk;
mod edited;
mod floor;
mod irregular;
mod orders;
mod restarts;
mod truth;

use std::{collections::BTreeMap, fmt::Write as _, fs, sync::mpsc::Receiver};

use serde_json::{Value, json};
use shakmaty::{Chess, Color, Move, Position as _, san::San};

use self::{
    desk::Desk,
    floor::Floor,
    truth::{Game, Player, Round},
};
use crate::lichess::{self, Push};

const BOARDS: u32 = 24;

/// Tables with a board, and two without.
const TABLES: u32 = BOARDS + 2;

/// The board that stands ready, counted as the others are.
const SPARE: u32 = BOARDS + 1;

/// The table at which the third round is still played when the fourth is read in.
const LATE: u32 = 10;

/// What is played: castling, captures, one in passing, a promotion, a mate, and games whose kings show the result.
const LINES: [&str; 8] = [
    "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O",
    "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6",
    "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6",
    "f3 e5 g4 Qh4#",
    "e4 e6 e5 d5 exd6 Bxd6",
    "c3 c6 b3 b6 a3 a6 h3 h6",
    "h4 g5 hxg5 h6 gxh6 Nf6 h7 Rg8 hxg8=Q Nxg8",
];

/// The lines at whose end the kings show the result, and the one that ends with a mate.
const BY_KINGS: [usize; 2] = [0, 6];
const MATE: usize = 4;

/// Plies of a line before the middle of it.
const MIDDLE: usize = 3;

const SCORES: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// The hall and what has happened there.
struct Day {
    desk: Desk,
    floor: Floor,
    pushes: Receiver<Push>,
    rounds: BTreeMap<u32, Round>,
}

fn serial(board: u32) -> String {
    format!("{:05}", 11_000 + board)
}

/// Returns where a board is on the floor.
fn place(board: u32) -> usize {
    usize::try_from(board - 1).unwrap()
}

fn moves(line: &str) -> Vec<Move> {
    let mut position = Chess::new();
    let read = |word: &str| {
        let m = word.parse::<San>().unwrap().to_move(&position).unwrap();
        position.play_unchecked(m);
        m
    };
    line.split(' ').map(read).collect()
}

fn line_of(round: u32, table: u32) -> usize {
    usize::try_from(round + table).unwrap() % LINES.len()
}

/// Pairs everybody: in each round the second half has moved on by one.
fn pair(round: u32) -> Round {
    let player = |number: u32| Player {
        name: format!(
            "{}, P{number:02}",
            ["Müller", "Łaski", "O'Neill", "García"][usize::try_from(number % 4).unwrap()]
        ),
        elo: 2600 - 7 * number,
        fide_id: (1_400_000 + 13 * number).to_string(),
    };
    let game = |table: u32| {
        let (one, two) = (player(table), player(TABLES + 1 + (table + round) % TABLES));
        let (white, black) = if (table + round).is_multiple_of(2) { (one, two) } else { (two, one) };
        let serial = if table <= BOARDS { serial(table) } else { String::new() };
        (table, Game::new(white, black, moves(LINES[line_of(round, table)]), serial))
    };
    (1..=TABLES).map(game).collect()
}

impl Day {
    fn begin() -> Self {
        let (address, pushes) = lichess::stand_in(Vec::new());
        let desk = Desk::open(&address, &(1..=BOARDS).map(serial).collect::<Vec<_>>());
        let serials: Vec<String> = (1..=SPARE).map(serial).collect();
        let floor = Floor::open(&desk.boards, &serials, "15+10");
        Self { desk, floor, pushes, rounds: BTreeMap::new() }
    }

    /// Reads the pairings of a round in.
    fn import(&mut self, number: u32, round: &Round) {
        let mut text = "round,table,white,white_elo,white_fide_id,black,black_elo,black_fide_id\n".to_owned();
        for (table, Game { white, black, .. }) in round {
            let player = |player: &Player| format!("\"{}\",{},{}", player.name, player.elo, player.fide_id);
            writeln!(text, "{number},{table},{},{}", player(white), player(black)).unwrap();
        }
        self.desk.write_pairings(&text);
        // What the file says is known once the names of its tables are, where nobody plays.
        self.desk.wait("the pairings", &format!("/api/rounds/{number}"), |reported| {
            reported["games"].as_array().is_some_and(|games| {
                games.iter().all(|game| {
                    let table = u32::try_from(game["table"].as_u64().unwrap()).unwrap();
                    game["game"].is_object() || game["white"]["name"] == *round[&table].white.name
                })
            })
        });
    }

    /// Sets boards up, and waits until a new game stands there.
    fn set_up(&mut self, boards: &[u32]) {
        let before = self.desk.games();
        for board in boards {
            self.floor.set_up(place(*board));
        }
        self.desk.wait_games("games that are set up", |games| {
            boards.iter().all(|board| {
                let (name, was) = (serial(*board), before.get(&serial(*board)));
                let is_new = |game: &Value| {
                    let number = &game["number"];
                    let stood = was.is_some_and(|was| was["moves"].as_array().unwrap().is_empty());
                    (stood || was.is_none_or(|was| was["number"] != *number))
                        && game["moves"].as_array().unwrap().is_empty()
                        && game["result"].is_null()
                };
                games.get(&name).is_some_and(is_new)
            })
        });
    }

    /// Starts clocks, and waits until the desk has heard of it: who presses before that may have been started by the opponent.
    fn start_clocks(&self, tables: &[u32]) {
        for table in tables {
            self.floor.start_clock(place(*table));
        }
        for table in tables {
            self.desk.wait_board(&serial(*table), |board| board["clock"]["running"] == "white");
        }
    }

    /// Plays the games of tables up to a ply, a move at a time.
    fn play(&mut self, number: u32, tables: &[u32], until: usize) {
        loop {
            let mut reported = BTreeMap::new();
            for table in tables {
                let game = self.rounds.get_mut(&number).unwrap().get_mut(table).unwrap();
                let Some(m) = game.line.get(game.played.len()).copied().filter(|_| game.played.len() < until)
                else {
                    continue;
                };
                let board = place(game.serial.parse::<u32>().unwrap() - 11_000);
                let left = self.floor.play(board, &game.position, m);
                game.note(m, left);
                reported.insert(game.serial.clone(), game.played.len());
            }
            if reported.is_empty() {
                return;
            }
            self.desk.wait_plies(&reported);
        }
    }

    /// Plays something on boards that is none of a round.
    fn skittles(&mut self, boards: &[u32], plies: std::ops::Range<usize>) {
        let line = moves("d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7");
        let mut position = Chess::new();
        for (index, m) in line.into_iter().enumerate().take(plies.end) {
            if plies.contains(&index) {
                for board in boards {
                    if index == 0 {
                        self.floor.start_clock(place(*board));
                    }
                    self.floor.play(place(*board), &position, m);
                }
                self.desk.wait_plies(&boards.iter().map(|board| (serial(*board), index + 1)).collect());
            }
            position.play_unchecked(m);
        }
    }

    /// Ends the games of tables: by the kings, with a mate, by an order at the board, or in the list of results.
    fn end(&mut self, number: u32, tables: &[u32]) {
        for table in tables {
            let (kind, score) =
                (line_of(number, *table), SCORES[usize::try_from(table / 2 + number).unwrap() % 3]);
            let game = self.rounds.get_mut(&number).unwrap().get_mut(table).unwrap();
            let name = game.serial.clone();
            let board = place(name.parse::<u32>().unwrap() - 11_000);
            (game.score, game.is_entered) = (score, true);
            if kind == MATE {
                (game.score, game.ended, game.is_entered) = ("0-1", "normal", false);
                self.floor.stop_clock(board);
            } else if BY_KINGS.contains(&kind) {
                game.is_entered = false;
                let winner = [Some(Color::White), Some(Color::Black), None];
                let winner = winner[SCORES.iter().position(|known| *known == score).unwrap()];
                self.floor.result_by_kings(board, winner);
            } else {
                self.floor.stop_clock(board);
                if table.is_multiple_of(2) {
                    self.desk.order(&name, json!({ "order": "result", "result": score }));
                } else {
                    self.desk.enter(number, *table, score);
                }
            }
        }
        let round = &self.rounds[&number];
        self.desk.wait("results", &format!("/api/rounds/{number}"), |reported| {
            tables.iter().all(|table| desk::table(reported, *table)["result"] == round[table].score)
        });
    }

    /// Enters a result in the list.
    fn enter(&mut self, number: u32, table: u32, score: &'static str) {
        self.desk.enter(number, table, score);
        let game = self.rounds.get_mut(&number).unwrap().get_mut(&table).unwrap();
        (game.score, game.ended, game.is_entered) = (score, "", true);
    }

    /// Compares all that leaves the program about rounds with the truth.
    fn check(&self, rounds: std::ops::RangeInclusive<u32>) {
        for number in rounds {
            let round = &self.rounds[&number];
            let expected = truth::pgn(number, round);
            self.desk.wait_same(&format!("/round-{number}/games.pgn"), &expected, truth::undated);
            let file = |name: &str| fs::read_to_string(self.desk.pgn.join(format!("round-{number}/{name}")));
            self.desk.wait_file(&format!("round-{number}/games.pgn"), &expected, truth::undated);
            for (table, game) in round {
                let one = truth::undated(&file(&format!("game-{table}.pgn")).unwrap());
                assert_eq!(one, game.pgn(number, *table));
                let mut cloud = self.desk.json(&format!("/round-{number}/game-{table}.json"));
                if cloud["firstMove"].is_number() {
                    cloud["firstMove"] = json!(0);
                }

                assert_eq!(cloud.to_string(), game.cloud().to_string(), "round {number}, table {table}");
            }
            let index = self.desk.json(&format!("/round-{number}/index.json"));
            assert_eq!(index["pairings"].to_string(), truth::index(round).to_string());
            let csv = self.desk.text(&format!("/api/rounds/{number}/results.csv"));
            assert_eq!(csv, truth::csv(number, round));
            let trf = self.desk.text(&format!("/api/rounds/{number}/results.trf"));
            assert_eq!(trf, truth::trf(number, &self.rounds));
        }
    }

    /// Waits until the games of a round were pushed to Lichess as they are.
    fn wait_pushed(&self, number: u32) {
        let expected = truth::pgn(number, &self.rounds[&number]);
        let mut last = String::new();
        while let Ok(push) = self.pushes.recv_timeout(crate::support::PATIENCE) {
            assert_eq!(push.status, 200, "{push:?}");
            last = truth::undated(&push.body);
            if last.trim_end() == expected.trim_end() {
                return;
            }
        }
        panic!("not pushed; last was\n{last}\nand not\n{expected}");
    }
}

/// Tables of which each third is one at which skittles are played.
fn every_third() -> Vec<u32> {
    (3..=BOARDS).step_by(3).collect()
}

#[test]
fn four_rounds_leave_the_program_as_they_were_played() {
    let mut day = Day::begin();
    let all: Vec<u32> = (1..=BOARDS).collect();

    // The first round: pairings that are replaced while games run rename nobody; a player does not come, and both phones ring.
    day.rounds.insert(1, pair(1));
    let first = day.rounds[&1].clone();
    day.import(1, &first);
    day.set_up(&all);
    day.set_up(&[SPARE]);
    day.desk.post("/api/rounds/1/start", &json!({}));
    let playing: Vec<u32> = (1..BOARDS).collect();
    day.start_clocks(&all);
    day.play(1, &playing, MIDDLE);
    let mut replaced = first.clone();
    for table in [1, 2, TABLES] {
        let game = replaced.get_mut(&table).unwrap();
        std::mem::swap(&mut game.white, &mut game.black);
    }
    day.import(1, &replaced);
    let boardless = replaced[&TABLES].clone();
    day.rounds.get_mut(&1).unwrap().insert(TABLES, boardless);
    day.play(1, &playing, usize::MAX);
    day.enter(1, BOARDS, "-/+");
    day.floor.stop_clock(place(BOARDS));
    day.enter(1, TABLES - 1, "1-0");
    day.enter(1, TABLES, "-/-");
    day.end(1, &playing);
    day.enter(1, 5, "0-0");
    day.wait_pushed(1);
    day.check(1..=1);

    // Skittles on every third board, while the next round is read in; a result is put right after the reset.
    day.set_up(&every_third());
    day.skittles(&every_third(), 0..4);
    day.enter(1, 3, "1/2-0");
    day.rounds.insert(2, pair(2));
    let second = day.rounds[&2].clone();
    day.import(2, &second);
    day.skittles(&every_third(), 4..6);
    day.check(1..=1);

    // The second round: a board dies, and its game goes on at the spare one.
    day.set_up(&all);
    day.start_clocks(&all);
    day.play(2, &all, MIDDLE);
    day.replace_board(2, 8);
    day.play(2, &all, usize::MAX);
    day.end(2, &all);
    day.enter(2, TABLES - 1, "0-1/2");
    day.enter(2, TABLES, "+/-");
    day.wait_pushed(2);
    day.check(1..=2);

    // The third round: the board is back; each order is taken back, and a move that was entered wrongly is put right.
    day.floor.plug(place(8), true);
    day.desk.wait_board(&serial(8), |board| board["up"] == true);
    day.rounds.insert(3, pair(3));
    let third = day.rounds[&3].clone();
    day.import(3, &third);
    day.set_up(&all);
    day.start_clocks(&all);
    day.play(3, &all, MIDDLE);
    day.take_each_order_back(3, 7);
    day.put_a_move_right(3, 2);
    let others: Vec<u32> = all.iter().copied().filter(|table| *table != LATE).collect();
    day.play(3, &others, usize::MAX);
    day.end(3, &others);
    day.enter(3, TABLES - 1, "1/2-1/2");
    day.enter(3, TABLES, "0-1");

    // The fourth is read in and changed before it begins; one game of the third goes on under its own names meanwhile.
    day.set_up(&every_third());
    day.skittles(&every_third(), 0..6);
    day.rounds.insert(4, pair(4));
    let mut fourth = day.rounds[&4].clone();
    let game = fourth.get_mut(&11).unwrap();
    std::mem::swap(&mut game.white, &mut game.black);
    day.import(4, &fourth);
    let fourth = day.rounds[&4].clone();
    day.import(4, &fourth);
    day.desk.wait_public(3);
    day.play(3, &[LATE], usize::MAX);
    day.end(3, &[LATE]);
    day.wait_pushed(3);
    day.check(1..=3);
    day.set_up(&all);
    day.start_clocks(&all);
    day.play(4, &all, usize::MAX);
    day.end(4, &all);
    day.enter(4, TABLES - 1, "1-0");
    day.enter(4, TABLES, "0-1");
    day.wait_pushed(4);
    day.desk.wait_public(4);
    day.enter(2, 9, "1-0");
    day.check(1..=4);
    assert_eq!(day.desk.close(), 0);
}
