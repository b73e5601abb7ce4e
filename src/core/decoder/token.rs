//! Owns a token: one story of everything so far, and what each observation makes of it.
//!
//! It holds the position, the debts of the hands, the plies that are not pressed and the presses for which nothing is known yet, and the
//! history behind shared pointers. It does not search: it says what one step costs.

mod back;
mod history;
mod ply;
mod press;
mod proposed;

use std::sync::Arc;

use arrayvec::ArrayVec;
use shakmaty::{ByColor, Color, Piece, Square};

pub(crate) use self::{
    history::{Made, Node},
    proposed::Proposed,
};
use super::{hands::Hands, mix::Mix, moment::Moment, position::World, price::Price, sensed::Context};

/// Presses whose claims are remembered.
const PRESSES: usize = 12;

/// What a press completed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Completed {
    /// A legal move.
    Legal,
    /// Castling, which is looked at for a second hand.
    Castling,
    /// An illegal move (7.5.1).
    Illegal,
    /// A pawn left on its last rank (7.5.2).
    Unreplaced,
    /// A ply that came after the press (6.2.4).
    Early,
    /// A legal move after the opponent's pawn was left on its last rank (A.5.4).
    Stands,
    /// Nothing (7.5.3).
    Nothing,
    /// Nothing, for a reason: an illegal move, or something irregular that was to be put right (7.4.2).
    Back,
}

impl Completed {
    /// Returns a number for keys: what differs in nothing that is reported has the same.
    const fn number(self) -> u64 {
        match self {
            Self::Legal | Self::Castling | Self::Back => 0,
            Self::Illegal => 1,
            Self::Unreplaced => 2,
            Self::Early => 3,
            Self::Stands => 4,
            Self::Nothing => 5,
        }
    }
}

/// What one press completed, as a story has it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Claim {
    pub(crate) press: u32,
    pub(crate) what: Completed,
    pub(crate) side: Color,
    pub(crate) ply: u32,
}

/// A press for which nothing is known to have been made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owed {
    pub(crate) side: Color,
    pub(crate) at: Moment,
    pub(crate) press: u32,
    /// What it costs if nothing comes.
    pub(crate) top: Price,
    /// What it was then.
    pub(crate) what: Completed,
    /// What it costs that a piece of the player's read on its way then, if the press was for a ply all the same.
    pub(crate) on_its_way: Price,
}

/// What says which tokens are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    /// Tokens with the same have the same future.
    pub(crate) future: u64,
    /// Tokens with the same differ in nothing that is reported.
    pub(crate) story: u64,
}

/// Stories; boxed, since they are large, and sorted and merged again and again.
pub(crate) type Tokens = Vec<Box<Token>>;

/// One story.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) world: World,
    /// What is paid for good.
    pub(crate) cost: Price,
    /// With what is owed by now.
    pub(crate) total: Price,
    pub(crate) hands: Hands,
    /// When the last ply was shown, as far as it was.
    pub(crate) last: Moment,
    /// How many plies at the end have not been pressed.
    pub(crate) open: u8,
    /// When each side last pressed.
    pub(crate) pressed: ByColor<Moment>,
    /// Presses without a ply, the oldest first.
    pub(crate) owed: ArrayVec<Owed, 2>,
    /// White has the right side of the clock.
    pub(crate) mirrored: bool,
    pub(crate) ended: bool,
    /// It begins with the first move of a game, or with the board's first word in its middle.
    pub(crate) begins: bool,
    pub(crate) history: Option<Arc<Node>>,
    pub(crate) proposed: Proposed,
    /// What they were when somebody last asked; nothing if the story has gone on since.
    keys: Option<Keys>,
    /// The last presses, the newest last.
    pub(crate) claims: ArrayVec<Claim, PRESSES>,
}

impl Token {
    /// Begins a story.
    pub(crate) fn new(world: World, mirrored: bool, cost: Price, now: Moment) -> Self {
        Self {
            world,
            cost,
            total: cost,
            hands: Hands::new(),
            last: now,
            open: 0,
            pressed: ByColor { white: Moment::LONG_AGO, black: Moment::LONG_AGO },
            owed: ArrayVec::new(),
            mirrored,
            ended: false,
            begins: true,
            history: None,
            proposed: Proposed::NOTHING,
            keys: None,
            claims: ArrayVec::new(),
        }
    }

    /// Returns what says which tokens are alike.
    pub(crate) fn keys(&mut self) -> Keys {
        if let Some(keys) = self.keys {
            return keys;
        }
        let mut key = self.story();
        let story = key.key();
        for owed in &self.owed {
            key.add(10 + owed.what.number());
        }
        self.hands.add_to(&mut key);
        let keys = Keys { future: key.key(), story };
        self.keys = Some(keys);
        keys
    }

    fn story(&self) -> Mix {
        let mut key = Mix::new();
        let board = &self.world.board;
        let rooks_queens = board.rooks() ^ board.queens();
        let bishops_queens = board.bishops() ^ board.queens();
        for squares in [
            board.white(),
            board.black(),
            board.pawns() ^ board.kings(),
            board.knights() ^ board.kings(),
            rooks_queens,
            bishops_queens,
            self.world.castling,
            self.hands.dead,
        ] {
            key.add(u64::from(squares));
        }
        let flags = [self.world.turn.is_white(), self.mirrored, self.ended].map(u64::from);
        let passed = self.world.en_passant.map_or(64, |square| u64::from(u32::from(square)));
        key.add(flags.iter().fold(u64::from(self.open) << 8 | passed, |all, flag| all << 1 | flag));
        for owed in &self.owed {
            key.add(u64::from(owed.press) << 1 | 1);
        }
        for claim in &self.claims {
            key.add(u64::from(claim.press) << 4 | claim.what.number());
        }
        key
    }

    /// Returns what everything costs that is not settled.
    pub(crate) fn pending(&self, context: &Context<'_>) -> Price {
        if self.ended {
            return Price::FREE;
        }
        self.hands.price(context) + self.price_owed(context)
    }

    /// Returns what the presses cost by now for which nothing is known.
    fn price_owed(&self, context: &Context<'_>) -> Price {
        let owed = |owed: &Owed| context.params.clock.owed.at_most(context.age(owed.at), owed.top);
        self.owed.iter().map(owed).sum()
    }

    /// Adds up what is paid and what is owed by now.
    pub(crate) fn update_total(&mut self, context: &Context<'_>) {
        self.total = self.cost + self.pending(context);
    }

    /// Notes that a square has changed on the board.
    pub(crate) fn handle_square(&mut self, square: Square, context: &Context<'_>) {
        if self.ended {
            self.cost += context.params.round.after_end;
            return;
        }
        let before = self.cost + self.hands.price(context);
        if context.sensed.board.piece_at(square).is_some() && self.hands.dead.contains(square) {
            self.hands.dead.discard(square);
            self.cost += context.params.sensors.works;
        }
        self.settle(square, context.now, context);
        let price = self.cost + self.hands.price(context) - before;
        self.change(square, price);
    }

    /// Notes that a square has changed, by which the story has become dearer.
    pub(crate) fn change(&mut self, square: Square, price: Price) {
        self.keys = None;
        self.proposed.change(square, price);
    }

    /// Notes that it has become another story: nothing has been proposed for it.
    pub(crate) const fn renew(&mut self) {
        self.keys = None;
        self.proposed = Proposed::NOTHING;
    }

    /// Brings the debt for a square up to date.
    pub(crate) fn settle(&mut self, square: Square, since: Moment, context: &Context<'_>) {
        let taken = self.taken();
        self.cost += self.hands.update(square, &self.world, taken, since, context);
    }

    /// Returns the last ply.
    pub(crate) fn last_ply(&self) -> Option<&Made> {
        self.history.as_deref().and_then(Node::last_ply)
    }

    /// Returns how many plies were made.
    pub(crate) fn plies(&self) -> u32 {
        self.last_ply().map_or(0, |made| made.number)
    }

    /// Returns what the last ply captured, and where.
    fn taken(&self) -> Option<(Square, Piece)> {
        self.last_ply().and_then(|made| Some((made.ply.to, made.victim?.1)))
    }

    /// Returns the colour of the player on this side of the clock.
    pub(crate) const fn color_at(&self, left: bool) -> Color {
        if left == self.mirrored { Color::Black } else { Color::White }
    }
}
