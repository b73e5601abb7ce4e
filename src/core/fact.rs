//! Owns the language between the tracker and the rules: what happened, before anybody asks which article it touches.
//!
//! The tracker states facts in the order in which they become known; rules turn them into alerts. A fact holds
//! evidence and no judgement.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use crate::{
    alert::{Confidence, Probability},
    event::Times,
    position::Position,
    time::Timestamp,
};

/// Something that became known about play or equipment.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A game begins; the context holds it.
    GameStarted,
    /// A game begins although the board shows other pieces than stand there then: damage of the line, or a wrong set-up.
    OddStart {
        /// What it shows.
        shown: Box<Board>,
        /// Whether this is what a later dump shows.
        again: bool,
    },
    /// The clock of the side to move started running for the first time in this game.
    PlayStarted,
    /// The board shows a move of the side to move, and it stays: made in the sense of Art. 4.7.
    ///
    /// The ply stands in the game's list. It keeps to the movement of the pieces (Art. 3.2–3.8) but may leave the
    /// mover's own king in check or capture a king: then the ply is not legal.
    Made {
        /// Number of the ply.
        ply: u32,
    },
    /// A press, or what follows from later play, has completed a ply (Art. 6.2.1).
    Completed {
        /// Number of the ply.
        ply: u32,
    },
    /// A ply and all after it turned out not to have been made (a slide, a take-back before the press, better
    /// evidence), or were taken back by players or arbiter; the list has been cut.
    Withdrawn {
        /// First ply withdrawn.
        ply: u32,
        /// Why.
        because: Withdrawal,
    },
    /// A press was judged; settled, so what the board sensed late is in.
    Pressed(Box<Pressed>),
    /// What an earlier press was judged to be was put right on the board afterwards (the pawn was replaced, the rook
    /// was brought across), or better evidence has overturned it.
    Righted {
        /// When that press was reported.
        pressed_at: Timestamp,
        /// Whose press it was.
        side: Color,
        /// Whether players put it right, or evidence shows that it never was an offence.
        overturned: bool,
    },
    /// The side to move lifted one of its own pieces, or one of the opponent's that it can capture, for the first
    /// time since the opponent's last move (Art. 9.4, 4.8).
    Touched {
        /// Side to move.
        side: Color,
        /// Square lifted from.
        square: Square,
    },
    /// The clock shows that this side's flag has fallen (Art. 6.8).
    Flag {
        /// Whose flag.
        side: Color,
        /// The clock blocks both times: no further period.
        blocked: bool,
    },
    /// The clock was stopped (Art. 6.11.2).
    ClockStopped,
    /// The clock runs again.
    ClockStarted {
        /// Whose time runs.
        side: Color,
    },
    /// The game has a result; the context holds it.
    Ended,
    /// Squares read wrongly, or a piece stands off the centre of its square.
    Mismatch {
        /// Which squares.
        squares: Bitboard,
        /// What is the matter with them.
        cause: MismatchCause,
    },
    /// These squares read right again.
    MismatchCleared {
        /// Which squares.
        squares: Bitboard,
    },
    /// The link to the board went down or came up.
    Link {
        /// Whether bytes can flow.
        up: bool,
    },
    /// The board has lost or found its clock.
    ClockLink {
        /// Whether there is a clock.
        connected: bool,
    },
    /// The clock shows its battery sign, or stops showing it.
    ClockBattery {
        /// Whether the sign is shown.
        low: bool,
    },
    /// The board's battery.
    BoardBattery {
        /// Charge, percent.
        percent: u8,
    },
    /// The line is noisier than a line should be, or quiet again.
    Noise {
        /// Whether it is noisy.
        noisy: bool,
        /// Damaged bytes since the line came up.
        bytes: u64,
    },
}

impl Fact {
    /// Returns whether a fact is about what was played, rather than about the equipment.
    #[must_use]
    pub const fn is_about_play(&self) -> bool {
        !matches!(
            self,
            Self::Link { .. }
                | Self::ClockLink { .. }
                | Self::ClockBattery { .. }
                | Self::BoardBattery { .. }
                | Self::Noise { .. }
        )
    }
}

/// Why plies were withdrawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Withdrawal {
    /// They had not been completed, and the board shows something else.
    Unfinished,
    /// Better evidence explains the board otherwise.
    Reconsidered,
    /// Pieces were put back while the clock stood still: the position was reinstated.
    Reinstated,
    /// Players took moves back while the clock ran.
    TakenBack,
    /// An arbiter's order.
    Ordered,
}

/// What is the matter with a square.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum MismatchCause {
    /// A piece that was not touched reads as missing: off-centre, tilted, weak.
    Missing,
    /// The square never shows a piece.
    Dead,
    /// The square shows a piece that should not be there.
    Stray,
    /// The square loses its piece for moments, again and again.
    Weak,
    /// The square showed another piece for a moment.
    WrongCode,
    /// Pieces are noticed long after they were put down.
    Late,
    /// A change that no update reported, and a dump did.
    Unreported,
    /// All pieces read alike: the board reports that something stands on a square, and not what.
    Unidentified,
    /// Every press is that of the side that did not move: board or clock stand otherwise than is believed.
    SeatsSwapped,
    /// The pieces on the board cannot be explained by any play; the game goes on from them.
    Unexplained,
}

/// A press and what it completed.
#[derive(Clone, Debug, PartialEq)]
pub struct Pressed {
    /// Who pressed.
    pub side: Color,
    /// When the press was reported; the act was up to a clock poll earlier.
    pub at: Timestamp,
    /// Whether the clock reported it, or it follows from times and moves (two presses inside one poll).
    pub seen: bool,
    /// What it completed.
    pub verdict: Verdict,
    /// How sure that is.
    pub confidence: Confidence,
    /// Whether it rests on plies that cost much to explain: it counts only if it is weighed.
    pub high_residual: bool,
    /// How probable it is, if that was inferred.
    pub weight: Option<Weight>,
    /// The ply that it completed or attempted; with [`Verdict::Nothing`] and the like the last ply before it.
    pub ply: u32,
    /// The position before the attempt.
    pub before: Position,
    /// What stood on the board when the press was judged.
    pub board: Board,
    /// What the sensors saw of the attempt, from the first change after the opponent's move on.
    pub attempt: Vec<Change>,
    /// Squares of the position before the attempt that had been seen to go empty when it was pressed.
    pub off: Bitboard,
    /// Seconds that the press added to the presser's time.
    pub increment_s: u32,
    /// What the displays showed when it was reported.
    pub clock: Option<Times>,
}

/// How probable a verdict is, and what it may have been instead.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Weight {
    /// The probability of the verdict.
    pub p: Probability,
    /// The best story in which the verdict is not true.
    pub otherwise: Option<OtherStory>,
}

/// What a press may have been instead.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OtherStory {
    /// It completed a legal move, and other pieces were displaced or read wrongly.
    Legal,
    /// It completed an illegal move.
    Illegal,
    /// It completed nothing.
    Nothing,
    /// It left a promotion unfinished.
    PromotionLeft,
    /// The move was made after it.
    MadeLater,
    /// The player pressed back because of something irregular, or the lever moved by itself.
    PressedBack,
}

/// What a press completed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// A legal move.
    Legal,
    /// A legal move, while other squares read wrongly.
    LegalWithMismatch(Bitboard),
    /// An illegal move.
    Illegal(Reason),
    /// A pawn stands on its last rank, and replacing it by a queen would have been legal (Art. 7.5.2).
    PromotionLeft(Square),
    /// No move: the board stands as before.
    Nothing,
    /// A piece was in the air, and its placement came after the settle time, at this instant if it was seen.
    InTheAir {
        /// Where it was lifted.
        from: Square,
        /// When it came down.
        placed: Option<Timestamp>,
    },
    /// Not to be judged: a press in reaction to an offence, starting the game, after it, of a clock that stood
    /// still, or of a side whose time did not run.
    Reaction,
}

/// Why a completed move is illegal (Art. 3.10.2).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Reason {
    /// The piece does not move that way.
    Pattern {
        /// Which piece.
        role: Role,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
    },
    /// The own king is left or put in check.
    KingInCheck {
        /// Where the king stands.
        king: Square,
    },
    /// Castling without the right to it, through or out of check, or half done.
    Castling {
        /// What was wrong.
        fault: CastlingFault,
    },
    /// The opponent's king was captured (Art. 1.4.1).
    KingCaptured,
    /// A piece of the opponent was moved.
    OpponentsPiece {
        /// From where.
        from: Square,
    },
    /// More than one move was made before one press.
    TwoMoves,
    /// A pawn left the seventh rank and nothing stands on the eighth.
    PromotionIncomplete,
    /// The promotion square holds a piece of the wrong colour, a king or an extra piece.
    WrongPromotionPiece {
        /// Where.
        square: Square,
        /// What stands there.
        piece: Piece,
    },
    /// The piece that a pawn becomes stands on the board, and the pawn has not been removed.
    PawnNotRemoved {
        /// Where the pawn stands.
        square: Square,
    },
    /// A pawn was captured in passing and left on the board.
    EnPassantPawnLeft {
        /// Where it stands.
        square: Square,
    },
    /// Something else that no legal move leaves behind.
    Other,
}

/// What was wrong with castling (Art. 3.8.2).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CastlingFault {
    /// King or rook has moved before, or started on the wrong square.
    RightLost,
    /// The king stands in check, or crosses or reaches an attacked square.
    ThroughCheck,
    /// Only the king was moved.
    RookLeft,
    /// The rook stands on the wrong square.
    RookMisplaced,
}

/// A change of one square, as the board reported it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Change {
    /// When it was reported; it happened up to a scan earlier.
    pub at: Timestamp,
    /// Which square.
    pub square: Square,
    /// What it showed before.
    pub was: Option<Piece>,
    /// What it shows.
    pub is: Option<Piece>,
    /// Whether a dump showed it, which says nothing of when it happened.
    pub dumped: bool,
}
