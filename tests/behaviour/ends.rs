//! What a position or the moves that led to it end or let a player claim, by the moves that were played.

use std::collections::BTreeMap;

use jadoube_core::{code::Code, position::Position};
use jadoube_emulate::truth::TrueMove;

/// Codes of facts that follow from the moves alone.
pub(crate) const CODES: [Code; 6] = [
    Code::Checkmate,
    Code::Stalemate,
    Code::ThreefoldClaimable,
    Code::FivefoldDraw,
    Code::FiftyClaimable,
    Code::SeventyfiveDraw,
];

/// Returns those that are true at some time of a game; `None` if a move of it breaks the rules.
pub(crate) fn of(moves: &[TrueMove]) -> Option<Vec<Code>> {
    let mut position = Position::initial();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut codes = Vec::new();
    let mut note = |position: &Position| {
        let same = seen.entry(position.epd()).or_default();
        *same += 1;
        let reported = [
            position.is_checkmate(),
            position.is_stalemate(),
            *same >= 3,
            *same >= 5,
            position.halfmoves() >= 100,
            position.halfmoves() >= 150,
        ];
        codes.extend(CODES.iter().zip(reported).filter(|(_, reported)| *reported).map(|(code, _)| *code));
    };
    note(&position);
    for played in moves {
        let m =
            position.legal_moves().into_iter().find(|m| played.legal && position.uci(*m) == played.uci)?;
        position = position.play(m);
        note(&position);
    }
    Some(codes)
}
