//! What hints are worth, alone and together.

use super::*;

const NORMAL: Seats = Seats { rotated: false, white: Side::Left };

#[test]
fn one_hint_decides_nothing() {
    let mut belief = Belief::new();
    assert!(!belief.knows(NORMAL));
    belief.add(|seats| seats.rotated, cost::SEAT_LEAD);
    belief.set_lever(Color::White, Side::Left);
    assert!(!belief.knows(NORMAL), "a lever may stand the wrong way");
    belief.settle_lever();
    belief.add(|seats| seats.white == Side::Right, cost::OTHER_COLOUR_MOVED);
    assert!(belief.knows(NORMAL), "lever, move and press agree");
}

#[test]
fn a_lever_that_is_handed_back_counts_as_it_stands_in_the_end() {
    let mut belief = Belief::new();
    belief.set_lever(Color::White, Side::Right);
    belief.set_lever(Color::White, Side::Left);
    belief.settle_lever();
    belief.set_lever(Color::White, Side::Right);
    assert_eq!(belief.better(NORMAL, |seats| !seats.rotated), None);
}

#[test]
fn three_presses_to_the_contrary_undo_what_was_stated() {
    let mut belief = Belief::default();
    belief.add(|seats| seats != NORMAL, cost::STATED);
    for _ in 0..3 {
        belief.add(|seats| seats.white == Side::Left, cost::OTHER_COLOUR_MOVED);
    }
    assert!(!belief.knows(NORMAL));
    let (best, _) = belief.better(NORMAL, |_| true).unwrap();
    assert_eq!(best.white, Side::Right);
}
