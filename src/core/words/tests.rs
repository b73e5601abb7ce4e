use super::{
    ftl::{Names, Text, differences, read},
    *,
};

fn texts(text: &str) -> Vec<Text> {
    read(text).unwrap()
}

#[test]
fn texts_are_found_by_their_keys() {
    assert_eq!(Phrase::find("PawnThe"), None);
    assert_eq!(Phrase::find("Pawn.the"), Some(Phrase::PawnThe));
    assert_eq!(Phrase::PawnThe.text(Language::De), "der Bauer");
    assert_eq!(Phrase::Times.fill(Language::En, &[("n", "4")]), "4 times");
    for phrase in Phrase::sentences() {
        assert_eq!(Phrase::find(phrase.key()), Some(phrase));
    }
    assert_eq!(Phrase::find("no-such-key"), None);
}

#[test]
fn names_are_filled_in() {
    assert_eq!(fill("{a} and {b}, {a}", &[("a", "x"), ("b", "y")]), "x and y, x");
    assert_eq!(fill("{a} {c}", &[("a", "{c}")]), "{c} {c}");
    assert_eq!(fill("plain", &[]), "plain");
}

#[test]
fn a_file_is_read() {
    let read = texts("### Head\n\n# About a.\na = One { $n } two\n    .b = { $x }{ $x }\nc =\n    .d = .\n");
    let read: Vec<(&str, &str)> = read.iter().map(|it| (&*it.key, &*it.said)).collect();
    assert_eq!(read, [("a", "One {n} two"), ("a.b", "{x}{x}"), ("c.d", ".")]);
}

#[test]
fn what_a_file_cannot_say_is_named() {
    for (text, error) in [
        ("a = b\n= c\n", "line 2: "),
        ("a = { b }\n", "a: braces hold a name only"),
        ("a = { $n ->\n    [one] b\n   *[other] c\n}\n", "a: braces hold a name only"),
        ("a = b\n    c\n", "a: a text is one line"),
        ("a = b  c\n", "a: a text is one line"),
        ("a = b\na = c\n", "a: twice"),
        ("-a = b\n", "-a: terms"),
    ] {
        let errors = read(text).unwrap_err();
        assert!(errors.iter().any(|it| it.starts_with(error)), "{text}: {errors:?}");
    }
}

#[test]
fn languages_are_compared_by_key_and_name() {
    let english = texts("a = { $n } of { $all }\nb = x\n");
    let found = |other: &str, may| differences(&english, &texts(other), may);
    assert!(found("b = y\na = { $all }: { $n }\n", Names::All).is_empty());
    assert_eq!(found("b = y\n", Names::All), ["a: is missing"]);
    assert_eq!(found("a = { $n }\nb = y\n", Names::All), ["a: { $all } is missing"]);
    assert!(found("a = { $n }\nb = y\n", Names::Fewer).is_empty());
    assert_eq!(
        found("a = { $n } { $all }\nb = { $n }\nc = z\n", Names::Fewer),
        ["b: nothing fills in { $n }", "c: English has no such key"]
    );
}
