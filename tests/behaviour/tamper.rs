//! Faults between the sensors of a board and its host that the simulated line does not have.
//!
//! Works on what the host has recorded, message by message; the line must be a clean one.

use std::{collections::VecDeque, time::Duration};

use jadoube_core::time::Timestamp;
use jadoube_emulate::{
    random::{Random, span},
    simulate::Recorded,
};

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tamper {
    /// Nothing does.
    Nothing,
    /// So many squares never show anything, from before the game on; those of ranks 3 to 6.
    Dead(usize),
    /// So many squares of the first two ranks of either side never show anything, from before the game on.
    DeadAtHome(usize),
    /// So many squares lose what stands on them for a moment, every so many seconds.
    Weak(usize, f64),
    /// A share of placements is noticed only seconds later: the piece stood beside the middle of its square.
    OffCentre(f64),
    /// No changes are reported; the host sees dumps only.
    DumpsOnly,
    /// The cable is out once, for so many seconds.
    Cut(f64),
    /// The link is lost again and again for 0.3 to 2.5 s, about every so many seconds, as by a hub that resets its devices.
    Hiccups(f64),
    /// The board has no clock.
    NoClock,
    /// The cable of the clock is out once, for so many seconds; whether the board says so.
    ClockOut(f64, bool),
    /// A share of messages arrives twice.
    Twice(f64),
    /// The daemon is restarted once: the same link comes up again at once.
    Restart,
}

pub(crate) type Lines = Vec<(Timestamp, Recorded)>;

pub(crate) const DUMP: u8 = 0x86;
const UPDATE: u8 = 0x8e;
const CLOCK: u8 = 0x8d;

/// Lets something go wrong.
pub(crate) fn tamper(lines: &mut Lines, tamper: Tamper, seed: u64) {
    let random = &mut Random::new(seed ^ 0x7a3b);
    if tamper != Tamper::Nothing {
        join(lines);
    }
    match tamper {
        Tamper::Nothing => {}
        Tamper::Dead(count) => kill(lines, &some_of(16..48, count, random)),
        Tamper::DeadAtHome(count) => kill(lines, &some_of((0..16).chain(48..64), count, random)),
        Tamper::Weak(count, every) => weak(lines, count, every, random),
        Tamper::OffCentre(share) => off_centre(lines, share, random),
        Tamper::DumpsOnly => lines.retain(|(_, line)| update(line).is_none()),
        Tamper::Cut(seconds) => cut(lines, somewhere(lines, random), span(seconds)),
        Tamper::Hiccups(every) => hiccups(lines, every, random),
        Tamper::NoClock => silence_clock(lines, Timestamp::ZERO, Timestamp::MAX, true),
        Tamper::ClockOut(seconds, reported) => {
            let from = somewhere(lines, random);
            silence_clock(lines, from, from + span(seconds), reported);
        }
        Tamper::Twice(share) => twice(lines, share, random),
        Tamper::Restart => cut(lines, somewhere(lines, random), Duration::ZERO),
    }
}

/// Puts messages together that came in several reads.
fn join(lines: &mut Lines) {
    let mut joined: Lines = Vec::with_capacity(lines.len());
    for (at, line) in lines.drain(..) {
        if let Recorded::Received(more) = &line
            && let Some((when, Recorded::Received(bytes))) = joined.last_mut()
            && more.first().is_some_and(|byte| *byte < 0x80)
            && bytes.len() < 128
        {
            bytes.extend(more);
            *when = at;
        } else {
            joined.push((at, line));
        }
    }
    *lines = joined;
}

/// Returns field and piece of a line that is one field update.
pub(crate) fn update(line: &Recorded) -> Option<(u8, u8)> {
    let Recorded::Received(bytes) = line else { return None };
    let [UPDATE, 0, 5, field, piece] = bytes[..] else { return None };
    Some((field, piece))
}

fn update_of(field: u8, piece: u8) -> Recorded {
    Recorded::Received(vec![UPDATE, 0, 5, field, piece])
}

/// Returns the fields of a line that is one dump.
fn dump(line: &mut Recorded) -> Option<&mut [u8]> {
    let Recorded::Received(bytes) = line else { return None };
    (bytes.len() == 67 && bytes[0] == DUMP).then(|| &mut bytes[3..])
}

/// Returns whether a line is one dump.
pub(crate) fn is_dump(line: &Recorded) -> bool {
    let Recorded::Received(bytes) = line else { return false };
    bytes.len() == 67 && bytes[0] == DUMP
}

/// Chooses so many of these fields.
fn some_of(fields: impl Iterator<Item = u8>, count: usize, random: &mut Random) -> Vec<u8> {
    let all: Vec<u8> = fields.collect();
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let field = all[random.below(all.len())];
        if !chosen.contains(&field) {
            chosen.push(field);
        }
    }
    chosen
}

/// Lets fields show nothing.
pub(crate) fn kill(lines: &mut Lines, fields: &[u8]) {
    lines.retain(|(_, line)| update(line).is_none_or(|(field, _)| !fields.contains(&field)));
    for (_, line) in lines.iter_mut() {
        if let Some(codes) = dump(line) {
            for field in fields {
                codes[usize::from(*field)] = 0;
            }
        }
    }
}

fn weak(lines: &mut Lines, count: usize, every: f64, random: &mut Random) {
    let fields = some_of(16..48, count, random);
    let end = lines.last().unwrap().0;
    let mut added = Vec::new();
    for field in fields {
        let mut at = Timestamp::ZERO + random.seconds(5.0, 5.0 + every);
        while at < end {
            let back = at + random.seconds(0.2, 0.9);
            let place = lines.partition_point(|(when, _)| *when <= at);
            let until = lines.partition_point(|(when, _)| *when <= back);
            let stands = shown(&mut lines[..place], field);
            let busy = lines[place..until].iter_mut().any(|(_, line)| {
                update(line).is_some_and(|(other, _)| other == field) || dump(line).is_some()
            });
            if stands != 0 && !busy {
                added.push((at, update_of(field, 0)));
                added.push((back, update_of(field, stands)));
            }
            at = back + random.seconds(every * 0.2, every * 1.8);
        }
    }
    lines.append(&mut added);
    lines.sort_by_key(|(at, _)| *at);
}

/// Returns what a field has shown last.
pub(crate) fn shown(lines: &mut [(Timestamp, Recorded)], field: u8) -> u8 {
    let reported = lines.iter_mut().rev().find_map(|(_, line)| match update(line) {
        Some((other, piece)) => (other == field).then_some(piece),
        None => dump(line).map(|codes| codes[usize::from(field)]),
    });
    reported.unwrap_or(0)
}

fn off_centre(lines: &mut Lines, share: f64, random: &mut Random) {
    let mut index = 0;
    while index < lines.len() {
        let (at, line) = &lines[index];
        let late = random.seconds(0.8, 6.0);
        let Some((field, piece)) = update(line).filter(|(_, piece)| *piece != 0 && random.chance(share))
        else {
            index += 1;
            continue;
        };
        let when = *at + late;
        lines.remove(index);
        let until = lines.partition_point(|(at, _)| *at <= when);
        // Somebody else moves there or away before: then it never shows.
        let next =
            (index..until).find(|other| update(&lines[*other].1).is_some_and(|(other, _)| other == field));
        let end = next.unwrap_or(until);
        for (_, line) in &mut lines[index..end] {
            if let Some(codes) = dump(line) {
                codes[usize::from(field)] = 0;
            }
        }
        match next {
            // The square's lift is no news to the board then.
            Some(next) if update(&lines[next].1).is_some_and(|(_, piece)| piece == 0) => {
                lines.remove(next);
            }
            Some(_) => {}
            None => lines.insert(end, (when, update_of(field, piece))),
        }
    }
}

/// Chooses an instant well within a game.
fn somewhere(lines: &Lines, random: &mut Random) -> Timestamp {
    let end = lines.last().unwrap().0.as_secs();
    Timestamp::ZERO + random.seconds(end * 0.2, end * 0.8)
}

fn hiccups(lines: &mut Lines, every: f64, random: &mut Random) {
    let mut from = Timestamp::ZERO + random.seconds(every * 0.5, every * 1.5);
    while from < lines.last().unwrap().0 {
        cut(lines, from, random.seconds(0.3, 2.5));
        from = from + random.seconds(every * 0.5, every * 1.5);
    }
}

/// Pulls the cable out; when it is in again, the board is asked what stands on it and what the clock shows.
fn cut(lines: &mut Lines, from: Timestamp, length: Duration) {
    let until = from + length;
    let codes: Vec<u8> = {
        let place = lines.partition_point(|(at, _)| *at <= until);
        (0..64).map(|field| shown(&mut lines[..place], field)).collect()
    };
    let clock = |(at, line): &(Timestamp, Recorded)| {
        let Recorded::Received(bytes) = line else { return None };
        (*at <= until && bytes.first() == Some(&CLOCK)).then(|| bytes.clone())
    };
    let clock = lines.iter().rev().find_map(clock);
    let mut kept: VecDeque<_> = lines.iter().filter(|(at, _)| *at > until).cloned().collect();
    let gap = span(1.5).max(kept.front().map_or(Duration::ZERO, |(at, _)| at.since(until)) / 2);
    lines.retain(|(at, _)| *at <= from);
    lines.push((from, Recorded::Close));
    lines.push((until, Recorded::Open));
    let mut answer = vec![DUMP, 0, 67];
    answer.extend(codes);
    let mut at = until + Duration::from_millis(250).min(gap);
    lines.push((at, Recorded::Received(answer)));
    if let Some(clock) = clock {
        at = at + Duration::from_millis(20);
        lines.push((at, Recorded::Received(clock)));
    }
    // What comes meanwhile waits until the dump is through.
    while let Some((when, line)) = kept.pop_front() {
        lines.push((when.max(at), line));
    }
}

/// Lets the board report nothing of its clock from one instant to another, but that it has none, if that is `reported`.
fn silence_clock(lines: &mut Lines, from: Timestamp, until: Timestamp, reported: bool) {
    let mut unreported = reported;
    lines.retain_mut(|(at, line)| {
        let Recorded::Received(bytes) = line else { return true };
        if bytes.first() != Some(&CLOCK) || *at < from || *at >= until {
            return true;
        }
        *bytes = vec![CLOCK, 0, 10, 0, 0, 0, 0, 0, 0, 0x20];
        std::mem::take(&mut unreported)
    });
}

fn twice(lines: &mut Lines, share: f64, random: &mut Random) {
    let mut doubled = Vec::with_capacity(lines.len());
    for (at, line) in lines.drain(..) {
        if matches!(line, Recorded::Received(_)) && random.chance(share) {
            doubled.push((at, line.clone()));
        }
        doubled.push((at, line));
    }
    *lines = doubled;
}
