use super::*;

#[test]
fn prices_stand_for_probabilities() {
    assert!((Price::tenths(23).probability() - 0.1).abs() < 0.005);
    assert!((Price::tenths(60).probability() * 400.0 - 1.0).abs() < 0.02);
    assert_eq!(Price::tenths(10), Price::NAT);
    assert_eq!(Price::tenths(10).saturating_sub(Price::tenths(12)), Price::FREE);
}

#[test]
fn what_grows_never_falls() {
    let Params { sensors, hands, clock, moves, .. } = Params::DEFAULT;
    for growth in [sensors.ghost, sensors.passed, hands.victim, hands.slid, clock.made_late, moves.premature]
    {
        let prices: Vec<Price> = (0..20).map(|step| growth.at(step * 250)).collect();
        assert!(prices.is_sorted() && prices.last() <= Some(&(growth.base + growth.most)));
    }
    let late: Vec<Price> = (0..20).map(|step| sensors.late(step * 100, Price::tenths(60))).collect();
    assert!(late.is_sorted() && late.last() == Some(&Price::tenths(60)));
}

#[test]
fn words_are_in_order() {
    let claims = Params::DEFAULT.claims;
    assert!([claims.withdrawn, claims.possible, claims.likely, claims.certain].is_sorted());
    assert!(claims.looks_ms.is_sorted());
}
