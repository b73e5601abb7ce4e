//! The serial protocol of DGT electronic chessboards: `no_std`, without dependencies, and total. For any input,
//! decoding never fails, never panics and never allocates.
//!
//! # The protocol on one page
//!
//! **Line.** 9600 baud, 8N1, no flow control, so a byte takes about a millisecond. Bluetooth and newer USB boards carry
//! the same bytes.
//!
//! **Board to host.** Every message is a frame: `id`, two length bytes, data. The length counts everything, seven bits
//! to a byte. Only the id has its top bit set, so a byte with a top bit *always* starts a frame: this is how a decoder
//! resynchronises. There is no checksum.
//!
//! ```text
//! 86 00 43  08 09 0A …    the whole board: 64 piece codes, a8 b8 … h1
//! 8E 00 05  34 00         field 34 (e2) is empty from this scan on
//! 8E 00 05  24 01         on field 24 (e4) stands a white pawn
//! 8D 00 0A  20 03 02  20 03 01  13
//!           right     left      running, the right side's lever is up: the left player has pressed
//! ```
//!
//! **Host to board.** Commands are single bytes without a top bit. [`Command::SendBoard`] (`42`) asks for a dump,
//! [`Command::SendUpdateNice`] (`4B`) for updates from now on, [`Command::SendVersion`] (`4D`) for a sign of life.
//! Messages to the clock (`2B`) and to lamps (`60`) have a size byte.
//!
//! **Traps.** The board reports differences between scans, four or five a second: a lift and a put-down are two
//! messages, a capture may be one, a sliding piece is seen on its way, and a lost message is not repeated. The
//! board maps neither fields nor clock sides when White sits at the other side. In place of times the clock may
//! send acknowledgements, buttons, or zeros.
//!
//! **Bus mode.** Several boards on one line, which send only replies. Frames carry an address and a checksum,
//! commands have a top bit too, and the ids mean other things than above. A board is in bus mode when it is switched
//! on, and leaves it at the first single-board command; [`Command::ToBusMode`] (`4A`) leads back.
//!
//! **Event log.** The board keeps what happened in a ring of 7936 bytes, sent whole ([`Command::SendEventLog`]) or
//! piecemeal over the bus. [`EventLog::records`] reads it.
//!
//! # Who turns what into what
//!
//! | from | to | by |
//! |---|---|---|
//! | bytes of a board | [`Message`] | [`Decoder`] → [`Frame::message`] |
//! | bytes of a bus | [`BusReply`] | [`BusDecoder`] |
//! | bytes of a host | [`Command`], [`BusCommand`] | [`CommandParser`] |
//! | [`EventLog`] | [`Record`]s | [`EventLog::records`] |
//! | any of them | bytes | [`Message::encode`], [`BusReply::encode`], `to_bytes` of the others |
//!
//! ```
//! use dgt_protocol::{Command, Decoder, Message};
//!
//! // To the board: what stands where, and then every change.
//! let hello = [Command::SendBoard.to_bytes(), Command::SendUpdateNice.to_bytes()];
//! assert_eq!(hello.map(|bytes| bytes[0]), [0x42, 0x4B]);
//!
//! // From the board, in chunks as they come: 1. e2-e4.
//! let mut decoder = Decoder::new();
//! for mut chunk in [&[0x8E, 0x00, 0x05, 0x34][..], &[0x00, 0x8E, 0x00, 0x05, 0x24, 0x01]] {
//!     while let Some(frame) = decoder.next_frame(&mut chunk) {
//!         if let Message::FieldUpdate { field, piece } = frame.message() {
//!             assert!(matches!((field.number(), piece.letter()), (0x34, None) | (0x24, Some('P'))));
//!         }
//!     }
//! }
//! assert_eq!((decoder.tally().frames, decoder.tally().noise_bytes, decoder.pending()), (2, 0, 0));
//! ```
//!
//! This crate reads no clock: times are the caller's. `PROTOCOL.md` beside this crate describes the protocol byte by
//! byte; comments cite it as *protocol section N*.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod ack;
mod bus;
mod bytes;
mod clock;
mod command;
mod decoder;
mod field;
mod framing;
mod log;
mod message;
mod placement;
#[cfg(test)]
mod tests;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use self::{
    ack::{Ack, AckEvent, Button},
    bus::{Address, Answer, BusCommand, BusDecoder, BusReply, BusRequest},
    bytes::{Bytes, EncodeError},
    clock::{ClockReport, ClockTime, Lever, Side, SideTime, TurnBits},
    command::{ClockMessage, Command, CommandParser, FieldList, Icons, Leds, Received, RunControl, Segments},
    decoder::{Decoder, Frame, id},
    field::{Field, Piece},
    framing::{FixedBuffer, FrameBuffer, LONGEST_FRAME, Tally},
    log::{Elapsed, EventLog, Mark, Record, Records},
    message::{Battery, DraughtsSquares, Flaw, Message, Version},
    placement::Placement,
};
