//! Owns what services share: the context that they start with, and the handle through which they meet the daemon.
//!
//! It knows neither the daemon nor any service. The daemon makes a [`DaemonHandle`] and keeps the other ends of its
//! channels; the hub makes one for boards that are on other machines.

mod continued;
pub(crate) mod game_store;

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;
use tracing::debug;

use self::{continued::Transfer, game_store::GameStore};
#[cfg(any(feature = "http", feature = "mqtt"))]
use crate::audit::AuditList;
use crate::{
    config::Config,
    metrics::Figures,
    published::{EventReader, EventSource},
    rounds::Rounds,
    view::{Transferred, View, transfer_of},
};
use jadoube_core::order::{CarriedOut, Order, OrderError};
use jadoube_runtime::watchdog::Heartbeat;

/// Orders that wait for the supervisor.
const ORDER_QUEUE: usize = 16;

/// What a service works with.
#[derive(Clone, Debug)]
pub(crate) struct ServiceContext {
    /// The configuration; a reload changes it.
    pub(crate) config: watch::Receiver<Arc<Config>>,
    /// Events, boards, orders.
    pub(crate) daemon: DaemonHandle,
    /// The games as the public may see them.
    pub(crate) games: GameStore,
    /// Says when to end.
    pub(crate) shutdown: CancellationToken,
    /// To beat once in its period.
    pub(crate) heartbeat: Heartbeat,
}

impl ServiceContext {
    /// Logs that a service starts.
    pub(crate) fn log_start(&self, service: &'static str) {
        debug!(service, event = self.config.borrow().event.name, seq = self.daemon.view().seq(), "starts");
    }
}

/// Where other parts of the program meet the daemon: events out, orders in.
#[derive(Clone, Debug)]
pub struct DaemonHandle {
    orders: mpsc::Sender<BoardOrder>,
    events: EventSource,
    view: View,
    began: u64,
    figures: Figures,
    #[cfg(any(feature = "http", feature = "mqtt"))]
    audit: AuditList,
    rounds: Rounds,
    remote: bool,
}

/// An order and the board that it is for.
#[derive(Debug)]
pub(crate) struct BoardOrder {
    /// The board's name.
    pub(crate) board: String,
    /// The order.
    pub(crate) order: Order,
    /// Who gives it; empty if that is not known.
    pub(crate) by: String,
    /// Where the answer goes.
    pub(crate) reply: oneshot::Sender<Result<CarriedOut, OrderError>>,
}

impl DaemonHandle {
    /// Makes a handle for boards of this process, and the receiver of its orders; `seq` is the number of the last event
    /// before this process.
    pub(crate) fn local(seq: u64, events: EventSource, rounds: Rounds) -> (Self, mpsc::Receiver<BoardOrder>) {
        let (handle, received) = Self::new(View::after(seq), seq, events, false);
        (Self { rounds, ..handle }, received)
    }

    /// Makes a handle for boards on other machines, and the receiver of its orders.
    pub(crate) fn remote(view: View, events: EventSource) -> (Self, mpsc::Receiver<BoardOrder>) {
        let began = view.seq();
        Self::new(view, began, events, true)
    }

    fn new(view: View, began: u64, events: EventSource, remote: bool) -> (Self, mpsc::Receiver<BoardOrder>) {
        let (orders, received) = mpsc::channel(ORDER_QUEUE);
        let (figures, rounds) = (Figures::default(), Rounds::default());
        #[cfg(any(feature = "http", feature = "mqtt"))]
        let audit = AuditList::new(&figures.health);
        let handle = Self {
            orders,
            events,
            view,
            began,
            figures,
            #[cfg(any(feature = "http", feature = "mqtt"))]
            audit,
            rounds,
            remote,
        };
        (handle, received)
    }

    /// Listens to the events from here on; `None` if the daemon has ended.
    #[must_use]
    pub fn subscribe(&self) -> Option<EventReader> {
        self.events.subscribe()
    }

    /// Returns what is known of every board; listen first and read then, and nothing is missed.
    #[must_use]
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// Returns the number of the last event before this process.
    #[must_use]
    pub const fn began(&self) -> u64 {
        self.began
    }

    /// Returns whether the boards are on other machines, and their captures with them.
    pub(crate) const fn is_remote(&self) -> bool {
        self.remote
    }

    /// Returns what no event reports: what is wrong, and what has been counted.
    pub(crate) const fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Returns the list of orders.
    #[cfg(any(feature = "http", feature = "mqtt"))]
    pub(crate) const fn audit(&self) -> &AuditList {
        &self.audit
    }

    /// Returns the rounds of the event; none for boards on other machines.
    pub(crate) const fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// Gives an order to the board with this serial number, or on this port, and says who gives it.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order is refused; then nothing has changed.
    pub async fn order(&self, board: &str, order: Order, by: &str) -> Result<CarriedOut, OrderError> {
        // At a hub the hall knows both boards.
        if let Order::Undo { id: Some(id), .. } = order.inner()
            && let Some(known) = (!self.remote).then(|| transfer_of(&self.view.read().1, id)).flatten()
        {
            return self.take_transfer_back(&known, by).await;
        }
        match (!self.remote).then(|| continued::transfer(&self.view, board, &order)).flatten() {
            Some(Ok(transfer)) => self.transfer(transfer, by).await,
            Some(Err(reason)) => Err(OrderError::Refused(reason)),
            None => self.send(board, order, by).await,
        }
    }

    /// Lets a game go on at another board: that takes it first, and then the one that it comes from is free.
    async fn transfer(&self, transfer: Transfer, by: &str) -> Result<CarriedOut, OrderError> {
        let Transfer { to, take, from, leave } = transfer;
        let taken = self.send(&to, take, by).await?;
        // A board that is broken need not know.
        let left = match self.send(&from, leave, by).await {
            Ok(left) => left,
            Err(error) => {
                debug!(board = from, %error, "the game goes on elsewhere, and this board does not know");
                return Ok(taken);
            }
        };
        Ok(CarriedOut { text: taken.text, ..left })
    }

    /// Undoes an order that has let a game go on elsewhere: the board there waits no more, and then the game goes on where it was.
    async fn take_transfer_back(&self, known: &Transferred, by: &str) -> Result<CarriedOut, OrderError> {
        let undo = |id: &str| Order::Undo { id: Some(id.to_owned()), alert: None, what: None, side: None };
        let (to, from) = (&known.to, &known.from);
        let waits_no_more = self.send(&to.0, undo(&to.1), by).await?;
        let done = self.send(&from.0, undo(&from.1), by).await;
        if done.is_err() {
            // Both do it, or none.
            self.send(&to.0, undo(&waits_no_more.id), by).await?;
        }
        done
    }

    async fn send(&self, board: &str, order: Order, by: &str) -> Result<CarriedOut, OrderError> {
        let (reply, answer) = oneshot::channel();
        let request = BoardOrder { board: board.to_owned(), order, by: by.to_owned(), reply };
        let ended = || OrderError::Refused("the program is about to end".to_owned());
        self.orders.send(request).await.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}
