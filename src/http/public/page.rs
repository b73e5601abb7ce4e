//! The plain page for spectators: the games of the round as the public may see them, without scripts.

use std::{fmt::Write as _, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
    routing::get,
};
use tokio::sync::watch;

use crate::{
    config::Config,
    service::game_store::{GameDocument, GameStore},
};

/// Seconds after which a browser asks again.
const REFRESH: u32 = 15;

const STYLE: &str = "body{font:16px sans-serif;margin:1em}main{display:flex;flex-wrap:wrap;gap:1.5em}\
    table{border-collapse:collapse}td{width:1.3em;height:1.3em;text-align:center;font-size:1.3em;line-height:1}\
    td.d{background:#b9c7d3}td.l{background:#eef2f5}p{margin:.3em 0}";

#[derive(Clone)]
struct Page {
    games: GameStore,
    config: watch::Receiver<Arc<Config>>,
}

/// Returns the address of the page with what answers it.
pub(super) fn router(games: GameStore, config: watch::Receiver<Arc<Config>>) -> Router {
    Router::new().route("/", get(page)).with_state(Page { games, config })
}

async fn page(State(Page { games, config }): State<Page>) -> Response {
    let config = config.borrow().clone();
    let index = games.index();
    let wanted = index.round.or_else(|| index.rounds.keys().last().copied()).unwrap_or(1);
    let mut text = format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"refresh\" content=\"{REFRESH}\"><title>{name}</title><style>{STYLE}</style><h1>{name}, {wanted}</h1><p>",
        config.event.language,
        name = escaped(&config.event.name),
    );
    for round in index.rounds.keys() {
        write!(text, "<a href=\"/round-{round}/games.pgn\">PGN {round}</a> ").unwrap_or_default();
    }
    text.push_str("</p><main>");
    for (table, game) in index.rounds.get(&wanted).into_iter().flat_map(|round| &round.games) {
        write_game(&mut text, *table, game);
    }
    text.push_str("</main></html>\n");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"),
        ),
    ];
    (headers, text).into_response()
}

fn write_game(text: &mut String, table: u64, game: &GameDocument) {
    let [white, black] = game.names.each_ref().map(|name| escaped(name));
    let (fen, last) = &game.position;
    let result = if game.result == "*" { String::new() } else { format!(" {}", game.result) };
    write!(text, "<section><p>{table}. {white} – {black}{result}</p><table>").unwrap_or_default();
    for (rank, row) in fen.split(' ').next().unwrap_or_default().split('/').enumerate() {
        text.push_str("<tr>");
        let pieces = row.chars().flat_map(|letter| {
            let empty = letter.to_digit(10).and_then(|count| usize::try_from(count).ok());
            std::iter::repeat_n(letter, empty.unwrap_or(1))
        });
        for (file, letter) in pieces.enumerate() {
            let shade = if (rank + file) % 2 == 0 { 'l' } else { 'd' };
            write!(text, "<td class=\"{shade}\">{}</td>", figurine(letter)).unwrap_or_default();
        }
        text.push_str("</tr>");
    }
    write!(text, "</table><p>{}</p></section>", escaped(last)).unwrap_or_default();
}

const fn figurine(letter: char) -> &'static str {
    match letter {
        'K' => "♔",
        'Q' => "♕",
        'R' => "♖",
        'B' => "♗",
        'N' => "♘",
        'P' => "♙",
        'k' => "♚",
        'q' => "♛",
        'r' => "♜",
        'b' => "♝",
        'n' => "♞",
        'p' => "♟",
        _ => "",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_a_board_with_names_and_result() {
        let game = GameDocument {
            names: ["A <b>".to_owned(), "B".to_owned()],
            result: "1-0",
            position: ("4k3/8/8/8/8/8/8/4K2R w - - 0 1".to_owned(), "Rh1#".to_owned()),
            ..GameDocument::default()
        };
        let mut text = String::new();
        write_game(&mut text, 3, &game);
        assert!(text.starts_with("<section><p>3. A &lt;b&gt; – B 1-0</p><table><tr>"), "{text}");
        assert_eq!((text.matches("<td").count(), text.matches("<tr>").count()), (64, 8), "{text}");
        assert!(text.contains("<td class=\"l\">♚</td>") && text.ends_with("<p>Rh1#</p></section>"), "{text}");
    }
}
