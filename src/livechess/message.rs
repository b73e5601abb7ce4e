//! The envelope of every message, both ways.
//!
//! Clients compare ids with their type and refuse keys that they do not know, so an id is echoed as it came and no
//! object has a key more than LiveChess gives it.

use serde::Serialize;
use serde_json::{Value, json};

/// Longest text that is echoed as an id, bytes.
const LONGEST_ID: usize = 64;

/// What a client asks for.
#[derive(Debug, PartialEq)]
pub(super) struct Call {
    /// To be echoed.
    pub(super) id: Value,
    /// Name of the call.
    pub(super) name: String,
    /// Its arguments; null if there are none.
    pub(super) param: Value,
}

/// Why a call is not carried out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Refused(pub(super) String);

impl<T: Into<String>> From<T> for Refused {
    fn from(reason: T) -> Self {
        Self(reason.into())
    }
}

impl Call {
    /// Reads a call.
    ///
    /// # Errors
    ///
    /// Returns what to echo and what is wrong with the text.
    pub(super) fn parse(text: &str) -> Result<Self, (Value, Refused)> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| (json!(0), Refused(format!("this is no JSON: {error}"))))?;
        let Value::Object(mut keys) = value else {
            return Err((json!(0), "a message is an object with call, id and param".into()));
        };
        let id = keys.remove("id").and_then(echo).unwrap_or_else(|| json!(0));
        let name = match keys.remove("call") {
            Some(Value::String(name)) => name,
            Some(_) => return Err((id, "call has to be a text".into())),
            None => return Err((id, "call is missing".into())),
        };
        Ok(Self { id, name, param: keys.remove("param").unwrap_or_default() })
    }
}

/// Returns an id that may be echoed: a number, or a short text.
pub(super) fn echo(id: Value) -> Option<Value> {
    (id.is_number() || id.as_str().is_some_and(|text| text.len() <= LONGEST_ID)).then_some(id)
}

#[derive(Serialize)]
struct Envelope<'a, P> {
    response: &'static str,
    id: &'a Value,
    param: P,
    time: i64,
}

#[derive(Serialize)]
struct Error<'a> {
    message: &'a str,
    stacktrace: &'a str,
}

/// Writes the answer to a call; times are milliseconds of Unix time.
pub(super) fn answer(id: &Value, param: impl Serialize, time: i64) -> String {
    write(&Envelope { response: "call", id, param, time })
}

/// Writes what a feed has to report.
pub(super) fn feed(id: &Value, param: impl Serialize, time: i64) -> String {
    write(&Envelope { response: "feed", id, param, time })
}

/// Writes why a call was not carried out.
pub(super) fn error(id: &Value, refused: &Refused, time: i64) -> String {
    // One client splits the stack trace into lines, so there has to be one.
    let param = Error { message: &refused.0, stacktrace: &refused.0 };
    write(&Envelope { response: "error", id, param, time })
}

fn write(message: &impl Serialize) -> String {
    serde_json::to_string(message).unwrap_or_else(|error| {
        tracing::error!(%error, "a message cannot be written as JSON");
        String::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_any_order_and_param_may_be_missing() {
        let call = Call::parse(r#"{"id":0,"call":"eboards"}"#).unwrap();
        assert_eq!(call, Call { id: json!(0), name: "eboards".to_owned(), param: Value::Null });
        let call = Call::parse(r#"{"param":{},"call":"x","id":"7","more":1}"#).unwrap();
        assert_eq!((call.id, call.param), (json!("7"), json!({})));
    }

    #[track_caller]
    fn check_refused(text: &str, id: &Value, reason: &str) {
        let (echoed, refused) = Call::parse(text).unwrap_err();
        assert_eq!(&echoed, id);
        assert!(refused.0.contains(reason), "{refused:?}");
    }

    #[test]
    fn what_is_no_call_is_refused_with_the_id_if_it_has_one() {
        check_refused("", &json!(0), "no JSON");
        check_refused("{\"id\":", &json!(0), "no JSON");
        check_refused("[1]", &json!(0), "an object");
        check_refused("null", &json!(0), "an object");
        check_refused(r#"{"id":5}"#, &json!(5), "call is missing");
        check_refused(r#"{"id":5,"call":7}"#, &json!(5), "a text");
        check_refused(r#"{"id":{},"call":7}"#, &json!(0), "a text");
        check_refused(&"[".repeat(100_000), &json!(0), "no JSON");
    }

    #[test]
    fn messages_have_their_keys_in_the_order_of_livechess() {
        assert_eq!(
            answer(&json!(2), Value::Null, 1_587_948_082_887),
            r#"{"response":"call","id":2,"param":null,"time":1587948082887}"#
        );
        assert_eq!(
            error(&json!("a"), &"no".into(), 1),
            r#"{"response":"error","id":"a","param":{"message":"no","stacktrace":"no"},"time":1}"#
        );
        assert_eq!(feed(&json!(1.5), [1], 1), r#"{"response":"feed","id":1.5,"param":[1],"time":1}"#);
    }
}
