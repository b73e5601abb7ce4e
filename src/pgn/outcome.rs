//! Which result of a game the public sees.

use super::track::PublicState;
use crate::{
    config::Config,
    rounds::{ResultState, Table},
};
use jadoube_core::score::Score;

/// Returns the result that the public sees of a table; `waits` says that what was entered is not to be seen yet, `has_left` that the
/// board reports nothing of the game any more.
pub(super) fn result_of<'a>(
    config: &Config,
    table: &'a Table,
    kept: Option<&PublicState>,
    waits: bool,
    has_left: bool,
) -> Option<(Score, &'a str)> {
    let standing = table.standing();
    let counts = standing.state != ResultState::Sensed || !config.event.confirm_results;
    let by = standing.by.unwrap_or_default();
    if table.entered.is_some() && !waits {
        return standing.score.map(|score| (score, by));
    }
    let reported = table.game.as_ref().and_then(|game| game.result.as_ref());
    let reported =
        reported.map(|reported| (reported.score, reported.by.as_str())).filter(|_| counts || waits);
    let shown = kept.and_then(|kept| kept.game.as_ref()?.result);
    match shown {
        // An order may have given it another one since.
        _ if has_left => reported,
        Some((score, _)) => reported.filter(|(reported, _)| reported.text() == score),
        None => None,
    }
}

/// Returns the result of a game as its board has reported it.
pub(super) fn reported(shown: &PublicState) -> Option<(Score, &str)> {
    let (score, by) = shown.game.as_ref()?.result?;
    Some((Score::parse(score)?, by))
}
