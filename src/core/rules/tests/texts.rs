//! The words, in every language.

use super::*;
use crate::{
    alert::Party,
    laws::{Language, Window},
    rules::text::{Phrase, columns, fill},
};

fn names(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> =
        text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|it| it.0).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn every_phrase_is_there_in_every_language_with_the_same_names() {
    for phrase in Phrase::ALL {
        let english = names(phrase.text(Language::En));
        for language in Language::ALL {
            let text = phrase.text(language);
            assert!(!text.trim().is_empty(), "{phrase:?} {language}");
            assert_eq!(names(text), english, "{phrase:?} {language}");
            assert!(!text.contains("  "), "{phrase:?} {language}");
        }
    }
}

#[test]
fn every_code_has_a_row_in_every_language() {
    for code in ALL.iter().flat_map(|spec| spec.codes) {
        let [english, german] = Language::ALL.map(|language| columns(*code, language));
        for text in [english.needs, english.proposes, german.needs, german.proposes] {
            assert!(!text.is_empty(), "{code:?}");
        }
        assert_ne!(english.needs, german.needs, "{code:?}");
    }
}

#[test]
fn names_are_filled_in() {
    assert_eq!(fill("{a} and {b}, {a}", &[("a", "x"), ("b", "y")]), "x and y, x");
    assert_eq!(fill("{a} {c}", &[("a", "{c}")]), "{c} {c}");
    assert_eq!(fill("plain", &[]), "plain");
}

#[test]
fn windows_are_told_in_words() {
    let said = |window, party, language| text::window(window, party, language);
    let white = Party::One(Color::White);
    assert_eq!(said(Window::OpponentMoves, white, Language::En).unwrap(), "until black's next move is made");
    assert_eq!(
        said(Window::OpponentMoves, white, Language::De).unwrap(),
        "bis Schwarz den nächsten Zug ausgeführt hat"
    );
    assert_eq!(said(Window::ClaimantTouches, white, Language::De).unwrap(), "bis Weiß eine Figur berührt");
    assert_eq!(said(Window::GameEnd, Party::Both, Language::En).unwrap(), "until the end of the game");
    assert_eq!(said(Window::Never, white, Language::En), None);
}

/// Everything that can be said is said, in both languages, without a name left open.
#[test]
fn no_alert_leaves_a_name_open() {
    let promotion = "8/4P1k1/8/8/8/8/7r/4K3 w - - 0 1";
    let castling = "4k3/7p/8/8/8/8/7P/4K2R w K - 0 1";
    let rooks = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 1";
    let developed = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let stories: [(&str, &str, &str); 23] = [
        ("2023 rapid", promotion, "pawn e7e8\nh2h3"),
        ("2009 rapid", promotion, "pawn e7e8"),
        ("2009 blitz", promotion, "pawn e7e8"),
        ("2014 rapid", promotion, "bad e1e3 check"),
        ("2018 rapid", "4k3/8/8/p7/8/1B6/8/4K2r w - - 0 1", "bad b3a4 check\nbad h1h8 check"),
        ("2018", castling, "e1g1 by e1- 0.20 h1- 0.24 g1K 0.62 f1R 0.66"),
        ("2014", castling, "e1g1 by h1- 0.10 f1R 0.50 e1- 1.00 g1K 1.40"),
        ("2023", developed, "d2d4 by g1- 0.10 g1N 1.70 d2- 2.00 d4P 2.40"),
        ("2023", developed, "g1h3 by g1- 0.10 f3N 0.40 f3- 2.00 h3N 2.40"),
        ("2023", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e1d2 by d5- 0.10 d5p 2.70 e1- 3.20 d2K 3.60"),
        ("2023", "8/4P1k1/7p/8/8/8/P7/4K3 w - - 0 1", "e7e8n by e7- 0.10 e8Q 0.50 e8- 1.20 e8N 1.60"),
        ("2023", START, "air white e2\nmissing e2e4 h1\nmismatch dead a1\nmismatch unexplained a2+a3"),
        ("2023", START, "mismatch stray a3\nmismatch weak a4\nmismatch wrong-code a5\nmismatch late a6"),
        ("2023", START, "mismatch untold a3+a4"),
        ("2009 rapid", rooks, "flag white\nwait 1\nflag black"),
        ("2023", rooks, "flag white\nflag black"),
        ("2023", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "flag white\nwait 1"),
        ("2023 tc=40/5400:1800", rooks, "flag white\nflag black"),
        (
            "2023 qpf tc=60 default=60",
            rooks,
            "time 100 600\nstart white\nwait 61\norder {\"order\":\"claim\",\"side\":\"white\",\"kind\":\"qpf\"}",
        ),
        ("2023 rapid", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w kq - 0 1", "e2e4"),
        (
            "2023",
            START,
            "link down\nclock gone\nclock-battery low\nboard-battery 3\nnoise on\nstop\nwait 200",
        ),
        (
            "2023",
            "7k/8/5KQ1/8/8/8/8/8 w - - 98 70",
            "g6g5\nh8h7\norder {\"order\":\"claim\",\"side\":\"white\",\"kind\":\"threefold\"}\norder {\"order\":\"claim\",\"side\":\"white\",\"kind\":\"intended\",\"move\":\"Kf5\"}",
        ),
        ("2023", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "made a1a8"),
    ];
    for (event, fen, script) in stories {
        for language in ["", " de"] {
            let mut hall = Hall::new(&format!("{event}{language}"), fen);
            for line in script.lines() {
                hall.step(line);
            }
            let mut raised = 0;
            for notice in &hall.said {
                let Notice::Raised(alert) = notice else { continue };
                raised += 1;
                assert!(!alert.text.contains(['{', '}']), "{}", alert.text);
                assert!(!alert.text.contains("()") && !alert.text.contains("( "), "{}", alert.text);
                assert!(alert.text.ends_with(['.', '?']), "{}", alert.text);
            }
            assert!(raised > 0, "{script}");
        }
    }
}

#[test]
fn german_alerts_are_german() {
    let mut hall = Hall::new("2023 rapid de", "4k2r/8/8/8/7b/8/3P4/4K2R w - - 0 1");
    hall.step("bad d2d4 check");
    assert_eq!(
        hall.alert().text,
        "Weiß hat einen regelwidrigen Zug abgeschlossen: der König auf e1 steht im Schach (7.5.1). Stellung davor \
         wiederherstellen; Weiß muss eine berührte Figur ziehen, wenn möglich. Schwarz bekommt 1 Minute dazu (A.3). \
         Zeitgutschrift von Weiß für das Drücken zurücknehmen: 10 Sekunden (7.1). Frist: bis Schwarz den nächsten Zug \
         ausgeführt hat."
    );
    assert_eq!(hall.alert().window.as_deref(), Some("bis Schwarz den nächsten Zug ausgeführt hat"));
}
