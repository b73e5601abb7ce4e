use proptest::prelude::*;

use super::*;

/// Writes what is read of a text in short: headers as `name=value`, moves, `{comments}`, results; `|` begins a game.
fn read(text: &str) -> String {
    let mut words = Vec::new();
    for token in PgnReader::new(text) {
        words.push(match token {
            Ok(PgnToken::Game) => "|".to_owned(),
            Ok(PgnToken::Tag { name, value }) => format!("{name}={value}"),
            Ok(PgnToken::Moves) => ":".to_owned(),
            Ok(PgnToken::Move(san)) => san.to_string(),
            Ok(PgnToken::Comment(comment)) => format!("{{{comment}}}"),
            Ok(PgnToken::Outcome(outcome)) => outcome.to_string(),
            Err(error) => error.to_string(),
        });
    }
    words.join(" ")
}

#[test]
fn headers_are_read() {
    assert_eq!(read(""), "");
    assert_eq!(read("\u{feff}  \n\r\t \n\n "), "");
    assert_eq!(
        read(
            " [One \"1\"] [Two \"2\"]\n%[Three \"%\"]\n[Three \"3\"]\r\n\r\n\n   [Four \"4\"]*\n\n \u{feff}[Five \"5\"]"
        ),
        "| One=1 Two=2 Three=3 Four=4 : * | Five=5 :"
    );
    assert_eq!(read(r#"[White "a \"b\" \\ \c Ü"][Black "x]"#), r#"| White=a "b" \ \c Ü unterminated tag"#);
    assert_eq!(read("[White \"a\n[Black \"b\"\n[Odd]\n[Empty \"\"]\n"), "| White=a Black=b Empty= :");
    assert_eq!(read("[White"), "| unterminated tag");
}

#[test]
fn moves_are_read() {
    assert_eq!(read("1.f3! e5$71 2... g4 ?? (-- {}) O-O O-O-O#!?0-1"), "| : f3 e5 g4 O-O O-O-O# 0-1");
    assert_eq!(read("1-0 0-1 1/2-1/2 1–0 0–1 ½–½ *"), "| : 1-0 0-1 1/2-1/2 1-0 0-1 1/2-1/2 *");
    assert_eq!(read("0-0 0-0-0 0-0+ 0–0–0# 1. e8=Q+"), "| : O-O O-O-O O-O+ O-O-O# e8=Q+");
    assert_eq!(read("-- Z0 --+ Nonsense e4, Nf3"), "| : -- -- --+ Nf3");
    assert_eq!(
        read("1. e4 {Ünï\nover lines} e5 ; rest e6\n% line\nd4 {no end"),
        "| : e4 {Ünï\nover lines} e5 d4 unterminated comment"
    );
}

#[test]
fn variations_are_skipped() {
    assert_eq!(read("e4 (d4 (c4 {)} ; )\n) d5) e5"), "| : e4 e5");
    assert_eq!(
        read("e4 (d4 (c4\n\nNf3"),
        "| : e4 | : Nf3",
        "one without an end goes no further than the game"
    );
}

#[test]
fn games_end_at_an_empty_line_and_before_headers() {
    assert_eq!(
        read("[A \"1\"]\n\n\ne4\n\n\nd4\n[A \"2\"]\nc4\r\n\r\nNf3\n\n"),
        "| A=1 : e4 | : d4 | A=2 : c4 | : Nf3"
    );
}

#[test]
fn headers_and_errors_have_their_lines() {
    let lines = |text| {
        let mut reader = PgnReader::new(text);
        let mut lines = Vec::new();
        while let Some(token) = reader.next() {
            if matches!(token, Ok(PgnToken::Tag { .. }) | Err(_)) {
                lines.push(reader.line());
            }
        }
        lines
    };
    assert_eq!(
        lines("\n[A \"1\"]\n[B \"2\"] [C \"3\"]\n\n1. e4\ne5\n\n[A \"4\"]\n\n{no end\n"),
        [2, 3, 3, 8, 10]
    );
}

proptest! {
    /// Its end is reached, and nothing is read twice.
    #[test]
    fn any_text_is_read(text in "[\\[\\](){};$%a-hKQRBNxO0-9+#=. \"\\\\½–\r\n-]{0,200}") {
        prop_assert!(PgnReader::new(&text).count() <= 3 * text.len() + 1);
    }
}
