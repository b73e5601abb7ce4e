use super::*;

/// The reference numbers of `SplitMix64` for seed 0.
#[test]
fn the_stream_is_the_published_one() {
    let mut random = Random::new(0);
    let first: Vec<u64> = (0..3).map(|_| random.number()).collect();
    assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
}

#[test]
fn draws_are_even() {
    let mut random = Random::new(1);
    let mut counts = [0; 8];
    for _ in 0..8000 {
        counts[random.below(8)] += 1;
    }
    assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    assert_eq!(random.below(0), 0);
}

#[test]
fn weights_are_kept() {
    let mut random = Random::new(2);
    let mut counts = [0; 3];
    for _ in 0..10_000 {
        counts[random.weighted(&[71.0, 20.0, 9.0])] += 1;
    }
    assert_eq!(counts, [7132, 1963, 905]);
}

#[test]
fn log_normal_spans_have_the_median_and_the_tail() {
    let mut random = Random::new(3);
    let mut spans: Vec<Duration> =
        (0..10_001).map(|_| random.log_normal(LogNormal::new(0.2, 0.55))).collect();
    spans.sort();
    let at = |share: usize| spans[share * 100].as_secs_f64();
    assert!((0.195..0.205).contains(&at(50)), "{}", at(50));
    assert!((0.38..0.42).contains(&at(90)), "{}", at(90));
}

#[test]
fn what_is_below_zero_is_no_time() {
    assert_eq!(span(-1.0), Duration::ZERO);
    assert_eq!(span(f64::INFINITY), Duration::from_secs(1_000_000_000));
}
