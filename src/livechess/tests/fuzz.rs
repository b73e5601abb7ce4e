//! Messages of clients, one a line: whatever they say, each gets one answer that is JSON, and news of its feeds.

use serde_json::Value;

use super::session;

#[test]
fn messages_of_clients_are_answered_or_refused() {
    crate::fuzz::fuzz("livechess", |input| {
        let mut session = session(&["23946", "00123"]);
        for line in String::from_utf8_lossy(input).lines() {
            let answers = session.answer(line);
            for (place, answer) in answers.iter().chain(&session.poll()).enumerate() {
                let answer: Value = serde_json::from_str(answer).unwrap();
                let kind = answer["response"].as_str().unwrap();
                let is_answer = place == 0 && matches!(kind, "call" | "error");
                assert!(is_answer || place > 0 && kind == "feed", "{line}: {answer}");
            }
            assert!(!answers.is_empty(), "{line}");
        }
    });
}
