//! Keeps the rounds in step with the boards, and informs the boards of a hall that the round has begun when the first clock of it
//! starts, where the configuration asks for it (Art. 6.7.1).
//!
//! The default time counts from there for everybody, also at tables where nobody has started the clock. Each board is reported
//! by the order that an arbiter may give as well, so that its capture has it and a replay says the same.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use tokio::{
    sync::broadcast::error::TryRecvError,
    task::spawn_blocking,
    time::{MissedTickBehavior, interval},
};
use tracing::{debug, error};

use crate::{
    published::{EventReader, Published},
    rounds::Rounds,
    service::ServiceContext,
    view::{BoardView, Boards},
};
use jadoube_core::{event::EventKind, order::Order, score::Score};
use jadoube_runtime::clock::SystemClock;

/// How often boards are looked at: names are frozen with the first move of a game.
const LOOK: Duration = Duration::from_millis(250);

/// What monitoring calls the files of the rounds.
const FILES: &str = "rounds";

/// Who is named in the log of orders.
const BY: &str = "first clock of the hall";

/// With more plies than this a game is no longer at its beginning.
const FIRST_PLIES: usize = 1;

/// Works until it is asked to end.
pub(super) async fn run(context: ServiceContext) {
    let mut looks = interval(LOOK.min(context.heartbeat.period()));
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (clock, rounds) = (SystemClock::start(), context.daemon.rounds().clone());
    let mut first_clocks = FirstClocks::default();
    let mut events = context.daemon.subscribe();
    while !context.shutdown.is_cancelled() {
        tokio::select! {
            _ = looks.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => {}
        }
        let config = context.config.borrow().clone();
        let (seq, boards) = context.daemon.view().read();
        // A game may have left its board since the last look, and its result with it: what was reported before this one comes first.
        let (earlier, later): (Vec<_>, Vec<_>) =
            reported(&mut events).into_iter().partition(|published| published.seq <= seq);
        take(&rounds, &earlier);
        rounds.observe(&config, &boards, clock.utc(clock.now()));
        take(&rounds, &later);
        if rounds.is_unsaved() {
            let saved = rounds.clone();
            let saving = spawn_blocking(move || saved.save());
            let outcome = context.heartbeat.during(saving).await;
            let wrong = outcome.ok().and_then(Result::err).map(|error| error.to_string());
            if let Some(reason) = &wrong {
                error!(reason, "the rounds cannot be written, see state_dir; tried again");
            }
            context.daemon.figures().health.degrade(FILES, wrong);
        }
        let is_wanted = config.event.first_clock_starts_round;
        for (board, game) in first_clocks.begun(&boards).into_iter().filter(|_| is_wanted) {
            let order = Order::InGame { game, order: Box::new(Order::RoundStarted) };
            // A board that has gone on in the meantime refuses it, and needs it no more.
            let given = context.daemon.order(&board, order, BY);
            if let Err(error) = context.heartbeat.during(given).await {
                debug!(board, "the beginning of the round was refused: {error}");
            }
        }
    }
}

/// Returns the results that were reported since the last look, and games that have gone on elsewhere.
fn reported(events: &mut Option<EventReader>) -> Vec<Arc<Published>> {
    let mut reported = Vec::new();
    let Some(reader) = events else { return reported };
    loop {
        match reader.try_recv() {
            Ok(published) => {
                if matches!(
                    published.event.kind,
                    EventKind::Result { .. } | EventKind::GameStart { continued: Some(_), .. }
                ) {
                    reported.push(published);
                }
            }
            Err(TryRecvError::Lagged(_)) => {}
            Err(TryRecvError::Empty | TryRecvError::Closed) => return reported,
        }
    }
}

/// Handles results of games, also of those that have left their boards, which the view forgets; and games that have gone on.
fn take(rounds: &Rounds, reported: &[Arc<Published>]) {
    for published in reported {
        let board = &published.event.board;
        if let EventKind::Result { game, result, by } = &published.event.kind {
            rounds.take_result(board, *game, Score::parse(result), by);
        } else if let EventKind::GameStart { game, continued: Some(before), .. } = &published.event.kind {
            rounds.take_continuation(board, *game, before);
        }
    }
}

/// Which games have begun, and which boards have been informed that a round has.
#[derive(Debug, Default)]
struct FirstClocks {
    /// Games whose clock has been seen to run, or that have been reported, by board and number.
    known: BTreeSet<(String, u32)>,
}

impl FirstClocks {
    /// Handles what the boards show; returns boards and games that wait at the start position while a round has just begun
    /// elsewhere.
    fn begun(&mut self, boards: &Boards) -> Vec<(String, u32)> {
        let games = || boards.values().filter_map(|board| Some((board, key(board)?)));
        let mut has_begun = false;
        for (board, key) in games().filter(|(board, _)| is_running(board)) {
            let plies = board.game.as_ref().map_or(0, |game| game.moves.len());
            has_begun |= self.known.insert(key) && plies <= FIRST_PLIES;
        }
        let waiting =
            games().filter(|(board, key)| has_begun && is_waiting(board) && !self.known.contains(key));
        let waiting: Vec<(String, u32)> = waiting.map(|(_, key)| key).collect();
        self.known.extend(waiting.iter().cloned());
        // Only the game that a board has now can be asked for again.
        let now: BTreeSet<(String, u32)> = games().map(|(_, key)| key).collect();
        self.known.retain(|key| now.contains(key));
        waiting
    }
}

fn key(board: &BoardView) -> Option<(String, u32)> {
    Some((board.name.to_string(), board.game.as_ref()?.number))
}

/// Returns whether a game goes on and a player's time runs.
fn is_running(board: &BoardView) -> bool {
    board.up
        && board.game.as_ref().is_some_and(|game| game.result.is_none())
        && board.clock.as_ref().is_some_and(|clock| clock.running.is_some())
}

/// Returns whether the pieces stand ready and nothing has happened.
fn is_waiting(board: &BoardView) -> bool {
    board.up
        && !is_running(board)
        && board.game.as_ref().is_some_and(|game| game.result.is_none() && game.moves.is_empty())
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::view;
    use jadoube_core::{
        event::{Event, EventKind, LinkState, Times},
        time::Timestamp,
    };

    #[derive(Default)]
    struct Hall {
        boards: Boards,
        rounds: FirstClocks,
    }

    impl Hall {
        fn reported(&mut self, board: &str, kind: EventKind) {
            let event = Event { at: Timestamp::ZERO, board: board.into(), kind };
            let port: Arc<str> = format!("/dev/{board}").into();
            view::apply(&mut self.boards, &port, &event, jiff::Timestamp::UNIX_EPOCH, 1);
        }

        fn set_up(&mut self, board: &str, game: u32) {
            self.reported(board, EventKind::Link { state: LinkState::Up, port: board.into() });
            self.reported(board, EventKind::game_start(game, "start"));
            self.clock(board, None);
        }

        fn clock(&mut self, board: &str, running: Option<Color>) {
            let clock = Some(Times { white: 5400, black: 5400 });
            self.reported(board, EventKind::Clock { clock, running, connected: true, low_battery: false });
        }

        fn begun(&mut self) -> Vec<(String, u32)> {
            self.rounds.begun(&self.boards)
        }
    }

    #[test]
    fn the_first_clock_begins_the_round_for_boards_that_wait() {
        let mut hall = Hall::default();
        for board in ["10001", "10002", "10003"] {
            hall.set_up(board, 1);
        }
        assert!(hall.begun().is_empty());
        hall.clock("10002", Some(Color::White));
        assert_eq!(hall.begun(), [("10001".to_owned(), 1), ("10003".to_owned(), 1)]);
        // Each is reported once, and a clock that starts later is no other round.
        assert!(hall.begun().is_empty());
        hall.clock("10003", Some(Color::White));
        assert!(hall.begun().is_empty());
        assert_eq!(hall.rounds.known.len(), 3);
    }

    #[test]
    fn the_next_round_begins_anew_and_leaves_running_games_alone() {
        let mut hall = Hall::default();
        for board in ["10001", "10002", "10003"] {
            hall.set_up(board, 1);
            hall.clock(board, Some(Color::White));
        }
        assert!(hall.begun().is_empty());
        hall.set_up("10001", 2);
        hall.set_up("10002", 2);
        assert!(hall.begun().is_empty());
        hall.clock("10001", Some(Color::White));
        assert_eq!(hall.begun(), [("10002".to_owned(), 2)]);
    }
}
