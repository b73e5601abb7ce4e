//! The rows of the table: what goes wrong in each.

use std::{sync::Arc, time::Duration};

use jadoube_core::{laws::EventSettings, settings::LineSettings};
use jadoube_emulate::{
    games,
    people::{Handling, Incident, PlannedIncident, RulingStyle},
    random::Random,
    simulate::SimulateOptions,
    wire::Faults,
};

use crate::tamper::Tamper;

mod knocks;

/// Width of the column of names.
pub(crate) const WIDTH: usize = 34;

/// The kind of play that a row is of, by which reliability is reported.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Profile {
    /// Sound boards and lines, and people who sit still.
    Hall,
    /// The same in time trouble.
    TimeTrouble,
    /// Boards and clocks that report less than they should.
    Faulty,
    /// Lines that damage what is said.
    Noisy,
    /// Pieces that are shoved, fall, or lie amiss; levers that swing back; moves with the wrong pieces.
    Knocks,
}

impl Profile {
    /// All of them.
    pub(crate) const ALL: [Self; 5] =
        [Self::Hall, Self::TimeTrouble, Self::Faulty, Self::Noisy, Self::Knocks];

    /// Returns its name in tables.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hall => "hall",
            Self::TimeTrouble => "time trouble",
            Self::Faulty => "faulty",
            Self::Noisy => "noisy",
            Self::Knocks => "knocks",
        }
    }
}

/// One row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) profile: Profile,
    change: Box<dyn Fn(&mut Game) + Sync>,
}

/// One game of a row.
pub(crate) struct Game {
    pub(crate) seed: u64,
    pub(crate) options: SimulateOptions,
    pub(crate) tamper: Tamper,
    pub(crate) config: Arc<LineSettings>,
}

impl Row {
    fn new(name: &'static str, change: impl Fn(&mut Game) + Sync + 'static) -> Self {
        Self { name, profile: Profile::Hall, change: Box::new(change) }
    }

    fn of(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Returns the game that a seed makes of the row.
    pub(crate) fn game(&self, seed: u64) -> Game {
        let mut game = Game::ordinary(seed);
        (self.change)(&mut game);
        let event = EventSettings { control: game.options.play.control, ..EventSettings::default() };
        Arc::make_mut(&mut game.config).event = Arc::new(event);
        game
    }
}

/// What players do wrong, and what becomes of it.
const OFFENCES: [(Incident, RulingStyle); 8] = [
    (Incident::IllegalMove, RulingStyle::Arbiter),
    (Incident::PressWithoutMove, RulingStyle::Stands),
    (Incident::KingLeftInCheck, RulingStyle::Stands),
    (Incident::IllegalMove, RulingStyle::Stands),
    (Incident::PressWithoutMove, RulingStyle::Arbiter),
    (Incident::TwoHandedCastling, RulingStyle::Stands),
    (Incident::KingLeftInCheck, RulingStyle::Arbiter),
    (Incident::PawnLeft, RulingStyle::Arbiter),
];

/// What happens at tables without anybody being to blame.
const ODDITIES: [Incident; 7] = [
    Incident::TakeBack,
    Incident::WrongStart,
    Incident::Swept,
    Incident::Adjust,
    Incident::KingsInCentre,
    Incident::Slide,
    Incident::RookFirst,
];

impl Game {
    /// Describes a game on a sound board: of every three one is slow, one rapid, one blitz; in every other game
    /// somebody offends, in every fourth something odd happens.
    fn ordinary(seed: u64) -> Self {
        let mut random = Random::new(seed ^ 0xbea7);
        let record = match seed % 4 {
            0 => random.pick(&games::famous()).unwrap().clone(),
            _ => games::invent(seed + 1000, 40 + random.below(90)),
        };
        let control = ["15+10", "3+2", "90+30"][usize::try_from(seed % 3).unwrap()];
        let mut options = SimulateOptions::new(record, control.parse().unwrap(), seed + 500);
        let from_ply = 5 + u32::try_from(random.below(20)).unwrap();
        // Each kind gets its turn: every second seed is one of an offence, every fourth one of an oddity.
        let turn = |every: u64| usize::try_from(seed / every).unwrap();
        let planned = match seed % 4 {
            1 | 3 => Some(OFFENCES[turn(2) % OFFENCES.len()]),
            2 => Some((ODDITIES[turn(4) % ODDITIES.len()], RulingStyle::Arbiter)),
            _ => None,
        };
        options.play.incidents = planned
            .into_iter()
            .map(|(incident, ruling)| PlannedIncident { incident, from_ply, ruling })
            .collect();
        let config = Arc::new(LineSettings::default());
        Self { seed, options, tamper: Tamper::Nothing, config }
    }

    fn play_at(&mut self, control: &str) {
        let incidents = std::mem::take(&mut self.options.play.incidents);
        let SimulateOptions { game, play, .. } = &self.options;
        let serial_seed = play.seed;
        self.options = SimulateOptions::new(game.clone(), control.parse().unwrap(), serial_seed);
        self.options.play.incidents = incidents;
    }

    fn dumps_every(&mut self, seconds: f64) {
        self.options.dump_every = Some(Duration::from_secs_f64(seconds));
    }

    fn scan_in(&mut self, millis: u64) {
        self.options.board.scan.period = Duration::from_millis(millis);
    }
}

/// Returns a row in which the line does something to the bytes.
fn line(name: &'static str, faults: Faults) -> Row {
    Row::new(name, move |game| {
        game.options.faults = faults;
        game.dumps_every(10.0);
    })
}

/// Returns a row in which something else goes wrong, while the host asks for a dump now and then.
fn tampered(name: &'static str, tamper: Tamper) -> Row {
    Row::new(name, move |game| {
        game.tamper = tamper;
        game.dumps_every(10.0);
    })
}

/// Returns how many rows are of sound boards on sound lines; they come first.
pub(crate) fn count_sound() -> usize {
    sound().len()
}

/// Returns all rows.
pub(crate) fn all() -> Vec<Row> {
    let mut rows = sound();
    rows.extend(knocks::rows());
    rows.extend(faulty().into_iter().map(|row| row.of(Profile::Faulty)));
    rows.extend(noisy().into_iter().map(|row| row.of(Profile::Noisy)));
    rows
}

fn sound() -> Vec<Row> {
    vec![
        Row::new("nothing", |_| {}),
        Row::new("nothing, dumps now and then", |game| game.dumps_every(10.0)),
        Row::new("every order of handling", |game| {
            game.options.play.handling = Handling::every_order(game.seed);
        }),
        Row::new("hands in a hurry", |game| game.options.play.handling = Handling::scramble())
            .of(Profile::TimeTrouble),
        Row::new("time trouble, 1+0", |game| {
            game.play_at("1+0");
            game.options.play.handling = Handling::scramble();
        })
        .of(Profile::TimeTrouble),
        Row::new("time trouble, premoves", |game| {
            game.play_at("2+1");
            game.options.play.handling = Handling { premove: 0.15, early_reply: 0.1, ..Handling::scramble() };
        })
        .of(Profile::TimeTrouble),
        Row::new("captors replace victims", |game| {
            game.options.play.handling.capture_orders = [1.0, 0.0, 0.0];
        }),
        Row::new("slides and ghosts", |game| {
            let handling = &mut game.options.play.handling;
            (handling.slide, handling.stopover, handling.late_ghost) = (0.3, 0.3, 0.4);
        }),
        Row::new("moves that only repeat", |game| {
            let repetition = Incident::Repetition;
            let from_ply = 6 + u32::try_from(game.seed).unwrap() % 30;
            let ruling = if game.seed.is_multiple_of(2) { RulingStyle::Arbiter } else { RulingStyle::Stands };
            game.options.play.incidents.insert(0, PlannedIncident { incident: repetition, from_ply, ruling });
        }),
        Row::new("clock polled every 0.9 s", |game| {
            game.options.board.clock_poll = Duration::from_millis(900);
        }),
        Row::new("slow scan, 450 ms", |game| {
            game.scan_in(450);
            Arc::make_mut(&mut game.config).board.scan_ms = 450;
        }),
        Row::new("slow scan, not configured", |game| game.scan_in(450)),
        Row::new("quick scan, 100 ms", |game| game.scan_in(100)),
    ]
}

fn faulty() -> Vec<Row> {
    vec![
        tampered("dead square", Tamper::Dead(1)),
        Row::new("dead square, no dumps", |game| game.tamper = Tamper::Dead(1)),
        tampered("two dead squares", Tamper::Dead(2)),
        tampered("four dead squares", Tamper::Dead(4)),
        tampered("dead square at home", Tamper::DeadAtHome(1)),
        tampered("two dead squares at home", Tamper::DeadAtHome(2)),
        tampered("weak square, every 20 s", Tamper::Weak(1, 20.0)),
        tampered("weak square, every 3 s", Tamper::Weak(1, 3.0)),
        tampered("four weak squares, every 10 s", Tamper::Weak(4, 10.0)),
        tampered("piece off centre, 2 %", Tamper::OffCentre(0.02)),
        tampered("piece off centre, 10 %", Tamper::OffCentre(0.10)),
        Row::new("wrong code for a scan, every 30 s", |game| {
            game.options.board.glitch_every = Some(Duration::from_secs(30));
        }),
        Row::new("wrong code for a scan, every 5 s", |game| {
            game.options.board.glitch_every = Some(Duration::from_secs(5));
        }),
        lost("updates lost, 1 %", 0.01, Some(10.0)),
        lost("updates lost, 1 %, no dumps", 0.01, None),
        lost("updates lost, 3 %", 0.03, Some(10.0)),
        lost("updates lost, 3 %, no dumps", 0.03, None),
        lost("updates lost, 10 %", 0.10, Some(10.0)),
        dumps_only("dumps only, 1 Hz", 1.0),
        dumps_only("dumps only, 0.5 Hz", 2.0),
        tampered("cable out for 3 s", Tamper::Cut(3.0)),
        tampered("cable out for 15 s", Tamper::Cut(15.0)),
        tampered("cable out for 60 s", Tamper::Cut(60.0)),
        tampered("link lost a moment, every 20 s", Tamper::Hiccups(20.0)),
        tampered("daemon restarted", Tamper::Restart),
        Row::new("no clock", |game| {
            game.options.play.incidents.clear();
            game.tamper = Tamper::NoClock;
        }),
        tampered("clock unplugged for 30 s", Tamper::ClockOut(30.0, true)),
        tampered("clock sends nothing for 30 s", Tamper::ClockOut(30.0, false)),
        Row::new("board unplugged", |game| {
            let from_ply = 10 + u32::try_from(game.seed).unwrap() * 2;
            let unplugged =
                PlannedIncident { incident: Incident::Unplugged, from_ply, ruling: RulingStyle::Stands };
            game.options.play.incidents.push(unplugged);
        }),
    ]
}

fn lost(name: &'static str, share: f64, dumps: Option<f64>) -> Row {
    Row::new(name, move |game| {
        game.options.faults.lose_updates = share;
        if let Some(seconds) = dumps {
            game.dumps_every(seconds);
        }
    })
}

fn dumps_only(name: &'static str, seconds: f64) -> Row {
    Row::new(name, move |game| {
        game.tamper = Tamper::DumpsOnly;
        game.dumps_every(seconds);
    })
}

fn noisy() -> Vec<Row> {
    vec![
        line("reads cut and late", Faults { delay: 0.1, delay_s: 0.05, cut: 0.5, ..Faults::NONE }),
        line("bits flipped, 0.1 %", Faults { flip: 0.001, ..Faults::NONE }),
        line("bits flipped, 1 %", Faults { flip: 0.01, ..Faults::NONE }),
        line("bytes lost, 0.1 %", Faults { drop: 0.001, ..Faults::NONE }),
        line("bytes lost, 1 %", Faults { drop: 0.01, ..Faults::NONE }),
        line("bytes inserted, 0.2 %", Faults { insert: 0.002, ..Faults::NONE }),
        line("bytes inserted, 1 %", Faults { insert: 0.01, ..Faults::NONE }),
        line("bytes doubled, 0.2 %", Faults { duplicate: 0.002, ..Faults::NONE }),
        line("bytes doubled, 1 %", Faults { duplicate: 0.01, ..Faults::NONE }),
        tampered("messages twice, 5 %", Tamper::Twice(0.05)),
        line("all of it, 0.2 %", Faults { flip: 0.002, drop: 0.002, insert: 0.002, ..Faults::NONE }),
    ]
}
