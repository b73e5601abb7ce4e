//! What is published and does not lead to what the board shows is read again.

use shakmaty::Color;

use super::Table;

/// A king's rook that goes two squares, and is pressed on the first of them: hands, and who presses after them.
const SLIDE: &[(&str, f64, Option<Color>)] = &[
    ("e1R c1-", 0.1, Some(Color::White)),
    ("f1R e1- f1-", 0.07, None),
    ("f2- f1r", 0.15, Some(Color::Black)),
    ("h1- f1- a5-", 0.2, Some(Color::White)),
    ("f1R d2b", 0.1, Some(Color::Black)),
    ("g6- f5B", 0.12, Some(Color::White)),
    ("g7- g3r", 0.2, Some(Color::Black)),
    ("c2- c4P", 0.15, Some(Color::White)),
    ("g3- b3- b3r", 0.2, Some(Color::Black)),
    ("b1- a1K", 0.2, Some(Color::White)),
    ("b8- a8k", 0.1, Some(Color::Black)),
];

#[test]
fn a_rook_pressed_on_its_way_is_read_again() {
    let mut table = Table::new(&["event.control=blitz"]);
    let placement = "1k4r1/ppp3B1/2n3B1/b6p/7P/PP4N1/2P2rP1/1KR4R";
    table.set_up(placement);
    table.order(&format!(r#"{{"order":"new-game","fen":"{placement} b - - 0 1"}}"#));
    table.start(Color::Black);
    table.wait(5.0);
    table.play("g8g7");
    for (words, seconds, side) in SLIDE {
        table.hands_within(*seconds, words);
        if let Some(side) = side {
            table.press(*side);
        }
    }
    table.wait(5.0);
    assert_eq!(table.moves(), "Rxg7 Rcf1 Rxf1+ Rxf1 Bd2 Bf5 Rxg3 c4 Rxb3+ Ka1 Ka8");
}
