use super::*;

const PGN: &str = r#"[Event "City Open"]
[Site "Hall"]
[Round "3.1"]
[White "Müller, Anna"]
[Black "O\"Neil, B"]
[Result "*"]
[WhiteTitle "WGM"]
[WhiteElo "2301"]
[WhiteFideId "4600001"]
[BlackElo "0"]

*

[Event "City Open"]
[Round "3.2"]
[White "Bye"]
[Black "C"]
[Result "*"]

*
[Event "City Open"]
[Round "3"]
[Board "7"]
[White "D"]
[Black "E"]
[Result "*"]

1. e4 {a comment
[%clk 1:00:00]} *
"#;

/// The line of a player, in the columns of TRF16.
fn player(rank: u32, title: &str, name: &str, elo: u32, id: &str, points: &str, rounds: &str) -> String {
    format!(
        "001 {rank:4} m{title:>3} {name:<33} {elo:4} GER {id:>11} 1990/01/01 {points:>4} {rank:4}  {rounds}\n"
    )
}

fn parsed(text: &str, round: Option<u32>) -> Pairings {
    parse("p", text.as_bytes(), round).unwrap()
}

fn names(pairings: &Pairings) -> Vec<(Option<u32>, &str, &str)> {
    pairings
        .games
        .iter()
        .map(|game| (game.table, game.white.name.as_str(), game.black.name.as_str()))
        .collect()
}

#[track_caller]
fn check_error(text: &str, round: Option<u32>, expected: &str) {
    let error = parse("p", text.as_bytes(), round).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn a_pairing_pgn_is_read() {
    let pairings = parsed(PGN, None);
    assert_eq!(pairings.round, Some(3));
    assert_eq!(names(&pairings), [(Some(1), "Müller, Anna", "O\"Neil, B"), (Some(7), "D", "E")]);
    let white = &pairings.games[0].white.more;
    assert_eq!((white.title.as_str(), white.fide_id.as_str(), white.elo), ("WGM", "4600001", Some(2301)));
    assert_eq!(pairings.games[0].black.more, PlayerSettings::default());
    let windows: Vec<u8> = PGN.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    assert_eq!(parse("p", &windows, None).unwrap().games, pairings.games, "as Windows wrote it");
}

#[test]
fn a_report_is_read() {
    let text = [
        "012 City Open\n042 2026/11/21\n".to_owned(),
        player(1, "g", "First, A", 2600, "1", "1.0", "   4 b 1     2 w  "),
        player(2, "m", "Second, B", 2500, "2", "1.0", "   3 w 1     1 b  "),
        player(3, "", "Third, C", 0, "", "0.0", "   2 b 0     4 w  "),
        player(4, "wf", "Fourth, D", 2300, "4", "0.0", "   1 w 0     3 b  "),
        player(5, "", "Fifth, E", 2000, "5", "1.0", "0000 - U  0000 - U"),
    ]
    .concat();
    let pairings = parsed(&text, None);
    assert_eq!(pairings.round, Some(2));
    assert_eq!(names(&pairings), [(Some(1), "First, A", "Second, B"), (Some(2), "Third, C", "Fourth, D")]);
    let first = &pairings.games[0].white.more;
    assert_eq!((first.title.as_str(), first.fide_id.as_str(), first.elo), ("GM", "1", Some(2600)));
    assert_eq!(pairings.games[1].black.more.title, "WF");
    let earlier = parsed(&text, Some(1));
    assert_eq!(names(&earlier), [(Some(1), "Fourth, D", "First, A"), (Some(2), "Second, B", "Third, C")]);
    check_error(&text, Some(3), "p: has no pairings of round 3");
}

/// A report in the middle of a team event, with a comment first and lines that end as the standard has them.
#[test]
fn a_report_of_2026_is_read_with_its_teams() {
    let team = |number: u32, name: &str, points: &str, players: &str| {
        format!(
            "310 {number:>3} {name:<32} {:5} {:6} {points:>6} {:>6} {:>3}  {players}\n",
            "NICK", 2400, "0.0", 1
        )
    };
    let text = [
        "### SSS NNNN\n012 Team Cup\n142 7\n".to_owned(),
        player(1, "GM", "One, A", 2600, "1", "0.0", "0000 - Z     5 w  "),
        player(2, "WFM", "One, B", 2500, "2", "0.5", "0000 - Z     6 b  "),
        player(3, "", "Two, A", 2400, "3", "1.0", "0000 - Z     7 w  "),
        player(4, "", "Two, B", 2300, "4", "0.5", "0000 - Z     8 b  "),
        player(5, "", "Three, A", 2200, "5", "1.0", "0000 - Z     1 b  "),
        player(6, "", "Three, B", 2100, "6", "1.0", "0000 - Z     2 w  "),
        player(7, "", "Four, A", 2000, "7", "1.0", "0000 - Z     3 b  "),
        player(8, "", "Four, B", 1900, "8", "1.0", "0000 - Z     4 w  "),
        "GER    1 m    One, A                            2610 GER\n".to_owned(),
        team(1, "Team One", "1.0", "   1    2"),
        team(2, "Team Two", "2.0", "   3    4"),
        team(3, "Team Three", "1.0", "   5    6"),
        team(4, "Team Four", "0.0", "   7    8"),
        "300 002   2   4    4    3\n".to_owned(),
    ]
    .concat();
    let expected = [
        (Some(1), "Four, B", "Two, B"),
        (Some(2), "Two, A", "Four, A"),
        (Some(3), "One, A", "Three, A"),
        (Some(4), "Three, B", "One, B"),
    ];
    let pairings = parsed(&text, None);
    assert_eq!((pairings.round, names(&pairings)), (Some(2), expected.to_vec()));
    let teams = pairings.games.iter().map(|game| (&*game.white.more.team, &*game.black.more.team));
    let expected_teams = [
        ("Team Four", "Team Two"),
        ("Team Two", "Team Four"),
        ("Team One", "Team Three"),
        ("Team Three", "Team One"),
    ];
    assert_eq!(teams.collect::<Vec<_>>(), expected_teams);
    assert_eq!(pairings.games[3].black.more.title, "WFM");
    assert_eq!(parsed(&text.replace('\n', "\r"), None), pairings);
    let old = text.replace("310", "999") + &format!("013 {:<32}   1    2\n", "Team One");
    let old = parsed(&old, None);
    assert_eq!(old.games[0].white.more.team, "", "{:?}", names(&old));
    assert!(old.games.iter().any(|game| game.white.more.team == "Team One"));
}

#[test]
fn a_csv_is_read_in_any_order_of_columns() {
    let pairings =
        parsed("Brett;Weiß;Schwarz;white_elo;Serial;remark\n2;\"A; B\";C;2100;01025;x\n\n1;D;E;;;\n", None);
    assert_eq!(names(&pairings), [(Some(2), "A; B", "C"), (Some(1), "D", "E")]);
    assert_eq!(pairings.games[0].serial.as_deref(), Some("01025"));
    assert_eq!(pairings.games[0].white.more.elo, Some(2100));
    assert_eq!(names(&parsed("white,black\nA,B,,\n,\n", None)), [(Some(1), "A", "B")]);
    let rounds = "round,table,white,black\n1,1,A,B\n2,1,B,A\n";
    assert_eq!(names(&parsed(rounds, None)), [(Some(1), "B", "A")]);
    assert_eq!(names(&parsed(rounds, Some(1))), [(Some(1), "A", "B")]);
    assert_eq!(names(&parsed("white,black\nA,B\nC,D\n", None)), [(Some(1), "A", "B"), (Some(2), "C", "D")]);
}

#[test]
fn what_cannot_be_used_is_named_with_line_and_remedy() {
    check_error("", None, "p: is empty");
    check_error("\n\n", None, "p: is empty");
    check_error("[White \"A\"\n", None, "p:1: a game lacks a header; expected [White \"Name\"]");
    check_error("[Round \"x\"]\n", None, "p:1: round 'x' is no number; expected a round such as 3");
    check_error("001    1 m\n", None, "p:1: no name in columns 15 to 47");
    check_error("001    x m    Name\n", None, "p:1: start number 'x' in columns 5 to 8 is no number");
    check_error(
        "name,club\nA,B\n",
        None,
        "p:1: is neither PGN nor TRF, and for CSV the columns white and black",
    );
    check_error("table,white,black\nx,A,B\n", None, "p:2: table 'x' is no number");
    check_error(
        "table,white,black\n1,A,B\n2,C\n",
        None,
        "p:3: column 3 (black) is missing; the first line has 3 columns",
    );
    check_error(
        "table,white,black\n1,Adams, Ada,B\n",
        None,
        "p:2: column 4 ('B') is one too many, the first line has 3; write a value with ',' in \"quotes\"",
    );
    check_error("table,white,black\n1,A,B\n1,C,D\n", None, "p:3: table 1 has a game already");
    check_error(
        "round,white,black\n2,A,B\n",
        Some(3),
        "p: holds no game of round 3, only of 2; change event.round",
    );
    check_error("white,black\nA,bye\n", None, "p: holds no game with two players");
    let error = read(Path::new("/nowhere"), None).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere: No such file"), "{error}");
    assert!(read(Path::new("/dev/zero"), None).is_err());
}

#[test]
fn lists_of_pairing_programs_are_read() {
    let list = "City Open 2026;;;;;;;;\nRound 5 on 2026/05/01 at 14:00;;;;;;;;\nBo.;No.;;Name;Rtg;Pts.;Result;Pts.;;Name;Rtg;No.\n\
                1;2;GM;Ada, A;2500;4;-;4;;Bob, B;2400;1\n2;9;;Cyd, C;;3;-;3;;Dan, D;1900;8\n3;7;;Eve, E;1800;0;-;0;;bye;;\n";
    let read = parse("list", list.as_bytes(), None).unwrap();
    let reported: Vec<_> = read
        .games
        .iter()
        .map(|game| {
            (
                game.table,
                game.white.name.as_str(),
                game.white.more.elo,
                game.black.name.as_str(),
                game.black.more.elo,
            )
        })
        .collect();
    assert_eq!(read.round, Some(5));
    assert_eq!(
        reported,
        [
            (Some(1), "Ada, A", Some(2500), "Bob, B", Some(2400)),
            (Some(2), "Cyd, C", None, "Dan, D", Some(1900))
        ]
    );
    let german = "Paarungen der 3. Runde\nBr.,Spieler,Elo,Erg.,Spieler,Elo\n1,\"A, A\",2000,,\"B, B\",1900\n";
    let read = parse("list", german.as_bytes(), None).unwrap();
    assert_eq!(
        (read.round, read.games[0].black.name.as_str(), read.games[0].black.more.elo),
        (Some(3), "B, B", Some(1900))
    );
}

#[test]
fn tables_without_a_board_are_tables() {
    let mut config = Config::parse("test", "[[table]]\nnumber = 1\nserial = '11111'\n", &[]).unwrap();
    let read = parse("list", b"table,white,black\n1,A,B\n2,C,D\n", Some(1)).unwrap();
    assert_eq!(read.apply(&mut config), 1);
    let boardless: Vec<_> =
        config.boardless.iter().map(|table| (table.number, table.white.as_str())).collect();
    assert_eq!((boardless, config.tables.len()), (vec![(Some(2), "C")], 1));
}
