use super::*;
use crate::{ClockTime, RunControl, tests::hex};

/// The data bytes, the acknowledgement that makes them, and what it is about.
#[track_caller]
fn check(text: &str, ack: Ack, event: AckEvent) {
    assert_eq!(ack.encode()[..], hex(text));
    assert_eq!(Ack::decode(&hex(text).try_into().unwrap()), Some(ack));
    assert_eq!(ack.event(), event);
}

#[test]
fn worked_examples() {
    let version = |major, minor| Version { major, minor };
    let set_and_run =
        ClockMessage::SetAndRun { left: ClockTime::ZERO, right: ClockTime::ZERO, control: RunControl::PAUSE };
    check("0A 10 09 0A 20 00 00", Ack::version(version(2, 0)), AckEvent::Version(version(2, 0)));
    check("0A 10 09 0A 22 00 00", Ack::version(version(2, 2)), AckEvent::Version(version(2, 2)));
    check("0A 10 09 0A 1E 00 00", Ack::version(version(1, 14)), AckEvent::Version(version(1, 14)));
    check("0A 10 03 0A 00 00 00", Ack::done(&ClockMessage::End), AckEvent::Done(0x03));
    check("0A 10 0B 0A 00 00 00", Ack::done(&ClockMessage::Beep(1)), AckEvent::Done(0x0B));
    check("0A 40 0A 0A 00 00 00", Ack::refused(&set_and_run), AckEvent::Refused(0x0A));
    check("0A 10 01 2A 00 00 00", Ack::ready(), AckEvent::Ready);
    check("0A 10 10 2A 00 00 00", Ack::not_in_pc_mode(), AckEvent::NotInPcMode);
    for (text, button) in [
        ("0A 10 08 2A 05 31 00", Button::Back),
        ("0A 10 08 2A 09 32 00", Button::Plus),
        ("0A 10 08 2A 11 33 00", Button::Run),
        ("0A 10 08 2A 21 34 00", Button::Minus),
        ("0A 10 08 2A 41 35 00", Button::Ok),
    ] {
        check(text, Ack::button(button), AckEvent::Button(Some(button)));
    }
}

#[test]
fn mode_and_what_nobody_knows() {
    assert_eq!(Ack([0x10, 0x8A, 0, 23]).event(), AckEvent::ModeChanged(23));
    assert_eq!(Ack([0x20, 0, 0, 0]).event(), AckEvent::Other);
    assert_eq!(Ack([0x10, 0xFF, 0, 0]).event(), AckEvent::Other);
}

#[test]
fn a_button_is_known_by_code_or_mask() {
    assert_eq!(Ack([0x10, 0x88, 0x00, 0x33]).event(), AckEvent::Button(Some(Button::Run)));
    assert_eq!(Ack([0x10, 0x88, 0x11, 0x00]).event(), AckEvent::Button(Some(Button::Run)));
    assert_eq!(Ack([0x10, 0x88, 0x45, 0x00]).event(), AckEvent::Button(None), "two at once");
}

#[test]
fn either_mark_is_enough() {
    let data = |d0, d3| [d0, 0x10, 0x09, d3, 0x20, 0, 0];
    assert_eq!(Ack::decode(&data(0x0A, 0x00)), Some(Ack([0x10, 0x09, 0x20, 0])));
    assert_eq!(Ack::decode(&data(0x00, 0x2A)), Some(Ack([0x10, 0x89, 0x20, 0])));
    assert_eq!(Ack::decode(&data(0x20, 0x20)), None);
}

#[test]
fn every_eighth_bit_survives() {
    for bits in 0..16u8 {
        let byte = |bit: u8| if bits & (1 << bit) == 0 { 0x35 } else { 0xB5 };
        let ack = Ack([byte(0), byte(1), byte(2), byte(3)]);
        let data = ack.encode();
        assert!(data.iter().all(|byte| *byte < 0x80));
        assert_eq!(Ack::decode(&data), Some(ack));
    }
}
