use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::*;
use jadoube_core::{
    alert::AlertState,
    code::Code,
    laws::{Control, Edition, EventSettings, Language, Laws, Topic},
};

fn text(path: &str) -> String {
    String::from_utf8(asset(path).unwrap_or_else(|| panic!("{path} is missing")).bytes().to_vec()).unwrap()
}

/// Returns the phrases of the pages, or the names of codes, in a language.
fn phrases(language: Language, of: &str) -> BTreeMap<String, String> {
    let mut words: Value = serde_json::from_str(&text(&format!("words/{language}.json"))).unwrap();
    serde_json::from_value(words[of].take()).unwrap()
}

/// Returns the paths of files of these kinds.
fn files(kinds: &[&str]) -> impl Iterator<Item = &'static str> {
    let paths = FILES.iter().map(|(path, _)| *path);
    paths.filter(|path| path.rsplit('.').next().is_some_and(|kind| kinds.contains(&kind)))
}

#[test]
fn the_page_is_found_by_its_addresses() {
    for path in ["", "/", "index.html", "/desk/index.html"] {
        assert_eq!(asset(path).unwrap().content_type, "text/html; charset=utf-8", "{path}");
    }
    assert!(asset("../Cargo.toml").is_none());
    assert!(asset("desk").is_none());
}

#[test]
fn tags_change_with_the_content() {
    let tags: BTreeSet<&str> = FILES.iter().map(|(path, _)| asset(path).unwrap().etag).collect();
    let contents: BTreeSet<&[u8]> = FILES.iter().map(|(_, bytes)| *bytes).collect();
    assert_eq!(tags.len(), contents.len());
    assert!(tags.iter().all(|tag| tag.starts_with('"') && tag.ends_with('"') && tag.len() == 18));
}

/// Whatever a script imports, a page loads or a text shows has to be there: nothing comes from elsewhere.
#[test]
fn everything_that_is_asked_for_is_there() {
    for path in files(&["html", "css", "js", "json", "svg", "md"]) {
        let text = text(path);
        assert!(!text.contains("//cdn") && !text.contains("https://"), "{path} loads from elsewhere");
        let quoted = text.split('"').chain(text.split(['(', ')']));
        for name in quoted.filter_map(|word| word.strip_prefix("./").or_else(|| word.strip_prefix("/desk/")))
        {
            assert!(
                name.contains("${") || name.ends_with('/') || asset(name).is_some(),
                "{path} asks for {name}"
            );
        }
        for name in text.split(['(', ')']).filter(|word| word.starts_with("screenshots/")) {
            assert!(asset(name).is_some(), "{path} shows {name}");
        }
    }
}

/// The pages open without the daemon only if nothing of them is missing on the device.
#[test]
fn everything_but_pictures_is_kept_on_the_device() {
    let kept = text("sw.js");
    assert!(kept.contains("\"/desk/words/\""));
    let once = files(&["css", "js", "json", "svg", "md"]).filter(|path| *path != "sw.js");
    for path in once.filter(|path| !path.starts_with("words/")) {
        assert!(kept.contains(&format!("\"/desk/{path}\"")), "{path} is not in sw.js");
    }
}

/// The server's policy forbids scripts and styles inside of the page.
#[test]
fn no_script_and_no_style_stands_inline() {
    for path in files(&["html", "js"]) {
        let text = text(path);
        for forbidden in [" style=", "<style", "onclick=\"", "innerHTML", "eval(", "javascript:", ".style."] {
            assert!(!text.contains(forbidden), "{path} has {forbidden}");
        }
    }
}

#[test]
fn every_phrase_that_a_script_uses_is_in_the_catalogue() {
    let words = phrases(Language::En, "words");
    for path in files(&["js"]) {
        let text = text(path);
        let keys = text
            .match_indices(" t(\"")
            .chain(text.match_indices("(t(\""))
            .filter_map(|(at, prefix)| text.get(at + prefix.len()..)?.split('"').next());
        for key in keys {
            assert!(words.contains_key(key), "{path} uses {key}");
        }
    }
}

#[test]
fn every_language_is_offered_by_its_own_name() {
    let script = text("words.js");
    let offered = script.split("LANGUAGES = [").nth(1).unwrap().split(';').next().unwrap();
    let offered: Vec<&str> = offered.split("[\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    assert_eq!(offered, Language::ALL.map(Language::name));
    for language in Language::ALL {
        assert!(!phrases(language, "words").is_empty(), "{language}");
    }
}

#[test]
fn every_state_of_an_alert_has_a_word() {
    use AlertState::{Acknowledged, Confirmed, Corrected, Dismissed, Ended, Expired, Open, Withdrawn};
    let words = phrases(Language::En, "words");
    for state in [Open, Expired, Acknowledged, Confirmed, Dismissed, Corrected, Ended, Withdrawn] {
        let (first, rest) = state.name().split_at(1);
        let key = format!("state{}{rest}", first.to_uppercase());
        assert!(words.contains_key(&key), "{key}");
    }
}

#[test]
fn every_code_has_a_name() {
    let names = phrases(Language::En, "codes");
    let codes = jadoube_core::rules::ALL.iter().flat_map(|rule| rule.codes).chain(&[Code::ServiceDegraded]);
    let codes: BTreeSet<&str> = codes.map(|code| code.name()).collect();
    let missing: Vec<&&str> = codes.iter().filter(|code| !names.contains_key(**code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let is_code = |name: &&String| codes.contains(name.trim_end_matches(".title"));
    let unused: Vec<&String> = names.keys().filter(|name| !is_code(name)).collect();
    assert!(unused.is_empty(), "no code is called {unused:?}");
}

fn numbers(laws: &Laws) -> Vec<&str> {
    let codes: Vec<Code> = jadoube_core::rules::ALL.iter().flat_map(|rule| rule.codes).copied().collect();
    let topics = [
        Topic::ThreefoldIntended,
        Topic::FiftyIntended,
        Topic::ClaimCorrect,
        Topic::ClaimIncorrect,
        Topic::ClaimLostByTouching,
        Topic::Released,
        Topic::ClaimOnTime,
        Topic::ClockAfterIrregularity,
    ];
    let of_codes = codes.iter().flat_map(|code| [laws.article(*code), laws.authority(*code)]).flatten();
    of_codes.chain(topics.map(|topic| laws.topic(topic))).chain(laws.seconds_article()).collect()
}

#[test]
fn every_article_is_reported_in_every_edition_and_language() {
    let articles: Value = serde_json::from_str(&text("articles.json")).unwrap();
    let texts = Language::ALL.map(|language| {
        let texts = text(&format!("words/articles-{language}.json"));
        (language, serde_json::from_str::<BTreeMap<String, String>>(&texts).unwrap())
    });
    let (mut used, mut missing) = (BTreeSet::new(), BTreeSet::new());
    for rules in Edition::all() {
        for control in Control::ALL {
            for supervised in [false, true] {
                let event = EventSettings { rules, control, supervised, ..EventSettings::default() };
                for number in numbers(&Laws::of(&event)) {
                    let key = articles["editions"][rules.name()][number].as_str();
                    let Some(key) = key else {
                        missing.insert(format!("{number} of {rules}"));
                        continue;
                    };
                    used.insert(key.to_owned());
                    for (language, texts) in &texts {
                        let reported = texts[key].as_str();
                        assert!(reported.len() > 40, "{key} in {language}: {reported}");
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "no text for {missing:?}");
    let [(_, english), ..] = texts;
    let known: BTreeSet<String> = english.into_keys().collect();
    assert_eq!(known, used, "texts that no edition uses, or the other way round");
}

/// Phrases whose key a script puts together: what their keys begin with.
const JOINED: [&str; 8] = ["state", "step", "keys", "part_", "walk_", "tables_", "round_", "stage"];

/// Phrases whose key the daemon reports.
const WORDS_OF_EVENTS: [&str; 6] = ["standard", "rapid", "blitz", "certain", "likely", "possible"];

#[test]
fn every_phrase_is_used_by_a_script() {
    let scripts: String = files(&["js"]).map(text).collect();
    let is_used = |key: &str| {
        scripts.contains(&format!("\"{key}\""))
            || JOINED.iter().any(|begin| key.starts_with(begin))
            || WORDS_OF_EVENTS.contains(&key)
            // Pieces come by their letters.
            || key.len() == 1
    };
    let words = phrases(Language::En, "words");
    let unused: Vec<&String> = words.keys().filter(|key| !is_used(key)).collect();
    assert!(unused.is_empty(), "no script uses {unused:?}");
}
