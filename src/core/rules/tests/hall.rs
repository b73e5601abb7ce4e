//! One board, its game written by hand.

use std::{sync::Arc, time::Duration};

use shakmaty::{Bitboard, ByColor, CastlingMode, Color, Piece, uci::UciMove};

use super::{
    super::*,
    words::{changes, color, context, mismatch, reason, said, squares, withdrawal},
};
use crate::{
    alert::Confidence,
    event::Times,
    fact::{Change, Pressed, Reason, Verdict},
    game::{Irregular, Played},
    laws::{Control, Edition},
};

/// One board, its game written by hand.
pub(super) struct Hall {
    pub(super) referee: Referee,
    pub(super) game: Game,
    pub(super) clock: ClockView,
    pub(super) now: Timestamp,
    pressed: ByColor<Option<Timestamp>>,
    /// The word of plies that are made.
    sure: Confidence,
    /// Whether questions are answered at once.
    pub(super) answers: bool,
    pub(super) questions: Vec<(String, Position, Color)>,
    pub(super) said: Vec<Notice>,
    /// What the clock adds for a move.
    increment_s: u32,
}

impl Hall {
    /// Sets up a game: edition, control, `supervised` and settings, in one line.
    pub(super) fn new(event: &str, fen: &str) -> Self {
        let mut config = EventSettings::default();
        let mut scan = 100;
        let (mut measured, mut polled) = (None, false);
        let mut mode = CastlingMode::Standard;
        let mut adopted = false;
        for word in event.split_whitespace() {
            match word.split_once('=') {
                Some(("measured", ms)) => measured = Some(Duration::from_millis(ms.parse().unwrap())),
                Some(("scan", ms)) => scan = ms.parse().unwrap(),
                Some(("tc", control)) => config.time_control = Some(control.parse().unwrap()),
                Some(("default", seconds)) => config.default_time_s = Some(seconds.parse().unwrap()),
                Some(other) => panic!("{other:?}"),
                None => match word {
                    "supervised" => config.supervised = true,
                    "polled" => polled = true,
                    "adopted" => adopted = true,
                    "chess960" => mode = CastlingMode::Chess960,
                    "de" | "fr" | "es" | "it" => config.language = word.parse().unwrap(),
                    "qpf" => config.quickplay_finish = true,
                    "separate" => config.separate_counters_2017 = true,
                    "unpressed" => config.two_hands_2017_without_press = true,
                    "letter" => config.blitz_supervised_penalty_s = 120,
                    word => match (word.parse::<Edition>(), word.parse::<Control>()) {
                        (Ok(edition), _) => config.rules = edition,
                        (_, Ok(control)) => config.control = control,
                        _ => panic!("{word}"),
                    },
                },
            }
        }
        let control = config.time_control.as_ref().and_then(|control| control.periods().first());
        let increment_s = control.map_or(10, |period| period.increment_s);
        let mut hall = Self {
            increment_s,
            referee: Referee::new(Arc::new(config), scan, 500),
            sure: Confidence::Certain,
            game: Game::new(1, Position::from_fen(fen, mode).unwrap()),
            clock: ClockView {
                connected: true,
                times: Some(Times { white: 600, black: 600 }),
                ..ClockView::default()
            },
            now: Timestamp::from_micros(1_000_000),
            pressed: ByColor::default(),
            answers: true,
            questions: Vec::new(),
            said: Vec::new(),
        };
        if let Some(scan) = measured {
            hall.referee.set_scan(scan);
        }
        if polled {
            hall.referee.set_polled();
        }
        if adopted {
            hall.game.set_adopted();
        }
        hall.clock.running = Some(hall.game.position().turn());
        hall.fact(&Fact::GameStarted);
        hall.fact(&Fact::PlayStarted);
        hall
    }

    #[track_caller]
    pub(super) fn run(&mut self, script: &str) {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")) {
            let (step, expected) = line.split_once("=>").unwrap_or((line, ""));
            self.said.clear();
            self.step(step.trim());
            let said = said(&self.said);
            assert_eq!(said.join(", "), expected.trim(), "after: {step}");
        }
    }

    pub(super) fn step(&mut self, step: &str) {
        let words: Vec<&str> = step.split_whitespace().collect();
        self.play(step, &words);
    }

    /// Moves and presses.
    fn play(&mut self, step: &str, words: &[&str]) {
        match *words {
            ["made", uci] => {
                self.make(uci);
            }
            ["likely", "made", uci] => {
                self.sure = Confidence::Likely;
                self.make(uci);
                self.sure = Confidence::Certain;
            }
            ["pressed"] => self.press_last(Verdict::Legal, Vec::new()),
            ["bad", squares, why] => self.bad(squares, reason(why, squares)),
            ["pawn", squares] => {
                let to = squares[2..4].parse().unwrap();
                self.irregular(squares);
                self.press_last(Verdict::PromotionLeft(to), Vec::new());
            }
            ["null", side] => self.press(color(side), Verdict::Nothing),
            ["react", side] => self.press(color(side), Verdict::Reaction),
            ["air", side, square] => {
                self.press(color(side), Verdict::InTheAir { from: square.parse().unwrap(), placed: None });
            }
            ["likely", "bad", squares, why] => {
                self.irregular(squares);
                self.press_with(Verdict::Illegal(reason(why, squares)), Vec::new(), Confidence::Likely);
            }
            ["likely", "pawn", squares] => {
                let to = squares[2..4].parse().unwrap();
                self.irregular(squares);
                self.press_with(Verdict::PromotionLeft(to), Vec::new(), Confidence::Likely);
            }
            ["missing", uci, wrong] => {
                self.make(uci);
                self.press_last(Verdict::LegalWithMismatch(squares(wrong)), Vec::new());
            }
            [uci, "by", ..] => {
                self.make(uci);
                let attempt =
                    changes(self.game.position_after(self.game.len() - 1).board(), &words[2..], self.now);
                self.press_last(Verdict::Legal, attempt);
            }
            [uci] if uci.len() >= 4 && uci.as_bytes()[1].is_ascii_digit() => {
                self.make(uci);
                self.press_last(Verdict::Legal, Vec::new());
            }
            _ => self.correct(step, words),
        }
    }

    /// What changes the past, ends a game, or comes from outside.
    fn correct(&mut self, step: &str, words: &[&str]) {
        match *words {
            ["withdraw", ply, why] => {
                let ply: u32 = ply.parse().unwrap();
                self.game.truncate(ply - 1);
                self.fact(&Fact::Withdrawn { ply, because: withdrawal(why) });
            }
            ["righted", side] => self.right(side, false),
            ["overturned", side] => self.right(side, true),
            ["replace", square, piece] => {
                let ply = self.game.len();
                let mut board = self.game.position().board().clone();
                board.set_piece_at(
                    square.parse().unwrap(),
                    Piece::from_char(piece.chars().next().unwrap()).unwrap(),
                );
                let last = self.game.ply(ply).unwrap().clone();
                self.game.truncate(ply - 1);
                let Played::Irregular(irregular) = last.played else { panic!("{last:?}") };
                let played = Played::Irregular(Box::new(Irregular { board, ..*irregular }));
                self.game.push(last.side, played, self.now, Confidence::Certain);
            }
            ["ended", score, by] => {
                self.game.set_result(Some(GameResult {
                    score: crate::score::Score::parse(score).unwrap(),
                    by: if by == "arbiter" { "arbiter" } else { "kings" },
                }));
                self.fact(&Fact::Ended);
            }
            ["next", "game"] => {
                self.game = Game::new(self.game.number() + 1, Position::initial());
                self.fact(&Fact::GameStarted);
            }
            ["time", white, black] => {
                self.clock.times =
                    Some(Times { white: white.parse().unwrap(), black: black.parse().unwrap() });
            }
            ["wait", seconds] => self.wait(Duration::from_secs_f64(seconds.parse().unwrap())),
            ["order", ..] => self.order(step.strip_prefix("order ").unwrap()),
            ["answer", answer] => self.answer(answer),
            _ => self.happen(step, words),
        }
    }

    /// Touches, clock and equipment.
    fn happen(&mut self, step: &str, words: &[&str]) {
        match *words {
            ["touch", side, square] => {
                self.fact(&Fact::Touched { side: color(side), square: square.parse().unwrap() });
            }
            ["flag", side] => self.flag(side, false),
            ["blocked", side] => self.flag(side, true),
            ["stop"] => {
                self.clock.running = None;
                self.fact(&Fact::ClockStopped);
            }
            ["start", side] => {
                self.clock.running = Some(color(side));
                self.fact(&Fact::ClockStarted { side: color(side) });
            }
            ["link", up] => self.fact(&Fact::Link { up: up == "up" }),
            ["clock", there] => self.fact(&Fact::ClockLink { connected: there == "there" }),
            ["clock-battery", low] => self.fact(&Fact::ClockBattery { low: low == "low" }),
            ["board-battery", percent] => {
                self.fact(&Fact::BoardBattery { percent: percent.parse().unwrap() });
            }
            ["noise", on] => self.fact(&Fact::Noise { noisy: on == "on", bytes: 17 }),
            ["mismatch", cause, wrong] => {
                self.fact(&Fact::Mismatch { squares: squares(wrong), cause: mismatch(cause) });
            }
            ["cleared", right] => self.fact(&Fact::MismatchCleared { squares: squares(right) }),
            _ => panic!("{step}"),
        }
    }

    pub(super) fn make(&mut self, uci: &str) -> u32 {
        let UciMove::Normal { from, to, promotion } = uci.parse().unwrap() else { panic!("{uci}") };
        let m = self.game.position().find(from, to, promotion).unwrap_or_else(|| panic!("{uci} is illegal"));
        self.push(Played::Legal(m))
    }

    /// Moves what stands on one square to another, whatever the Laws say.
    pub(super) fn irregular(&mut self, squares: &str) -> u32 {
        let (from, to) = (squares[0..2].parse().unwrap(), squares[2..4].parse().unwrap());
        let mut board = self.game.position().board().clone();
        let piece = board.remove_piece_at(from).unwrap();
        board.set_piece_at(to, piece);
        self.push(Played::Irregular(Box::new(Irregular { from, to, promotion: None, board, set: None })))
    }

    pub(super) fn push(&mut self, played: Played) -> u32 {
        self.now = self.now + Duration::from_millis(1500);
        let side = self.game.position().turn();
        let ply = self.game.push(side, played, self.now, self.sure);
        self.fact(&Fact::Made { ply });
        ply
    }

    fn bad(&mut self, squares: &str, reason: Reason) {
        self.irregular(squares);
        self.press_last(Verdict::Illegal(reason), Vec::new());
    }

    pub(super) fn press_last(&mut self, verdict: Verdict, attempt: Vec<Change>) {
        self.press_with(verdict, attempt, Confidence::Certain);
    }

    fn press_with(&mut self, verdict: Verdict, attempt: Vec<Change>, confidence: Confidence) {
        let ply = self.game.len();
        let side = self.game.ply(ply).unwrap().side;
        self.now = self.now + Duration::from_millis(300);
        self.game.complete(ply, self.clock.times, Confidence::Certain);
        self.fact(&Fact::Completed { ply });
        self.pressed_fact(side, verdict, ply, self.game.position_after(ply - 1), attempt, confidence);
    }

    fn press(&mut self, side: Color, verdict: Verdict) {
        self.now = self.now + Duration::from_millis(1500);
        let before = self.game.position().clone();
        let confidence = if matches!(verdict, Verdict::InTheAir { .. }) {
            Confidence::Likely
        } else {
            Confidence::Certain
        };
        self.pressed_fact(side, verdict, self.game.len(), before, Vec::new(), confidence);
    }

    pub(super) fn pressed_fact(
        &mut self,
        side: Color,
        verdict: Verdict,
        ply: u32,
        before: Position,
        attempt: Vec<Change>,
        confidence: Confidence,
    ) {
        let at = self.now;
        self.pressed.get_mut(side).replace(at);
        self.clock.running = Some(!side);
        let board = self.game.position().board().clone();
        let pressed = Pressed {
            side,
            at,
            seen: true,
            verdict,
            confidence,
            weight: None,
            ply,
            before,
            board,
            attempt,
            off: Bitboard::EMPTY,
            high_residual: false,
            increment_s: self.increment_s,
            clock: self.clock.times,
        };
        self.now = self.now + Duration::from_millis(100);
        self.fact(&Fact::Pressed(Box::new(pressed)));
    }

    fn flag(&mut self, side: &str, blocked: bool) {
        let side = color(side);
        *self.clock.flags.get_mut(side) = true;
        if let Some(times) = &mut self.clock.times {
            *side.fold_wb(&mut times.white, &mut times.black) = 0;
        }
        self.fact(&Fact::Flag { side, blocked });
    }

    fn right(&mut self, side: &str, overturned: bool) {
        let side = color(side);
        let pressed_at = self.pressed.get(side).unwrap();
        self.now = self.now + Duration::from_millis(800);
        self.fact(&Fact::Righted { pressed_at, side, overturned });
    }

    fn wait(&mut self, span: Duration) {
        let end = self.now + span;
        while let Some((at, reason)) = self.referee.deadline().filter(|(at, _)| *at <= end) {
            assert!(!reason.is_empty());
            self.now = self.now.max(at);
            let mut out = Vec::new();
            self.referee.handle_timeout(&context(&self.game, &self.clock, self.now), &mut out);
            self.take(out);
        }
        self.now = end;
    }

    fn order(&mut self, json: &str) {
        let mut out = Vec::new();
        let order = Order::parse(json).unwrap();
        let context = context(&self.game, &self.clock, self.now);
        match self.referee.handle_order(&order, &context, &mut out) {
            Ok(()) => self.take(out),
            Err(error) => {
                assert_eq!(out, []);
                panic!("{error}");
            }
        }
    }

    /// Gives an order that must be refused; returns the reason.
    pub(super) fn refused(&mut self, json: &str) -> String {
        let mut out = Vec::new();
        let order = Order::parse(json).unwrap();
        let context = context(&self.game, &self.clock, self.now);
        let error = self.referee.handle_order(&order, &context, &mut out).unwrap_err();
        assert_eq!(out, []);
        error.to_string()
    }

    fn answer(&mut self, answer: &str) {
        let answer = match answer {
            "yes" => Winnability::Winnable,
            "no" => Winnability::Unwinnable,
            _ => Winnability::Unknown,
        };
        for (alert, ..) in std::mem::take(&mut self.questions) {
            let mut out = Vec::new();
            self.referee.handle_answer(&alert, answer, &context(&self.game, &self.clock, self.now), &mut out);
            self.take(out);
        }
    }

    pub(super) fn fact(&mut self, fact: &Fact) {
        let mut out = Vec::new();
        self.referee.handle(fact, &context(&self.game, &self.clock, self.now), &mut out);
        self.take(out);
    }

    fn take(&mut self, notices: Vec<Notice>) {
        for notice in notices {
            if let Notice::Question { alert, position, winner } = &notice {
                if self.answers {
                    let mut out = Vec::new();
                    let answer = unwinnable::verdict(position, *winner);
                    self.referee.handle_answer(
                        alert,
                        answer,
                        &context(&self.game, &self.clock, self.now),
                        &mut out,
                    );
                    self.take(out);
                } else {
                    self.questions.push((alert.clone(), *position.clone(), *winner));
                }
            }
            if let Notice::Result(result) = notice {
                self.game.set_result(Some(result));
            }
            self.said.push(notice);
        }
    }

    /// Returns the last alert that was raised.
    pub(super) fn alert(&self) -> &Alert {
        let raised = |notice: &'_ Notice| matches!(notice, Notice::Raised(_));
        match self.said.iter().rev().find(|notice| raised(notice)) {
            Some(Notice::Raised(alert)) => alert,
            _ => panic!("no alert in {:?}", self.said),
        }
    }
}
