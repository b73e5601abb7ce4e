//! The life of a game: set-up, start, result, a game that is picked up in its middle.

use dgt_protocol::{Field, Piece};
use shakmaty::{Bitboard, CastlingMode, Color, Role, Square};

use super::{
    Board,
    observed::read,
    setup::{self, PutRight},
    to_code,
};
use crate::{
    game::{Game, GameResult, Played, Ply},
    model::{decision, wait},
    order::Players,
    position::{CENTRE, Position, beside_kings, differences},
    time::Timestamp,
};

/// What begins or ends a game if the pieces stay as they stand until an instant.
#[derive(Debug, Default)]
pub(super) struct Pending {
    pub(super) start: Option<(Timestamp, Position)>,
    /// Others may follow.
    pub(super) put_right: Option<(Timestamp, PutRight)>,
    pub(super) result: Option<(Timestamp, GameResult)>,
    /// Squares that showed nothing when the game began, and have not since.
    pub(super) absent: Bitboard,
    /// Who has agreed to the result that the kings show.
    pub(super) agreed: shakmaty::ByColor<bool>,
    /// What stood beside the kings when they showed the result: it is theirs while nothing else has moved.
    pub(super) beside_kings: Option<shakmaty::Board>,
    pub(super) pick_up: Option<Timestamp>,
    /// The board could not be heard for a while since the game was over.
    pub(super) unheard_since: bool,
    /// And after that somebody has pressed the clock: another game may be on, whose start nobody has seen.
    pub(super) pressed_since: bool,
    /// Nothing has changed since a dump or the clock asked for the game to be picked up, or a king was in a hand then; a game
    /// is picked up at the next change until this instant.
    pub(super) calm: Option<Timestamp>,
}

impl Board {
    /// Looks for a new game, a result, a game to be picked up.
    pub(super) fn update_lifecycle(&mut self, now: Timestamp) {
        if self.look_for_waiting(now) {
            return;
        }
        if self.begin_without_absent(now) {
            return;
        }
        self.look_for_start(now);
        self.look_for_result(now);
        let running = self.view().running.is_some();
        let unknown = running && self.is_unknown_game() && self.pending.start.is_none();
        self.pending.pick_up = unknown.then(|| now + wait::PICK_UP);
    }

    fn look_for_start(&mut self, now: Timestamp) {
        // It is large, and hardly ever there.
        let before = if self.pending.start.is_some() { self.pending.start.take() } else { None };
        if self.begin_put_right(now) {
            return;
        }
        let Some((position, hidden)) = self.recognise_start(now) else { return };
        if hidden.any() {
            let since = before.filter(|(_, other)| *other == position).map(|(at, _)| at);
            self.pending.start = Some((since.unwrap_or(now + wait::INCOMPLETE_START), position));
            return;
        }
        match self.tracker.game() {
            Some(game) if game.result().is_none() && game.position().board() == position.board() => {}
            // An illegal first move that is put back ends no game.
            Some(game)
                if game.result().is_none()
                    && game.len() <= decision::SAME_GAME
                    && game.plies().iter().any(Ply::is_illegal)
                    && game.start().board() == position.board() => {}
            // What Black had begun with is taken back.
            Some(game)
                if game.result().is_none()
                    && game.len() <= decision::SAME_GAME
                    && game.start() == &position.pass() =>
            {
                self.let_white_begin(position, now);
            }
            Some(game) if game.result().is_none() && !game.is_empty() => {
                self.pending.start = Some((now + wait::NEW_GAME, position));
            }
            _ => self.begin(position, now),
        }
    }

    /// Returns whether play itself has brought the pieces back to these squares.
    pub(super) fn has_come_to(&self, position: &Position) -> bool {
        let game = self.tracker.game().filter(|game| game.result().is_none() && !game.is_empty());
        game.is_some_and(|game| game.position().board() == position.board())
    }

    /// Returns the start position that stands on the board, and the squares that show otherwise: those that are known to be dead say
    /// nothing against it; others may be empty still, and begin a game while one is on only where play cannot have brought the pieces.
    fn recognise_start(&mut self, now: Timestamp) -> Option<(Position, Bitboard)> {
        let board = self.tracker.board();
        if let Some(fen) = Some(&self.settings.game.fen).filter(|fen| !fen.is_empty()) {
            let position = Position::from_fen(fen, self.mode()).ok()?;
            let played = self.tracker.game();
            // After that game others may follow, from there or from where games begin.
            // A game that was over before a move has not been set up again.
            let is_left = |game: &Game| game.result().is_some() && game.position().board() != board;
            // Where few pieces stand, others have been taken off.
            let is_other =
                |game: &Game| differences(game.position().board(), board).count() > decision::MOST_BROUGHT;
            let is_over = played.is_none_or(|game| is_left(game) || is_other(game));
            let odd = differences(position.board(), board);
            // A square may show nothing; after a game, where nothing stands a piece may have been taken off.
            let most_hidden = usize::from(played.is_none());
            if is_over && odd.count() <= most_hidden && (odd & board.occupied()).is_empty() {
                return Some((position, odd & !self.tracker.dead_squares()));
            }
            played?;
        }
        if !setup::may_be_complete(board) {
            return None;
        }
        let chess960 = self.settings.game.chess960;
        let dead = self.tracker.dead_squares();
        let find = |board: &shakmaty::Board, dead: Bitboard| {
            let is_set_up = self.is_set_up_after_play(board);
            let abandoned =
                || if is_set_up { setup::start(&setup::in_camps(board)?, chess960) } else { None };
            let position = setup::start(board, chess960).or_else(abandoned)?;
            let hidden = differences(position.board(), board) & !dead;
            (hidden.is_empty() || !self.tracker.is_playing() || is_set_up).then_some((position, hidden))
        };
        if let Some(found) = find(board, dead) {
            return Some(found);
        }
        let mut turned = board.clone();
        turned.rotate_180();
        let found = find(&turned, dead.rotate_180())?;
        self.rotate(now).then_some(found)
    }

    /// Returns whether more pieces have come to where they begin a game than a move brings anywhere: the game that is on has been left.
    fn is_set_up_after_play(&self, board: &shakmaty::Board) -> bool {
        let come = |game: &Game| differences(game.position().board(), board) & board.occupied();
        self.tracker.game().is_some_and(|game| come(game).count() > decision::MOST_BROUGHT)
    }

    pub(super) fn mode(&self) -> CastlingMode {
        if self.settings.game.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    pub(super) fn begin(&mut self, position: Position, now: Timestamp) {
        self.begin_of(Players::default(), position, now);
    }

    /// Begins a game of these players.
    pub(super) fn begin_of(&mut self, players: Players, position: Position, now: Timestamp) {
        self.waiting = None;
        let is_set_up = self.is_set_up_after_play(self.tracker.board());
        self.leave_game(now);
        self.players = players;
        let shown = self.tracker.board().clone();
        let corrupted = self.disbelieve_pieces_beside(&position, is_set_up, now);
        self.keep_from_start(&position, now);
        self.pending.absent = position.board().occupied() & !shown.occupied();
        self.tracker.start(self.games, position);
        if corrupted {
            self.sensing.odd_start = true;
            self.tracker.note_odd_start(shown, false);
        }
        self.settle(now);
    }

    /// Notes that no piece stands where the board shows one that cannot be there as a game begins; another dump decides. A dump has shown it,
    /// or it has left unreported as the pieces were set up.
    /// Returns whether there is one in the place of another, where no game was on before.
    fn disbelieve_pieces_beside(&mut self, start: &Position, is_set_up: bool, now: Timestamp) -> bool {
        let shown = self.tracker.board();
        let corrupted = differences(start.board(), shown) & shown.occupied();
        self.tracker.set_corrupted(corrupted.any() && !is_set_up);
        for field in Field::all().filter(|_| corrupted.any()) {
            let square = self.square(field);
            if corrupted.contains(square) {
                let code = start.board().piece_at(square).map_or(Piece::Empty, to_code);
                self.sensing.disbelieved = Some((field, self.sensing.codes.set(field, code)));
                self.sensing.unsure = true;
                self.show(field, code, true, now);
            }
        }
        !is_set_up && (corrupted & start.board().occupied()).any()
    }

    /// Begins the game again if pieces that stood wrong at its start (Art. 7.2.1) stand right now: the players have exchanged them and
    /// go on, or will set up everything anew. Returns whether it did.
    fn begin_put_right(&mut self, now: Timestamp) -> bool {
        let game = self.tracker.game().filter(|game| game.result().is_none());
        let corrupted = self.tracker.faulty_squares();
        let before = if self.pending.put_right.is_some() { self.pending.put_right.take() } else { None };
        match game.and_then(|game| setup::put_right(game, self.tracker.board(), corrupted)) {
            Some(found) if found.is_complete => {
                self.restart(found, now);
                true
            }
            Some(found) => {
                self.pending.put_right = Some((now + wait::INCOMPLETE_START, found));
                false
            }
            None => match before.filter(|(_, before)| before.stands(self.tracker.board())) {
                // Another piece has been moved: they play on.
                Some((_, before)) => {
                    self.restart(before, now);
                    true
                }
                None => false,
            },
        }
    }

    /// Begins the game again with pieces that were put right, if others may have been to follow: they play on.
    pub(super) fn play_on_put_right(&mut self, now: Timestamp) {
        if let Some((_, found)) = self.pending.put_right.take() {
            self.restart(found, now);
        }
    }

    pub(super) fn restart(&mut self, found: PutRight, now: Timestamp) {
        self.leave_game(now);
        self.close_record(now);
        self.tracker.restart(self.games, found.start, &found.moves, now);
        self.settle(now);
    }

    /// Reports the present game as it is, and makes room for the next.
    pub(super) fn leave_game(&mut self, now: Timestamp) {
        self.close_game(now);
        self.games = self.next_game();
    }

    /// Begins the game whose start position stands on the board, if it waits for nothing but time; returns whether it did.
    pub(super) fn begin_standing(&mut self, now: Timestamp) -> bool {
        let position = self.pending.start.take().map(|(_, position)| position);
        let position = position.filter(|position| !self.has_come_to(position));
        let begins = position.is_some();
        if let Some(position) = position {
            self.begin(position, now);
        }
        begins
    }

    /// A clock that starts on a board with all pieces in place begins the game, even if some stand wrong.
    ///
    /// Where all stand right it begins the next game, also if the one before has no result.
    pub(super) fn start_by_clock(&mut self, now: Timestamp) {
        if self.waiting.is_some() {
            return;
        }
        self.play_on_put_right(now);
        self.begin_standing(now);
        self.forget_set_up(now);
        if let Some(position) = setup::wrong_start(self.tracker.board())
            && self.settings.game.fen.is_empty()
            && (!self.tracker.is_playing()
                || self.has_rearranged_start(&position)
                || self.is_set_up_anew(&position))
        {
            self.begin(position, now);
        }
        self.plan_to_pick_up(now);
    }

    /// Plans to pick a game up, if one may be on of which nothing is known.
    fn plan_to_pick_up(&mut self, now: Timestamp) {
        if self.is_unknown_game() {
            self.pending.pick_up = Some(now + wait::PICK_UP);
            self.pending.calm = Some(now + wait::HELD);
        }
    }

    /// Notes that somebody has pressed the clock: nobody does who looks at a game that is over.
    pub(super) fn note_press_after_game(&mut self, now: Timestamp) {
        if self.pending.unheard_since && !self.pending.pressed_since {
            self.pending.pressed_since = true;
            self.plan_to_pick_up(now);
        }
    }

    /// Returns whether no game is known of which what is played now may be a part.
    fn is_unknown_game(&self) -> bool {
        let is_left = |game: &Game| {
            let changed = || differences(game.position().board(), self.tracker.board()).count();
            self.pending.pressed_since && game.result().is_some() && changed() > decision::MOST_BROUGHT
        };
        self.tracker.game().is_none_or(is_left)
    }

    /// Returns whether pieces that all stood right have been exchanged since, and nobody has moved.
    fn has_rearranged_start(&self, position: &Position) -> bool {
        let initial = Position::initial();
        self.tracker.game().is_some_and(|game| game.is_empty() && game.start().board() == initial.board())
            && position.board() != initial.board()
    }

    /// Returns whether pieces of a game that began with some on each other's squares have been brought to where a game begins, beside at most
    /// one that was seen to leave.
    fn is_set_up_anew(&self, position: &Position) -> bool {
        let initial = Position::initial();
        let Some(game) = self.tracker.game().filter(|game| game.start().board() != initial.board()) else {
            return false;
        };
        let shown = self.tracker.board();
        let come = differences(game.position().board(), shown) & shown.occupied();
        position.board() == initial.board()
            && come.count() > 1
            && differences(initial.board(), shown).count() <= 1
            && !game.is_adopted()
    }

    /// Picks up a game at a change before which the board was as a dump or the start of the clock found it. If a king was in a
    /// hand then, the change after it stands again does the same: in time trouble a board is never quiet.
    pub(super) fn pick_up_calm(&mut self, now: Timestamp) {
        let asked = self.pending.pick_up.is_some() && self.sensing.known;
        let Some(until) = self.pending.calm.filter(|_| asked) else { return };
        if now > until || setup::kings_stand(&read(&self.sensing.with_lifted(now).0, false)) {
            self.pending.calm = None;
            self.adopt(now);
        }
    }

    pub(super) fn pick_up(&mut self, now: Timestamp) {
        self.adopt(now);
    }

    /// Looks for a result that pieces on the board show: a sign, or both kings in the centre.
    fn look_for_result(&mut self, now: Timestamp) {
        let running = self.view().running.is_some();
        let reported = self.tracker.game().and_then(Game::result);
        let confirmed = self.sensing.sign.filter(|(.., dumped)| *dumped && self.tracker.is_playing());
        if let Some(result) = confirmed.and_then(|_| setup::sign_result(&self.sensing.codes)) {
            self.pending.result = Some((now + wait::SIGN, result));
            return;
        }
        let result = setup::kings_result(self.tracker.board());
        if reported.is_some_and(GameResult::is_unnoticed) && result.is_some() {
            self.report_played_on(self.plies_without_gesture(), now);
        }
        if reported.is_some() {
            // The kings have not come to rest: what they show in the end is the result.
            let result = result.filter(|result| {
                let moved_on =
                    |reported: GameResult| reported.by == setup::BY_KINGS && reported.score != result.score;
                reported.is_some_and(moved_on) && self.only_kings_have_moved()
            });
            self.pending.result = result.map(|result| (now + wait::KINGS_MOVED_ON, result));
            return;
        }
        let shown = result.filter(|_| self.tracker.is_playing());
        let planned = shown.and_then(|result| {
            let wait = match (self.kings_brought_by_play(), running) {
                (0, true) => wait::KINGS_RUNNING,
                (0, false) => wait::KINGS_STOPPED,
                (1, _) => wait::KINGS_ONE_STOOD,
                _ => return None,
            };
            Some((now + wait, result))
        });
        self.pending.result = planned;
    }

    /// Handles what a field reports on which a sign stands or stood.
    pub(super) fn note_sign(&mut self, field: Field, code: Piece) {
        self.sensing.sign = setup::is_sign(code).then_some((field, code, false));
        // A damaged report of a piece looks the same: a dump decides.
        self.sensing.unsure |= self.sensing.sign.is_some();
    }

    /// Notes that a dump has shown what stands on the board.
    pub(super) fn confirm_sign(&mut self) {
        let codes = &self.sensing.codes;
        self.sensing.sign = self
            .sensing
            .sign
            .filter(|(field, code, _)| codes.get(*field) == *code)
            .map(|(field, code, _)| (field, code, true));
    }

    /// Returns whether the kings showed the result, and nothing but them has moved since.
    fn only_kings_have_moved(&self) -> bool {
        self.pending.beside_kings.as_ref() == Some(&beside_kings(self.tracker.board()))
    }

    /// Ends the game with the result that pieces on the board show, or corrects what kings that moved on have shown before.
    pub(super) fn end_as_shown(&mut self, result: GameResult, now: Timestamp) {
        self.close_record(now);
        let by_kings = result.by == setup::BY_KINGS;
        self.pending.beside_kings = by_kings.then(|| beside_kings(self.tracker.board()));
        self.pending.agreed = shakmaty::ByColor::default();
        let keep = if by_kings { self.plies_without_gesture() } else { u32::MAX };
        self.tracker.end(result, keep);
    }

    /// Returns how many kings stand in the centre where completed moves have brought them.
    fn kings_brought_by_play(&self) -> usize {
        let Some(game) = self.tracker.game() else { return 0 };
        let position = game.position_after(self.plies_without_gesture());
        let shown = self.tracker.board();
        let stands = |side: &Color| {
            let square = position.board().king_of(*side).filter(|square| CENTRE.contains(*square));
            square.is_some() && square == shown.king_of(*side)
        };
        Color::ALL.iter().filter(|side| stands(side)).count()
    }

    /// Returns whether the kings that show a result were brought there by play after all: a press has completed the last one's step since.
    pub(super) fn stepped_to(&self, result: GameResult) -> bool {
        let king = |ply: &&Ply| ply.san.starts_with(Role::King.upper_char());
        let step = |ply: &Ply| match &ply.played {
            Played::Legal(m) => m.from().is_some_and(|from| from.distance(m.to()) == 1),
            Played::Irregular(irregular) => irregular.from.distance(irregular.to) == 1,
        };
        result.by == setup::BY_KINGS
            && self.kings_brought_by_play() == 2
            && self.tracker.game().and_then(|game| game.plies().iter().rev().find(king)).is_some_and(step)
    }

    /// Returns whether a piece that a ply brought to a square has been lifted since, long after it, and stands there again: it was moved there
    /// first, and shows something now.
    fn has_come_again(&self, square: Square, made_at: Timestamp) -> bool {
        let came = self.tracker.changed_at(square);
        came.is_some_and(|came| came.since(made_at) >= wait::KINGS_MOVED_ON)
    }

    /// Returns the number of plies without king moves to the centre that nobody has completed.
    pub(super) fn plies_without_gesture(&self) -> u32 {
        let Some(game) = self.tracker.game() else { return 0 };
        let gesture = |ply: &&Ply| {
            let to = ply.uci.get(2..4).and_then(|to| to.parse::<Square>().ok());
            // A king may have been put where another piece had just been moved.
            let of_king = ply.san.starts_with(Role::King.upper_char());
            let stands = to.is_some_and(|to| {
                CENTRE.contains(to)
                    && self.tracker.board().role_at(to) == Some(Role::King)
                    && !self.has_come_again(to, ply.made_at)
            });
            !ply.completed && of_king && stands
        };
        game.len() - u32::try_from(game.plies().iter().rev().take_while(gesture).count()).unwrap_or(0)
    }
}
