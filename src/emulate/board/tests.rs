use std::fmt::Write as _;

use dgt_protocol::Decoder;
use proptest::prelude::*;
use shakmaty::{Chess, Position as _, Role};

use super::*;
use crate::clock::Speed;

mod bus;

/// A board that is asked and whose answers are written down, in virtual time.
struct Desk {
    board: VirtualBoard,
    now: Timestamp,
}

impl Desk {
    fn new(change: impl FnOnce(&mut BoardOptions)) -> Self {
        let mut options = BoardOptions::new("12345");
        change(&mut options);
        let first = dgt_protocol::Side::Left;
        let clock = ChessClock::new(&"3+2".parse().expect("a control"), first, Speed::REAL, Timestamp::ZERO);
        let board = VirtualBoard::new(options, Chess::default().board(), clock);
        Self { board, now: Timestamp::ZERO }
    }

    fn send(&mut self, hex: &str) {
        self.board.handle_command_bytes(&bytes(hex), self.now);
    }

    /// Lets time pass and returns what was said, as hex.
    fn wait(&mut self, seconds: f64) -> String {
        let end = self.now + Duration::from_secs_f64(seconds);
        let mut said = String::new();
        while let Some(at) = self.board.poll_timeout().filter(|at| *at <= end) {
            self.now = at;
            while let Some(bytes) = self.board.poll_output(at) {
                for byte in bytes {
                    write!(said, "{byte:02X} ").expect("a string takes everything");
                }
            }
        }
        self.now = end;
        said.trim_end().to_owned()
    }

    #[track_caller]
    fn ask(&mut self, hex: &str, expect: &str) {
        self.send(hex);
        let said = self.wait(0.3);
        assert_eq!(said, expect, "answer to {hex}");
    }

    fn set(&mut self, square: &str, letter: char) {
        let square = square.parse().expect("a square");
        self.board.set_square(square, Piece::from_char(letter), self.now);
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
}

fn start_codes() -> String {
    let mut codes = vec!["08 09 0A 0C 0B 0A 09 08"];
    codes.extend(["07"; 8]);
    codes.extend(["00"; 32]);
    codes.extend(["01"; 8]);
    codes.push("02 03 04 06 05 04 03 02");
    codes.join(" ")
}

/// The session of protocol section 8, byte for byte.
#[test]
fn the_golden_session() {
    let mut desk = Desk::new(|_| {});
    assert_eq!(desk.wait(5.0), "", "silent until it is asked");
    desk.ask("40", "");
    desk.ask("4D", "93 00 05 01 08");
    desk.ask("45", "91 00 08 31 32 33 34 35");
    desk.ask("46", "90 00 05 60 39");
    desk.ask("42", &format!("86 00 43 {}", start_codes()));
    desk.ask("41", "8D 00 0A 20 03 02 20 03 02 08");
    desk.ask("4B", "");
    desk.board.clock_mut(desk.now).start(desk.now);
    assert_eq!(desk.wait(0.4), "8D 00 0A 20 03 02 20 03 02 09");
    desk.set("e2", ' ');
    assert_eq!(desk.wait(0.25), "8E 00 05 34 00");
    desk.set("e4", 'P');
    assert_eq!(desk.wait(0.25), "8E 00 05 24 01");
    assert_eq!(desk.wait(1.0), "8D 00 0A 20 03 02 20 03 01 09");
    assert_eq!(desk.wait(2.0), "8D 00 0A 20 03 02 20 03 00 09 8D 00 0A 20 03 02 20 02 59 09");
    let now = desk.now;
    assert!(desk.board.clock_mut(now).press(dgt_protocol::Side::Left, now));
    assert_eq!(desk.wait(0.4), "8D 00 0A 20 03 02 20 03 01 13");
}

#[test]
fn nothing_is_turned_round_for_a_rotated_board() {
    let mut desk = Desk::new(|options| options.rotated = true);
    let codes: Vec<&str> = "02 03 04 05 06 04 03 02".split(' ').collect();
    desk.send("42");
    let dump = desk.wait(0.3);
    assert!(dump.starts_with(&format!("86 00 43 {}", codes.join(" "))), "{dump}");
    desk.send("4B");
    desk.wait(0.3);
    desk.set("e2", ' ');
    assert_eq!(desk.wait(0.25), "8E 00 05 0B 00");
    desk.send("4A 83 60 39 1C");
    let changes = desk.wait(0.3);
    assert!(changes.contains(" 7A 40 0B"), "{changes}");
}

#[test]
fn modes_say_what_they_shall() {
    let check = |mode: &str, moved: &str, clocked: bool| {
        let mut desk = Desk::new(|_| {});
        desk.ask(mode, "");
        desk.set("b1", ' ');
        assert_eq!(desk.wait(0.25), moved, "field in mode {mode}");
        desk.board.clock_mut(desk.now).start(desk.now);
        let said = desk.wait(0.45);
        assert_eq!(said.contains("8D 00 0A 20 03 02 20 03 02 09"), clocked, "clock in mode {mode}: {said}");
    };
    check("40", "", false);
    check("43", "8E 00 05 39 00", true);
    check("44", "8E 00 05 39 00", false);
    check("4B", "8E 00 05 39 00", true);
    check("4A", "", false);
}

#[test]
fn update_mode_reports_a_clock_that_stands() {
    let mut desk = Desk::new(|_| {});
    desk.send("43");
    let said = desk.wait(10.0);
    let reports = said.matches("8D 00 0A").count();
    assert!((10..=14).contains(&reports), "{reports} in ten seconds");
    desk.send("4B");
    desk.wait(0.5);
    assert_eq!(desk.wait(10.0), "");
}

#[test]
fn what_happens_while_it_is_idle_is_not_reported_later() {
    let mut desk = Desk::new(|_| {});
    desk.ask("40", "");
    desk.set("e2", ' ');
    desk.wait(0.3);
    desk.ask("4B", "");
    desk.set("e4", 'P');
    assert_eq!(desk.wait(0.3), "8E 00 05 24 01");
}

#[test]
fn a_change_between_two_looks_leaves_no_trace() {
    let mut desk = Desk::new(|_| {});
    desk.ask("4B", "");
    desk.wait(0.025);
    // The scan has passed the upper ranks and comes to e2 after 0.18 of 0.225 s.
    desk.set("e2", ' ');
    desk.wait(0.01);
    desk.set("e2", 'P');
    assert_eq!(desk.wait(0.5), "");
}

#[test]
fn a_capture_is_one_update_and_a_placement_may_come_first() {
    let mut desk = Desk::new(|options| options.scan.order = ScanOrder::Ascending);
    desk.ask("4B", "");
    desk.wait(0.675 - 0.3);
    desk.set("c1", ' ');
    desk.set("c7", 'B');
    assert_eq!(desk.wait(0.3), "8E 00 05 0A 04 8E 00 05 3A 00");
}

#[test]
fn the_scan_order_is_a_choice() {
    let check = |order: ScanOrder, expect: [u8; 3]| {
        let mut desk = Desk::new(|options| options.scan.order = order);
        desk.ask("4B", "");
        desk.wait(0.675 - 0.3);
        for square in ["a8", "h8", "a1"] {
            desk.set(square, ' ');
        }
        let said = desk.wait(0.4);
        let fields: Vec<u8> = bytes(&said).chunks(5).map(|frame| frame[3]).collect();
        assert_eq!(fields, expect, "{order:?}");
    };
    check(ScanOrder::Ascending, [0, 7, 56]);
    check(ScanOrder::Descending, [56, 7, 0]);
    check(ScanOrder::Files, [0, 56, 7]);
}

#[test]
fn bytes_take_their_time_and_messages_stay_whole() {
    let mut desk = Desk::new(|_| {});
    desk.ask("4B", "");
    desk.send("49");
    desk.wait(0.5);
    desk.set("e2", ' ');
    let said = desk.wait(7.7);
    assert!(said.ends_with("7F"), "still on its way");
    let said = desk.wait(0.2);
    assert!(said.ends_with("6E 6B 8E 00 05 34 00"), "{said}");
}

#[test]
fn a_long_message_comes_in_packets() {
    let mut desk = Desk::new(|_| {});
    desk.send("42");
    let mut packets = Vec::new();
    while packets.len() < 2 {
        let at = desk.board.poll_timeout().expect("a dump is under way");
        packets.extend(desk.board.poll_output(at).map(|packet| packet.len()));
    }
    assert_eq!(packets, [62, 5]);
}

#[test]
fn commands_that_find_no_room_are_lost() {
    let mut desk = Desk::new(|_| {});
    desk.send("42 4D 4D 4D 4D 4D 4D 4D 4D 4D 4D 4D 4D 4D");
    let said = desk.wait(2.0);
    assert_eq!(said.matches("93 00 05 01 08").count(), 10);
    assert_eq!(desk.board.lost(), (3, 0));
}

#[test]
fn a_clock_message_is_acknowledged_in_due_time() {
    let mut desk = Desk::new(|_| {});
    desk.ask("2B 03 03 09 00", "");
    assert_eq!(desk.wait(2.0), "", "not in this mode");
    desk.ask("4B", "");
    desk.send("2B 03 03 09 00");
    assert_eq!(desk.wait(0.2), "");
    assert_eq!(desk.wait(1.0), "8D 00 0A 0A 10 09 0A 20 00 00");
    desk.send("2B 0B 03 01 00 5B 7B 66 7B 00 00 01 00");
    assert_eq!(desk.wait(1.2), "8D 00 0A 0A 10 01 0A 00 00 00");
}

/// The examples of protocol section 3.5: hosts call everything but `10` in the first byte an error.
#[test]
fn every_clock_message_is_acknowledged_as_carried_out() {
    let times = "00 05 00 00 05 00";
    for (message, code) in [
        ("2B 0B 03 01 00 5B 7B 66 7B 00 00 01 00".to_owned(), "01"),
        ("2B 0B 03 02 01 01 00 00 00 00 00 00 00".to_owned(), "02"),
        ("2B 03 03 03 00".to_owned(), "03"),
        ("2B 03 03 08 00".to_owned(), "08"),
        // Left runs, right runs, and both stand.
        (format!("2B 0A 03 0A {times} 01 00"), "0A"),
        (format!("2B 0A 03 0A {times} 02 00"), "0A"),
        (format!("2B 0A 03 0A {times} 04 00"), "0A"),
        ("2B 04 03 0B 10 00".to_owned(), "0B"),
        ("2B 0C 03 0C 20 20 65 32 65 34 20 20 01 00".to_owned(), "0C"),
        ("2B 0F 03 0D 20 20 65 32 65 34 20 20 20 20 20 01 00".to_owned(), "0D"),
    ] {
        for model in [ClockModel::Xl, ClockModel::Dgt3000] {
            let mut desk = Desk::new(|options| options.clock_model = model);
            desk.ask("4B", "");
            desk.send(&message);
            let said = desk.wait(1.4);
            let acks: Vec<&str> = said.split("8D 00 0A ").filter(|clock| clock.starts_with("0A ")).collect();
            assert_eq!(acks.len(), 1, "{message}: {said}");
            assert_eq!(acks[0].trim_end(), format!("0A 10 {code} 0A 00 00 00"), "{message}");
        }
    }
}

#[test]
fn a_host_sets_and_runs_the_clock() {
    let mut desk = Desk::new(|_| {});
    desk.ask("4B", "");
    desk.send("2B 0A 03 0A 00 05 00 01 02 03 04 00");
    let said = desk.wait(1.4);
    // Five minutes left, 1:02:03 right, and both stand.
    assert!(said.contains("8D 00 0A 21 02 03 20 05 00 08"), "{said}");
    desk.send("2B 0A 03 0A 00 05 00 01 02 03 02 00");
    let said = desk.wait(2.4);
    assert!(said.contains("8D 00 0A 21 02 03 20 05 00 13"), "the right side runs: {said}");
    assert!(said.contains("8D 00 0A 21 02 02 20 05 00 13"), "{said}");
    // The times of a refusal are those from before.
    let mut desk = Desk::new(|options| options.pc_mode = false);
    desk.ask("4B", "");
    desk.send("2B 0A 03 0A 00 05 00 00 05 00 01 00");
    assert_eq!(desk.wait(1.2), "8D 00 0A 0A 40 0A 0A 00 00 00");
    desk.ask("41", "8D 00 0A 20 03 02 20 03 02 08");
}

#[test]
fn lamps_and_unknown_bytes_are_swallowed() {
    let mut desk = Desk::new(|_| {});
    desk.ask("60 04 01 34 24 00 7E 4E 4D", "93 00 05 01 08");
}

#[test]
fn old_boards_have_no_long_number_and_no_absent_clock() {
    let mut desk = Desk::new(|options| options.clock_model = ClockModel::None);
    desk.ask("55", "");
    desk.ask("4C", "");
    desk.ask("41", "8D 00 0A 00 00 00 00 00 00 20");
    let mut desk = Desk::new(|options| options.long_serial = Some("3000147740".to_owned()));
    desk.ask("55", "A2 00 0D 33 30 30 30 31 34 37 37 34 30");
    desk.ask("4B", "");
    desk.board.plug_clock(false, desk.now);
    assert_eq!(desk.wait(0.5), "8D 00 0A 00 00 00 00 00 00 20");
}

#[test]
fn power_comes_back_in_bus_mode_with_the_log_kept() {
    let mut desk = Desk::new(|_| {});
    desk.ask("4B", "");
    desk.set("e2", ' ');
    desk.wait(0.3);
    desk.board.power_off(desk.now);
    desk.set("e4", 'P');
    desk.ask("42", "");
    desk.board.power_on(desk.now);
    desk.ask("42", "");
    desk.wait(1.5);
    desk.set("d2", ' ');
    assert_eq!(desk.wait(0.3), "", "silent, as it is not asked");
    desk.send("49");
    let log = bytes(&desk.wait(9.0));
    let ups = log.windows(4).filter(|window| *window == [0x7F, 0x7F, 0x7F, 0x6A]).count();
    assert_eq!(ups, 2);
    assert!(log.ends_with(&[0x40, 0x33, 0x6E, 0x6B]), "{:02x?}", &log[log.len() - 8..]);
}

#[test]
fn presses_between_two_polls_are_not_seen() {
    let mut desk = Desk::new(|_| {});
    desk.ask("4B", "");
    desk.board.clock_mut(desk.now).start(desk.now);
    desk.wait(0.12);
    let now = desk.now;
    let clock = desk.board.clock_mut(now);
    assert!(clock.press(dgt_protocol::Side::Left, now));
    let later = now + Duration::from_millis(200);
    assert!(desk.board.clock_mut(later).press(dgt_protocol::Side::Right, later));
    let said = desk.wait(0.4);
    assert_eq!(said, "8D 00 0A 20 03 04 20 03 04 09", "both got their increment, and no lever moved");
}

#[test]
fn a_misread_square_is_wrong_and_then_right() {
    let mut desk = Desk::new(|_| {});
    desk.ask("4B", "");
    let until = desk.now + Duration::from_millis(300);
    desk.board.misread_square(
        Square::E2,
        Some(Piece { color: shakmaty::Color::White, role: Role::Rook }),
        until,
        desk.now,
    );
    assert_eq!(desk.wait(0.6), "8E 00 05 34 02 8E 00 05 34 01");
    desk.board.misread_square(Square::D4, None, Timestamp::MAX, desk.now);
    desk.set("d2", ' ');
    desk.set("d4", 'P');
    assert_eq!(desk.wait(0.6), "8E 00 05 33 00");
}

#[test]
fn the_same_seed_says_the_same() {
    let session = |seed| {
        let mut desk = Desk::new(|options| *options = BoardOptions::varied("23946", seed));
        desk.send("40 4D 45 55 42 41 4B");
        let mut said = desk.wait(1.0);
        desk.board.clock_mut(desk.now).start(desk.now);
        said.push(' ');
        said.push_str(&desk.wait(30.0));
        said
    };
    assert_eq!(session(7), session(7));
    let said = bytes(&session(7));
    let mut decoder = Decoder::new();
    let mut input = &said[..];
    while decoder.next_frame(&mut input).is_some() {}
    assert_eq!((decoder.tally().noise_bytes, decoder.pending()), (0, 0));
    assert!(decoder.tally().frames > 30);
}

#[test]
fn bluetooth_boards_say_zeros_and_repeat_themselves() {
    let mut zeros = 0;
    for seed in 0..10 {
        let mut desk = Desk::new(|options| {
            options.bluetooth = true;
            options.seed = seed;
        });
        desk.ask("4B", "");
        desk.send("2B 03 03 09 00");
        let said = desk.wait(1.05);
        assert!(said.ends_with("8D 00 0A 0A 10 09 0A 20 00 00"), "{said}");
        zeros += said.matches("8D 00 0A 00 00 00 00 00 00 00").count();
        desk.send("41");
        let said = desk.wait(1.0);
        assert!(
            ["8D 00 0A 0A 10 09 0A 20 00 00", "8D 00 0A 20 03 02 20 03 02 08"].contains(&said.as_str()),
            "{said}"
        );
        desk.ask("41", "8D 00 0A 20 03 02 20 03 02 08");
    }
    assert!((2..9).contains(&zeros), "{zeros} of 10");
}

#[test]
fn squares_that_read_wrongly_read_right_again() {
    let mut desk = Desk::new(|options| options.glitch_every = Some(Duration::from_secs(2)));
    desk.ask("42 4B", &format!("86 00 43 {}", start_codes()));
    let said = desk.wait(60.0);
    let changes = said.matches("8E 00 05").count();
    assert!((30..90).contains(&changes), "{changes}");
    desk.board.options.glitch_every = None;
    desk.wait(5.0);
    desk.ask("42", &format!("86 00 43 {}", start_codes()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a host writes, and whenever: the board lives, and what it says in single-board mode is well formed.
    #[test]
    fn a_board_survives_every_host(
        writes in prop::collection::vec((prop::collection::vec(0u8..0x80, 0..20), 0.0..0.5), 0..40),
        seed in 0..1000u64,
    ) {
        let mut desk = Desk::new(|options| *options = BoardOptions::varied("12345", seed));
        let mut said = String::new();
        for (bytes, pause) in writes {
            desk.board.handle_command_bytes(&bytes, desk.now);
            said.push_str(&desk.wait(pause));
            said.push(' ');
        }
        // A clock message that was cut short swallows what follows; ten seconds empty every queue.
        said.push_str(&desk.wait(20.0));
        let mut decoder = Decoder::new();
        let said = bytes(&said);
        let mut input = &said[..];
        while decoder.next_frame(&mut input).is_some() {}
        prop_assert_eq!((decoder.tally().noise_bytes, decoder.tally().broken), (0, 0));
    }

    #[test]
    fn a_board_survives_noise(noise in prop::collection::vec(any::<u8>(), 0..400)) {
        let mut desk = Desk::new(|_| {});
        for bytes in noise.chunks(7) {
            desk.board.handle_command_bytes(bytes, desk.now);
            desk.wait(0.02);
        }
        // A long answer may still be under way, or a reset; then it is as good as new.
        desk.wait(60.0);
        desk.send("00 00 00 00 00 00 00 00");
        desk.wait(1.0);
        for _ in 0..20 {
            desk.send("00 00 00 00 00 00 00 00 00 00");
            desk.wait(0.2);
        }
        // The noise may have asked for the clock, once a second.
        desk.send("40");
        desk.wait(0.5);
        desk.ask("4D", "93 00 05 01 08");
    }
}
