//! Says for people what is wrong with keys and values of an order: which key, and what it may be.

use serde_json::{Map, Value};

use super::Order;

/// What is said for a number without a sign and without decimals.
const WHOLE: &str = "a whole number from 0 to 4294967295";

/// Keys whose value is one of a few words.
const WORDS: [&str; 7] = ["order", "side", "kind", "what", "ruling", "ground", "do"];

/// What serde expects where a word has to be.
const A_WORD: [&str; 2] = ["string or map", "variant identifier"];

/// Reads an order from its keys.
///
/// # Errors
///
/// Returns a reason for people, which names the key and what it may be.
pub(super) fn read(fields: &Map<String, Value>) -> Result<Order, String> {
    // A list would be taken for the names in their order.
    if let Some(players) = fields.get("players").filter(|players| players.is_array()) {
        return Err(format!("players has to be an object, not {players}"));
    }
    let given = with_words(fields, |value| !value.is_null());
    let error = match order_of(&given) {
        Ok(order) => return Ok(order),
        Err(error) => error.to_string(),
    };
    if A_WORD.iter().any(|expected| error.ends_with(expected)) {
        // What is null has to be there.
        let given = with_words(fields, |_| true);
        if let Err(error) = order_of(&given) {
            return Err(explain(fields, &given, &error.to_string()));
        }
    }
    Err(explain(fields, &given, &error))
}

fn order_of(fields: &Map<String, Value>) -> serde_json::Result<Order> {
    serde_json::from_value(Value::Object(fields.clone()))
}

/// Returns the keys with a text for what should be a word: serde takes a number for the place of a word among all that there are, and
/// an object for a word with contents. A text like this is none of the words, and is refused with them.
fn with_words(fields: &Map<String, Value>, is_word: impl Fn(&Value) -> bool) -> Map<String, Value> {
    let mut words = fields.clone();
    for key in WORDS {
        if let Some(value) = words.get_mut(key).filter(|value| !value.is_string() && is_word(value)) {
            *value = Value::String(value.to_string());
        }
    }
    words
}

/// Says why these keys are no order, of which serde says this; `given` is what it got of them.
///
/// The wording that is taken apart is that of the provided methods of [`serde::de::Error`].
fn explain(fields: &Map<String, Value>, given: &Map<String, Value>, message: &str) -> String {
    if let Some(key) = message.strip_prefix("missing field ").and_then(between_backticks) {
        return format!("{key} is missing");
    }
    if let Some(key) = message.strip_prefix("unknown field ").and_then(between_backticks) {
        return format!("unknown key {key:?}");
    }
    let Some((found, expected)) = message.rsplit_once(", expected ") else { return message.to_owned() };
    let expected = match expected {
        "u32" => WHOLE.to_owned(),
        "a string" | "string or map" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        name if name.starts_with("struct ") => "an object".to_owned(),
        name => name.replace('`', ""),
    };
    let named = || given.iter().filter(|(_, value)| is_named(value, found)).map(|(key, _)| key);
    // Of two keys with one value the first is as good as the other.
    match named().find(|key| is_wrong(given, key, message)).or_else(|| named().next()) {
        Some(key) => {
            let value = fields.get(key).unwrap_or(&Value::Null);
            format!("{key} has to be {expected}, not {value}")
        }
        None => format!("a value has to be {expected}: {found}"),
    }
}

/// Returns whether a message names a value as what it has found.
fn is_named(value: &Value, found: &str) -> bool {
    match value {
        Value::Null => found.ends_with("null") || found.ends_with("unit value"),
        Value::Array(_) => found.ends_with("sequence"),
        Value::Object(_) => true,
        Value::String(text) => found.contains(text.as_str()),
        value @ (Value::Bool(_) | Value::Number(_)) => found.ends_with(&format!("`{value}`")),
    }
}

/// Returns whether something else is said of the order without this key.
fn is_wrong(fields: &Map<String, Value>, key: &str, message: &str) -> bool {
    let mut others = fields.clone();
    others.remove(key);
    order_of(&others).map_or_else(|error| error.to_string() != message, |_| true)
}

fn between_backticks(text: &str) -> Option<&str> {
    text.strip_prefix('`')?.split('`').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, reason: &str) {
        assert_eq!(Order::parse(json).unwrap_err().to_string(), format!("no order: {reason}"));
    }

    #[test]
    fn the_key_is_named_and_what_it_may_be() {
        for wrong in ["\"a minute\"", "-1", "1.5", "4294967296", "true", "[1]"] {
            check(
                &format!(r#"{{"order":"penalty","side":"white","seconds":{wrong}}}"#),
                &format!("seconds has to be a whole number from 0 to 4294967295, not {wrong}"),
            );
        }
        check(
            r#"{"order":"reinstate","ply":null}"#,
            "ply has to be a whole number from 0 to 4294967295, not null",
        );
        check(r#"{"order":"mute"}"#, "seconds is missing");
        check(r#"{"side":"white"}"#, "order is missing");
        check(r#"{"order":"resign","side":"purple"}"#, "side has to be white or black, not \"purple\"");
        check(r#"{"order":"new-game","white":5,"black":5}"#, "black has to be a text, not 5");
        check(r#"{"order":"new-game","players":{"red":"A"}}"#, "unknown key \"red\"");
        check(r#"{"order":"new-game","players":"A"}"#, "players has to be an object, not \"A\"");
        check(
            r#"{"order":"quickplay","side":"white","ruling":"later"}"#,
            "ruling has to be one of accepted, increment, refused, drawn, rejected, postponed, no-arbiter, not \"later\"",
        );
        check(
            r#"{"order":"claim","side":"white","kind":"fifth"}"#,
            "kind has to be one of threefold, fifty, intended, time, qpf, not \"fifth\"",
        );
        check(r#"{"order":"claim","side":"white"}"#, "kind is missing");
        check(r#"{"order":"penalty","side":"white","secs":3}"#, "unknown key \"secs\"");
        check(r#"{"order":"new-game","players":[]}"#, "players has to be an object, not []");
        check(
            r#"{"order":"new-game","players":["A","B"]}"#,
            "players has to be an object, not [\"A\",\"B\"]",
        );
        check(r#"{"order":"incident","kind":null,"reason":null}"#, "reason has to be a text, not null");
        let dance = Order::parse(r#"{"order":"dance"}"#).unwrap_err().to_string();
        assert!(dance.starts_with("no order: order has to be one of penalty, confirm, dismiss, "), "{dance}");
        assert!(dance.ends_with(", not \"dance\""), "{dance}");
    }
    /// serde takes a number for the place of a word among all that there are, and an object for a word with contents.
    #[test]
    fn nothing_but_a_text_is_a_word() {
        for wrong in ["0", "3", "-1", "1.5", "true", "null", "[]", "[\"white\"]", r#"{"white":null}"#, "{}"] {
            for (key, order, words) in [
                ("order", r#"{"order":?,"side":"white","seconds":60}"#, "one of penalty, confirm, dismiss, "),
                ("side", r#"{"order":"resign","side":?}"#, "white or black, "),
                (
                    "kind",
                    r#"{"order":"claim","side":"white","kind":?}"#,
                    "one of threefold, fifty, intended, time, qpf, ",
                ),
                (
                    "ruling",
                    r#"{"order":"quickplay","side":"white","ruling":?}"#,
                    "one of accepted, increment, ",
                ),
                (
                    "kind",
                    r#"{"order":"incident","side":"white","kind":?}"#,
                    "one of telephone, outside-help, ",
                ),
                ("what", r#"{"order":"undo","what":?}"#, "one of penalty, result, mute, "),
            ] {
                if wrong == "null" && (order.contains("incident") || order.contains("undo")) {
                    // There it may be missing.
                    Order::parse(&order.replace('?', wrong)).unwrap();
                    continue;
                }
                let reason = Order::parse(&order.replace('?', wrong)).unwrap_err().to_string();
                assert!(reason.starts_with(&format!("no order: {key} has to be {words}")), "{reason}");
                assert!(reason.ends_with(&format!(", not {wrong}")), "{reason}");
            }
        }
    }
}
