//! What is known of one board.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Serialize, Serializer};
use serde_json::Value;
use shakmaty::{Board, ByColor, Color, Piece, Square};

use super::{
    fields::Fields,
    game::GameView,
    mute::MuteOrder,
    steps::{self, Headway, Plan, RulingStep, Sensed},
    transfer::Transfer,
};
use jadoube_core::{
    alert::{Alert, AlertState, AlertUpdate, Confidence, Severity},
    code::Code,
    event::{BoardId, ClockSide, Continuation, Event, EventKind, LinkState, LogState, Times},
    side::side_name,
    time::Timestamp,
};

/// Most alerts that are kept for one board; the oldest that nobody has to deal with go first.
const MOST_ALERTS: usize = 64;

/// What is known of one board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardView {
    /// Serial number, or the name of the port until the board has reported it.
    #[serde(rename = "board")]
    pub name: BoardId,
    /// The hall that it stands in, on a desk of many halls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hall: Option<Arc<str>>,
    /// Address of that hall's own desk, which has what only the hall has: captures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub desk: Option<Arc<str>>,
    /// Number of the last event about it, 0 if that was before a restart.
    pub seq: u64,
    /// The device or address.
    pub port: Arc<str>,
    /// Whether bytes flow.
    pub up: bool,
    /// Whether the board's own log is being read after an outage: the game is behind until that is done.
    pub reading_log: bool,
    /// Short serial number.
    pub serial: Option<String>,
    /// Long serial number, newer boards only.
    pub long_serial: Option<String>,
    /// Firmware.
    pub version: Option<String>,
    /// Whether White sits at the other side than the connector's left.
    pub rotated: bool,
    /// On which side of the clock White sits, once the board has reported.
    pub white_clock: Option<ClockSide>,
    /// Charge of its battery, percent, if it has one and has reported.
    pub battery: Option<u8>,
    /// What the clock shows, if there is one.
    pub clock: Option<ClockView>,
    /// What stands where, as the board senses it.
    #[serde(rename = "pieces", serialize_with = "write_board")]
    pub squares: Board,
    /// The game, once one has begun.
    pub game: Option<GameView>,
    /// Irregularities of White and Black in the game that the arbiter has confirmed, once an order has changed them.
    #[serde(skip)]
    pub confirmed: Option<ByColor<u32>>,
    /// Until when no alerts are reported, UTC; it may have passed.
    pub muted_until: Option<jiff::Timestamp>,
    /// Alerts of the game and of the equipment, by id.
    pub alerts: BTreeMap<String, AlertView>,
    /// Orders that have let games go on at other boards, or have taken that back; the latest last.
    #[serde(skip)]
    pub(crate) transfers: Vec<Transfer>,
    /// Orders that have muted the board, or have taken that back; the latest last.
    #[serde(skip)]
    pub(crate) mutes: Vec<MuteOrder>,
    /// When the last event became known, UTC.
    pub updated: Option<jiff::Timestamp>,
    /// Where its capture ended that a restart has replayed, by the calendar of the times in it.
    #[serde(skip)]
    pub(crate) recovered: Option<jiff::Timestamp>,
}

/// What a clock shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClockView {
    /// Both times, as last reported.
    #[serde(flatten)]
    pub times: Times,
    /// Whose time runs.
    #[serde(serialize_with = "write_maybe_side")]
    pub running: Option<Color>,
    /// Whether the board has a clock.
    pub connected: bool,
    /// Whether it shows its battery sign.
    pub low_battery: bool,
    /// When that was reported, UTC.
    pub at: jiff::Timestamp,
}

/// What is known of an alert.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AlertView {
    /// What it is about.
    #[serde(skip)]
    pub code: Code,
    /// Where it stands in its life.
    #[serde(skip)]
    pub state: AlertState,
    /// How sure the facts are.
    #[serde(skip)]
    pub confidence: Confidence,
    /// What is to be done about it at board and clock.
    #[serde(skip)]
    pub plan: Option<Plan>,
    /// When it was raised, on the timeline of the capture.
    pub t: Timestamp,
    /// When it was raised, UTC.
    pub at: jiff::Timestamp,
    /// When it changed last, UTC.
    pub changed: jiff::Timestamp,
    /// The alert as the interface shows it, with all that has changed since.
    #[serde(flatten)]
    pub fields: Fields,
}

impl BoardView {
    pub(crate) fn new(name: BoardId) -> Self {
        Self {
            name,
            hall: None,
            desk: None,
            seq: 0,
            port: Arc::from(""),
            up: false,
            reading_log: false,
            serial: None,
            long_serial: None,
            version: None,
            rotated: false,
            white_clock: None,
            battery: None,
            clock: None,
            squares: Board::empty(),
            game: None,
            confirmed: None,
            muted_until: None,
            alerts: BTreeMap::new(),
            transfers: Vec::new(),
            mutes: Vec::new(),
            updated: None,
            recovered: None,
        }
    }

    /// Returns the number of the last ply, 0 before the first.
    #[must_use]
    pub fn ply(&self) -> u32 {
        let plies = self.game.as_ref().map_or(0, |game| game.moves.len());
        u32::try_from(plies).unwrap_or(u32::MAX)
    }

    /// Returns whether its game has a result.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.result.is_some())
    }

    /// Returns the alerts that somebody may have to deal with.
    pub fn open_alerts(&self) -> impl Iterator<Item = (&str, &AlertView)> {
        let open = self.alerts.iter().filter(|(_, alert)| alert.is_open());
        open.map(|(id, alert)| (id.as_str(), alert))
    }

    /// Handles an event about this board in.
    pub(crate) fn apply(&mut self, port: &Arc<str>, event: &Event, at: jiff::Timestamp, seq: u64) {
        self.seq = seq;
        self.updated = Some(at);
        if self.port != *port {
            self.port = port.clone();
        }
        match &event.kind {
            EventKind::Link { state, .. } => {
                self.up = *state == LinkState::Up;
                // What is pressed meanwhile nobody sees.
                if let Some(game) = self.game.as_mut().filter(|_| !self.up) {
                    (game.presses, game.counted) = (None, None);
                }
            }
            EventKind::Board(board) => {
                self.serial.clone_from(&board.serial);
                self.long_serial.clone_from(&board.long_serial);
                self.version.clone_from(&board.version);
                self.rotated = board.rotated;
                self.white_clock = Some(board.white_clock);
                self.battery = board.battery;
            }
            EventKind::Lift { square, .. } => self.lift(*square),
            EventKind::Place { square, piece } => self.place(*square, *piece),
            EventKind::Press { side, clock } => {
                if let Some(view) = &mut self.clock {
                    (view.times, view.at) = (*clock, at);
                }
                if let Some(game) = &mut self.game {
                    game.press(*side);
                }
            }
            EventKind::Clock { clock, running, connected, low_battery } => {
                let times = clock.or_else(|| self.clock.as_ref().map(|view| view.times));
                let (running, connected, low_battery) = (*running, *connected, *low_battery);
                self.clock = times.map(|times| ClockView { times, running, connected, low_battery, at });
            }
            EventKind::GameStart { game, fen, adopted, continued, players } => {
                self.start_game(*game, fen, *adopted, continued.as_ref(), at);
                if let Some(view) = &mut self.game {
                    view.players.clone_from(players);
                }
            }
            EventKind::Move(played) => {
                if let Some(game) = self.game.as_mut().filter(|game| game.number == played.game) {
                    game.play(played, at);
                }
                if played.completed {
                    self.abandon_plans(played.ply);
                }
            }
            EventKind::Retract { game, ply } => {
                if let Some(view) = self.game.as_mut().filter(|view| view.number == *game) {
                    view.retract(*ply);
                }
            }
            EventKind::Result { game, result, by } => {
                if let Some(view) = self.game.as_mut().filter(|view| view.number == *game) {
                    (view.result, view.by) =
                        Some((*result, *by)).filter(|(result, _)| *result != "*").unzip();
                    if view.result.is_none() {
                        view.ended = None;
                    }
                }
            }
            EventKind::Game(whole) => {
                if let Some(view) = self.game.as_mut().filter(|view| view.number == whole.game) {
                    view.ended = Some(Arc::new(whole.as_ref().clone()));
                }
            }
            EventKind::Entry { order, id, .. } => {
                self.note_transfer(order, id.as_deref());
                self.note_mute(order, id.as_deref(), at);
            }
            EventKind::Counts { game, white, black } => {
                if self.game.as_ref().is_some_and(|view| view.number == *game) {
                    self.confirmed = Some(ByColor { white: *white, black: *black });
                }
            }
            EventKind::Log { state } => self.reading_log = *state == LogState::Reading,
            EventKind::Alert(alert) => self.raise(alert, event.at, at),
            EventKind::AlertUpdate(update) => self.update(update, at),
        }
        if matches!(
            event.kind,
            EventKind::Lift { .. }
                | EventKind::Place { .. }
                | EventKind::Press { .. }
                | EventKind::Clock { .. }
                | EventKind::Alert(_)
        ) {
            self.follow_plans();
        }
    }

    fn lift(&mut self, square: Square) {
        self.squares.discard_piece_at(square);
    }

    fn place(&mut self, square: Square, piece: Piece) {
        self.squares.set_piece_at(square, piece);
    }

    fn raise(&mut self, alert: &Alert, t: Timestamp, at: jiff::Timestamp) {
        if self.alerts.len() >= MOST_ALERTS {
            let done = self.alerts.iter().filter(|(_, alert)| !alert.is_open());
            let oldest = done.min_by_key(|(_, alert)| alert.at).map(|(id, _)| id.clone());
            match oldest {
                Some(oldest) => drop(self.alerts.remove(&oldest)),
                None => drop(self.alerts.pop_first()),
            }
        }
        let Ok(Value::Object(fields)) = serde_json::to_value(alert) else { return };
        let (code, state, confidence) = (alert.code, alert.state, alert.confidence);
        let plan = Plan::of(code, &fields);
        let fields = Fields::from(&fields);
        let view = AlertView { code, state, confidence, plan, t, at, changed: at, fields };
        self.alerts.insert(alert.id.clone(), view);
    }

    fn update(&mut self, update: &AlertUpdate, at: jiff::Timestamp) {
        let Some(view) = self.alerts.get_mut(&update.id) else { return };
        view.state = update.state;
        view.changed = at;
        let mut fields = view.fields.read();
        if let Ok(Value::Object(changes)) = serde_json::to_value(update) {
            fields.extend(changes);
            view.fields = Fields::from(&fields);
        }
        // A loss that falls leaves the offence with a penalty of its own.
        match &mut view.plan {
            Some(plan) => plan.correct(&fields),
            None => view.plan = Plan::of(view.code, &fields),
        }
    }

    /// Begins a game, or begins the present one anew from another position; then all that was ruled in it stays.
    fn start_game(
        &mut self,
        number: u32,
        start: &str,
        adopted: bool,
        continued: Option<&Continuation>,
        at: jiff::Timestamp,
    ) {
        let present = self.game.as_ref().filter(|game| game.number == number);
        let known = present.map(|game| game.began);
        let continued = continued.or_else(|| present?.continued.as_ref()).cloned();
        if known.is_none() {
            self.alerts.retain(|_, alert| alert.is_open());
            for alert in self.alerts.values_mut() {
                alert.plan = None;
            }
            self.confirmed = None;
        }
        let game = GameView::new(number, start, adopted, known.unwrap_or(at));
        self.game = Some(GameView { continued, ..game });
    }

    /// Returns what is to be done at board and clock about an alert, and how far that is.
    #[must_use]
    pub fn steps(&self, alert: &AlertView) -> Vec<RulingStep> {
        let plan = alert.plan.as_ref().filter(|_| steps::is_followed(alert.state));
        plan.map_or_else(Vec::new, |plan| plan.steps(self.sensed()))
    }

    /// Returns how far the arbiter is with an alert, as far as board and clock show it.
    #[must_use]
    pub fn progress(&self, alert: &AlertView) -> Option<Headway> {
        let plan = alert.plan.as_ref().filter(|_| steps::is_followed(alert.state))?;
        plan.progress(self.sensed())
    }

    const fn sensed(&self) -> Sensed<'_> {
        Sensed { squares: &self.squares, clock: self.clock.as_ref(), up: self.up }
    }

    /// Play has gone on over what was ruled on: nothing is to be restored or set any more.
    fn abandon_plans(&mut self, ply: u32) {
        let ruled = self.alerts.values_mut().filter(|alert| alert.state == AlertState::Confirmed);
        for alert in ruled.filter(|alert| alert.plan.is_some()) {
            let hangs_on = alert.fields.get("ply").as_ref().and_then(Value::as_u64).unwrap_or(0);
            if u64::from(ply) > hangs_on {
                alert.plan = None;
            }
        }
    }

    /// Looks how far the arbiter is with what is to be done.
    fn follow_plans(&mut self) {
        let sensed = Sensed { squares: &self.squares, clock: self.clock.as_ref(), up: self.up };
        for alert in self.alerts.values_mut().filter(|alert| steps::is_followed(alert.state)) {
            if let Some(plan) = &mut alert.plan {
                plan.note(sensed);
            }
        }
    }
}

impl AlertView {
    /// Returns how soon somebody has to look at it.
    #[must_use]
    pub fn severity(&self) -> Severity {
        Severity::of(self.code, self.confidence)
    }

    /// Returns whether somebody may have to deal with it.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.state, AlertState::Open | AlertState::Acknowledged)
    }
}

fn write_board<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&board.board_fen())
}

#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn write_maybe_side<S: Serializer>(side: &Option<Color>, serializer: S) -> Result<S::Ok, S::Error> {
    side.map(side_name).serialize(serializer)
}
