//! Counts in emulated games.

use dgt_protocol::Decoder;
use jadoube_core::{decoder::Params, time::Timestamp};
use jadoube_emulate::{
    games,
    people::{self, Action, Handling, Incident, Mishaps, Play},
    simulate::{self, Recorded, SimulateOptions},
};
use shakmaty::Color;

use super::{
    counted::Tally,
    observed::{Observed, Ply},
};

/// The first seed; none from here on judges.
const SEED: u64 = 2_000_000;

/// A kind of play: its name, time controls, and how pieces are handled.
type Kind = (&'static str, &'static [&'static str], fn() -> Handling);

const KINDS: [Kind; 3] = [
    ("emulated: hall", &["90+30", "15+10", "3+2"], Handling::blitz),
    ("emulated: time trouble", &["1+0", "2+1"], Handling::scramble),
    ("emulated: knocks", &["15+10", "1+0"], || Handling {
        mishaps: Mishaps::of(&Params::DEFAULT),
        ..Handling::blitz()
    }),
];

/// Plays so many games of each kind.
pub(super) fn all(games: u64) -> impl Iterator<Item = (&'static str, Tally)> {
    KINDS.into_iter().map(move |(name, controls, handling)| {
        let mut tally = Tally::default();
        for (seed, control) in (SEED..SEED + games).zip(controls.iter().cycle()) {
            let record = games::invent(seed, 100);
            let Ok(control) = control.parse() else { continue };
            let mut options = SimulateOptions::new(record, control, seed);
            options.play.handling = handling();
            count(&options, &mut tally);
        }
        (name, tally)
    })
}

fn count(options: &SimulateOptions, tally: &mut Tally) {
    let play = people::play(&options.game, &options.play);
    let by_side = presses(&play);
    count_incidents(&play, tally);
    let simulation = simulate::simulate(options);
    let mut observed = Observed::new(options.board.rotated);
    let mut decoder = Decoder::new();
    for (at, line) in &simulation.lines {
        if let Recorded::Received(bytes) = line {
            observed.receive(&mut decoder, bytes, *at);
        }
    }
    let moves =
        play.truth.moves.iter().zip(&simulation.truth.moves).zip([Color::White, Color::Black].iter().cycle());
    let plies = moves.filter_map(|((played, on_line), side)| {
        let made = on_line.made_at.as_secs();
        // The line has another origin of time than the people.
        let pressed = by_side.iter().find(|(at, by)| by == side && *at >= played.made_at);
        Some(Ply {
            from: on_line.uci.get(0..2)?.parse().ok()?,
            to: on_line.uci.get(2..4)?.parse().ok()?,
            side: *side,
            made,
            pressed: pressed.map(|(at, _)| made + at.since(played.made_at).as_secs_f64()),
        })
    });
    observed.count(&plies.collect::<Vec<_>>(), tally);
}

fn presses(play: &Play) -> Vec<(Timestamp, Color)> {
    let presses = play.actions.iter().filter_map(|timed| {
        if let Action::Press(side) = timed.action { Some((timed.at, side)) } else { None }
    });
    presses.collect()
}

fn count_incidents(play: &Play, tally: &mut Tally) {
    let turns = play.truth.moves.len();
    let count = |those: &[Incident]| {
        play.truth.incidents.iter().filter(|(_, incident)| those.contains(incident)).count()
    };
    let shoved = [Incident::Shoved, Incident::ShoveAccepted, Incident::ShoveLeft];
    let lying = [Incident::KnockedOverPressed, Incident::KnockedOverLeft, Incident::PressBack];
    let (shoved, lying_at_press) = (count(&shoved), count(&lying));
    let fallen = lying_at_press + count(&[Incident::KnockedOver]);
    tally.add("hands.fallen", fallen + shoved, turns);
    tally.add("hands.shoved", shoved, fallen + shoved);
    tally.add("hands.left_there", count(&[Incident::ShoveAccepted]), shoved);
    tally.add("hands.fallen_at_press", lying_at_press, fallen);
    tally.add("clock.back", count(&[Incident::PressBack]), lying_at_press);
    let not_back = lying_at_press - count(&[Incident::PressBack]);
    tally.add("mishaps.left_lying", count(&[Incident::KnockedOverLeft]), not_back);
    tally.add("mishaps.hover", count(&[Incident::Hover]), turns);
    tally.add("sensors.ghost", count(&[Incident::GhostBeside]), turns);
    tally.add("clock.bounce", count(&[Incident::LeverBounce]), turns);
    for remark in play.truth.remarks.iter().filter(|remark| remark.what == "knocked-over") {
        let pieces = remark.about.split(' ').count();
        tally.add("hands.fallen_more", pieces - 1, pieces.min(3));
    }
}
