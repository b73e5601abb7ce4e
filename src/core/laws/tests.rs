//! The tables, spot by spot, and the settings that choose a column.

use std::sync::Arc;

use super::*;
use crate::code::Code;

fn laws(event: &str) -> Laws {
    let mut config = EventSettings::default();
    for word in event.split_whitespace() {
        match (word, word.parse::<Edition>(), word.parse::<Control>()) {
            ("supervised", ..) => config.supervised = true,
            (_, Ok(edition), _) => config.rules = edition,
            (_, _, Ok(control)) => config.control = control,
            _ => panic!("{word}"),
        }
    }
    Laws::of(&config)
}

#[test]
fn editions_read_as_they_print() {
    for edition in Edition::all() {
        assert_eq!(edition.to_string().parse(), Ok(edition));
        assert_eq!(serde_json::to_value(edition).unwrap(), edition.name());
        assert_eq!(serde_json::from_value::<Edition>(edition.name().into()).unwrap(), edition);
        let year: u32 = edition.name().parse().unwrap();
        assert_eq!(serde_json::from_value::<Edition>(year.into()).unwrap(), edition);
    }
    let error = "2020".parse::<Edition>().unwrap_err().to_string();
    assert_eq!(
        error,
        "\"2020\" is no edition of the Laws of Chess; there are 2009, 2014, 2017, 2018 and 2023"
    );
    assert!(Edition::all().is_sorted());
}

#[test]
fn controls_and_languages_read_as_they_print() {
    for control in Control::ALL {
        assert_eq!(control.to_string().parse(), Ok(control));
    }
    for language in Language::ALL {
        assert_eq!(language.to_string().parse(), Ok(language));
    }
    assert!("bullet".parse::<Control>().is_err());
    assert!("eo".parse::<Language>().is_err());
}

#[test]
fn supervision_makes_the_competition_rules() {
    for (event, regime) in [
        ("standard", Regime::Competition),
        ("standard supervised", Regime::Competition),
        ("rapid supervised", Regime::Competition),
        ("rapid", Regime::RapidOtherwise),
        ("blitz", Regime::BlitzOtherwise),
    ] {
        assert_eq!(laws(event).regime(), regime, "{event}");
    }
}

#[test]
fn the_arbiters_authority_depends_on_supervision() {
    for (event, code, authority) in [
        ("2009", Code::IllegalMove, Some("7.4.b")),
        ("2009 rapid", Code::IllegalMove, Some("A.4.c")),
        ("2009 blitz", Code::IllegalMove, Some("B.3.c")),
        ("2014", Code::IllegalMove, Some("7.5.b")),
        ("2014 blitz", Code::IllegalMove, Some("A.4.b")),
        ("2017", Code::TwoHandsSuspect, Some("7.7.2")),
        ("2017", Code::PressWithoutMove, Some("7.8.2")),
        ("2014", Code::PressWithoutMove, Some("12.9")),
        ("2023 rapid", Code::PromotionNotReplaced, Some("A.5.2")),
        ("2023 rapid supervised", Code::PromotionNotReplaced, Some("7.5.5")),
        ("2018 blitz", Code::FlagFall, Some("A.4.5")),
        ("2018 blitz supervised", Code::FlagFall, Some("6.8")),
        ("2023", Code::BoardLink, None),
    ] {
        assert_eq!(laws(event).authority(code), authority, "{event} {code:?}");
    }
}

#[test]
fn rules_that_an_edition_lacks_have_no_article() {
    for (event, code) in [
        ("2009", Code::FivefoldDraw),
        ("2009", Code::SeventyfiveDraw),
        ("2023", Code::ClaimWindowClosed),
        ("2023 rapid supervised", Code::IllegalPositionArmed),
        ("2009 blitz", Code::IllegalPositionIntervene),
        ("2014 blitz", Code::ClaimWinAvailable),
        ("2018 blitz", Code::QpfEligible),
    ] {
        assert_eq!(laws(event).article(code), None, "{event} {code:?}");
    }
}

#[test]
fn the_seconds_may_come_from_an_appendix() {
    for (event, article) in [
        ("2023", None),
        ("2018 rapid", None),
        ("2023 rapid", Some("A.3")),
        ("2014 blitz supervised", Some("B.2")),
        ("2018 blitz", Some("B.2")),
        ("2023 blitz", Some("A.3")),
        ("2009 blitz supervised", None),
    ] {
        assert_eq!(laws(event).seconds_article(), article, "{event}");
    }
}

#[test]
fn windows_follow_the_regime() {
    assert_eq!(laws("2023").window(Code::IllegalMove), ActionWindow::GameEnd);
    assert_eq!(laws("2023 rapid supervised").window(Code::IllegalMove), ActionWindow::GameEnd);
    assert_eq!(laws("2023 rapid").window(Code::IllegalMove), ActionWindow::OpponentMoves);
    assert_eq!(laws("2014 rapid").window(Code::TwoHandsSuspect), ActionWindow::OpponentTouches);
    assert_eq!(laws("2018 rapid").window(Code::TwoHandsSuspect), ActionWindow::OpponentMoves);
    assert_eq!(laws("2009 blitz").window(Code::ClaimWinAvailable), ActionWindow::ClaimantMoves);
    assert_eq!(laws("2009 blitz").window(Code::StartPositionWrong), ActionWindow::MovesEach(3));
    assert_eq!(laws("2023 blitz").window(Code::StartPositionWrong), ActionWindow::MovesEach(10));
    assert_eq!(laws("2023").window(Code::StartPositionWrong), ActionWindow::GameEnd);
}

#[test]
fn time_controls_read_as_they_print() {
    for (text, sixty_moves_s) in [
        ("15+10", 1500),
        ("3+2", 300),
        ("90+30", 7200),
        ("10+0", 600),
        ("40/5400+30:1800+30", 5400 + 1800 + 60 * 30),
        ("40/7200:20/3600:900+30", 7200 + 3600),
        ("20/3600", 3600),
    ] {
        let control: TimeControl = text.parse().unwrap();
        assert_eq!(control.to_string(), text);
        assert_eq!(control.sixty_moves_s(), sixty_moves_s, "{text}");
        let json = serde_json::to_value(&control).unwrap();
        assert_eq!(serde_json::from_value::<TimeControl>(json).unwrap(), control);
    }
    assert_eq!("60".parse::<TimeControl>().unwrap().to_string(), "60+0");
    assert_eq!(" 15 + 10 ".parse::<TimeControl>().unwrap().to_string(), "15+10");
}

#[test]
fn wrong_time_controls_say_what_is_wrong() {
    for (text, error) in [
        (
            "",
            "a period of the time control is empty; write 15+10 (minutes and seconds) or 40/5400+30:1800+30",
        ),
        (
            "40/5400:",
            "a period of the time control is empty; write 15+10 (minutes and seconds) or 40/5400+30:1800+30",
        ),
        ("15+x", "\"x\" in the time control is no whole number of moves or seconds"),
        ("-3", "\"-3\" in the time control is no whole number of moves or seconds"),
        ("0/300:60", "\"0\" in the time control is no whole number of moves or seconds"),
        ("99999999999", "\"99999999999\" in the time control is no whole number of moves or seconds"),
        (
            "5400:1800",
            "period \"5400\" of the time control needs a number of moves, such as 40/5400, because another one follows",
        ),
        ("0+0", "period \"0+0\" of the time control gives no time"),
        (
            "5400+30",
            "5400 would be 5400 minutes; a period without a number of moves is written in minutes unless others precede it",
        ),
        ("1/1:1/1:1/1:1/1:1", "a time control has at most four periods"),
    ] {
        assert_eq!(text.parse::<TimeControl>().unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn periods_say_when_moves_are_due() {
    let control: TimeControl = "40/5400+30:20/3600:1800+30".parse().unwrap();
    assert_eq!([0, 1, 2, 3].map(|flag| control.moves_due(flag)), [Some(40), Some(60), None, None]);
    assert_eq!([0, 59, 60].map(|moves| control.is_last_period(moves)), [false, false, true]);
    let repeated: TimeControl = "20/3600".parse().unwrap();
    assert_eq!([0, 1, 4].map(|flag| repeated.moves_due(flag)), [Some(20), Some(40), Some(100)]);
    assert!(!repeated.is_last_period(1000));
    let blitz: TimeControl = "3+2".parse().unwrap();
    assert_eq!(blitz.moves_due(0), None);
    assert!(blitz.is_last_period(0));
}

#[test]
fn games_are_classified_by_sixty_moves() {
    for (text, in_2009, since_2014) in [
        ("3+2", Control::Blitz, Control::Blitz),
        ("10+0", Control::Blitz, Control::Blitz),
        ("10+5", Control::Rapid, Control::Rapid),
        ("12+0", Control::Blitz, Control::Rapid),
        ("15+0", Control::Rapid, Control::Rapid),
        ("50+10", Control::Standard, Control::Standard),
        ("59+0", Control::Rapid, Control::Rapid),
        ("60+0", Control::Standard, Control::Standard),
    ] {
        let control = text.parse().unwrap();
        assert_eq!("2009".parse::<Edition>().unwrap().classify(&control), in_2009, "{text}");
        for edition in Edition::all().skip(1) {
            assert_eq!(edition.classify(&control), since_2014, "{text} {edition}");
        }
    }
}

#[test]
fn the_section_reads_every_key_and_refuses_others() {
    let json = serde_json::json!({
        "name": "City Open", "site": "City", "round": 3, "rounds": 9, "rules": "2018", "control": "rapid", "supervised": true, "time_control": "15+10", "move_counter": true,
        "default_time_s": 900, "first_clock_starts_round": true, "confirm_results": true, "quickplay_finish": true, "draw_from_move": 30, "draw_needs_arbiter": true, "language": "de", "blitz_supervised_penalty_s": 120,
        "two_hands_2017_without_press": true, "separate_counters_2017": true, "clock_stopped_after_s": 60,
        "battery_low_percent": 30,
    });
    let config: EventSettings = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&config).unwrap(), json);
    assert_eq!(serde_json::from_str::<EventSettings>("{}").unwrap(), EventSettings::default());
    assert!(serde_json::from_str::<EventSettings>(r#"{"rule":"2018"}"#).is_err());
    assert!(serde_json::from_str::<EventSettings>(r#"{"time_control":"15+"}"#).is_err());
}

#[test]
fn doubtful_settings_are_named() {
    let doubts = |json: &str| serde_json::from_str::<EventSettings>(json).unwrap().doubts().len();
    assert_eq!(doubts("{}"), 0);
    // The default time of 2009 is 0 unless the regulations state another (6.6.a).
    assert_eq!(doubts(r#"{"rules":"2009"}"#), 1);
    assert_eq!(doubts(r#"{"rules":"2009","default_time_s":900}"#), 0);
    assert_eq!(doubts(r#"{"control":"rapid","time_control":"15+10","supervised":true}"#), 0);
    assert_eq!(doubts(r#"{"control":"blitz","time_control":"15+10"}"#), 1);
    assert_eq!(doubts(r#"{"supervised":true}"#), 1);
    assert_eq!(doubts(r#"{"quickplay_finish":true}"#), 1);
    assert_eq!(doubts(r#"{"quickplay_finish":true,"time_control":"90+30"}"#), 1);
    assert_eq!(doubts(r#"{"move_counter":true,"time_control":"90+30"}"#), 1);
    assert_eq!(doubts(r#"{"move_counter":true,"time_control":"40/5400+30:1800+30"}"#), 0);
    assert_eq!(doubts(r#"{"separate_counters_2017":true}"#), 1);
    assert_eq!(doubts(r#"{"separate_counters_2017":true,"rules":"2017"}"#), 0);
}

#[test]
fn own_rules_change_what_they_name_and_nothing_else() {
    let own = r#"{"name":"Club","extends":"2018","flags":"players","articles":{"illegal-move":"11A"},
        "penalty":{"standard":{"seconds":90,"loses_at":0,"article":"11D"}},"counts":{"press-without-move":false}}"#;
    let event = format!(r#"{{"rules":"2018","own_rules":{own}}}"#);
    let event: EventSettings = serde_json::from_str(&event).unwrap();
    let (laws, edition) = (Laws::of(&event), Laws::of(&EventSettings { own_rules: None, ..event.clone() }));
    assert_eq!(laws.article(Code::IllegalMove), Some("11A"));
    assert_eq!(laws.article(Code::FlagFall), edition.article(Code::FlagFall));
    assert_eq!(laws.sanction(9), Sanction::Seconds(90));
    assert_eq!(laws.seconds_article(), Some("11D"));
    assert!(laws.flag_is_claimed() && !edition.flag_is_claimed());
    assert!(!laws.counts(Code::PressWithoutMove) && edition.counts(Code::PressWithoutMove));
    assert_eq!(
        event.own_rules.unwrap().changes(),
        [
            r#"articles.illegal-move = "11A""#,
            "counts.press-without-move = false",
            r#"flags = "players""#,
            r#"penalty.standard.article = "11D""#,
            "penalty.standard.loses_at = 0",
            "penalty.standard.seconds = 90",
        ]
    );
}

#[test]
fn every_edition_says_something_of_every_code() {
    for edition in Edition::all() {
        let rules = Rules::parse(EDITIONS[edition.0].1).unwrap();
        let before = edition.0.checked_sub(1).map(Edition);
        assert_eq!(rules.extends, before, "{edition} extends the one before it");
        for control in Control::ALL {
            let laws = Laws::of(&EventSettings { rules: edition, control, ..EventSettings::default() });
            assert!(laws.loses_at() < 4 && laws.wrong_claim_s() > 0, "{edition} {control}");
            assert!(laws.article(Code::IllegalMove).is_some(), "{edition} {control}");
        }
    }
}

#[test]
fn sentences_of_rules_are_those_of_the_program() {
    let wrong = |text: &str| crate::rules::wrong_sentences(&Rules::parse(text).unwrap());
    for (edition, text) in EDITIONS {
        assert!(wrong(text).is_empty(), "{edition}: {:?}", wrong(text));
    }
    assert_eq!(
        wrong("[sentences_de]\nGameLos = 'x'"),
        ["there is no sentence GameLos; SENTENCES.md lists them"]
    );
    assert_eq!(wrong("[sentences_en]\nGoOn = '{who} goes on'"), ["sentence GoOn has nothing for {who}"]);
}

#[test]
fn sentences_of_rules_fall_back_to_their_english() {
    let own = Rules::parse("[sentences_en]\nGoOn = 'On.'\n[sentences_it]\nGoOn = 'Avanti.'").unwrap();
    let own_rules = Some(Arc::new(own));
    let laws = Laws::of(&EventSettings { own_rules, ..EventSettings::default() });
    assert_eq!(laws.sentence("GoOn", Language::It), Some("Avanti."));
    assert_eq!(laws.sentence("GoOn", Language::Fr), Some("On."));
    assert_eq!(laws.sentence("GoOn", Language::De), None);
}

#[test]
fn wrong_values_of_rules_are_named() {
    let error = |text: &str| Rules::parse(text).unwrap_err().to_string();
    assert!(error("flags = 'player'").contains("unknown variant `player`"));
    assert!(error("[articles]\nillegal-move = { rapd = 'x' }").contains("unknown field `rapd`"));
    assert!(error("[articles]\nillegal-move = 7.5").contains("a value, or a table"));
}
