//! Lines with faults, both ways: games stay exact, nobody is accused, and the capture says the same again.

use super::*;

/// What is lost and damaged on a line that works after all.
const DAMAGE: Faults = Faults { drop: 0.001, flip: 0.001, insert: 0.0005, duplicate: 0.0005, ..Faults::NONE };

/// What is lost and damaged of the questions.
const DAMAGED_QUESTIONS: Faults = Faults { drop: 0.01, flip: 0.01, duplicate: 0.01, ..Faults::NONE };

/// What is late.
const LATE: Faults = Faults { delay: 0.05, delay_s: 0.3, cut: 0.3, ..Faults::NONE };

/// A line that stops now and then, and then says it all at once.
const HANGING: Faults = Faults { hang: 0.002, hang_s: 3.0, ..Faults::NONE };

#[track_caller]
fn check_faults(boards: usize, seconds: u64, faults: Faults, command_faults: Faults) {
    check_hall(&HallOptions { faults, command_faults, ..options(boards) }, seconds);
}

#[track_caller]
fn check_hall(options: &HallOptions, seconds: u64) {
    let mut rig = Rig::new(options, options.boards);
    rig.run(seconds);
    rig.check(Duration::from_mins(1));
    rig.check_replay();
    check_chunks(&rig);
}

/// Lets every byte arrive by itself, in the same instant: the events are the same.
#[track_caller]
fn check_chunks(rig: &Rig) {
    let events = |most: usize| {
        let mut line = Line::on_bus(settings(), "bus", 1, &rig.serials);
        let mut events = Vec::new();
        for (at, said) in &rig.lines {
            let parts = if let Said::Heard(bytes) = said {
                bytes.chunks(most).map(|chunk| Said::Heard(chunk.to_vec())).collect()
            } else {
                vec![said.clone()]
            };
            for part in parts {
                while let Some((due, _)) = line.poll_timeout().filter(|(due, _)| due <= at) {
                    line.handle_timeout(due);
                    events.extend(drain(&mut line));
                }
                feed(&mut line, *at, &part);
                events.extend(drain(&mut line));
            }
        }
        events
    };
    let whole = events(usize::MAX);
    assert!(!whole.is_empty());
    for most in [1, 5] {
        for (number, (one, other)) in events(most).iter().zip(&whole).enumerate() {
            assert_eq!(one, other, "event {number}, at most {most} bytes at a time");
        }
    }
}

#[test]
fn answers_that_are_damaged() {
    check_faults(1, 150, DAMAGE, Faults::NONE);
    check_faults(8, 150, DAMAGE, Faults::NONE);
}

#[test]
fn questions_that_are_damaged() {
    check_faults(1, 150, Faults::NONE, DAMAGED_QUESTIONS);
    check_faults(8, 150, Faults::NONE, DAMAGED_QUESTIONS);
}

#[test]
fn answers_and_questions_that_are_late() {
    check_faults(1, 150, LATE, LATE);
    check_faults(8, 150, LATE, LATE);
}

#[test]
fn a_line_that_hangs() {
    check_faults(1, 150, HANGING, HANGING);
    check_faults(8, 150, HANGING, HANGING);
}

#[test]
fn sixty_boards_on_a_bad_line() {
    let damage = Faults { drop: 0.0005, flip: 0.0005, delay: 0.01, delay_s: 0.2, cut: 0.2, ..Faults::NONE };
    check_faults(60, 90, damage, damage);
}

/// A host that looks at the line only now and then gets everything of that time at once.
#[test]
fn a_host_that_reads_slowly() {
    for boards in [1, 8] {
        let mut rig = Rig::new(&options(boards), boards);
        rig.reads_every = Duration::from_millis(700);
        rig.run(150);
        rig.check(Duration::from_mins(1));
        rig.check_replay();
    }
}

/// The last pieces of a set-up and the first move after it are reported in answers that follow one another by less than the set-up took.
#[test]
fn a_set_up_that_is_heard_late_is_a_new_game() {
    check_hall(&HallOptions { command_faults: DAMAGED_QUESTIONS, seed: 111, ..options(8) }, 150);
}

/// Of dumps that are damaged one in 128 has a sum that fits. In these games it is the first one of a board: bytes of one rank are shifted by
/// a square, or it hides the start position.
#[test]
fn a_first_dump_that_is_damaged_is_no_start_of_a_game() {
    for seed in [237, 282, 284] {
        check_hall(&HallOptions { faults: DAMAGE, seed, ..options(8) }, 150);
    }
}
