//! Reads scenarios as they are written.

use shakmaty::{Board, Color, File, Piece, Role, Square, fen::Fen};

/// A ply that is played out takes this long, seconds.
const PLY: f64 = 2.0;

/// One scenario.
pub(super) struct Scenario {
    pub(super) title: String,
    /// `key=value`, as `--set` takes it.
    pub(super) settings: Vec<String>,
    pub(super) acts: Vec<(f64, Act)>,
    pub(super) expected: Vec<Expected>,
    /// Code and state of an alert at the end.
    pub(super) ends: Vec<(String, String)>,
    pub(super) refused: Vec<f64>,
    /// What is said of an entry, and when.
    pub(super) says: Vec<(f64, String)>,
    pub(super) result: Option<String>,
    pub(super) game: Option<String>,
    /// Words that the alerts hold in a language.
    pub(super) texts: Vec<(String, String)>,
    /// Pieces on the board that the program does not see.
    pub(super) setup: Option<String>,
    /// The clock is stopped, with the lever of the other side down.
    pub(super) stopped: Option<Color>,
    /// Seconds on both displays.
    pub(super) left: f64,
    /// Seconds that the clock adds for a move, if others than the time control says.
    pub(super) increment: Option<f64>,
}

/// Something that happens.
pub(super) enum Act {
    Square(Square, Option<Piece>),
    Press(Color),
    Flag {
        side: Color,
        blocked: bool,
    },
    /// The sign of a fallen flag goes from the display.
    Unflag(Color),
    /// Both in one report.
    Flags,
    Stop,
    Start(Color),
    Clock(Color, u32),
    Adds(Color, u32),
    Order(String),
    Link(bool),
    ClockThere(bool),
    ClockBattery(bool),
    BoardBattery(u8),
    Noise(usize),
    Dump,
    /// Nothing: time passes.
    Wait,
}

/// An expected alert.
pub(super) struct Expected {
    pub(super) at: f64,
    pub(super) words: Vec<String>,
}

/// Reads the scenarios of a file.
pub(super) fn scenarios(text: &str) -> Vec<Scenario> {
    let blocks = text.split("\n== ").map(|block| block.trim_start_matches("== "));
    blocks.filter(|block| !block.trim().is_empty() && !block.starts_with('#')).map(Scenario::read).collect()
}

impl Scenario {
    fn read(block: &str) -> Self {
        let mut lines = block.lines();
        let mut scenario = Self {
            title: lines.next().unwrap().to_owned(),
            settings: vec!["board.scan_ms=100".into()],
            acts: Vec::new(),
            expected: Vec::new(),
            ends: Vec::new(),
            refused: Vec::new(),
            says: Vec::new(),
            result: None,
            game: None,
            texts: Vec::new(),
            setup: None,
            stopped: None,
            left: 3600.0,
            increment: None,
        };
        let mut board = Board::new();
        let mut expecting = false;
        for line in lines.map(|line| line.split(" #").next().unwrap().trim()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["---"] => expecting = true,
                [first, ..] if first.starts_with('#') => {}
                ["game", moves @ ..] => scenario.game = Some(moves.join(" ")),
                ["result", result] => scenario.result = Some((*result).to_owned()),
                ["end", code, state] => scenario.ends.push(((*code).to_owned(), (*state).to_owned())),
                ["rules", edition, control, rest @ ..] => {
                    scenario.set("event.rules", edition);
                    scenario.set("event.control", control);
                    if rest == ["supervised"] {
                        scenario.set("event.supervised", "true");
                    }
                }
                ["fen", fen @ ..] => {
                    board = fen.join(" ").parse::<Fen>().unwrap().into_setup().board;
                    scenario.set("game.fen", &fen.join(" "));
                }
                ["setup", fen @ ..] => {
                    board = fen.join(" ").parse::<Fen>().unwrap().into_setup().board;
                    scenario.setup = Some(fen.join(" "));
                }
                ["stopped", side] => scenario.stopped = Some(color(side)),
                ["left", seconds] => scenario.left = seconds.parse().unwrap(),
                ["increment", seconds] => scenario.increment = Some(seconds.parse().unwrap()),
                [language @ ("en" | "de"), words @ ..] if expecting => {
                    scenario.texts.push(((*language).to_owned(), words.join(" ")));
                }
                ["set", ..] => {
                    scenario.settings.push(line.trim_start_matches("set").trim().to_owned());
                }
                [time, words @ ..] => {
                    let time = time.parse().unwrap_or_else(|_| panic!("'{line}' in '{}'", scenario.title));
                    match words {
                        ["refused"] if expecting => scenario.refused.push(time),
                        ["says", words @ ..] if expecting => scenario.says.push((time, words.join(" "))),
                        words if expecting => {
                            let words = words.iter().map(|word| (*word).to_owned()).collect();
                            scenario.expected.push(Expected { at: time, words });
                        }
                        words => scenario.acts.extend(acts(time, words, &mut board)),
                    }
                }
            }
        }
        scenario.acts.sort_by(|a, b| a.0.total_cmp(&b.0));
        scenario
    }

    fn set(&mut self, key: &str, value: &str) {
        self.settings.push(format!("{key}={value}"));
    }

    /// Returns the value of a setting, empty if there is none.
    pub(super) fn setting(&self, key: &str) -> &str {
        let found = self.settings.iter().find_map(|setting| setting.strip_prefix(key)?.strip_prefix('='));
        found.unwrap_or_default()
    }
}

fn acts(at: f64, words: &[&str], board: &mut Board) -> Vec<(f64, Act)> {
    let act = match words {
        ["press", side] => Act::Press(color(side)),
        ["flag", side] => Act::Flag { side: color(side), blocked: false },
        ["blocked", side] => Act::Flag { side: color(side), blocked: true },
        ["unflag", side] => Act::Unflag(color(side)),
        ["flags"] => Act::Flags,
        ["stop"] => Act::Stop,
        ["start", side] => Act::Start(color(side)),
        ["clock", state @ ("lost" | "found")] => Act::ClockThere(*state == "found"),
        ["clock", "battery", state] => Act::ClockBattery(*state == "low"),
        ["adds", side, seconds] => Act::Adds(color(side), seconds.parse().unwrap()),
        ["clock", side, seconds] => Act::Clock(color(side), seconds.parse().unwrap()),
        ["link", state] => Act::Link(*state == "up"),
        ["charge", percent] => Act::BoardBattery(percent.parse().unwrap()),
        ["noise", bytes] => Act::Noise(bytes.parse().unwrap()),
        ["dump"] => Act::Dump,
        ["wait"] => Act::Wait,
        ["order", json @ ..] => Act::Order(json.join(" ")),
        ["play", moves @ ..] => {
            let mut start = at;
            let mut acts = Vec::new();
            for uci in moves {
                acts.extend(ply(start, uci, true, board));
                start += PLY;
            }
            return acts;
        }
        ["made", uci] => return ply(at, uci, false, board),
        squares => return squares.iter().map(|word| (at, square_act(word, board))).collect(),
    };
    vec![(at, act)]
}

/// Plays one ply as people do: the captured piece first, then the own one, the king before the rook, then the press.
fn ply(at: f64, uci: &str, pressed: bool, board: &mut Board) -> Vec<(f64, Act)> {
    let (from, to): (Square, Square) = (uci[0..2].parse().unwrap(), uci[2..4].parse().unwrap());
    let piece = board.piece_at(from).unwrap_or_else(|| panic!("{uci}: nothing stands on {from}"));
    let promoted = uci.chars().nth(4).map(|role| Role::from_char(role).unwrap().of(piece.color));
    let mut changes = vec![(0.2, from, None), (0.5, to, Some(promoted.unwrap_or(piece)))];
    if board.piece_at(to).is_some() {
        changes.push((0.0, to, None));
    } else if piece.role == Role::Pawn && from.file() != to.file() {
        changes.push((0.6, Square::from_coords(to.file(), from.rank()), None));
    }
    if piece.role == Role::King && from.file() == File::E && from.file().distance(to.file()) == 2 {
        let (left, reached) = if to.file() == File::G { (File::H, File::F) } else { (File::A, File::D) };
        let rook = Role::Rook.of(piece.color);
        changes = vec![
            (0.0, from, None),
            (0.3, to, Some(piece)),
            (0.5, Square::from_coords(left, from.rank()), None),
            (0.7, Square::from_coords(reached, from.rank()), Some(rook)),
        ];
    }
    for (_, square, piece) in &changes {
        set(board, *square, *piece);
    }
    set(board, to, Some(promoted.unwrap_or(piece)));
    let mut acts: Vec<(f64, Act)> =
        changes.into_iter().map(|(after, square, piece)| (at + after, Act::Square(square, piece))).collect();
    if pressed {
        acts.push((at + 0.8, Act::Press(piece.color)));
    }
    acts
}

fn square_act(word: &str, board: &mut Board) -> Act {
    let (square, piece) = word.split_at(2);
    let square = square.parse().unwrap_or_else(|_| panic!("'{word}' is no change of a square"));
    let piece = piece.chars().next().unwrap();
    let piece = (piece != '-').then(|| Piece::from_char(piece).unwrap());
    set(board, square, piece);
    Act::Square(square, piece)
}

fn set(board: &mut Board, square: Square, piece: Option<Piece>) {
    match piece {
        Some(piece) => board.set_piece_at(square, piece),
        None => board.discard_piece_at(square),
    }
}

fn color(word: &str) -> Color {
    match word {
        "white" => Color::White,
        "black" => Color::Black,
        other => panic!("'{other}' is no side"),
    }
}
