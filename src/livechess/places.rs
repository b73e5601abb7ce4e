//! Who is connected: how many programs may be, and which one gives way to a new one.
//!
//! A program that listens to no board loses nothing when it is closed, so that as many of them as anybody opens keep nobody out. Of
//! those that listen, one gives way only to a network that has fewer.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio_util::sync::CancellationToken;

use crate::http::network;

/// Programs that are connected at a time.
pub(super) const MOST: usize = 256;

/// All places.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(Arc<Mutex<Taken>>);

#[derive(Debug, Default)]
struct Taken {
    by_number: BTreeMap<u64, Client>,
    /// Counts up with every place, and whenever a program says something.
    turns: u64,
}

#[derive(Debug)]
struct Client {
    /// Where it comes from, as limits count.
    from: IpAddr,
    is_listening: bool,
    /// The turn at which it said something last.
    since: u64,
    leave: CancellationToken,
}

/// The place of one program, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Places,
    number: u64,
    leave: CancellationToken,
}

impl Places {
    /// Claims a place; another program may lose its place for it.
    pub(super) fn take(&self, from: IpAddr) -> Option<Place> {
        let from = network::counted(from);
        let mut taken = self.lock();
        if taken.by_number.len() >= MOST {
            let number = taken.leaving(from)?;
            if let Some(client) = taken.by_number.remove(&number) {
                client.leave.cancel();
            }
        }
        taken.turns += 1;
        let (number, leave) = (taken.turns, CancellationToken::new());
        let client = Client { from, is_listening: false, since: number, leave: leave.clone() };
        taken.by_number.insert(number, client);
        Some(Place { places: self.clone(), number, leave })
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    /// Returns who gives way to a network: whoever has the most, and of it the one that has said nothing for longest.
    fn leaving(&self, to: IpAddr) -> Option<u64> {
        let mut counts = HashMap::<IpAddr, usize>::new();
        for client in self.by_number.values() {
            *counts.entry(client.from).or_default() += 1;
        }
        let count = |from: IpAddr| counts.get(&from).copied().unwrap_or(0);
        let may_leave = |client: &Client| !client.is_listening || count(client.from) > count(to) + 1;
        let leaving = self.by_number.iter().filter(|(_, client)| may_leave(client));
        let order = |client: &Client| (!client.is_listening, count(client.from), u64::MAX - client.since);
        leaving.max_by_key(|(_, client)| order(client)).map(|(number, _)| *number)
    }
}

impl Place {
    /// Notes that the program has said something, and whether it listens to a board.
    pub(super) fn note(&self, is_listening: bool) {
        let mut taken = self.places.lock();
        taken.turns += 1;
        let since = taken.turns;
        if let Some(client) = taken.by_number.get_mut(&self.number) {
            (client.is_listening, client.since) = (is_listening, since);
        }
    }

    /// Waits until it has to give way.
    pub(super) async fn lost(&self) {
        self.leave.cancelled().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().by_number.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(places: &Places, from: [u8; 4], is_listening: bool) -> Place {
        let place = places.take(from.into()).unwrap();
        place.note(is_listening);
        place
    }

    #[test]
    fn programs_that_listen_to_nothing_keep_nobody_out() {
        let places = Places::default();
        let listening = take(&places, [127, 0, 0, 1], true);
        let idle: Vec<Place> = (1..MOST).map(|_| take(&places, [127, 0, 0, 1], false)).collect();
        // One that asks now and then has been idle for less long.
        idle[0].note(false);
        let next = take(&places, [127, 0, 0, 1], true);
        let lost = |place: &Place| place.leave.is_cancelled();
        assert!(lost(&idle[1]) && !lost(&idle[0]) && !lost(&listening) && !lost(&next));
        assert_eq!(places.lock().by_number.len(), MOST);
        drop((listening, idle, next));
        assert_eq!(places.lock().by_number.len(), 0);
    }

    #[test]
    fn one_network_that_listens_keeps_no_other_out() {
        let places = Places::default();
        let first: Vec<Place> = (0..MOST).map(|_| take(&places, [10, 0, 0, 1], true)).collect();
        assert!(places.take([10, 0, 0, 1].into()).is_none(), "its own programs hear of it");
        let _other = take(&places, [10, 0, 0, 2], true);
        assert!(first[0].leave.is_cancelled() && !first[1].leave.is_cancelled());
    }
}
