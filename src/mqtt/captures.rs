//! Finds in the captures what the event log has lost.
//!
//! A capture holds what went in, so what came out is found by playing it again. That costs seconds for a long hole in
//! a big hall and is done only where the log does not reach.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
    sync::Arc,
};

use tracing::debug;

use super::{
    journal::{Edge, Hole},
    outgoing_event::OutgoingEvent,
};
use crate::{
    config::Config,
    port::{self, game_number},
    published::{EventId, Numbering},
};
use jadoube_core::{
    capture::Reader,
    event::{Event, EventKind},
    replay,
    time::Timestamp,
};

/// Returns the events of a hole in order, those that go out.
///
/// They have their numbers if exactly as many were found as are missing.
pub(crate) fn fill(config: &Arc<Config>, hole: &Hole) -> Vec<OutgoingEvent> {
    let mut found = Vec::new();
    for path in captures(&config.state_dir) {
        let is_older = || Some(changed(&path)? < hole.since.as_ref()?.at);
        if is_older() != Some(true) {
            play(config, &path, hole, &mut found);
        }
    }
    found.sort_by_key(|FoundEvent { at, .. }| *at);
    let mut seen = BTreeSet::new();
    let mut games = BTreeSet::new();
    // The first event of a game stands in two captures, and a game that moved to another port even as a whole.
    found.retain(|FoundEvent { event, id, .. }| {
        if let EventKind::GameStart { game, fen, .. } = &event.kind {
            return games.insert((event.board.clone(), *game, fen.clone()));
        }
        seen.insert(id.clone())
    });
    // At the instants at which the hole begins and ends, the log has some and lacks others.
    let is = |found: &FoundEvent, edge: &Edge| edge.event.as_ref() == Some(&found.id);
    if let Some(edge) = &hole.since
        && let Some(last) = found.iter().rposition(|event| is(event, edge))
    {
        found.drain(..=last);
    }
    if let Some(edge) = &hole.until
        && let Some(first) = found.iter().position(|event| is(event, edge))
    {
        found.truncate(first);
    }
    let numbered = u64::try_from(found.len()).is_ok_and(|count| count == hole.last - hole.first + 1);
    let seqs = (hole.first..).map(|seq| numbered.then_some(seq));
    let entries = found.iter().zip(seqs);
    let recovered =
        |(found, seq): (&FoundEvent, _)| OutgoingEvent::recovered(&found.event, found.at, seq, hole.first);
    entries.filter_map(recovered).collect()
}

/// An event that a capture has, with its calendar time.
struct FoundEvent {
    at: jiff::Timestamp,
    event: Event,
    id: EventId,
}

fn play(config: &Arc<Config>, path: &Path, hole: &Hole, found: &mut Vec<FoundEvent>) {
    let Ok(file) = File::open(path) else { return };
    let mut reader = match Reader::new(path.display().to_string(), BufReader::new(file)) {
        Ok(reader) => reader,
        Err(error) => return debug!(%error, "capture left out"),
    };
    let started = reader.header().get("started").and_then(|started| started.parse::<jiff::Timestamp>().ok());
    let Some(started) = started else { return };
    let upto = hole.until.as_ref().map_or(Some(Timestamp::MAX), |until| {
        let span = std::time::Duration::try_from(until.at.duration_since(started)).ok()?;
        Some(Timestamp::ZERO + span)
    });
    let Some(upto) = upto else { return };
    let utc = |at: Timestamp| {
        let span = jiff::SignedDuration::try_from(at.since(Timestamp::ZERO)).ok()?;
        started.checked_add(span).ok()
    };
    let mut numbering = Numbering::of(started);
    let take = |event: Event| {
        let id = EventId::of(&event, numbering.next(&event));
        // A replay reports the whole game also when it is not over.
        let is_open = matches!(&event.kind, EventKind::Game(game) if game.result == "*");
        if let Some(at) = utc(event.at)
            && !is_open
            && hole.since.as_ref().is_none_or(|since| at >= since.at)
            && hole.until.as_ref().is_none_or(|until| at <= until.at)
        {
            found.push(FoundEvent { at, event, id });
        }
    };
    let settings = config.line_settings(replay::port(reader.header()));
    if let Err(error) = replay::replay_from(&mut reader, settings, game_number(path), upto, take) {
        debug!(%error, "capture read up to here");
    }
}

fn captures(state_dir: &Path) -> Vec<PathBuf> {
    let ports = port::capture_directories(state_dir).unwrap_or_default();
    ports.iter().flat_map(|directory| port::captures_in(directory).unwrap_or_default()).collect()
}

fn changed(path: &Path) -> Option<jiff::Timestamp> {
    jiff::Timestamp::try_from(fs::metadata(path).ok()?.modified().ok()?).ok()
}
