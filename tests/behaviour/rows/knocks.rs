//! Rows of what hands do beside the moves, and of moves with the wrong pieces.

use jadoube_emulate::people::{Handling, Incident, PlannedIncident, RulingStyle};

use super::{Game, Profile, Row};

/// Returns the rows.
pub(super) fn rows() -> Vec<Row> {
    let rows = vec![
        thrice("neighbour shoved, put back", Incident::Shoved),
        thrice("neighbour shoved, stands there", Incident::ShoveAccepted),
        thrice("neighbour shoved, put back late", Incident::ShoveLeft),
        thrice("knocked over, put up", Incident::KnockedOver),
        thrice("knocked over, put up after press", Incident::KnockedOverPressed),
        thrice("knocked over, left lying", Incident::KnockedOverLeft),
        thrice("knocked over, pressed back", Incident::PressBack),
        thrice("swept, put back wrongly", Incident::WronglyRestored),
        thrice("moved piece off centre", Incident::OffCentre),
        thrice("moved piece hovers", Incident::Hover),
        thrice("ghost beside the move", Incident::GhostBeside),
        thrice("lever swings back", Incident::LeverBounce),
        thrice("king captured", Incident::KingCaptured),
        thrice("own piece captured", Incident::OwnCaptured),
        thrice("opponent's piece moved", Incident::OpponentMoved),
        from_the_start("handicap", Incident::Handicap),
        from_the_start("board without a clock", Incident::NoClock),
        Row::new("clumsy hands", |game| {
            game.options.play.handling =
                Handling { mishaps: Handling::clumsy().mishaps, ..game.options.play.handling.clone() };
        }),
        Row::new("clumsy hands, 1+0", |game| {
            game.play_at("1+0");
            game.options.play.handling = Handling::clumsy();
        }),
    ];
    rows.into_iter().map(|row| row.of(Profile::Knocks)).collect()
}

/// Returns a row in which something happens up to three times in a game, beside what goes wrong anyway.
fn thrice(name: &'static str, incident: Incident) -> Row {
    Row::new(name, move |game| plan(game, incident, &[5, 15, 25]))
}

/// Returns a row of games that are special from their first move on.
fn from_the_start(name: &'static str, incident: Incident) -> Row {
    Row::new(name, move |game| {
        let is_start = |planned: &PlannedIncident| planned.incident == Incident::WrongStart;
        game.options.play.incidents.retain(|planned| !is_start(planned));
        plan(game, incident, &[1]);
    })
}

fn plan(game: &mut Game, incident: Incident, plies: &[u32]) {
    let ruling = if game.seed.is_multiple_of(2) { RulingStyle::Arbiter } else { RulingStyle::Stands };
    let planned = plies.iter().map(|from_ply| PlannedIncident { incident, from_ply: *from_ply, ruling });
    game.options.play.incidents.extend(planned);
}
