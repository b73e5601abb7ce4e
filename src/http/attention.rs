//! Who has seen an alert, who goes to its table, who watches a game, and who looks after whose tables: what arbiters announce to each other.
//!
//! No board knows of it, so it is no event and has no number: every client of the event stream that asks for it gets the
//! whole of it at first and after every change. It lies in a file, so that a restart hands no sector back.

use std::{
    collections::BTreeMap,
    path::{Path as FilePath, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tracing::warn;

use super::{
    App, boards, body::receive_json, by, by::By, error, error::ApiError, identity::Identity, orders,
    persistence, persistence::StateFile, query::Path, serve::Peer,
};
use crate::{
    accounts::{ATTENTION_FILE, Account, AttentionState, GOING_S, Going, Watched},
    config::{Role, TableSet},
};
use jadoube_runtime::clock::SystemClock;

/// Alerts that something is known of; those that are over are forgotten first.
const MOST: usize = 4096;

/// Names that are kept of one alert.
const MOST_NAMES: usize = 64;

/// What arbiters have announced to each other.
#[derive(Debug, Default)]
pub(super) struct Attention {
    reported: Mutex<AttentionState>,
    /// Clients are informed in the order of the changes: the last state that they hear of is the last one.
    reporting: Mutex<()>,
    file: StateFile,
}

/// What an arbiter says of an alert.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Reply {
    Seen,
    Going,
    NotGoing,
}

/// What an arbiter says of a board.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Watch {
    Watching,
    NotWatching,
}

/// Everything, as clients get it.
#[derive(Serialize)]
struct Snapshot {
    #[serde(flatten)]
    reported: AttentionState,
    /// Every arbiter's tables at present, own ones and those that were handed over.
    sectors: BTreeMap<String, Vec<TableSet>>,
    /// Who may only look: no tables are handed to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    screens: Vec<String>,
    /// Seconds after which an urgent alert to which nobody goes is the chief's, too; 0 for never.
    escalate_s: u32,
    /// Seconds after which somebody who goes to an alert, and has not decided it, counts as held up.
    going_s: u32,
}

impl Attention {
    /// Reads what was known when the program ended.
    pub(super) fn new(state_dir: &FilePath) -> Self {
        let lost = "nobody has seen an alert, and handed tables are back";
        let reported = persistence::read(&state_dir.join(ATTENTION_FILE), lost);
        Self { reported: Mutex::new(reported), ..Self::default() }
    }

    /// Returns whether a table is one of an arbiter's at present.
    pub(super) fn has_table(&self, app: &App, name: &str, hall: Option<&str>, table: Option<u32>) -> bool {
        let accounts: Vec<Account> =
            app.sessions().accounts().into_iter().map(|(account, _)| account).collect();
        let sectors = self.reported().sectors(&accounts);
        sectors.get(name).is_some_and(|sets| sets.iter().any(|set| set.has(hall, table)))
    }

    fn reported(&self) -> MutexGuard<'_, AttentionState> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AttentionState {
    fn notice(&mut self, alert: &str, name: &str, notice: Reply, at: jiff::Timestamp) {
        let noticed = self.alerts.entry(alert.to_owned()).or_default();
        if noticed.seen.len() < MOST_NAMES && !noticed.seen.iter().any(|seen| seen == name) {
            noticed.seen.push(name.to_owned());
        }
        match notice {
            Reply::Seen => {}
            Reply::Going => {
                // Who was held up sets out again.
                noticed.going.retain(|going| going.name != name || !going.is_late(at));
                join(&mut noticed.going, name, at);
            }
            Reply::NotGoing => noticed.going.retain(|going| going.name != name),
        }
    }

    /// Notes that somebody watches the game on a board, or does so no more; who watched an earlier game is forgotten.
    fn watch(&mut self, board: &str, game: u32, name: &str, watch: Watch, at: jiff::Timestamp) {
        let watched = self.watching.entry(board.to_owned()).or_default();
        if watched.game != game {
            *watched = Watched { game, by: Vec::new() };
        }
        match watch {
            Watch::Watching => join(&mut watched.by, name, at),
            Watch::NotWatching => watched.by.retain(|one| one.name != name),
        }
    }
}

/// Adds a name to a list, once and if there is room.
fn join(list: &mut Vec<Going>, name: &str, at: jiff::Timestamp) {
    if list.len() < MOST_NAMES && !list.iter().any(|one| one.name == name) {
        list.push(Going { name: name.to_owned(), at });
    }
}

/// Writes what every client of the stream gets.
pub(super) fn snapshot(app: &App) -> Bytes {
    let accounts: Vec<Account> = app.sessions().accounts().into_iter().map(|(account, _)| account).collect();
    let mut reported = app.attention().reported().clone();
    let sectors = reported.sectors(&accounts);
    reported.parties.clear();
    let screens = accounts.into_iter().filter(|account| account.role == Role::Screen);
    let screens = screens.map(|account| account.name).collect();
    let escalate_s = app.config().http.clone().unwrap_or_default().escalate_s;
    serde_json::to_vec(&Snapshot { reported, sectors, screens, escalate_s, going_s: GOING_S })
        .unwrap_or_default()
        .into()
}

/// `GET /api/attention`.
pub(super) async fn attention(State(app): State<App>) -> Response {
    error::json_text(snapshot(&app))
}

#[derive(Debug, Deserialize)]
struct NoticeBody {
    state: Reply,
}

/// `POST /api/alerts/ID/attention`: somebody has seen an alert, goes to its table, or does not go after all.
pub(super) async fn notice(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let identity = Identity::ordering(&app, client, &headers).await?;
    let NoticeBody { state } = receive_json(body).await?;
    let (_, boards) = app.daemon().view().read();
    let is_open = |id: &str| boards.values().any(|board| board.open_alerts().any(|(open, _)| *open == *id));
    let Some(board) = boards.values().find(|board| board.alerts.contains_key(id.as_str())) else {
        return Err(ApiError::not_found(format!("there is no alert {id}")));
    };
    let by = By::of(&identity, &headers, client);
    let name = by.name.clone().unwrap_or_default();
    if state != Reply::Seen {
        identity.check_board(&app, board)?;
    }
    if state == Reply::Going && !is_open(&id) {
        return Err(ApiError::new(StatusCode::CONFLICT, format!("alert {id} is closed")));
    }
    let at = SystemClock::start().started();
    let note = |reported: &mut AttentionState| {
        reported.notice(&id, &name, state, at);
        if reported.alerts.len() > MOST {
            reported.alerts.retain(|id, _| is_open(id));
        }
    };
    let changes = {
        let reported = app.attention().reported();
        let mut noted = reported.clone();
        note(&mut noted);
        *reported != noted
    };
    let noting = async {
        note(&mut app.attention().reported());
        publish(&app).await;
        Ok(())
    };
    match state {
        _ if !changes => {}
        Reply::Seen => noting.await?,
        Reply::Going | Reply::NotGoing => {
            let word = if state == Reply::Going { "going" } else { "not-going" };
            let order = json!({ "order": word, "alert": id });
            by::carry_out_for(&app, orders::record_of(&app, board, &id, by, order), noting).await?;
        }
    }
    Ok(error::json(&json!({ "done": true })))
}

#[derive(Debug, Deserialize)]
struct WatchBody {
    state: Watch,
}

/// `POST /api/boards/SERIAL/attention`: somebody watches the game that is played there, or does so no more.
pub(super) async fn watch(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    Path(serial): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let identity = Identity::ordering(&app, client, &headers).await?;
    let WatchBody { state } = receive_json(body).await?;
    let board = boards::find(&app, &serial)?;
    identity.check_board(&app, &board)?;
    let Some(game) = board.game.as_ref() else {
        return Err(ApiError::new(StatusCode::CONFLICT, "there is no game on this board"));
    };
    if game.result.is_some() {
        return Err(ApiError::new(StatusCode::CONFLICT, "the game is over"));
    }
    let name = By::of(&identity, &headers, client).name.unwrap_or_default();
    let (_, boards) = app.daemon().view().read();
    let has_changed = {
        let mut reported = app.attention().reported();
        let before = reported.watching.clone();
        reported.watching.retain(|board, _| boards.contains_key(board.as_str()));
        reported.watch(&board.name, game.number, &name, state, SystemClock::start().started());
        reported.watching != before
    };
    if has_changed {
        publish(&app).await;
    }
    Ok(error::json(&json!({ "done": true })))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HandOver {
    /// Whose tables; the own ones without it.
    #[serde(default)]
    from: Option<String>,
    /// Who looks after them from now on; `null` gives them back.
    to: Option<String>,
}

/// `POST /api/handover`: another arbiter looks after somebody's tables.
pub(super) async fn hand_over(
    State(app): State<App>,
    Extension(Peer(client)): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    let identity = Identity::arbiter(&app, client, &headers).await?;
    let HandOver { from, to } = receive_json(body).await?;
    let own = identity.name().map(str::to_owned);
    let from = from
        .or_else(|| own.clone())
        .ok_or_else(|| ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "say whose tables are handed over"))?;
    if own.as_ref() != Some(&from) && identity.role() != Role::Chief {
        return Err(ApiError::new(StatusCode::FORBIDDEN, "this is for the chief arbiter only"));
    }
    let accounts = app.sessions().accounts();
    for name in [Some(&from), to.as_ref()].into_iter().flatten() {
        if accounts.iter().all(|(account, _)| account.name != *name) {
            return Err(ApiError::not_found(format!("there is no arbiter {name}")));
        }
    }
    let may_only_look = |account: &Account| Some(&account.name) == to.as_ref() && !account.role.may_order();
    if let Some((account, _)) = accounts.iter().find(|(account, _)| may_only_look(account)) {
        let reason = format!("{} may only look", account.name);
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, reason));
    }
    let order = json!({ "from": from, "to": to });
    let account =
        |name: &String| accounts.iter().map(|(account, _)| account).find(|account| account.name == *name);
    let (giver, taker) = (account(&from).cloned(), to.as_ref().and_then(account).cloned());
    let handing = async {
        {
            let mut reported = app.attention().reported();
            match (giver, taker) {
                (Some(giver), Some(taker)) if giver.id != taker.id => reported.hand_over(&giver, &taker),
                _ => {
                    reported.handed.remove(&from);
                    reported.parties.remove(&from);
                }
            }
        }
        publish(&app).await;
        Ok(())
    };
    by::carry_out(&app, By::of(&identity, &headers, client), "hand-over", order, handing).await?;
    Ok(error::json(&json!({ "done": true })))
}

/// Follows a change of the accounts: forgets what was handed over to or by those that are no more, as a new one of the same name is
/// somebody else, and informs every client.
pub(super) async fn follow(app: &App) {
    let accounts: Vec<Account> = app.sessions().accounts().into_iter().map(|(account, _)| account).collect();
    let has_changed = app.sessions().are_known() && app.attention().reported().forget_gone(&accounts);
    if has_changed {
        publish(app).await;
    } else {
        report(app);
    }
}

/// Sends every client what is known at present.
fn report(app: &App) {
    let _turn = app.attention().reporting.lock().unwrap_or_else(PoisonError::into_inner);
    app.feed().report(&snapshot(app));
}

/// Informs every client, and writes it down.
async fn publish(app: &App) {
    report(app);
    let path: PathBuf = app.config().state_dir.join(ATTENTION_FILE);
    let state = || serde_json::to_vec(&*app.attention().reported());
    if let Err(error) = app.attention().file.save(path.clone(), state).await {
        warn!(file = %path.display(), %error, "cannot be written: a restart gives handed tables back");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_goes_has_seen_it_and_may_change_their_mind() {
        let mut reported = AttentionState::default();
        let at = SystemClock::start().started();
        reported.notice("1-1-1", "Ada", Reply::Going, at);
        reported.notice("1-1-1", "Ada", Reply::Going, at);
        reported.notice("1-1-1", "Bob", Reply::Seen, at);
        let noticed = &reported.alerts["1-1-1"];
        assert_eq!((noticed.seen.len(), noticed.going.len()), (2, 1));
        reported.notice("1-1-1", "Ada", Reply::NotGoing, at);
        assert!(reported.alerts["1-1-1"].going.is_empty());
        reported.notice("1-1-1", "Ada", Reply::Going, at);
        let set_out = |seconds: u32, reported: &mut AttentionState| {
            reported.notice(
                "1-1-1",
                "Ada",
                Reply::Going,
                at + jiff::SignedDuration::from_secs(seconds.into()),
            );
            (reported.alerts["1-1-1"].going[0].at.duration_since(at)).as_secs()
        };
        assert_eq!(set_out(GOING_S - 1, &mut reported), 0, "it counts from the first time");
        assert_eq!(set_out(GOING_S, &mut reported), i64::from(GOING_S), "who was held up sets out again");
    }

    #[test]
    fn who_watches_a_game_watches_no_other() {
        let mut reported = AttentionState::default();
        let at = SystemClock::start().started();
        let names = |reported: &AttentionState| {
            reported.watching["1"].by.iter().map(|one| one.name.clone()).collect::<Vec<_>>()
        };
        reported.watch("1", 1, "Ada", Watch::Watching, at);
        reported.watch("1", 1, "Ada", Watch::Watching, at);
        reported.watch("1", 1, "Bob", Watch::Watching, at);
        reported.watch("1", 1, "Ada", Watch::NotWatching, at);
        assert_eq!(names(&reported), ["Bob"]);
        reported.watch("1", 2, "Cy", Watch::Watching, at);
        assert_eq!((names(&reported), reported.watching["1"].game), (vec!["Cy".to_owned()], 2));
    }
}
