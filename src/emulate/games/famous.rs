//! Famous games, and two that were composed for rare moves. Moves are not protected by copyright.

use shakmaty::san::SanPlus;

use super::{Builder, Ending, GameRecord};

/// Name and moves; that they are legal is tested.
const GAMES: [(&str, &str); 11] = [
    (
        "Morphy - Duke of Brunswick and Count Isouard, Paris 1858",
        "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 \
         Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#",
    ),
    (
        "Anderssen - Kieseritzky, London 1851",
        "e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5 Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 \
         Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+ Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#",
    ),
    (
        "Anderssen - Dufresne, Berlin 1852",
        "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 \
         Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3 Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#",
    ),
    (
        "Réti - Tartakower, Vienna 1910",
        "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Nf6 Qd3 e5 dxe5 Qa5+ Bd2 Qxe5 O-O-O Nxe4 Qd8+ Kxd8 Bg5+ Kc7 Bd8#",
    ),
    (
        "Edward Lasker - Thomas, London 1912",
        "d4 e6 Nf3 f5 Nc3 Nf6 Bg5 Be7 Bxf6 Bxf6 e4 fxe4 Nxe4 b6 Ne5 O-O Bd3 Bb7 Qh5 Qe7 Qxh7+ Kxh7 Nxf6+ Kh6 \
         Neg4+ Kg5 h4+ Kf4 g3+ Kf3 Be2+ Kg2 Rh2+ Kg1 Kd2#",
    ),
    (
        "Gundersen - Faul, Melbourne 1928",
        "e4 e6 d4 d5 e5 c5 c3 cxd4 cxd4 Bb4+ Nc3 Nc6 Nf3 Nge7 Bd3 O-O Bxh7+ Kxh7 Ng5+ Kg6 h4 Nxd4 Qg4 f5 h5+ Kh6 \
         Nxe6+ g5 hxg6#",
    ),
    ("Légal's mate", "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"),
    ("The fool's mate", "f3 e5 g4 Qh4#"),
    (
        "The Lasker trap: a pawn becomes a knight",
        "d4 d5 c4 e5 dxe5 d4 e3 Bb4+ Bd2 dxe3 Bxb4 exf2+ Ke2 fxg1=N+ Ke1 Qh4+ Kd2 Nc6 Bc3 Bg4 Qb3 O-O-O+",
    ),
    (
        "Loyd: stalemate in ten moves",
        "e3 a5 Qh5 Ra6 Qxa5 h5 Qxc7 Rah6 h4 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6",
    ),
    (
        "A race of pawns, composed",
        "h4 a5 h5 a4 h6 a3 hxg7 axb2 gxh8=Q bxa1=R Qxh7 R1xa2 Qxg8 Ra1 Nc3 Nc6 e4 e5 Nf3 d6 Bb5 Bd7 O-O Qf6 d4 \
         O-O-O",
    ),
];

/// Returns the famous games.
#[must_use]
pub fn famous() -> Vec<GameRecord> {
    GAMES.iter().filter_map(|(name, moves)| game(name, moves)).collect()
}

fn game(name: &str, moves: &str) -> Option<GameRecord> {
    let mut builder = Builder::new();
    for word in moves.split_whitespace() {
        builder.push_san(word.parse::<SanPlus>().ok()?.san, 1).ok()?;
    }
    Some(builder.finish(name.to_owned(), Ending::Unknown))
}

#[cfg(test)]
pub(super) const COUNT: usize = GAMES.len();
