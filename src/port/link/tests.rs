//! The way to a device: what is read of it, what is said of it, and when it is tried again.

use std::{io::Write as _, thread};

use serialport::TTYPort;

use super::*;

#[tokio::test]
async fn a_link_given_up_is_over_once_the_next_one_is_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let path = format!("tcp://{}", listener.local_addr().unwrap());
    let mut dialer = Dialer::new(PortConfig::of(&path));
    let mut buffer = [0; 16];
    assert!(matches!(dialer.next(&mut buffer).await, LinkEvent::Up));
    let (mut earlier, _) = listener.accept().await.unwrap();
    dialer.give_up("nothing is heard");
    let error = earlier.try_read(&mut buffer).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WouldBlock, "nobody would hear it");
    while !matches!(dialer.next(&mut buffer).await, LinkEvent::Up) {}
    let error = earlier.read(&mut buffer).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    assert!(dialer.is_up());
}

#[test]
fn errors_name_the_remedy() {
    let text = |kind: serialport::ErrorKind, reason: &str| {
        OpenError::serial(&serialport::Error::new(kind, reason)).to_string()
    };
    let denied = text(serialport::ErrorKind::Io(ErrorKind::PermissionDenied), "Permission denied");
    assert!(denied.starts_with("Permission denied: the user has to be in the group"), "{denied}");
    let filtered = text(serialport::ErrorKind::Unknown, "Operation not permitted");
    assert!(filtered.contains("modules-load.d"), "{filtered}");
    let busy = text(serialport::ErrorKind::NoDevice, "Unable to acquire exclusive lock on serial port");
    assert!(busy.contains("fuser"), "{busy}");
    assert_eq!(text(serialport::ErrorKind::InvalidInput, "Not a typewriter"), "Not a typewriter");
}

#[test]
fn the_more_often_a_link_was_lost_the_rarer_it_is_said() {
    assert!((0..5000).filter(|losses| is_news(*losses)).eq([10, 100, 1000]));
}

#[tokio::test]
async fn a_line_that_hangs_up_repeatedly_is_tried_more_rarely() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let path = format!("tcp://{}", listener.local_addr().unwrap());
    let mut dialer = Dialer::new(PortConfig::of(&path));
    let mut buffer = [0; 16];
    let mut downs = 0;
    while downs < 3 {
        match dialer.next(&mut buffer).await {
            LinkEvent::Up => drop(listener.accept().await.unwrap().0.write_all(b"\x8e").await),
            LinkEvent::Down(_) => downs += 1,
            LinkEvent::Bytes(_) | LinkEvent::Trying => {}
        }
    }
    assert!(dialer.backoff.clone().pause() > Duration::from_millis(1500), "{:?}", dialer.backoff);
    assert_eq!(dialer.losses(), 3);
}

#[tokio::test]
async fn every_byte_is_read_whatever_room_there_is() {
    for size in [1, 2, 7, 64, 1024] {
        let (mut board, line) = TTYPort::pair().unwrap();
        board.set_timeout(Duration::from_mins(2)).unwrap();
        let mut line = SerialStream::try_from(line).unwrap();
        let sent: Vec<u8> = (0..40_000_usize).map(|place| u8::try_from(place % 251).unwrap()).collect();
        let bytes = sent.clone();
        let writing = thread::spawn(move || {
            // Lengths that fill the buffer now and then, exactly and by more.
            let mut rest = &bytes[..];
            for length in [1, 3, 64, 8, 63, 65, 1024, 5, 1023, 1025, 4000].into_iter().cycle() {
                let (piece, others) = rest.split_at(rest.len().min(length));
                board.write_all(piece).unwrap();
                rest = others;
                if rest.is_empty() {
                    return board;
                }
            }
            board
        });
        let mut read = vec![0; sent.len()];
        let mut buffer = vec![0; size];
        let mut place = 0;
        while place < sent.len() {
            let count = timeout(Duration::from_mins(2), line.read(&mut buffer)).await.unwrap().unwrap();
            read[place..place + count].copy_from_slice(&buffer[..count]);
            place += count;
        }
        assert!(read == sent, "with room for {size} bytes");
        drop(writing.join().unwrap());
        // A pseudo terminal that was hung up ends with nothing or with an error.
        let end = timeout(Duration::from_mins(2), line.read(&mut buffer)).await.unwrap();
        assert_eq!(end.unwrap_or(0), 0, "then the line ends");
    }
}
