//! Says for people what is wrong with keys and values of an order: which key, and what it may be.

use serde_json::{Map, Value};

use super::Order;

/// What is said for a number without a sign and without decimals.
const WHOLE: &str = "a whole number from 0 to 4294967295";

/// Says why these keys are no order, of which serde says this.
///
/// The wording that is taken apart is that of the provided methods of [`serde::de::Error`].
pub(super) fn explain(fields: &Map<String, Value>, message: &str) -> String {
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
    let named = || fields.iter().filter(|(_, value)| is_named(value, found));
    // Of two keys with one value the first is as good as the other.
    match named().find(|(key, _)| is_wrong(fields, key, message)).or_else(|| named().next()) {
        Some((key, value)) => format!("{key} has to be {expected}, not {value}"),
        None => format!("a value has to be {expected}: {found}"),
    }
}

/// Tells whether a message names a value as what it has found.
fn is_named(value: &Value, found: &str) -> bool {
    match value {
        Value::Null => found.ends_with("null") || found.ends_with("unit value"),
        Value::Array(_) => found.ends_with("sequence"),
        Value::Object(_) => true,
        Value::String(text) => found.contains(text.as_str()),
        value @ (Value::Bool(_) | Value::Number(_)) => found.ends_with(&format!("`{value}`")),
    }
}

/// Tells whether something else is said of the order without this key.
fn is_wrong(fields: &Map<String, Value>, key: &str, message: &str) -> bool {
    let mut others = fields.clone();
    others.remove(key);
    serde_json::from_value::<Order>(Value::Object(others))
        .map_or_else(|error| error.to_string() != message, |_| true)
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
        check(r#"{"order":"resign","side":3}"#, "side has to be a text, not 3");
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
        let dance = Order::parse(r#"{"order":"dance"}"#).unwrap_err().to_string();
        assert!(dance.starts_with("no order: order has to be one of penalty, confirm, dismiss, "), "{dance}");
        assert!(dance.ends_with(", not \"dance\""), "{dance}");
    }
}
