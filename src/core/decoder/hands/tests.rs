use super::*;
use crate::{decoder::sensed::Sensed, position::Position};

/// A board on which pieces change, as one story sees them.
struct Scene {
    world: World,
    sensed: Sensed,
    hands: Hands,
    now: Moment,
}

impl Scene {
    fn new() -> Self {
        let world = World::of(&Position::initial());
        let now = Moment::LONG_AGO.after(i32::MAX / 2);
        let sensed = Sensed::new(world.board.clone(), &Params::DEFAULT, now);
        Self { world, sensed, hands: Hands::new(), now }
    }

    /// After so many milliseconds a square shows this; returns what is paid for good.
    fn shows(&mut self, after_ms: i32, square: Square, piece: Option<char>) -> Price {
        self.now = self.now.after(after_ms);
        self.sensed.put(square, piece.and_then(Piece::from_char), &Params::DEFAULT, self.now);
        let context =
            Context { sensed: &self.sensed, params: &Params::DEFAULT, now: self.now, limit: Price::NEVER };
        self.hands.update(square, &self.world, None, self.now, &context)
    }

    fn causes(&self) -> Vec<Cause> {
        self.hands
            .debts
            .iter()
            .flat_map(|debt| [debt.missing, debt.stray])
            .flatten()
            .map(|part| part.cause)
            .collect()
    }

    fn price(&self) -> Price {
        let context =
            Context { sensed: &self.sensed, params: &Params::DEFAULT, now: self.now, limit: Price::NEVER };
        self.hands.price(&context)
    }
}

#[test]
fn a_piece_of_the_side_to_move_is_in_its_hand() {
    let mut scene = Scene::new();
    scene.shows(0, Square::E2, None);
    assert_eq!(scene.causes(), [Cause::Hand]);
    let paid = scene.shows(500, Square::E2, Some('P'));
    assert!(scene.causes().is_empty() && paid == Params::DEFAULT.hands.in_hand, "touched and put back");
}

#[test]
fn a_piece_beside_another_in_the_hand_has_fallen() {
    let mut scene = Scene::new();
    scene.shows(0, Square::E2, None);
    scene.shows(100, Square::D2, None);
    scene.shows(100, Square::D3, Some('P'));
    assert_eq!(scene.causes(), [Cause::Hand, Cause::Fallen, Cause::Slid], "either pawn may have gone there");
}

#[test]
fn what_is_brushed_aside_reads_on_the_next_square_at_once() {
    for (after_ms, cause) in [(200, Cause::Shoved), (900, Cause::Far)] {
        let mut scene = Scene::new();
        scene.shows(0, Square::B8, None);
        scene.shows(after_ms, Square::A6, None);
        scene.shows(0, Square::C7, Some('n'));
        assert!(scene.causes().contains(&cause), "{:?}", scene.causes());
    }
}

#[test]
fn pieces_that_fall_together_cost_less() {
    let mut scene = Scene::new();
    scene.shows(0, Square::A8, None);
    let one = scene.price();
    scene.shows(100, Square::B8, None);
    let two = scene.price();
    scene.shows(2000, Square::C8, None);
    assert!(two - one < one && scene.price() - two > two - one);
}

#[test]
fn what_does_not_fit_is_paid_at_once() {
    let mut scene = Scene::new();
    let squares: Vec<Square> = scene.world.board.occupied().into_iter().collect();
    let paid: Price = squares.into_iter().map(|square| scene.shows(50, square, None)).sum();
    assert!(scene.hands.debts.is_full() && paid > Price::FREE);
}
