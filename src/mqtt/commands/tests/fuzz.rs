//! Orders as a broker delivers them: understood, refused with a reason, or ignored.

use super::*;

#[test]
fn orders_from_a_broker_are_understood_refused_or_ignored() {
    crate::fuzz::fuzz("mqtt-order", |input| {
        let Some((transaction, parsed)) = parse(input) else { return };
        assert!((1..=LONGEST_TRANSACTION).contains(&transaction.len()));
        if let Ok(Given { order, by, .. }) = &parsed {
            assert!(!matches!(order.inner(), Order::Answer { .. }));
            let by = by.as_deref().unwrap_or("somebody");
            assert!(
                !by.is_empty() && by.chars().count() <= LONGEST_NAME && !by.chars().any(char::is_control)
            );
        }
        let reported: Value =
            serde_json::from_slice(&answer("23946", &transaction, &parsed.map(|_| CarriedOut::default())))
                .unwrap();
        assert_eq!(reported["transaction"], transaction);
    });
}
