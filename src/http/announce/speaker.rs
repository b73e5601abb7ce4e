//! Answers for the name of the desk, and notices who else does.
//!
//! Of what is heard nothing is kept: a packet is answered or forgotten. So many are read in a second, and so many answered; the system
//! drops the others.

use std::{io, net::IpAddr, time::Duration};

use tokio::{
    select,
    time::{MissedTickBehavior, interval, sleep},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::{
    Wanted,
    names::{self, Names},
    network::{Link, PORT, Sockets},
};
use crate::metrics::Health;
use jadoube_core::time::Timestamp;
use jadoube_runtime::clock::SystemClock;

/// What is wrong with the name, among what is wrong with the service.
const PART: &str = "http.local_name";

/// Time between two questions whether somebody has the name (RFC 6762, 8.1).
const PROBE: Duration = Duration::from_millis(250);

/// Questions before the name is taken.
const PROBES: u32 = 3;

/// At which step after the questions the name is announced a second time: a second later.
const AGAIN: u32 = PROBES + 4;

/// How often networks are looked for.
const LOOK: Duration = Duration::from_secs(5);

/// Packets that are read before the next pause, and how long that is.
const BURST: (u32, Duration) = (100, Duration::from_millis(50));

/// Answers in a second.
const ANSWERS: u32 = 20;

/// How long another machine with the name counts after it was heard.
const RIVAL: Duration = Duration::from_mins(5);

/// Names that are tried: `hall-a`, `hall-a-2`, …
const TRIES: u32 = 9;

/// Longest packet (RFC 6762, 17).
const LONGEST: usize = 9000;

/// Somebody who answers.
pub(super) struct Speaker {
    wanted: Wanted,
    health: Health,
    clock: SystemClock,
    names: Names,
    /// Which of the names it is.
    number: u32,
    /// How often the network was asked for the name or heard it.
    step: u32,
    links: Vec<Link>,
    own: Vec<IpAddr>,
    answered: (Timestamp, u32),
    rival_until: Option<Timestamp>,
}

impl Speaker {
    pub(super) fn new(wanted: Wanted, health: Health) -> Self {
        let names = Names::new(&wanted.name, wanted.address.port(), wanted.is_encrypted);
        let clock = SystemClock::start();
        let answered = (clock.now(), 0);
        let (links, own) = (Vec::new(), Vec::new());
        Self { wanted, health, clock, names, number: 1, step: 0, links, own, answered, rival_until: None }
    }

    /// Works until it is asked to end, which is announced in the network, too.
    pub(super) async fn run(mut self, shutdown: CancellationToken) {
        let mut complained = false;
        loop {
            match Sockets::open(self.wanted.address.is_ipv6()) {
                Ok(sockets) => match self.talk(sockets, &shutdown).await {
                    Ok(()) => return,
                    Err(error) => debug!(%error, "multicast DNS"),
                },
                Err(error) if !std::mem::replace(&mut complained, true) => {
                    warn!(%error, "the desk has no name in the network; tried again");
                }
                Err(_) => {}
            }
            select! {
                () = sleep(LOOK) => {}
                () = shutdown.cancelled() => return,
            }
        }
    }

    async fn talk(&mut self, mut sockets: Sockets, shutdown: &CancellationToken) -> io::Result<()> {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut steps = interval(PROBE);
        steps.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut packet, mut other) = (vec![0; LONGEST], vec![0; LONGEST]);
        let mut left = BURST.0;
        loop {
            let (count, from, is_v4) = select! {
                heard = sockets.v4.recv_from(&mut packet) => { let (count, from) = heard?; (count, from, true) }
                heard = hear(&sockets, &mut other) => { let (count, from) = heard?; (count, from, false) }
                _ = looks.tick() => {
                    self.look(&mut sockets);
                    continue;
                }
                _ = steps.tick(), if self.step <= AGAIN && !self.links.is_empty() => {
                    self.advance(&sockets).await;
                    continue;
                }
                () = shutdown.cancelled() => {
                    self.say(&sockets, self.names.announcement(&self.own, true)).await;
                    self.health.degrade(PART, None);
                    return Ok(());
                }
            };
            let heard = if is_v4 { packet.get(..count) } else { other.get(..count) };
            self.hear(&sockets, heard.unwrap_or_default(), from).await;
            left = left.saturating_sub(1);
            if left == 0 {
                // Boards are not to wait for whoever floods the network.
                left = BURST.0;
                sleep(BURST.1).await;
            }
        }
    }

    /// Looks for networks that have come or gone.
    fn look(&mut self, sockets: &mut Sockets) {
        if self.rival_until.is_some_and(|until| until < self.clock.now()) {
            self.rival_until = None;
            self.health.degrade(PART, None);
        }
        let links = Link::all(self.wanted.address.ip());
        if links != self.links {
            self.own = links.iter().flat_map(Link::addresses).collect();
            self.links = links;
            sockets.join(&self.links);
            if self.step > PROBES {
                self.step = PROBES;
            }
        }
    }

    /// Asks for the name, and announces it once nobody has answered.
    async fn advance(&mut self, sockets: &Sockets) {
        if self.step < PROBES {
            self.say(sockets, self.names.probe()).await;
        } else if self.step == PROBES || self.step == AGAIN {
            for link in &self.links {
                let packet = self.names.announcement(&link.addresses(), false).unwrap_or_default();
                if let Err(error) = sockets.say(link, &packet).await {
                    debug!(%error, ?link, "multicast DNS is not said");
                }
            }
            if self.step == PROBES {
                info!("the network finds the desk as {}", self.names.host);
            }
        }
        self.step += 1;
    }

    async fn say(&self, sockets: &Sockets, packet: Option<Vec<u8>>) {
        let Some(packet) = packet else { return };
        for link in &self.links {
            if let Err(error) = sockets.say(link, &packet).await {
                debug!(%error, ?link, "multicast DNS is not said");
            }
        }
    }

    async fn hear(&mut self, sockets: &Sockets, packet: &[u8], from: std::net::SocketAddr) {
        let Some(link) = self.links.iter().find(|link| link.has(from)).cloned() else { return };
        if !names::is_reasonable(packet) {
            return;
        }
        if let Some(rival) = self.names.rival(packet, &self.own) {
            self.meet(rival);
            return;
        }
        // Before nobody has answered, the name is not this desk's.
        if self.step < PROBES || !self.may_answer() {
            return;
        }
        let is_legacy = from.port() != PORT;
        let Some(reply) = self.names.reply(packet, &link.addresses(), is_legacy) else { return };
        self.answered.1 += 1;
        let said = if reply.is_for_one {
            sockets.report(from, &reply.packet).await
        } else {
            sockets.say(&link, &reply.packet).await
        };
        if let Err(error) = said {
            debug!(%error, %from, "multicast DNS is not answered");
        }
    }

    /// Meets another machine with the name: takes the next one as long as nobody was sent this one, and keeps it else.
    fn meet(&mut self, rival: IpAddr) {
        let host = self.names.host.clone();
        if self.step <= PROBES && self.number < TRIES {
            self.number += 1;
            self.step = 0;
            let label = format!("{}-{}", self.wanted.name, self.number);
            self.names = Names::new(&label, self.wanted.address.port(), self.wanted.is_encrypted);
            let new = &self.names.host;
            warn!(
                %rival,
                "another machine in the network is called {host}: this desk is {new} now; http.local_name gives it a name of \
                 its own, and http.hosts = [\"{new}\"] lets browsers use this one"
            );
            return;
        }
        if self.rival_until.is_none() {
            warn!(%rival, "another machine in the network says that it is {host}: phones may be led to it; find it, or change http.local_name");
        }
        self.rival_until = Some(self.clock.now() + RIVAL);
        self.health.degrade(PART, Some(format!("{rival} says that it is {host}, too")));
    }

    /// Returns whether there may be one more answer in this second. Asked before an answer is made: that takes longer than asking for it.
    fn may_answer(&mut self) -> bool {
        let now = self.clock.now();
        if now.since(self.answered.0) >= Duration::from_secs(1) {
            self.answered = (now, 0);
        }
        self.answered.1 < ANSWERS
    }
}

async fn hear(sockets: &Sockets, packet: &mut [u8]) -> io::Result<(usize, std::net::SocketAddr)> {
    match &sockets.v6 {
        Some(socket) => socket.recv_from(packet).await,
        None => std::future::pending().await,
    }
}
