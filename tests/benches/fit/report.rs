//! Prints what was counted beside the present values.

use jadoube_core::decoder::{Params, Price};

use super::counted::{Share, Tally};

/// Prints shares and times.
pub(super) fn print(name: &str, tally: &Tally) {
    println!("\n## {name}\n");
    println!("| what | counted | share | price, tenths of a nat | present |\n|---|---|---|---|---|");
    for (key, share) in tally.shares.iter().filter(|(_, share)| share.of > 0) {
        let present = present(key).map_or_else(String::new, |price| tenths(price.probability()));
        let rate = part(share.happened, share.of);
        println!(
            "| {key} | {} of {} | {rate:.5} | {} | {present} |",
            share.happened,
            share.of,
            price(*share)
        );
    }
    println!("\n| times, seconds | counted | median | 90 % | 95 % | 99 % |\n|---|---|---|---|---|---|");
    for (key, times) in &tally.times {
        let mut times = times.clone();
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len() - 1)).copied();
        let figures = [50, 90, 95, 99].map(|percent| format!(" {:.2} |", at(percent).unwrap_or_default()));
        println!("| {key} | {} |{}", times.len(), figures.concat());
    }
}

/// Returns the price that follows from a share, with the bounds of one standard error.
fn price(share: Share) -> String {
    if share.happened == 0 {
        // None of so many: as if it had happened once in one more.
        return format!("over {}", tenths(part(1, share.of + 1)));
    }
    let rate = part(share.happened, share.of);
    let error = (rate * (1.0 - rate) / part(share.of, 1)).sqrt();
    let [most, least] = [(rate + error).min(1.0), (rate - error).max(rate / 10.0)].map(tenths);
    format!("{} ({most} to {least})", tenths(rate))
}

/// Returns −10·ln p.
fn tenths(p: f64) -> String {
    format!("{:.0}", (-10.0 * p.ln()).max(0.0))
}

fn part(happened: usize, of: usize) -> f64 {
    let number = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
    number(happened) / number(of)
}

/// Returns the present value of a key of `Params`.
fn present(key: &str) -> Option<Price> {
    let Params { sensors, hands, clock, moves, mishaps, .. } = Params::DEFAULT;
    Some(match key {
        "sensors.off_centre" => sensors.off_centre,
        "sensors.ghost" => sensors.ghost.base,
        "hands.fallen" => hands.fallen.base,
        "hands.fallen_more" => hands.fallen_more,
        "hands.shoved" => hands.shoved.base,
        "hands.left_there" => hands.left_there,
        "hands.fallen_at_press" => hands.fallen_at_press,
        "hands.victim" => hands.victim.base,
        "hands.slid" => hands.slid.base,
        "clock.back" => clock.back,
        "clock.bounce" => clock.bounce.base,
        "clock.nothing" => clock.nothing,
        "clock.unseen" => clock.unseen,
        "moves.illegal" => moves.illegal,
        "moves.early_reply" => moves.early_reply.base,
        "mishaps.hover" => mishaps.hover,
        "mishaps.left_lying" => mishaps.left_lying,
        _ => return None,
    })
}
