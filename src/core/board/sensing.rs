//! Owns what the board has reported of its fields, dumps and damage included.

use dgt_protocol::{Field, Piece, Placement};

use super::{Board, Observation, damage_filter::DamageFilter, observed};
use crate::{model::wait, time::Timestamp};

/// What the board has reported of its fields since the link came up.
#[derive(Debug)]
pub(super) struct Sensing {
    /// What each field shows.
    pub(super) codes: Placement,
    /// Whether a dump has shown what stands on the board.
    pub(super) known: bool,
    /// A dump that contradicts the updates, until a second one agrees with it.
    pub(super) doubted: Option<Placement>,
    pub(super) damage_filter: DamageFilter,
    /// A message was thrown away: a dump would show what it said.
    pub(super) unsure: bool,
    /// A piece of the first dump that cannot stand there, until the next dump: then the line is known to damage, or it stands there.
    pub(super) disbelieved: Option<(Field, Piece)>,
    /// The game began with other pieces than stand there then; the next dump shows whether they do.
    pub(super) odd_start: bool,
    /// A sign that shows a result, where it stands, and whether a dump has shown it, too.
    pub(super) sign: Option<(Field, Piece, bool)>,
    /// The piece that was lifted last and has not come down, from where, and when.
    lifted: Option<(Field, Piece, Timestamp)>,
}

impl Default for Sensing {
    fn default() -> Self {
        Self {
            codes: Placement::EMPTY,
            known: false,
            doubted: None,
            damage_filter: DamageFilter::default(),
            unsure: false,
            disbelieved: None,
            odd_start: false,
            sign: None,
            lifted: None,
        }
    }
}

impl Sensing {
    /// Handles what a field shows next.
    pub(super) fn note_hand(&mut self, field: Field, piece: Piece, now: Timestamp) {
        let was = self.codes.get(field);
        if piece == Piece::Empty && was != Piece::Empty {
            self.lifted = Some((field, was, now));
        } else if piece != Piece::Empty {
            self.lifted.take_if(|(_, held, _)| *held == piece);
        }
    }

    /// Returns what stands on the board, with the piece that a hand holds put back, and its field; what is not put down soon was
    /// captured.
    pub(super) fn with_lifted(&self, now: Timestamp) -> (Placement, Option<Field>) {
        let mut codes = self.codes;
        let holds = |(field, _, at): &(Field, Piece, Timestamp)| {
            codes.get(*field) == Piece::Empty && now.since(*at) <= wait::HELD
        };
        let Some((field, piece, _)) = self.lifted.filter(holds) else { return (codes, None) };
        codes.set(field, piece);
        (codes, Some(field))
    }
}

impl Board {
    /// Returns whether [`Board::wants_dump`] would.
    pub(crate) const fn is_in_doubt(&self) -> bool {
        self.sensing.unsure || self.sensing.doubted.is_some() || self.tracker.is_in_doubt()
    }

    /// Returns, once, whether a dump would show what the updates leave open.
    pub fn wants_dump(&mut self) -> bool {
        let doubt = self.tracker.take_doubt();
        std::mem::take(&mut self.sensing.unsure) || self.sensing.doubted.is_some() || doubt
    }

    /// Notes that the board was without power until now, as its log reports: pieces may have been moved that nobody saw.
    pub(crate) fn handle_power_up(&mut self, now: Timestamp) {
        self.lose_sight(now);
        self.settle(now);
    }

    /// Handles a dump before anything of it is shown.
    pub(super) fn note_next_dump(&mut self, placement: &Placement) {
        if self.tracker.is_polled_by_dumps() {
            let shown = observed::read(placement, self.rotated);
            self.tracker.note_next_dump(&shown);
        }
    }

    /// Notes that what stands on the board is not known until a dump shows it.
    pub(super) fn lose_sight(&mut self, now: Timestamp) {
        self.sensing.known = false;
        self.sensing.doubted = None;
        self.sensing.damage_filter.forget();
        self.keep_observation(Observation::Gap, now);
        self.weighing.clear();
        self.tracker.handle_gap(now);
        self.seat_evidence.begin(None);
        self.clock.forget();
        self.pending.unheard_since |= self.tracker.game().is_some_and(|game| game.result().is_some());
    }
}
