//! The desk of the day: a daemon with all its services, asked over the web.

use std::{cell::RefCell, collections::BTreeMap, fmt, fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use serde_json::{Value, json};

use super::lichess;
use crate::support::{Hall, Reserved, eventually};

/// A daemon, and where its files are.
pub(super) struct Desk {
    hall: Hall,
    http: Reserved,
    public: Reserved,
    /// Where boards are plugged in.
    pub(super) boards: PathBuf,
    /// Where games are written.
    pub(super) pgn: PathBuf,
    pairings: PathBuf,
}

/// Returns what a round says of a table.
pub(super) fn table(round: &Value, number: u32) -> &Value {
    let games = round["games"].as_array().unwrap();
    games.iter().find(|game| game["table"] == number).unwrap_or(&Value::Null)
}

impl Desk {
    /// Opens a hall in which these boards stand on the tables from 1 on; `address` is that of the broadcast.
    pub(super) fn open(address: &str, tables: &[String]) -> Self {
        let (mut hall, http, public) = (Hall::new(""), Reserved::new(), Reserved::new());
        let path = |name: &str| hall.dir.path().join(name);
        let (boards, pgn, pairings) = (path("boards"), path("pgn"), path("pairings.csv"));
        fs::create_dir(&boards).unwrap();
        fs::write(path("lichess"), lichess::TOKEN).unwrap();
        let tables = tables.iter().zip(1..);
        let tables: Vec<String> = tables
            .map(|(serial, number)| format!("[[table]]\nnumber = {number}\nserial = '{serial}'\n"))
            .collect();
        let tables = tables.concat();
        hall.configure(&format!(
            "[event]\nname = 'Day'\nsite = 'Hall'\ncontrol = 'rapid'\ntime_control = '15+10'\n\
             [ports]\nscan = ['{}/board-*']\nrescan_s = 1\n[http]\nlisten = '{}'\ntoken_file = '{}'\n\
             [public]\nlisten = '{}'\n[pgn]\ndir = '{}'\n[pairings]\nfile = '{}'\n\
             [lichess]\nurl = '{address}'\nround = 'abcdefgh'\ntoken_file = '{}'\n{tables}",
            boards.display(),
            http.address,
            path("token").display(),
            public.address,
            pgn.display(),
            pairings.display(),
            path("lichess").display(),
        ));
        fs::write(path("token"), "0123456789abcdef0123456789abcdef\n").unwrap();
        fs::set_permissions(path("token"), fs::Permissions::from_mode(0o640)).unwrap();
        hall.start();
        Self { hall, http, public, boards, pgn, pairings }
    }

    /// Ends the daemon and starts it again.
    pub(super) fn restart(&mut self) {
        self.restart_after(|| {});
    }

    /// Does the same, with what is done meanwhile.
    pub(super) fn restart_after(&mut self, work: impl FnOnce()) {
        assert_eq!(self.hall.stop(), 0);
        work();
        self.hall.start();
    }

    /// Returns what the daemon has said since this was asked last.
    pub(super) fn messages(&self) -> String {
        self.hall.drain_messages()
    }

    pub(super) fn close(mut self) -> i32 {
        self.hall.stop()
    }

    /// Writes the file of pairings anew.
    pub(super) fn write_pairings(&self, text: &str) {
        let new = self.pairings.with_extension("new");
        fs::write(&new, text).unwrap();
        fs::rename(new, &self.pairings).unwrap();
    }

    fn token(&self) -> String {
        fs::read_to_string(self.hall.dir.path().join("token")).unwrap().trim().to_owned()
    }

    /// Reads a text, empty while there is none.
    pub(super) fn text(&self, path: &str) -> String {
        let answer = ureq::get(format!("http://{}{path}", self.http.address)).call();
        answer.ok().and_then(|mut answer| answer.body_mut().read_to_string().ok()).unwrap_or_default()
    }

    pub(super) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.text(path)).unwrap_or_default()
    }

    /// Waits until the page of the public, which pages of others may show, is about this round.
    #[track_caller]
    pub(super) fn wait_public(&self, round: u32) {
        eventually("the public page", || {
            let mut page = ureq::get(format!("http://{}/", self.public.address)).call().ok()?;
            assert_eq!(page.headers()["access-control-allow-origin"], "*");
            page.body_mut().read_to_string().ok()?.contains(&format!("<h1>Day, {round}</h1>")).then_some(())
        });
    }

    /// Posts as the chief; returns status and answer.
    pub(super) fn ask(&self, path: &str, body: &Value) -> (u16, Value) {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let answer = agent
            .post(format!("http://{}{path}", self.http.address))
            .header("authorization", format!("Bearer {}", self.token()))
            .header("content-type", "application/json")
            .send(body.to_string());
        let mut answer = answer.unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    #[track_caller]
    pub(super) fn post(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(path, body);
        assert_eq!(status, 200, "{path} {body}: {answer}");
        answer
    }

    /// Gives an order for the present game of a board; returns its name.
    #[track_caller]
    pub(super) fn order(&self, board: &str, mut order: Value) -> String {
        let game = self.json(&format!("/api/boards/{board}"))["game"]["number"].clone();
        order["game"] = game;
        let answer = self.post(&format!("/api/boards/{board}/orders"), &order);
        answer["id"].as_str().unwrap_or_default().to_owned()
    }

    /// Enters a result in the list of a round.
    #[track_caller]
    pub(super) fn enter(&self, round: u32, table: u32, score: &str) {
        self.post(&format!("/api/rounds/{round}/results"), &json!({ "table": table, "result": score }));
    }

    /// Asks until the answer is as it has to be.
    #[track_caller]
    pub(super) fn wait(&self, what: &str, path: &str, is: impl Fn(&Value) -> bool) -> Value {
        let last = RefCell::new(Value::Null);
        let what = fmt::from_fn(|f| write!(f, "{what}: {path} stays {:#}", last.borrow()));
        eventually(what, || {
            let reported = self.json(path);
            last.borrow_mut().clone_from(&reported);
            is(&reported).then_some(reported)
        })
    }

    #[track_caller]
    pub(super) fn wait_board(&self, serial: &str, is: impl Fn(&Value) -> bool) -> Value {
        self.wait("a board", &format!("/api/boards/{serial}"), is)
    }

    /// Returns the game of every board that has one.
    pub(super) fn games(&self) -> BTreeMap<String, Value> {
        games(&self.json("/api/boards"))
    }

    #[track_caller]
    pub(super) fn wait_games(&self, what: &str, is: impl Fn(&BTreeMap<String, Value>) -> bool) {
        self.wait(what, "/api/boards", |boards| is(&games(boards)));
    }

    /// Waits until the games of boards have so many plies, all of them completed.
    #[track_caller]
    pub(super) fn wait_plies(&self, plies: &BTreeMap<String, usize>) {
        let last = RefCell::new(String::new());
        let what = fmt::from_fn(|f| write!(f, "plies: {}", last.borrow()));
        eventually(what, || {
            let games = self.games();
            let lacks = plies.iter().filter(|(board, count)| {
                let moves = games.get(*board).and_then(|game| game["moves"].as_array());
                let is_there = |moves: &Vec<Value>| {
                    moves.len() == **count && moves.iter().all(|played| played["completed"] == true)
                };
                !moves.is_some_and(is_there)
            });
            let lacks: Vec<String> = lacks
                .map(|(board, count)| {
                    format!("{board} has not {count}: {}", games.get(board).unwrap_or(&Value::Null))
                })
                .collect();
            *last.borrow_mut() = lacks.join("\n");
            lacks.is_empty().then_some(())
        });
    }

    /// Waits until a text is this one, once its day is taken out.
    #[track_caller]
    pub(super) fn wait_same(&self, path: &str, expected: &str, change: impl Fn(&str) -> String) {
        same(path, expected, || change(&self.text(path)));
    }

    /// Waits until a file of games is this one.
    #[track_caller]
    pub(super) fn wait_file(&self, name: &str, expected: &str, change: impl Fn(&str) -> String) {
        same(name, expected, || change(&fs::read_to_string(self.pgn.join(name)).unwrap_or_default()));
    }
}

#[track_caller]
fn same(what: &str, expected: &str, read: impl Fn() -> String) {
    let last = RefCell::new(String::new());
    let what = fmt::from_fn(|f| {
        let last = last.borrow();
        let lines = last.lines().zip(expected.lines()).enumerate();
        let odd = lines.filter(|(_, (is, has_to_be))| is != has_to_be).take(5);
        let odd: Vec<String> =
            odd.map(|(line, (is, wanted))| format!("{line}: {is}\n  not {wanted}")).collect();
        write!(
            f,
            "{what} is not as it was played; lines {} and {}:\n{}",
            last.lines().count(),
            expected.lines().count(),
            odd.join("\n")
        )
    });
    eventually(what, || {
        let text = read();
        last.borrow_mut().clone_from(&text);
        (text == expected).then_some(())
    });
}

fn games(boards: &Value) -> BTreeMap<String, Value> {
    let boards = boards.as_array().into_iter().flatten().filter(|board| board["game"].is_object());
    boards.map(|board| (board["board"].as_str().unwrap().to_owned(), board["game"].clone())).collect()
}
