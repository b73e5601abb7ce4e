//! Every address of the desk with every method, as `/api/openapi.json` lists them: the same list as `src/http/routes.rs`.

use super::Desk;

/// Methods that are tried at every address, whether it takes them or not.
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"];

/// Values for the names in paths; the board is the one that [`Desk::plug`] plugs in.
const NAMES: [(&str, &str); 9] = [
    ("{device}", "0"),
    ("{serial}", "23946"),
    ("{id}", "23946-1-1"),
    ("{number}", "7"),
    ("{name}", "23946"),
    ("{path}", "desk.js"),
    ("{folder}", "round-1"),
    ("{file}", "game-7.json"),
    ("{event}", "x"),
];

/// Questions after a path, for addresses that take some.
const QUERIES: [&str; 7] = [
    "",
    "?from=0&to=10",
    "?from=x",
    "?alert=23946-1-1",
    "?alert=23946-1-1&language=de",
    "?after=0&hall=true&attention=true",
    "?round=1",
];

/// Files with games, each of which is described by a pattern only.
const GAMES: [&str; 10] = [
    "/current/games.pgn",
    "/round-1/games.pgn",
    "/round-1/game-7.pgn",
    "/round-1/game-1.json",
    "/round-1/index.json",
    "/round-2/games.pgn",
    "/get/x/round-1/index.json",
    "/table/1",
    "/board/1",
    "/nothing",
];

/// What can be asked for.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: String,
    /// Whether it is described as asking for a token; none if the address does not take the method.
    pub(super) asks_for_token: Option<bool>,
}

/// Returns everything that can be asked for.
pub(super) fn operations(desk: &Desk) -> Vec<Operation> {
    let description = desk.get("/api/openapi.json").json();
    let mut operations = Vec::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        let filled = NAMES.iter().fold(path.clone(), |path, (name, value)| path.replace(name, value));
        assert!(!filled.contains('{'), "{path}: a value for its name is missing in NAMES");
        for method in METHODS {
            // Whatever takes GET takes HEAD.
            let described = &item[method.replace("HEAD", "GET").to_lowercase()];
            let is_open = described["security"].as_array().is_some_and(Vec::is_empty);
            let asks_for_token = described.is_object().then_some(!is_open);
            let of = |query: &str| Operation { method, path: format!("{filled}{query}"), asks_for_token };
            operations.extend(QUERIES.map(of));
        }
    }
    let live = operations.iter().filter(|operation| operation.asks_for_token == Some(true)).count();
    assert!(live > 200, "only {live} of {} ask for a token", operations.len());
    let games = GAMES.map(|path| Operation { method: "GET", path: path.to_owned(), asks_for_token: None });
    operations.extend(games);
    operations
}
