//! Boards that change their ports, and a kill when one of them is known in its new place.

use std::net::TcpStream;

use super::{
    offences::{ASK_SERIAL, clock, dump, events, serial, wait_count},
    *,
};
use crate::support::{Board, Socket};

const ASK_BOARD: u8 = 0x42;

const START: &str = "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR";
const AFTER_E4_E5: &str = "rnbqkbnrpppp.ppp............p.......P...........PPPP.PPPRNBQKBNR";

/// Plugs a board in that reports its number so often as it is asked until it is believed, and then what stands on it.
fn plug(socket: &Socket, index: usize, asked: usize, squares: &str) -> Board<TcpStream> {
    let mut board = socket.plug();
    for _ in 0..asked {
        board.wait_command(ASK_SERIAL);
        board.say_serial(&serial(index));
    }
    board.wait_command(ASK_BOARD);
    board.send(&dump(squares));
    board
}

#[test]
fn a_board_whose_port_is_taken_goes_on_elsewhere_after_a_kill() {
    let sockets = [Socket::new(), Socket::new()];
    let ports = sockets.each_ref().map(|socket| format!("[[port]]\npath = '{}'\n", socket.port())).concat();
    let mut hall =
        Hall::new(&format!("[event]\ncontrol = 'rapid'\ntime_control = '10+0'\n[ports]\nscan = []\n{ports}"));
    hall.start();
    let [first, second] = &sockets;
    // Nothing is on the second port, which is open nevertheless.
    let nothing = second.plug();
    let mut board = plug(first, 0, 1, START);
    board.send(&clock(600, 600, true));
    let is_played = |event: &Value| event["event"] == "move" && event["completed"] == true;
    for (ply, (from, to, piece, times)) in
        [(52, 36, 1, (598, 600, false)), (12, 28, 7, (598, 598, true))].into_iter().enumerate()
    {
        board.send(&[0x8e, 0, 5, from, 0, 0x8e, 0, 5, to, piece]);
        board.send(&clock(times.0, times.1, times.2));
        wait_count(&hall, ply + 1, is_played);
    }
    drop(board);
    // Another board is there: its number is believed when it is reported twice, and asked for once more by its own game.
    let other = plug(first, 1, 3, START);
    wait_count(&hall, 2, |event| event["event"] == "game-start");
    hall.kill();
    drop((other, nothing));
    hall.launch(&[]);
    // The first one is on the second port, which goes on with its game.
    let mut board = plug(second, 0, 2, AFTER_E4_E5);
    board.send(&clock(598, 598, true));
    board.send(&[0x8e, 0, 5, 62, 0, 0x8e, 0, 5, 45, 3]);
    board.send(&clock(596, 598, false));
    let is_third = |event: &Value| {
        is_played(event) && event["ply"] == 3 && event["san"] == "Nf3" && event["board"] == serial(0)
    };
    wait_count(&hall, 1, is_third);
    let starts = events(&hall);
    let starts = starts.iter().filter(|event| event["event"] == "game-start" && event["board"] == serial(0));
    assert_eq!(starts.count(), 1, "no game begins anew");
    assert_eq!(hall.stop(), 0);
}
