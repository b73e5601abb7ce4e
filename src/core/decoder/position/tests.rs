use super::*;

fn world(fen: &str) -> World {
    World::of(&Position::from_fen(fen, CastlingMode::Standard).unwrap())
}

fn perft(world: &World, depth: u32) -> u32 {
    let mut count = 0;
    world.for_each_ply(Bitboard::FULL, |ply| {
        let mut after = world.clone();
        after.make(ply);
        if world.is_legal(ply, &after) {
            count += if depth > 1 { perft(&after, depth - 1) } else { 1 };
        }
    });
    count
}

#[test]
fn legal_plies_are_those_of_the_book() {
    let initial = World::of(&Position::initial());
    assert_eq!([1, 2, 3].map(|depth| perft(&initial, depth)), [20, 400, 8902]);
    // A position with castling on both sides, captures in passing and pins.
    let kiwipete = world("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    assert_eq!([1, 2, 3].map(|depth| perft(&kiwipete, depth)), [48, 2039, 97862]);
    let promotions = world("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1");
    assert_eq!([1, 2, 3].map(|depth| perft(&promotions, depth)), [24, 496, 9483]);
}

#[test]
fn what_touches_a_square_is_all_that_does() {
    let world = world("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for square in Square::ALL {
        let mut all = Vec::new();
        world.for_each_ply(Bitboard::FULL, |ply| {
            if ply.kind != Kind::Castling && (ply.from == square || ply.to == square) {
                all.push(ply);
            }
        });
        let mut touching = Vec::new();
        world.for_each_ply(Bitboard::from(square), |ply| {
            if ply.kind != Kind::Castling {
                touching.push(ply);
            }
        });
        assert_eq!(all, touching);
    }
}

#[test]
fn a_king_may_be_captured_and_stand_in_check() {
    let world = world("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1");
    let ply = Ply { from: Square::E2, to: Square::E8, promotion: None, kind: Kind::Plain };
    let mut after = world.clone();
    after.make(ply);
    assert!(!world.is_legal(ply, &after) && after.is_unsafe(Color::Black));
}
