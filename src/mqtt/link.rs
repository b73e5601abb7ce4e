//! Owns one connection to a broker, from the first try to its loss.
//!
//! A connection that is lost is thrown away and never resumed: the owner knows what has been acknowledged and sends
//! the rest over the next one. So nothing is kept here, and the window bounds what is under way. The client runs in a
//! task of its own; if it fails, that is a lost connection and nothing more.

use std::collections::{BTreeMap, VecDeque};

use rumqttc::{
    AsyncClient, ConnectionError, Event, EventLoop, MqttOptions, NetworkOptions, Outgoing, Packet, Publish,
    PublishOptions, QoS, StateError, mqttbytes,
};
use tokio::{sync::mpsc, task::JoinSet};

/// Happenings that wait for the owner.
const QUEUE: usize = 64;

/// Requests beside messages: a subscription and the farewell.
const SPARE: usize = 8;

/// Longest topic that is named to the owner where its message is not.
const NAMED: usize = 100;

/// What happens on a connection.
#[derive(Debug)]
pub(crate) enum BrokerEvent {
    /// The broker has let us in.
    Connected,
    /// The broker has taken a message.
    Acknowledged(u16),
    /// A message has gone out.
    Sent(u16),
    /// A message has come in.
    Message(BrokerMessage),
    /// A message has come in that the owner does not want to hold.
    TooLong {
        /// Its topic, or the beginning of it.
        topic: String,
        /// How many bytes it has.
        length: usize,
        /// Whether the broker had it before it was asked for.
        retained: bool,
    },
    /// The broker has answered a subscription.
    Answered {
        /// Whether it refuses it.
        refused: bool,
    },
    /// It is over.
    Lost(Loss),
}

/// A message of a broker.
#[derive(Debug)]
pub(crate) struct BrokerMessage {
    /// Its topic.
    pub(crate) topic: String,
    /// What is in it.
    pub(crate) payload: Vec<u8>,
    /// Whether the broker had it before it was asked for.
    pub(crate) retained: bool,
}

/// Why a connection is over.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Loss {
    /// The reason.
    pub(crate) reason: String,
    /// Whether the broker has sent more in one packet than we take.
    pub(crate) oversized: bool,
}

/// A connection to a broker; `T` says what each message under way means to the owner.
#[derive(Debug)]
pub(crate) struct BrokerLink<T> {
    client: AsyncClient,
    broker_events: mpsc::Receiver<BrokerEvent>,
    driver: JoinSet<()>,
    window: usize,
    waiting: VecDeque<T>,
    under_way: BTreeMap<u16, T>,
    /// Subscriptions without an answer.
    asked: VecDeque<String>,
}

impl<T> BrokerLink<T> {
    /// Begins to connect; at most as many messages as the options say are under way at a time, and of those that come in the
    /// owner gets what has at most `most` bytes.
    pub(crate) fn open(options: MqttOptions, most: usize) -> Self {
        let window = usize::from(options.inflight());
        let (client, mut events) = AsyncClient::builder(options).capacity(window + SPARE).build();
        // Acknowledgements are short and many: each would wait for the one before it.
        let mut network = NetworkOptions::new();
        network.set_tcp_nodelay(true);
        events.set_network_options(network);
        let (sender, broker_events) = mpsc::channel(QUEUE);
        let mut driver = JoinSet::new();
        driver.spawn(drive(events, most, sender));
        Self {
            client,
            broker_events,
            driver,
            window,
            waiting: VecDeque::new(),
            under_way: BTreeMap::new(),
            asked: VecDeque::new(),
        }
    }

    /// Waits for what happens next; may be dropped and called again at any time.
    pub(crate) async fn next(&mut self) -> BrokerEvent {
        if let Some(broker_event) = self.broker_events.recv().await {
            return broker_event;
        }
        let panicked = self.driver.join_next().await.is_some_and(|ended| ended.is_err());
        let reason = if panicked { "the client has failed" } else { "the connection has ended" };
        BrokerEvent::Lost(Loss { reason: reason.to_owned(), oversized: false })
    }

    /// Returns whether another message may go out.
    pub(crate) fn has_room(&self) -> bool {
        self.waiting.len() + self.under_way.len() < self.window
    }

    /// Returns whether everything that went out has been acknowledged.
    pub(crate) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.under_way.is_empty()
    }

    /// Sends a message; gives it back if there is no room.
    pub(crate) fn publish(&mut self, topic: &str, payload: Vec<u8>, retain: bool, token: T) -> Result<(), T> {
        let mut options = PublishOptions::at_least_once();
        if retain {
            options = options.retained();
        }
        if !self.has_room() || self.client.try_publish(topic, payload, options).is_err() {
            return Err(token);
        }
        self.waiting.push_back(token);
        Ok(())
    }

    /// Asks for messages.
    pub(crate) fn subscribe(&mut self, filter: &str) -> bool {
        let asked = self.client.try_subscribe(filter, QoS::AtLeastOnce).is_ok();
        if asked {
            self.asked.push_back(filter.to_owned());
        }
        asked
    }

    /// Notes that a subscription was answered, and returns which; brokers answer in order.
    pub(crate) fn answered(&mut self) -> Option<String> {
        self.asked.pop_front()
    }

    /// Notes that a message has gone out.
    pub(crate) fn sent(&mut self, packet: u16) {
        if let Some(token) = self.waiting.pop_front() {
            self.under_way.insert(packet, token);
        }
    }

    /// Notes that a message has arrived, and returns which.
    pub(crate) fn acknowledged(&mut self, packet: u16) -> Option<T> {
        self.under_way.remove(&packet)
    }

    /// Returns what is under way, in no order.
    pub(crate) fn under_way(&self) -> impl Iterator<Item = &T> {
        self.waiting.iter().chain(self.under_way.values())
    }

    /// Says goodbye, so that the broker keeps our will to itself.
    pub(crate) fn close(&self) -> bool {
        self.client.try_disconnect().is_ok()
    }
}

async fn drive(mut events: EventLoop, most: usize, broker_events: mpsc::Sender<BrokerEvent>) {
    loop {
        let broker_event = match events.poll().await {
            Ok(event) => translate(event, most),
            Err(error) => Some(BrokerEvent::Lost(loss(&error))),
        };
        let Some(broker_event) = broker_event else { continue };
        let over = matches!(broker_event, BrokerEvent::Lost(_));
        if broker_events.send(broker_event).await.is_err() || over {
            return;
        }
    }
}

fn translate(event: Event, most: usize) -> Option<BrokerEvent> {
    match event {
        Event::Incoming(Packet::ConnAck(_)) => Some(BrokerEvent::Connected),
        Event::Incoming(Packet::PubAck(ack)) => Some(BrokerEvent::Acknowledged(ack.pkid)),
        Event::Incoming(Packet::Publish(Publish { topic, payload, retain, .. })) => {
            let topic = String::from_utf8_lossy(&topic);
            Some(if payload.len() > most {
                let topic = topic.chars().take(NAMED).collect();
                BrokerEvent::TooLong { topic, length: payload.len(), retained: retain }
            } else {
                BrokerEvent::Message(BrokerMessage {
                    topic: topic.into_owned(),
                    payload: payload.into(),
                    retained: retain,
                })
            })
        }
        Event::Incoming(Packet::SubAck(ack)) => {
            let refused = |code: &_| *code == rumqttc::SubscribeReasonCode::Failure;
            Some(BrokerEvent::Answered { refused: ack.return_codes.iter().any(refused) })
        }
        Event::Outgoing(Outgoing::Publish(packet)) => Some(BrokerEvent::Sent(packet)),
        Event::Incoming(_) | Event::Outgoing(_) => None,
    }
}

fn loss(error: &ConnectionError) -> Loss {
    let oversized = matches!(
        error,
        ConnectionError::MqttState(StateError::Deserialization(mqttbytes::Error::PayloadSizeLimitExceeded(
            _
        )))
    );
    Loss { reason: error.to_string(), oversized }
}
