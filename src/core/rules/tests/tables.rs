//! The table of rules as people print it.

use super::*;
use crate::laws::Language;

#[test]
fn the_table_lists_what_the_edition_knows() {
    let table_2009 = table("2009".parse::<Edition>().unwrap(), Language::En);
    assert!(table_2009.contains("claim-win-available\n    2009  article B.3.c"), "{table_2009}");
    assert!(!table_2009.contains("fivefold-draw"), "{table_2009}");
    let table_2023 = table(Edition::default(), Language::De);
    assert!(!table_2023.contains("claim-win-available"), "{table_2023}");
    assert!(
        table_2023.contains("illegal-move\n    2023  Artikel 7.5.1  Befugnis 7.5.5 / A.5.2"),
        "{table_2023}"
    );
    assert!(table_2023.contains("line-noise\n"), "{table_2023}");
}

#[test]
fn the_table_of_all_editions_has_a_line_for_each() {
    let all = table(None, Language::En);
    let promotion = all.split("promotion-not-replaced").nth(1).unwrap();
    let lines: Vec<&str> = promotion.lines().skip(1).take(5).map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "2009  article 7.4.a  authority 7.4.b / A.4.c / B.3.c",
            "2014  article 7.5.a  authority 7.5.b / A.4.b",
            "2017  article 7.5.2  authority 7.5.3 / A.4.2",
            "2018  article 7.5.2  authority 7.5.5 / A.4.2",
            "2023  article 7.5.2  authority 7.5.5 / A.5.2",
        ]
    );
}

#[test]
fn the_readme_has_a_row_for_every_code() {
    let markdown = readme_table();
    assert_eq!(markdown.lines().count(), 2 + 43);
    assert!(markdown.lines().all(|line| line.matches('|').count() == 5), "{markdown}");
    assert!(markdown.contains("| `claim-win-available` | B.3.c (2009) |"), "{markdown}");
}
