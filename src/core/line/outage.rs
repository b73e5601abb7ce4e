//! What is known of an outage, and what waits until it is clear what nobody saw.

use std::time::Duration;

use dgt_protocol::{Field, Lever, Piece, Placement, Record};

use super::feed::{self, Item, LastKnown};
use crate::time::{Due, Timestamp};

/// The board reports what stands on it within this: it is asked in the first second, and a log that was asked for before the
/// outage may come first.
pub(super) const DUMPS: Duration = Duration::from_secs(12);

/// The command for the log goes out at once; if it has not gone out by then, nobody has asked.
pub(super) const ASKS: Duration = Duration::from_millis(150);

/// The log takes 8.3 seconds on the wire, over Bluetooth a little more.
pub(super) const READS: Duration = Duration::from_secs(12);

/// A log that has begun and stops for this long is not going on; the machine may have stood still for less.
pub(super) const STALLED: Duration = Duration::from_secs(8);

/// A log that goes on is waited for so much longer.
pub(super) const GOES_ON: Duration = Duration::from_secs(20);

/// How often a log that came damaged is asked for.
pub(super) const TRIES: u8 = 2;

/// So much waits for the log over a link that goes again and again; more is passed on at once.
pub(super) const WAITS: usize = 1024;

/// So few fields change in one move. The log would say more of it, but it keeps the line busy for 8.3 seconds, in which
/// the board may report nothing (protocol section 4.3).
const FEW: usize = 2;

/// In an outage that is shorter nobody makes a move and is answered.
const LONG: Duration = Duration::from_millis(1500);

/// What is known of an outage, and of the log that may say what happened in it.
#[derive(Debug, Default)]
pub(super) enum Outage {
    /// There was none, or it is over.
    #[default]
    None,
    /// The link is down, or the board has not reported what stands on it.
    Down(Held),
    /// The board has reported, and it is not what was known: the log has been asked for.
    Asking(Held),
    /// The log is on its way.
    Reading(Held, u8),
}

/// What waits until it is known what nobody saw: alone, clocks would report presses without their moves.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) known: LastKnown,
    /// What stands on the board, as far as the board has reported.
    pub(super) present: Placement,
    /// Fields on which dumps have shown what no change had reported.
    unexplained: usize,
    pub(super) items: Vec<Item>,
    /// Whether a dump has been passed on since the link went: what changes then is followed.
    followed: bool,
    /// When the link went.
    began: Timestamp,
    /// When the last of them came.
    last: Timestamp,
    /// Where the lever was at last.
    lever: Option<Lever>,
    /// Whether it has been pressed since the last change on the board.
    pressed: bool,
    /// When the clock reported last.
    reported: Option<Timestamp>,
    /// When the dump or the log is given up if nothing more comes; never while the link is down.
    pub(super) until: Option<Timestamp>,
    /// When the log is given up in any case.
    pub(super) most: Timestamp,
}

impl Outage {
    /// Returns when to stop waiting, and what for.
    pub(super) fn deadline(&self) -> Due {
        match self {
            Self::None => None,
            Self::Down(held) if held.items.is_empty() => None,
            Self::Down(held) => held.until.map(|at| (at, "the board has reported what stands on it, or not")),
            Self::Asking(held) => held.until.map(|at| (at, "the log is asked for, or not")),
            Self::Reading(held, _) => held.until.map(|at| (at, "the log is there, or not")),
        }
    }
}

impl Held {
    /// Begins with what the board has said and was not passed on.
    pub(super) fn new(known: LastKnown, items: Vec<Item>, now: Timestamp) -> Self {
        let present = feed::placement_after(&known.codes, &items);
        let lever = known.clock.map(|report| report.lever);
        Self {
            known,
            present,
            unexplained: 0,
            items,
            followed: false,
            began: now,
            last: now,
            lever,
            pressed: false,
            reported: None,
            until: None,
            most: now,
        }
    }

    /// Waits for the link to come back.
    pub(super) fn unplugged(self) -> Self {
        Self { until: None, followed: false, ..self }
    }

    /// Waits for the log from now on, until then at most.
    pub(super) const fn wait_until(&mut self, until: Timestamp) {
        self.until = Some(until);
        self.most = until;
    }

    /// Handles what the board has said; of a pause before it, no more than `longest` is kept. Returns whether something on the way has kept
    /// it, so that its times are not those at which it happened.
    pub(super) fn take(&mut self, item: Item, longest: Duration, now: Timestamp) -> bool {
        debug_assert!(self.last <= now, "what the board says comes in order");
        let before = self.present;
        item.apply(&mut self.present);
        if matches!(item, Item::Dump(_)) {
            self.unexplained += before.differences(&self.present).count();
        }
        let mut since = now.since(self.last).min(longest);
        // What something on the way has kept comes at once: what follows a press was not there when it was judged.
        let mut kept =
            matches!(item, Item::Field(..)) && std::mem::take(&mut self.pressed) && since.is_zero();
        if kept {
            since = longest;
        }
        if let Item::Clock(report) = item {
            self.pressed |= self.lever.replace(report.lever).is_some_and(|lever| lever != report.lever);
            // A clock reports a few times a second.
            kept |= self.reported.replace(now) == Some(now);
        }
        if !since.is_zero() && !self.items.is_empty() {
            self.items.push(Item::Wait(since));
        }
        self.last = now;
        self.items.push(item);
        kept
    }

    /// Returns what is passed on although no dump has come since the link did. If one came before that, what follows it is play, and known from
    /// then on: a log that is read later begins behind it.
    pub(super) fn release(&mut self) -> Vec<Item> {
        let items = std::mem::take(&mut self.items);
        self.followed |= items.iter().any(|item| matches!(item, Item::Dump(_)));
        if !self.followed {
            return items;
        }
        self.known.codes = self.present;
        self.unexplained = 0;
        for item in &items {
            if let Item::Clock(report) = item {
                self.known.clock = Some(*report);
            } else if let Item::Field(field, piece) = *item {
                feed::remember(&mut self.known.tail, Record::Field { field, piece, quick: false });
            }
        }
        items
    }

    /// Returns what is passed on of an outage that is explained. `settle` is how long a game takes to see what a dump has changed.
    ///
    /// Changes that came before the dump mean nothing without what stood on the board before them: that is what was known, if
    /// nothing is missing in the dump but pieces that have just been lifted, as a board reports no changes until it is asked to.
    pub(super) fn explained(mut self, settle: Duration) -> Vec<Item> {
        let (before, shown) = self.dump();
        let unreported = self.unreported(before, &shown);
        if !before.iter().any(is_change) || self.lacks_changes(before, &unreported) {
            return self.items;
        }
        let (place, present) = (before.len(), self.present);
        let unreported = unreported.into_iter().map(|field| Item::Field(field, present.get(field)));
        self.items.splice(place..place, unreported);
        let clock = self.known.clock.map(Item::Clock);
        let known = [Item::Dump(self.known.codes)].into_iter().chain(clock).chain([Item::Wait(settle)]);
        known.chain(self.items).collect()
    }

    /// Returns whether the changes that came explain what stands on the board, but for one move. If more than a move was reported as
    /// well, and something before it was not, nobody knows where that move belongs: the log is asked then.
    pub(super) fn is_explained(&self) -> bool {
        let (before, shown) = self.dump();
        let changes = before.iter().filter(|item| is_change(item)).count();
        self.unexplained + self.in_hand() <= FEW
            && (changes < FEW || !self.lacks_changes(before, &self.unreported(before, &shown)))
    }

    /// Returns whether nothing but the dump shows what was played: no change has reported a piece that came. Where the clock stood when the link
    /// went, pieces may have been put anywhere, and nobody has played.
    pub(super) fn is_alone(&self) -> bool {
        let clocked = self.known.clock.is_some_and(|report| report.connected && report.running);
        let has_come = |item: &Item| matches!(item, Item::Field(_, piece) if !piece.is_empty());
        clocked && !self.dump().0.iter().any(has_come)
    }

    /// Returns how many pieces were in the hands when the link went, whose squares nothing has come to since: they have moved, too.
    fn in_hand(&self) -> usize {
        let lifted = self.known.tail.iter().rev().map_while(|record| match record {
            Record::Field { field, piece: Piece::Empty, .. } => Some(*field),
            Record::Field { .. }
            | Record::Clock { .. }
            | Record::Elapsed(_)
            | Record::Mark(_)
            | Record::Unknown(_) => None,
        });
        let is_long = self.last.since(self.began) > LONG;
        lifted.filter(|field| is_long && self.present.get(*field).is_empty()).count()
    }

    /// Returns what came before the first dump, and what that shows; without one, all that came and what stands there then.
    fn dump(&self) -> (&[Item], Placement) {
        let place = self.items.iter().position(|item| matches!(item, Item::Dump(_)));
        match place.and_then(|place| self.items.split_at_checked(place)) {
            Some((before, [Item::Dump(shown), ..])) => (before, *shown),
            Some(_) | None => (&self.items, self.present),
        }
    }

    /// Returns the fields on which a dump shows what no change before it has reported.
    fn unreported(&self, before: &[Item], shown: &Placement) -> Vec<Field> {
        feed::placement_after(&self.known.codes, before).differences(shown).collect()
    }

    /// Returns whether pieces stand where no change has put them, or have left where none stood.
    fn lacks_changes(&self, before: &[Item], unreported: &[Field]) -> bool {
        let mut shown = self.known.codes;
        let leaves = |item: &Item| {
            let unseen = matches!(item, Item::Field(field, Piece::Empty) if shown.get(*field).is_empty());
            item.apply(&mut shown);
            unseen
        };
        unreported.iter().any(|field| !self.present.get(*field).is_empty()) || before.iter().any(leaves)
    }
}

const fn is_change(item: &Item) -> bool {
    matches!(item, Item::Field(..))
}
