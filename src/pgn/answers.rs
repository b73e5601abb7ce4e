//! Games as answers to web requests, for broadcasters that ask every few seconds.
//!
//! A reader that names the tag or the time of what it has is informed that nothing has changed. Nothing in an answer, its tag and its
//! headers included, depends on what is still held back.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    extract::{self, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use jiff::{SignedDuration, Timestamp, fmt::rfc2822};
use tokio::sync::watch;

use crate::{
    config::Config,
    service::game_store::{Document, GameStore},
};
use jadoube_runtime::{clock::SystemClock, look::Looks, private};

/// Longest file that is read from the disk, bytes.
const LONGEST: u64 = 16 << 20;

/// How long the disk may take to find what an earlier process has left.
const DISK: Duration = Duration::from_secs(5);

/// How long a time of a document must have passed before it is reported; making all documents anew takes less.
const SETTLED: SignedDuration = SignedDuration::from_secs(2);

/// What requests need.
#[derive(Clone, Debug)]
struct AnswerState {
    games: GameStore,
    config: watch::Receiver<Arc<Config>>,
    /// Who reads what an earlier process has left.
    files: Looks,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Resource {
    Current,
    Round(u32),
    Game(u32, u64),
    Index(u32),
    Json(u32, usize),
    Tournament,
}

/// Returns the addresses of games with what answers them.
pub(crate) fn router(games: GameStore, config: watch::Receiver<Arc<Config>>) -> Router {
    routes()
        .into_iter()
        .fold(Router::new(), |router, (path, handler)| router.route(path, handler))
        .with_state(AnswerState { games, config, files: Looks::default() })
}

fn routes() -> [(&'static str, MethodRouter<AnswerState>); 5] {
    [
        ("/{folder}/{file}", get(file)),
        ("/tournament.json", get(tournament)),
        ("/get/{event}/tournament.json", get(tournament)),
        ("/get/{event}/{folder}/{file}", get(cloud)),
        ("/meta/{event}", get(meta)),
    ]
}

/// Returns the addresses of games, all of them for `GET`.
#[cfg(all(test, feature = "http"))]
pub(crate) fn addresses() -> impl Iterator<Item = &'static str> {
    routes().into_iter().map(|(path, _)| path)
}

async fn file(
    State(app): State<AnswerState>,
    extract::Path((folder, file)): extract::Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    app.answer(parse(&folder, &file), &headers).await
}

async fn cloud(
    State(app): State<AnswerState>,
    extract::Path((_, folder, file)): extract::Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    app.answer(parse(&folder, &file), &headers).await
}

async fn tournament(State(app): State<AnswerState>, headers: HeaderMap) -> Response {
    app.answer(Some(Resource::Tournament), &headers).await
}

/// Says where the games of an event are: here.
async fn meta(headers: HeaderMap) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    let meta = serde_json::json!({ "host": host, "format": "1" });
    ([(header::CONTENT_TYPE, JSON)], meta.to_string()).into_response()
}

/// Broadcasters take a text without a character set for Latin-1.
const PGN: HeaderValue = HeaderValue::from_static("application/x-chess-pgn; charset=utf-8");
const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");

impl AnswerState {
    async fn answer(&self, wanted: Option<Resource>, headers: &HeaderMap) -> Response {
        let Some(wanted) = wanted else { return missing("there are no games under this address") };
        let config = self.config.borrow().clone();
        let Some(pgn) = &config.pgn else {
            return missing("games are not published; [pgn] switches that on");
        };
        let found = match self.find(wanted) {
            Some(found) => Some(found),
            None => match wanted.file(&pgn.dir) {
                Some(path) => match self.files.look(DISK, move || read(&path)).await {
                    Some(found) => found,
                    None => return unanswered(),
                },
                None => None,
            },
        };
        match found {
            Some(document) => reply(wanted.kind(), &document, headers, SystemClock::start().started()),
            None => missing("there is no game yet"),
        }
    }

    fn find(&self, wanted: Resource) -> Option<Document> {
        let index = self.games.index();
        let document = match wanted {
            Resource::Current => index.current.clone(),
            Resource::Tournament => index.tournament.clone(),
            Resource::Round(round) => index.rounds.get(&round)?.joined.clone(),
            Resource::Game(round, board) => index.rounds.get(&round)?.games.get(&board)?.pgn.clone(),
            Resource::Index(round) => index.rounds.get(&round)?.index.clone(),
            Resource::Json(round, place) => {
                let round = index.rounds.get(&round)?;
                round.games.values().nth(place.checked_sub(1)?)?.json.clone()
            }
        };
        (!document.text.is_empty()).then_some(document)
    }
}

impl Resource {
    /// Returns where an earlier process has left it.
    fn file(self, dir: &Path) -> Option<PathBuf> {
        let (round, file) = match self {
            Self::Round(round) => (round, "games.pgn".to_owned()),
            Self::Game(round, board) => (round, format!("game-{board}.pgn")),
            Self::Index(round) => (round, "index.json".to_owned()),
            Self::Current | Self::Json(..) | Self::Tournament => return None,
        };
        Some(dir.join(format!("round-{round}")).join(file))
    }

    const fn kind(self) -> HeaderValue {
        match self {
            Self::Current | Self::Round(_) | Self::Game(..) => PGN,
            Self::Index(_) | Self::Json(..) | Self::Tournament => JSON,
        }
    }
}

fn parse(folder: &str, file: &str) -> Option<Resource> {
    if (folder, file) == ("current", "games.pgn") {
        return Some(Resource::Current);
    }
    let round = number(folder.strip_prefix("round-")?)?;
    match file {
        "games.pgn" => Some(Resource::Round(round)),
        "index.json" => Some(Resource::Index(round)),
        _ => match file.strip_prefix("game-")?.split_once('.')? {
            (board, "pgn") => Some(Resource::Game(round, number(board)?)),
            (place, "json") => Some(Resource::Json(round, number(place)?)),
            _ => None,
        },
    }
}

/// Reads a number as it stands in a name: digits, the first of them no zero.
fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    plain.then(|| text.parse().ok()).flatten()
}

fn read(path: &Path) -> Option<Document> {
    let file = private::open(path).ok()?;
    let meta = file.metadata().ok()?;
    if meta.len() > LONGEST {
        return None;
    }
    let since = meta.modified().ok().and_then(|modified| Timestamp::try_from(modified).ok());
    let document = Document { since, ..Document::new(private::text_of(file).ok()?) };
    Some(document).filter(|document| !document.text.is_empty())
}

/// Writes a document, or that the reader has it; `now` is the instant of the answer.
fn reply(kind: HeaderValue, document: &Document, headers: &HeaderMap, now: Timestamp) -> Response {
    let modified = modified(document, now);
    let is_known = if headers.contains_key(header::IF_NONE_MATCH) {
        let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let known = known.flat_map(|value| value.split(',')).map(str::trim);
        let mut same = known.map(|tag| tag.strip_prefix("W/").unwrap_or(tag));
        same.any(|tag| tag == "*" || tag == document.tag)
    } else {
        let known = headers.get(header::IF_MODIFIED_SINCE).and_then(|value| value.to_str().ok());
        let known = known.and_then(|known| rfc2822::DateTimeParser::new().parse_timestamp(known).ok());
        modified.zip(known).is_some_and(|(modified, known)| modified <= known)
    };
    let tag = HeaderValue::try_from(&document.tag).unwrap_or(HeaderValue::from_static("\"\""));
    let always = [(header::ETAG, tag), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    let mut response = if is_known {
        (StatusCode::NOT_MODIFIED, always).into_response()
    } else {
        (always, [(header::CONTENT_TYPE, kind)], document.text.to_string()).into_response()
    };
    let written =
        modified.and_then(|at| rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok());
    if let Some(written) = written.and_then(|written| HeaderValue::try_from(written).ok()) {
        response.headers_mut().insert(header::LAST_MODIFIED, written);
    }
    response
}

/// Returns the time of a document in whole seconds; `None` while a further change could get the same one, so that whoever
/// has this time has the last text of it.
fn modified(document: &Document, now: Timestamp) -> Option<Timestamp> {
    let modified = Timestamp::from_second(document.since?.as_second().checked_add(1)?).ok()?;
    (now.duration_since(modified) >= SETTLED).then_some(modified)
}

fn missing(reason: &str) -> Response {
    refuse(StatusCode::NOT_FOUND, reason)
}

fn unanswered() -> Response {
    refuse(StatusCode::SERVICE_UNAVAILABLE, "the disk does not answer at present; try again in a moment")
}

fn refuse(status: StatusCode, reason: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))];
    (status, kind, format!("{reason}\n")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_rounds_and_games_and_nothing_else() {
        assert_eq!(parse("current", "games.pgn"), Some(Resource::Current));
        assert_eq!(parse("round-12", "games.pgn"), Some(Resource::Round(12)));
        assert_eq!(parse("round-1", "game-3000147740.pgn"), Some(Resource::Game(1, 3_000_147_740)));
        assert_eq!(parse("round-1", "game-2.json"), Some(Resource::Json(1, 2)));
        assert_eq!(parse("round-1", "index.json"), Some(Resource::Index(1)));
        for (folder, file) in [
            ("round-", "games.pgn"),
            ("round-0", "games.pgn"),
            ("round-01", "games.pgn"),
            ("round-+1", "games.pgn"),
            ("round-1", "game-..pgn"),
            ("round-1", "game-1.pgn.tmp"),
            ("round-1", "../../etc/passwd"),
            ("round-99999999999", "games.pgn"),
            ("current", "game-1.pgn"),
        ] {
            assert_eq!(parse(folder, file), None, "{folder}/{file}");
        }
    }

    #[track_caller]
    fn check_reply(known: &[&str], status: u16) {
        let document = Document::new("1. e4 *\n".to_owned());
        let mut headers = HeaderMap::new();
        for tag in known {
            let tag = tag.replace("TAG", &document.tag);
            headers.append(header::IF_NONE_MATCH, tag.parse().unwrap());
        }
        let response = reply(PGN, &document, &headers, Timestamp::UNIX_EPOCH);
        assert_eq!(response.status().as_u16(), status, "{known:?}");
        assert_eq!(response.headers()[header::ETAG], document.tag.as_str());
        assert!(document.tag.starts_with('"'), "a strong one");
    }

    #[test]
    fn who_has_it_already_is_reported_so() {
        check_reply(&[], 200);
        check_reply(&["\"other\""], 200);
        check_reply(&["TAG"], 304);
        check_reply(&["\"other\", TAG"], 304);
        check_reply(&["\"other\"", "W/TAG"], 304);
        check_reply(&["*"], 304);
    }

    #[track_caller]
    fn check_modified(since_ms: i64, now: i64, known: Option<&str>, expected: (u16, Option<&str>)) {
        let since = Some(Timestamp::from_millisecond(since_ms).unwrap());
        let document = Document { since, ..Document::new("1. e4 *\n".to_owned()) };
        let mut headers = HeaderMap::new();
        if let Some(known) = known {
            headers.insert(header::IF_MODIFIED_SINCE, known.parse().unwrap());
        }
        let response = reply(PGN, &document, &headers, Timestamp::from_second(now).unwrap());
        let modified = response.headers().get(header::LAST_MODIFIED).map(|value| value.to_str().unwrap());
        assert_eq!((response.status().as_u16(), modified), expected, "{since_ms} {now} {known:?}");
    }

    #[test]
    fn who_has_it_since_its_time_is_reported_so() {
        let (before, at) = ("Thu, 01 Jan 1970 00:00:10 GMT", "Thu, 01 Jan 1970 00:00:11 GMT");
        check_modified(10_200, 13, None, (200, Some(at)));
        check_modified(10_999, 13, Some(before), (200, Some(at)));
        check_modified(10_000, 13, Some(at), (304, Some(at)));
        check_modified(10_200, 13, Some("Thu, 01 Jan 1970 00:00:12 GMT"), (304, Some(at)));
        check_modified(10_200, 13, Some("yesterday"), (200, Some(at)));
        // The text may change in the same second, and the calendar may be set back.
        check_modified(10_200, 12, Some(at), (200, None));
        check_modified(10_200, 5, Some(at), (200, None));
    }

    #[test]
    fn a_tag_says_more_than_a_time() {
        let document = Document { since: Some(Timestamp::UNIX_EPOCH), ..Document::new("new".to_owned()) };
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_MODIFIED_SINCE, "Thu, 01 Jan 1970 00:00:11 GMT".parse().unwrap());
        headers.insert(header::IF_NONE_MATCH, "\"old\"".parse().unwrap());
        let now = Timestamp::from_second(100).unwrap();
        assert_eq!(reply(PGN, &document, &headers, now).status().as_u16(), 200);
        headers.remove(header::IF_NONE_MATCH);
        assert_eq!(reply(PGN, &document, &headers, now).status().as_u16(), 304);
    }
}
