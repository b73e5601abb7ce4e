//! Boards, clocks, batteries and lines.

use super::*;

#[test]
fn equipment_is_reported_once_and_withdrawn_when_it_works() {
    check(
        "2023",
        START,
        "link up
         link down => board-link both
         link down
         link up
         wait 4
         link down
         link up
         wait 4
         wait 1 => #1 corrected
         clock gone => clock-link both
         clock there
         wait 4
         clock gone
         clock there
         wait 4
         wait 1 => #2 corrected
         clock-battery low => clock-low-battery both
         clock-battery full
         wait 4
         clock-battery low
         clock-battery full
         wait 4
         wait 1 => #3 corrected
         clock-battery low => clock-low-battery both
         clock-battery full
         wait 599
         clock-battery low
         clock-battery full
         wait 599
         wait 1 => #4 corrected
         board-battery 21
         board-battery 19 => board-battery both
         board-battery 22
         board-battery 25 => #5 corrected
         noise on => line-noise both
         noise off => #6 corrected",
    );
}

#[test]
fn a_clock_that_stands_still_is_reported_during_a_game() {
    check(
        "2023",
        START,
        "stop
         wait 179
         wait 2 => clock-stopped 6.11.2 both
         wait 1000
         start white => #1 corrected
         stop
         wait 10
         start white
         wait 1000",
    );
    check("2014", START, "stop\nwait 181 => clock-stopped 6.12.b both\nended 1-0 kings => #1 corrected");
}

#[test]
fn equipment_outlives_a_game() {
    check(
        "2023",
        START,
        "link down => board-link both\nended 1-0 kings\nnext game\nlink up\nwait 5 => #1 corrected",
    );
}
