//! How people handle pieces: rates and times, measured where measurements exist.

use crate::random::{LogNormal, Random};
use jadoube_core::decoder::{MishapParams, Params};

/// How players move pieces and press the clock.
///
/// The rates of [`Handling::blitz`] were measured on recorded games; where no measurement exists, they are assumptions
/// and their documentation says so. Every rate is a share from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Handling {
    /// From lifting a piece to putting it down, without a capture. Measured: median 0.2 s, nine of ten below 0.4 s.
    pub quiet: LogNormal,
    /// Moves over which the piece hangs in the air for one to seven seconds. Measured: 1 %.
    pub long_hold: f64,
    /// From the first lift of a capture to the capturing piece's placement. Measured: mean 1.2 s.
    pub capture: LogNormal,
    /// Weights of the orders of a capture: the captor replaces the victim; the victim goes first; the captor is
    /// lifted, then the victim, then the captor put down. Measured in blitz: 71, 20, 9.
    pub capture_orders: [f64; 3],
    /// Each of king and rook in castling, and the pause between them. Measured: about a second in all.
    pub castling: LogNormal,
    /// Castlings with the rook first, which Art. 4.4.2 forbids. Assumed: 3 %.
    pub rook_first: f64,
    /// Weights of the orders of an en passant capture: the victim goes last; first; between lift and placement.
    pub en_passant_orders: [f64; 3],
    /// Weights of the orders of a promotion (Art. 4.6): the pawn is pushed and replaced; the pawn goes and the piece
    /// comes; the piece comes before the pawn goes.
    pub promotion_orders: [f64; 3],
    /// Moves of more than a square that are slid over the squares between. Measured with stopovers: 5 %.
    pub slide: f64,
    /// Moves on which the piece rests on a square between.
    pub stopover: f64,
    /// Captures in which the victim is carried over a neighbouring square. Measured: 14 %.
    pub ghost: f64,
    /// Captures after which the victim shows up on a neighbouring square once more. Measured: 3 % of all moves.
    pub late_ghost: f64,
    /// Moves on which both squares show the piece for an instant, the new one first. Measured: 1.5 %.
    pub new_before_old: f64,
    /// Moves after which the piece is lifted once more and put right.
    pub recentre: f64,
    /// Turns on which the player adjusts another piece first. Assumed.
    pub adjust: f64,
    /// From the placement to the press. Measured: 0.3 to 0.8 s.
    pub press: LogNormal,
    /// Replies that begin before the opponent has pressed.
    pub early_reply: f64,
    /// Replies so fast that both moves may fall into one scan, and both presses into one poll of the clock.
    pub premove: f64,
    /// Moves that end the game and are followed by a press all the same.
    pub press_after_mate: f64,
    /// What happens beside the moves.
    pub mishaps: Mishaps,
}

/// What happens beside the moves though nobody means it. Every rate is a share of the turns; at most one happens in a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mishaps {
    /// A piece beside the move is shoved to the next square.
    pub shoved: f64,
    /// Pieces beside the move are knocked over.
    pub fallen: f64,
    /// The moved piece stands beside the middle of its square.
    pub off_centre: f64,
    /// The moved piece is held over a square beside its target.
    pub hover: f64,
    /// A square beside the move reads a piece in the hand.
    pub ghost: f64,
    /// The lever of the clock swings back.
    pub bounce: f64,
}

impl Mishaps {
    /// Nothing happens.
    pub const NONE: Self =
        Self { shoved: 0.0, fallen: 0.0, off_centre: 0.0, hover: 0.0, ghost: 0.0, bounce: 0.0 };

    /// Returns the rates that the decoder assumes.
    #[must_use]
    pub fn of(params: &Params) -> Self {
        let Params { sensors, hands, clock, mishaps: MishapParams { hover, .. }, .. } = params;
        let (fallen, shoved) = (hands.fallen.base.probability(), hands.shoved.base.probability());
        Self {
            shoved: fallen * shoved,
            fallen: fallen * (1.0 - shoved),
            off_centre: sensors.off_centre.probability(),
            hover: hover.probability(),
            ghost: sensors.ghost.base.probability(),
            bounce: clock.bounce.base.probability(),
        }
    }
}

impl Handling {
    /// Describes blitz.
    #[must_use]
    pub const fn blitz() -> Self {
        Self {
            quiet: LogNormal::new(0.20, 0.55),
            long_hold: 0.01,
            capture: LogNormal::new(0.60, 0.60),
            capture_orders: [71.0, 20.0, 9.0],
            castling: LogNormal::new(0.30, 0.35),
            rook_first: 0.03,
            en_passant_orders: [80.0, 10.0, 10.0],
            promotion_orders: [20.0, 50.0, 30.0],
            slide: 0.03,
            stopover: 0.02,
            ghost: 0.14,
            late_ghost: 0.10,
            new_before_old: 0.015,
            recentre: 0.02,
            adjust: 0.005,
            press: LogNormal::new(0.45, 0.35),
            early_reply: 0.01,
            premove: 0.005,
            press_after_mate: 0.3,
            mishaps: Mishaps::NONE,
        }
    }

    /// Describes slow games: victims go first more often, pieces are adjusted, nobody hurries.
    #[must_use]
    pub const fn classical() -> Self {
        Self {
            quiet: LogNormal::new(0.35, 0.55),
            capture: LogNormal::new(0.90, 0.60),
            capture_orders: [35.0, 50.0, 15.0],
            rook_first: 0.01,
            adjust: 0.02,
            press: LogNormal::new(0.60, 0.40),
            early_reply: 0.002,
            premove: 0.0,
            ..Self::blitz()
        }
    }

    /// Describes the last seconds.
    #[must_use]
    pub const fn scramble() -> Self {
        Self {
            quiet: LogNormal::new(0.12, 0.45),
            long_hold: 0.0,
            capture: LogNormal::new(0.25, 0.45),
            castling: LogNormal::new(0.15, 0.35),
            slide: 0.05,
            recentre: 0.0,
            adjust: 0.0,
            press: LogNormal::new(0.18, 0.35),
            early_reply: 0.05,
            premove: 0.05,
            ..Self::blitz()
        }
    }

    /// Describes the last seconds of players who shove and knock over pieces, at the rates that the decoder assumes.
    #[must_use]
    pub fn clumsy() -> Self {
        Self { mishaps: Mishaps::of(&Params::DEFAULT), ..Self::scramble() }
    }

    /// Describes players who use one order of actions; only times are random.
    #[must_use]
    pub const fn plain() -> Self {
        Self {
            long_hold: 0.0,
            capture_orders: [0.0, 1.0, 0.0],
            rook_first: 0.0,
            en_passant_orders: [1.0, 0.0, 0.0],
            promotion_orders: [1.0, 0.0, 0.0],
            slide: 0.0,
            stopover: 0.0,
            ghost: 0.0,
            late_ghost: 0.0,
            new_before_old: 0.0,
            recentre: 0.0,
            adjust: 0.0,
            early_reply: 0.0,
            premove: 0.0,
            press_after_mate: 0.0,
            ..Self::blitz()
        }
    }

    /// Describes players who use every legal order equally often, and irregularities at rates that the seed decides.
    #[must_use]
    pub fn every_order(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut rate = || if random.chance(0.4) { 0.0 } else { random.between(0.0, 0.5) };
        Self {
            capture_orders: [1.0; 3],
            en_passant_orders: [1.0; 3],
            promotion_orders: [1.0; 3],
            rook_first: 0.0,
            long_hold: rate() / 5.0,
            slide: rate(),
            stopover: rate(),
            ghost: rate(),
            late_ghost: rate(),
            new_before_old: rate(),
            recentre: rate(),
            adjust: rate() / 5.0,
            early_reply: rate() / 2.0,
            premove: rate() / 2.0,
            press_after_mate: 0.5,
            ..Self::blitz()
        }
    }
}

/// How long players think.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thinking {
    /// As the clock allows: a share of the time that is left, and of the increment.
    ByClock,
    /// About this long, seconds.
    About(f64),
}
