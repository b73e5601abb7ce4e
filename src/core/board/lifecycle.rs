//! The life of a game: set-up, start, result, a game that is picked up in its middle.

use shakmaty::{CastlingMode, Color, Role, Square};

use super::{Board, setup};
use crate::{
    game::Ply,
    model::{decision, wait},
    position::Position,
    time::Timestamp,
};

impl Board {
    /// Looks for a new game, a result, a game to be picked up.
    pub(super) fn update_lifecycle(&mut self, now: Timestamp) {
        self.look_for_start(now);
        self.look_for_kings(now);
        let running = self.view().running.is_some();
        self.pending.pick_up = (running && self.tracker.game().is_none()).then(|| now + wait::PICK_UP);
        self.pending.calm = false;
    }

    fn look_for_start(&mut self, now: Timestamp) {
        self.pending.start = None;
        let Some(position) = self.recognise_start(now) else { return };
        match self.tracker.game() {
            Some(game) if game.result().is_none() && game.position().board() == position.board() => {}
            // An illegal first move that is put back ends no game.
            Some(game)
                if game.result().is_none()
                    && game.len() <= decision::SAME_GAME
                    && game.plies().iter().any(|ply| !ply.is_legal())
                    && game.start().board() == position.board() => {}
            Some(game) if game.result().is_none() && !game.is_empty() => {
                self.pending.start = Some((now + wait::NEW_GAME, position));
            }
            _ => self.begin(position, now),
        }
    }

    /// Tells whether play itself has brought the men back to these squares.
    pub(super) fn has_come_to(&self, position: &Position) -> bool {
        let game = self.tracker.game().filter(|game| game.result().is_none() && !game.is_empty());
        game.is_some_and(|game| game.position().board() == position.board())
    }

    fn recognise_start(&mut self, now: Timestamp) -> Option<Position> {
        let board = self.tracker.board();
        if let Some(fen) = Some(&self.settings.game.fen).filter(|fen| !fen.is_empty()) {
            let position = Position::from_fen(fen, self.mode()).ok()?;
            return (position.board() == board && self.tracker.game().is_none()).then_some(position);
        }
        let chess960 = self.settings.game.chess960;
        if let Some(position) = setup::start(board, chess960) {
            return Some(position);
        }
        let mut turned = board.clone();
        turned.rotate_180();
        let position = setup::start(&turned, chess960)?;
        self.turn_around(now).then_some(position)
    }

    pub(super) fn mode(&self) -> CastlingMode {
        if self.settings.game.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    pub(super) fn begin(&mut self, position: Position, now: Timestamp) {
        if self.tracker.is_playing() {
            self.settle(now);
            self.conclude(now);
            self.report_game(now);
        }
        self.games += 1;
        self.players = shakmaty::ByColor::default();
        self.pending.start = None;
        self.pending.kings = None;
        self.pending.pick_up = None;
        self.keep_from_start(&position, now);
        self.tracker.start(self.games, position);
        self.settle(now);
    }

    /// A clock that starts on a board with all men in place begins the game, even if some stand wrong.
    pub(super) fn start_by_clock(&mut self, now: Timestamp) {
        if !self.tracker.is_playing()
            && self.settings.game.fen.is_empty()
            && let Some(position) = setup::wrong_start(self.tracker.board())
        {
            self.begin(position, now);
        }
        if self.tracker.game().is_none() {
            self.pending.pick_up = Some(now + wait::PICK_UP);
            self.pending.calm = true;
        }
    }

    pub(super) fn pick_up(&mut self, now: Timestamp) {
        self.adopt(self.sensing.codes, now);
    }

    fn look_for_kings(&mut self, now: Timestamp) {
        let result = setup::kings_result(self.tracker.board()).filter(|_| self.tracker.is_playing());
        let stood = self.kings_brought_by_play();
        let Some(result) = result.filter(|_| stood < 2) else {
            self.pending.kings = None;
            return;
        };
        let running = self.view().running.is_some();
        let wait = match (stood, running) {
            (1, _) => wait::KINGS_ONE_STOOD,
            (_, true) => wait::KINGS_RUNNING,
            (_, false) => wait::KINGS_STOPPED,
        };
        self.pending.kings = Some((now + wait, result));
    }

    /// Returns how many kings stand in the centre where completed moves have brought them.
    fn kings_brought_by_play(&self) -> usize {
        let Some(game) = self.tracker.game() else { return 0 };
        let position = game.position_after(self.plies_without_gesture());
        let shown = self.tracker.board();
        let stands = |side: &Color| {
            let square = position.board().king_of(*side).filter(|square| setup::is_centre(*square));
            square.is_some() && square == shown.king_of(*side)
        };
        Color::ALL.iter().filter(|side| stands(side)).count()
    }

    /// Returns the number of plies without king moves to the centre that nobody has completed.
    pub(super) fn plies_without_gesture(&self) -> u32 {
        let Some(game) = self.tracker.game() else { return 0 };
        let gesture = |ply: &&Ply| {
            let to = ply.uci.get(2..4).and_then(|to| to.parse::<Square>().ok());
            let king = to.is_some_and(|to| {
                setup::is_centre(to) && self.tracker.board().role_at(to) == Some(Role::King)
            });
            !ply.completed && king
        };
        game.len() - u32::try_from(game.plies().iter().rev().take_while(gesture).count()).unwrap_or(0)
    }
}
