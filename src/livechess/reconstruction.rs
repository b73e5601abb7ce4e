//! The moves that a client is sent once it has said from which position.
//!
//! The list is that of the game which the board's own tracker follows, as soon as that game passes through the
//! client's position. A game that the tracker knows nothing of, such as one from the middle of an online game, is
//! followed by what stands on the board when it has come to rest. Both ways the list may become shorter again.

use shakmaty::{Board, CastlingMode, Move, fen::Fen, uci::UciMove};

use crate::view::{GameView, MoveView};
use jadoube_core::position::Position;

/// Looks at the board for which it must not change before it counts.
const AT_REST: u8 = 4;

/// The moves from a client's position on.
#[derive(Debug)]
pub(super) struct Reconstruction {
    text: String,
    start: Position,
    line: Vec<ListedMove>,
    /// Moves on with every change of the list.
    version: u64,
    /// Whether the board has shown the client's position.
    begun: bool,
    anchor: Option<Anchor>,
    last: Board,
    unchanged: u8,
}

#[derive(Debug)]
struct ListedMove {
    san: String,
    after: Position,
    placement: String,
}

impl ListedMove {
    fn new(before: &Position, m: Move) -> Self {
        let after = before.play(m);
        Self { san: before.san(m), placement: after.board().board_fen().to_string(), after }
    }
}

/// Where the tracker's game is part of the list.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    game: u32,
    /// Moves of the game before it.
    ply: usize,
    /// Moves of the list before it.
    base: usize,
}

impl Reconstruction {
    /// Begins a list.
    ///
    /// # Errors
    ///
    /// Returns what is wrong if the text is no position that can be played on from.
    pub(super) fn new(fen: &str) -> Result<Self, String> {
        let context =
            fen.parse::<Fen>().map_err(|error| format!("'{fen}' is no position: {error}"))?.into_setup();
        let mode = CastlingMode::detect(&context);
        let start = Position::from_setup(context, mode);
        if start.lawful().is_none() {
            return Err(format!("'{fen}' is no position that chess can be played on from"));
        }
        Ok(Self {
            text: fen.to_owned(),
            start,
            line: Vec::new(),
            version: 0,
            begun: false,
            anchor: None,
            last: Board::empty(),
            unchanged: 0,
        })
    }

    /// Returns the client's position in its own words.
    pub(super) fn start(&self) -> &str {
        &self.text
    }

    /// Returns the moves so far.
    pub(super) fn san(&self) -> Vec<String> {
        self.line.iter().map(|step| step.san.clone()).collect()
    }

    /// Returns a number that is another one as soon as the moves are.
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    /// Returns whether the board shows the position after the moves so far.
    pub(super) fn is_shown(&self, board: &Board) -> bool {
        self.begun && self.current().board() == board
    }

    /// Looks at the board and at the tracker's game; to be called at a steady pace.
    pub(super) fn update(&mut self, board: &Board, game: Option<&GameView>) {
        if self.last == *board {
            self.unchanged = self.unchanged.saturating_add(1);
        } else {
            self.last = board.clone();
            self.unchanged = 0;
        }
        self.begun |= self.start.board() == board;
        if self.follow_game(game) {
            return;
        }
        if self.begun && self.unchanged == AT_REST {
            self.follow_board();
        }
    }

    fn current(&self) -> &Position {
        self.line.last().map_or(&self.start, |step| &step.after)
    }

    /// Adopts the moves of the tracker's game; says whether it is one that the list is part of.
    fn follow_game(&mut self, game: Option<&GameView>) -> bool {
        let Some(game) = game else {
            self.anchor = None;
            return false;
        };
        let holds = |anchor: &Anchor| anchor.game == game.number && anchor.ply <= game.moves.len();
        self.anchor = self.anchor.filter(holds).or_else(|| self.find_anchor(game));
        let Some(anchor) = self.anchor else { return false };
        self.begun = true;
        let moves = game.moves.get(anchor.ply..).unwrap_or_default();
        let line = self.line.get(anchor.base..).unwrap_or_default();
        let same = line
            .iter()
            .zip(moves)
            .take_while(|(step, played)| played.legal && placement(&played.fen) == step.placement)
            .count();
        self.keep(anchor.base + same);
        for played in moves.iter().skip(same) {
            let Some(step) = self.replay(played) else { break };
            self.push(step);
        }
        true
    }

    /// The game has to stand where the list ends, and to begin with where the board stands.
    fn find_anchor(&self, game: &GameView) -> Option<Anchor> {
        let stands = same_position(game.fen(), self.current());
        stands.then_some(Anchor { game: game.number, ply: game.moves.len(), base: self.line.len() })
    }

    fn replay(&self, played: &MoveView) -> Option<ListedMove> {
        let before = self.current();
        if !played.legal {
            return None;
        }
        let m = played.uci.parse::<UciMove>().ok()?.to_move(before.lawful()?).ok()?;
        Some(ListedMove::new(before, m))
    }

    fn push(&mut self, step: ListedMove) {
        self.version += 1;
        self.line.push(step);
    }

    fn keep(&mut self, count: usize) {
        if count < self.line.len() {
            self.version += 1;
            self.line.truncate(count);
        }
    }

    /// Explains what stands on the board, if legal moves can.
    fn follow_board(&mut self) {
        let board = self.last.clone();
        if *self.current().board() == board {
            return;
        }
        if let Some(step) = one_ply(self.current(), &board) {
            return self.push(step);
        }
        // The last move was something else: a piece has slid on, a rook was the first half of castling.
        if let Some((_, earlier)) = self.line.split_last() {
            let kept = earlier.len();
            if let Some(step) = one_ply(earlier.last().map_or(&self.start, |step| &step.after), &board) {
                self.keep(kept);
                return self.push(step);
            }
        }
        if *self.start.board() == board {
            return self.keep(0);
        }
        if let Some(index) = self.line.iter().rposition(|step| *step.after.board() == board) {
            return self.keep(index + 1);
        }
        for step in two_plies(self.current(), &board).into_iter().flatten() {
            self.push(step);
        }
    }
}

fn one_ply(before: &Position, board: &Board) -> Option<ListedMove> {
    let m = before.legal_moves().into_iter().find(|m| before.play(*m).board() == board)?;
    Some(ListedMove::new(before, m))
}

/// Two moves are distinguished only if there is one way to play them.
fn two_plies(before: &Position, board: &Board) -> Option<[ListedMove; 2]> {
    let mut ways = before.legal_moves().into_iter().filter_map(|m| {
        let first = ListedMove::new(before, m);
        let second = one_ply(&first.after, board)?;
        Some([first, second])
    });
    let way = ways.next()?;
    ways.next().is_none().then_some(way)
}

/// Returns whether the same stands on the board with the same side to move.
fn same_position(fen: &str, position: &Position) -> bool {
    let ours = position.fen();
    let key = |fen: &str| fen.split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
    key(fen) == key(&ours)
}

fn placement(fen: &str) -> &str {
    fen.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn board(placement: &str) -> Board {
        Board::from_ascii_board_fen(placement.as_bytes()).unwrap()
    }

    /// Plays on a bare board: one placement after the other, each at rest.
    fn show(moves: &mut Reconstruction, placement: &str) -> String {
        for _ in 0..=AT_REST {
            moves.update(&board(placement), None);
        }
        moves.san().join(" ")
    }

    #[test]
    fn a_piece_at_rest_is_a_move_and_one_in_the_air_is_none() {
        let mut moves = Reconstruction::new(START).unwrap();
        assert_eq!(show(&mut moves, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"), "");
        assert!(moves.is_shown(&board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")));
        assert_eq!(show(&mut moves, "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"), "");
        moves.update(&board("rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR"), None);
        assert_eq!(moves.san().join(" "), "", "it is still sliding");
        assert_eq!(show(&mut moves, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"), "e4");
        assert_eq!(show(&mut moves, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"), "e4 e5");
        // Taken back and played anew, then two moves in one look.
        assert_eq!(show(&mut moves, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"), "e4");
        assert_eq!(show(&mut moves, "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R"), "e4 c5 Nf3");
    }

    #[test]
    fn a_sliding_piece_and_a_rook_first_rewrite_the_last_move() {
        let mut moves = Reconstruction::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert_eq!(show(&mut moves, "4k3/8/8/8/8/8/8/4K2R"), "");
        assert_eq!(show(&mut moves, "4k3/8/8/8/8/8/8/4KR2"), "Rf1");
        assert_eq!(show(&mut moves, "4k3/8/8/8/8/8/8/5RK1"), "O-O");
        assert_eq!(show(&mut moves, "4k3/8/8/8/8/8/8/4K2R"), "", "back at the beginning");
        assert_eq!(show(&mut moves, "4k3/8/8/8/8/7R/8/4K3"), "Rh3");
        assert_eq!(show(&mut moves, "4k3/8/8/7R/8/8/8/4K3"), "Rh5");
    }

    #[test]
    fn nothing_is_reported_while_the_board_differs_from_the_game() {
        let mut moves = Reconstruction::new("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert_eq!(show(&mut moves, "4k3/8/8/8/8/8/8/4KR2"), "");
        assert!(!moves.is_shown(&board("4k3/8/8/8/8/8/8/4KR2")));
    }

    #[test]
    fn a_text_that_is_no_playable_position_is_refused() {
        for fen in ["", "e4", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "k3K2R w"] {
            assert!(Reconstruction::new(fen).unwrap_err().contains(fen), "{fen}");
        }
        assert!(Reconstruction::new("nqrkbbrn/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBRN w GCgc - 0 1").is_ok());
    }

    fn game(number: u32, start: &str, moves: &[&str]) -> GameView {
        let mut position = Position::from_fen(start, CastlingMode::Standard).unwrap();
        let mut view = GameView {
            number,
            start: start.to_owned(),
            adopted: false,
            continued: None,
            players: None,
            began: jiff::Timestamp::UNIX_EPOCH,
            moves: Vec::new(),
            result: None,
            by: None,
            presses: None,
            counted: None,
            ended: None,
        };
        for uci in moves {
            let m = uci.parse::<UciMove>().unwrap().to_move(position.lawful().unwrap());
            if let Ok(m) = m {
                position = position.play(m);
            }
            view.moves.push(MoveView {
                uci: arrayvec::ArrayString::from(uci).unwrap(),
                san: arrayvec::ArrayString::new(),
                legal: m.is_ok(),
                completed: true,
                confidence: jadoube_core::alert::Confidence::Certain,
                clock: None,
                at: jiff::Timestamp::UNIX_EPOCH,
                fen: position.fen().into(),
                alternatives: None,
                entered: false,
                remark: None,
            });
        }
        view
    }

    #[test]
    fn the_trackers_game_is_the_list_once_it_passes_the_position() {
        let air = board("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
        let mut moves = Reconstruction::new(START).unwrap();
        moves.update(&air, Some(&game(3, START, &["d2d4", "d7d5"])));
        assert!(moves.san().is_empty(), "that game is past it");
        moves.update(&air, Some(&game(4, START, &[])));
        moves.update(&air, Some(&game(4, START, &["e2e4", "e7e5", "g1f3"])));
        assert_eq!(moves.san().join(" "), "e4 e5 Nf3");
        moves.update(&air, Some(&game(4, START, &["e2e4", "c7c5"])));
        assert_eq!(moves.san().join(" "), "e4 c5");
        moves.update(&air, Some(&game(4, START, &["e2e4", "c7c5", "e1d3", "b8c6"])));
        assert_eq!(moves.san().join(" "), "e4 c5", "what no client can read is not sent");
        moves.update(&air, Some(&game(5, START, &["a2a3"])));
        assert_eq!(moves.san().join(" "), "e4 c5", "another game is none of this list");
    }

    #[test]
    fn an_online_game_is_joined_by_the_trackers_game_in_the_middle() {
        let middle = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 31";
        let mut moves = Reconstruction::new(middle).unwrap();
        assert_eq!(show(&mut moves, "4k3/8/8/8/8/8/4P3/4K3"), "");
        assert_eq!(show(&mut moves, "4k3/8/8/8/4P3/8/8/4K3"), "e4");
        let joined = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1";
        let now = board("4k3/8/8/8/4P3/8/8/4K3");
        moves.update(&now, Some(&game(1, joined, &[])));
        moves.update(&now, Some(&game(1, joined, &["e8e7", "e4e5"])));
        assert_eq!(moves.san().join(" "), "e4 Ke7 e5");
    }
}
