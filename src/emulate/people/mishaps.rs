//! Incidents that break no rule.

use std::time::Duration;

use shakmaty::{Move, Square, attacks};

use super::{
    action::Action,
    gesture::HandlingStyle,
    handling::Mishaps,
    scene::{IncidentEffect, Scene},
};
use crate::{
    incident::{Incident, PlannedIncident, RulingStyle},
    random::span,
};
use jadoube_core::{code::Code, decoder::Params, time::Timestamp};

impl Scene<'_> {
    /// Lets something happen beside the move at the rates of the hands; returns whether the turn is done then.
    pub(super) fn mishap(&mut self, m: Move, think: Duration) -> bool {
        let rates = self.options.handling.mishaps;
        if rates == Mishaps::NONE || self.truth.moves.is_empty() {
            return false;
        }
        let Some(incident) = self.choose_mishap(rates) else { return false };
        let ply = self.ply();
        let planned = PlannedIncident { incident, from_ply: ply, ruling: RulingStyle::Stands };
        let happened = self.incident(planned, m, think) != IncidentEffect::NotApplicable;
        if happened {
            self.truth.incidents.push((ply, incident));
        }
        happened
    }

    fn choose_mishap(&mut self, rates: Mishaps) -> Option<Incident> {
        let Mishaps { shoved, fallen, off_centre, hover, ghost, bounce } = rates;
        let all = [shoved, fallen, off_centre, hover, ghost, bounce];
        let nothing = (1.0 - all.iter().sum::<f64>()).max(0.0);
        let [shoved, fallen, off_centre, hover, ghost, bounce] = all;
        let (hands, mishaps) = (Params::DEFAULT.hands, Params::DEFAULT.mishaps);
        match self.random.weighted(&[shoved, fallen, off_centre, hover, ghost, bounce, nothing]) {
            0 if self.random.chance(hands.left_there.probability()) => Some(Incident::ShoveAccepted),
            0 if self.random.chance(mishaps.left_lying.probability()) => Some(Incident::ShoveLeft),
            0 => Some(Incident::Shoved),
            1 if !self.random.chance(hands.fallen_at_press.probability()) => Some(Incident::KnockedOver),
            1 if self.random.chance(Params::DEFAULT.clock.back.probability()) => Some(Incident::PressBack),
            1 if self.random.chance(mishaps.left_lying.probability()) => Some(Incident::KnockedOverLeft),
            1 => Some(Incident::KnockedOverPressed),
            2 => Some(Incident::OffCentre),
            3 => Some(Incident::Hover),
            4 => Some(Incident::GhostBeside),
            5 => Some(Incident::LeverBounce),
            _ => None,
        }
    }

    /// Lifts a piece of the side to move for less than a second and a half, and puts it back.
    pub(super) fn adjust(&mut self, from: Timestamp) {
        let side = self.position.turn();
        let own: Vec<Square> = self.board.by_color(side).into_iter().collect();
        let Some(square) = self.random.pick(&own).copied() else { return };
        let lifted = from.max(self.settled + span(0.1));
        let down = lifted + self.random.seconds(0.35, 1.1);
        self.lift_and_put_back(square, lifted, down);
        self.remark("adjust", lifted, square.to_string());
    }

    pub(super) fn adjust_pieces(&mut self, think: Duration) -> IncidentEffect {
        let mut now = self.began + think.min(span(1.0));
        for _ in 0..=self.random.below(3) {
            self.adjust(now);
            now = self.settled + self.random.seconds(0.3, 0.8);
        }
        IncidentEffect::TurnContinues
    }

    /// Lifts a piece for long, puts it back, and moves another one.
    pub(super) fn touch_move(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let others: Vec<Square> = (self.position.legal_moves().iter())
            .filter(|other| !other.is_castle())
            .filter_map(|other| other.from())
            .filter(|from| Some(*from) != m.from())
            .collect();
        // In castling the rook would be touched as well.
        let others: Vec<Square> = others.into_iter().filter(|_| !m.is_castle()).collect();
        let Some(square) = self.random.pick(&others).copied() else { return IncidentEffect::NotApplicable };
        let lifted = (self.began + think).max(self.settled + span(0.1));
        let down = lifted + self.random.seconds(1.9, 3.0);
        self.lift_and_put_back(square, lifted, down);
        self.remark("touch-move", lifted, square.to_string());
        let start = down + self.random.seconds(0.4, 1.0);
        if self.make(m, start, HandlingStyle::Usual) && !self.is_over() {
            self.expect(Code::TouchMoveSuspect, Some(side), self.began, self.plies());
        }
        IncidentEffect::TurnDone
    }

    /// Displaces some neighbouring pieces; some come to stand on other squares; all are put back.
    pub(super) fn sweep(&mut self, think: Duration) -> IncidentEffect {
        let Some(centre) = self.random.pick(&Square::ALL).copied() else {
            return IncidentEffect::NotApplicable;
        };
        let mut near: Vec<Square> = self.board.occupied().into_iter().collect();
        near.sort_by_key(|square| (square.distance(centre), *square));
        near.truncate(3 + self.random.below(3));
        let before = self.board.clone();
        let swept = (self.began + think.min(span(2.0))).max(self.settled + span(0.1));
        for square in &near {
            let at = swept + self.random.seconds(0.0, 0.2);
            self.set(*square, None, at);
        }
        let landed = swept + span(0.25);
        for square in &near {
            let free = attacks::king_attacks(*square) & !self.board.occupied();
            let free: Vec<Square> = free.into_iter().filter(|free| !near.contains(free)).collect();
            if let Some(to) = self.random.pick(&free).copied()
                && self.random.chance(0.4)
            {
                let at = landed + self.random.seconds(0.0, 0.3);
                self.set(to, before.piece_at(*square), at);
            }
        }
        let begin = self.settled + self.random.seconds(0.8, 2.0);
        let done = self.restore_board(&before, begin);
        self.settled = self.settled.max(done);
        let names: Vec<String> = near.iter().map(ToString::to_string).collect();
        self.remark("swept", swept, names.join(" "));
        IncidentEffect::TurnContinues
    }

    /// Unplugs the board for a while. Mostly the player waits until it is plugged in, or nearly so;
    /// others continue to play.
    pub(super) fn unplug(&mut self) -> IncidentEffect {
        let out = self.began + self.random.seconds(0.1, 1.0);
        let back = out + self.random.seconds(4.0, 15.0);
        self.schedule(out, Action::Unplug);
        self.schedule(back, Action::Plug);
        if self.random.chance(0.7) {
            self.settled = self.settled.max(back.before(self.random.seconds(0.0, 3.0)));
        }
        self.remark("unplugged", out, format!("until {back}"));
        IncidentEffect::TurnContinues
    }

    pub(super) fn line_noise(&mut self) -> IncidentEffect {
        let from = self.began + self.random.seconds(0.0, 0.5);
        let until = from + self.random.seconds(3.0, 8.0);
        self.schedule(from, Action::Noise(true));
        self.schedule(until, Action::Noise(false));
        self.remark("noise", from, format!("until {until}"));
        IncidentEffect::TurnContinues
    }

    pub(super) fn lose_update(&mut self) -> IncidentEffect {
        self.schedule(self.settled.max(self.began) + span(0.3), Action::LoseUpdate);
        self.remark("lost-update", self.began, String::new());
        IncidentEffect::TurnContinues
    }

    /// Makes an empty square of the middle ranks dead.
    pub(super) fn dead_square(&mut self) -> IncidentEffect {
        let free: Vec<Square> = (Square::ALL.into_iter())
            .filter(|square| {
                (2..6).contains(&square.rank().to_u32()) && self.board.piece_at(*square).is_none()
            })
            .collect();
        let Some(square) = self.random.pick(&free).copied() else { return IncidentEffect::NotApplicable };
        self.schedule(self.settled.max(self.began), Action::DeadSquare(square));
        self.remark("dead-square", self.began, square.to_string());
        IncidentEffect::TurnContinues
    }

    fn lift_and_put_back(&mut self, square: Square, lifted: Timestamp, down: Timestamp) {
        let piece = self.board.piece_at(square);
        self.set(square, None, lifted);
        self.set(square, piece, down);
    }
}
