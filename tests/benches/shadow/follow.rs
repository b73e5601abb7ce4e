//! A capture through the decoder.

use std::time::Duration;

use dgt_protocol::Decoder;
use jadoube_core::{
    alert::Confidence,
    capture::Entry,
    decoder::{ClaimReport, Claimed, Completed, Follower, Output, Params},
    laws::Control,
    replay::GRACE,
    side::side_name,
    time::Timestamp,
};
use serde_json::{Value, json};

use super::{Job, open};

/// How far a replay goes on after the end, so that the last press is looked at.
const LAST_LOOK: Duration = Duration::from_secs(10);

/// Prints what the decoder reports of a capture.
pub(super) fn run(job: &Job, file: &str) -> Result<(), String> {
    for event in events(job, file)? {
        println!("{event}");
    }
    Ok(())
}

/// Returns what the decoder reports of a capture, as events.
pub(super) fn events(job: &Job, file: &str) -> Result<Vec<Value>, String> {
    let mut reader = open(file)?;
    let mut follower = Follower::new(&Params::DEFAULT, &job.start);
    let mut decoder = Decoder::new();
    let mut printer = Printer { control: job.control, events: Vec::new(), ids: Vec::new(), games: 0 };
    let mut end = Timestamp::ZERO;
    let stories = std::env::var("STORIES").ok().and_then(|most| most.parse().ok());
    while let Some(record) = reader.next_record().map_err(|error| error.to_string())? {
        end = record.at;
        while let Some(due) = follower.deadline().filter(|due| *due <= end) {
            follower.handle_timeout(due);
        }
        match record.entry {
            Entry::Open(_) => {
                decoder = Decoder::new();
                follower.handle_link_up(end);
            }
            Entry::Received(mut bytes) => {
                while let Some(frame) = decoder.next_frame(&mut bytes) {
                    follower.handle_message(&frame.message(), end);
                    if let Some(most) = stories {
                        eprintln!("{end} {:?}", frame.message());
                        follower.stories(most).iter().for_each(|story| eprintln!("    {story}"));
                    }
                }
            }
            Entry::Close(_) | Entry::Sent(_) | Entry::Order(_) => {}
        }
        printer.drain(&mut follower);
    }
    follower.finish(end + GRACE);
    let mut last = end + LAST_LOOK;
    while let Some(due) = follower.deadline().filter(|due| *due <= last) {
        follower.handle_timeout(due);
        last = last.max(due);
    }
    printer.drain(&mut follower);
    if std::env::var_os("STATS").is_some() {
        let (alive, made) = follower.effort();
        eprintln!("{file}: {alive} alive, {made} made");
    }
    Ok(printer.events)
}

/// Makes events of what the decoder reports.
struct Printer {
    control: Control,
    events: Vec<Value>,
    /// Claims that were reported, in the order of their numbers.
    ids: Vec<ClaimReport>,
    games: u32,
}

impl Printer {
    fn drain(&mut self, follower: &mut Follower) {
        while let Some((at, output)) = follower.poll_output() {
            match output {
                Output::Claim(reported) => self.claim(reported, at),
                Output::Flag { side, ply } => {
                    let id = format!("flag{}", self.events.len());
                    self.events.push(json!({"t": at, "event": "alert", "id": id, "code": "flag-fall",
                        "side": side_name(side), "confidence": "certain", "state": "open", "p": 1.0, "ply": ply, "text": "flag"}));
                }
                Output::Game(moves) => {
                    self.games += 1;
                    let moves: Vec<Value> = moves
                        .iter()
                        .map(|made| {
                            json!({"uci": made.uci, "san": made.san, "legal": made.legal, "side": side_name(made.side)})
                        })
                        .collect();
                    self.events.push(
                        json!({"t": at, "event": "game", "game": self.games, "moves": moves, "result": "*"}),
                    );
                }
            }
        }
    }

    fn claim(&mut self, reported: ClaimReport, at: Timestamp) {
        let Some(code) = code(reported.claimed, self.control) else { return };
        let p = f64::from(reported.p) / 65_536.0;
        let word = reported.word.map(word);
        let same = |other: &ClaimReport| {
            (other.press, other.claimed, other.side) == (reported.press, reported.claimed, reported.side)
        };
        if reported.again
            && let Some(id) = self.ids.iter().rposition(same)
        {
            let state = if word.is_some() { "open" } else { "withdrawn" };
            let mut update =
                json!({"t": at, "event": "alert-update", "id": id.to_string(), "state": state, "p": p});
            if let (Some(word), Some(update)) = (word, update.as_object_mut()) {
                update.insert("confidence".to_owned(), json!(word));
            }
            self.events.push(update);
            return;
        }
        let text = format!("{} {code}; otherwise {:?}", side_name(reported.side), reported.otherwise);
        self.events.push(json!({"t": at, "event": "alert", "id": self.ids.len().to_string(), "code": code,
            "side": side_name(reported.side), "confidence": word, "state": "open", "p": p, "ply": reported.ply, "text": text}));
        self.ids.push(reported);
    }
}

/// Returns the code of an alert for a claim.
fn code(claimed: Claimed, control: Control) -> Option<&'static str> {
    Some(match claimed {
        Claimed::TwoHands => "two-hands-suspect",
        Claimed::Completed(Completed::Illegal) => "illegal-move",
        Claimed::Completed(Completed::Unreplaced) => "promotion-not-replaced",
        Claimed::Completed(Completed::Early) => "press-before-made",
        Claimed::Completed(Completed::Nothing) => "press-without-move",
        Claimed::Completed(Completed::Stands) if control != Control::Standard => "illegal-position-draw",
        Claimed::Completed(_) => return None,
    })
}

const fn word(word: Confidence) -> &'static str {
    match word {
        Confidence::Certain => "certain",
        Confidence::Likely => "likely",
        Confidence::Possible => "possible",
    }
}
