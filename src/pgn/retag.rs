//! Puts names and result of a game right of which nothing but its PGN is left.

use crate::rounds::Seat;
use jadoube_core::score::Score;

/// Returns the text of one game with these names and this result; moves, clocks and all other headers stay.
pub(super) fn retag(text: &str, seat: &Seat, score: Option<Score>) -> String {
    let points = score.map_or("*", Score::points);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for line in lines.iter_mut().take_while(|line| line.starts_with('[')) {
        for (name, value) in [("White", &*seat.white.name), ("Black", &*seat.black.name), ("Result", points)]
        {
            let is_known = !value.is_empty() && !value.contains('"');
            if is_known && line.starts_with(&format!("[{name} \"")) {
                *line = format!("[{name} \"{value}\"]");
            }
        }
    }
    if let Some(last) = lines.last_mut() {
        let moves = ["1-0", "0-1", "1/2-1/2", "*"].iter().find_map(|end| last.strip_suffix(end));
        *last = format!("{}{}", moves.unwrap_or(last), score.map_or("*", Score::termination));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounds::PgnPlayer;

    #[test]
    fn names_and_result_are_put_right_and_nothing_else() {
        let text = "[White \"Wrong\"]\n[Black \"B\"]\n[Result \"*\"]\n[WhiteElo \"2000\"]\n\n1. e4 {[%clk 0:01:00]} *\n";
        let player = |name: &str| PgnPlayer { name: name.to_owned(), ..PgnPlayer::default() };
        let seat = Seat { board: 1, white: player("Right"), black: player("B") };
        let reported = |score| retag(text, &seat, score);
        let expected = "[White \"Right\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[WhiteElo \"2000\"]\n\n1. e4 {[%clk 0:01:00]} 0-1\n";
        assert_eq!(reported(Some(Score::ForfeitBlack)), expected);
        assert!(
            reported(Some(Score::Neither))
                .ends_with("[Result \"0-0\"]\n[WhiteElo \"2000\"]\n\n1. e4 {[%clk 0:01:00]} *\n")
        );
        assert_eq!(reported(None), text.replace("Wrong", "Right"));
    }
}
