//! Moves that an arbiter enters: into the list of plies, in the place of others, or for a stretch that nobody saw.

use shakmaty::{Color, Move};

use super::{Board, undo::EnteredOrder};
use crate::{
    game::{CutPly, Game, Played, Ply},
    model::effort,
    order::{EditKind, EnteredMoves, OrderError, PathChoice, refused},
    position::{Position, UnreadMove, differences, moves_in},
    time::Timestamp,
    words::Phrase,
};

impl Board {
    /// Enters, replaces or takes out plies.
    pub(super) fn edit_moves(
        &mut self,
        (ply, edit, plies): (u32, EditKind, Option<u32>),
        moves: Option<&EnteredMoves>,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        let game = self.game()?;
        let length = game.len();
        let last = if edit == EditKind::Insert { length + 1 } else { length };
        if ply == 0 || ply > last {
            return Err(refused(match last {
                0 => "the game has no moves yet".to_owned(),
                last => format!("ply has to be from 1 to {last}, not {ply}"),
            }));
        }
        let keep = ply - 1;
        let texts: Vec<&str> =
            moves.iter().flat_map(|moves| &moves.0).flat_map(|text| moves_in(text)).collect();
        match (edit, texts.len()) {
            (EditKind::Delete, 1..) => return Err(refused("a ply that is taken out needs no move")),
            (EditKind::Insert | EditKind::Replace, 0) => return Err(refused("move is missing")),
            (_, count) if count > effort::MOST_ENTERED => {
                return Err(refused("that are too many moves for one order"));
            }
            _ => {}
        }
        let count = u32::try_from(texts.len()).unwrap_or(u32::MAX);
        let removed = match edit {
            EditKind::Insert => 0,
            EditKind::Replace => plies.unwrap_or(count).max(1),
            EditKind::Delete => plies.unwrap_or(1).max(1),
        };
        let removed = removed.min(length - keep);
        let with = Self::read_moves(game, keep, removed, (&texts, self.letters()), now)?;
        let (before, stood) = (irregular_plies(game), game.position().board().clone());
        let what: Vec<String> = Self::names(game, keep, &with);
        entered.edit = self.tracker.edit(keep, removed, with);
        if let Some(edit) = entered.edit.clone() {
            self.emit_edit(&edit, now);
        }
        let game = self.game()?;
        let clash = (ply + count..=game.len()).find(|number| is_irregular(game, *number));
        let clash = clash.filter(|_| irregular_plies(game) > before);
        let clash = clash.and_then(|number| Some((number, game.ply(number)?.san.to_string())));
        let is_other = *game.position().board() != stood;
        let mut text = self.words_of_edit(edit, ply, removed, &what.join(" "), clash);
        if is_other {
            text.push(' ');
            text.push_str(Phrase::OtherPositionStands.text(self.settings.event.language));
        }
        entered.text = Some(text);
        Ok(())
    }

    /// Returns the letters of the pieces in the language of the event.
    fn letters(&self) -> &'static str {
        Phrase::SanLetters.text(self.settings.event.language)
    }

    /// Reads moves that are entered after the first `keep` plies, in the place of `removed` ones.
    fn read_moves(
        game: &Game,
        keep: u32,
        removed: u32,
        (texts, letters): (&[&str], &str),
        now: Timestamp,
    ) -> Result<Vec<CutPly>, OrderError> {
        let mut position = game.position_after(keep);
        let mut moves = Vec::new();
        for (index, text) in (0..).zip(texts) {
            let m = position
                .read_move(text, letters)
                .map_err(|error| refused(unread(&error, text, &position, keep + index)))?;
            let played = Played::Legal(m);
            // It was made when the one was that it replaces, or else with the one before it.
            let old = Some(keep + index + 1).filter(|_| index < removed).and_then(|number| game.ply(number));
            let at =
                old.or_else(|| game.ply(keep)).filter(|_| keep < game.len()).map_or(now, |ply| ply.made_at);
            moves.push(
                CutPly::entered(played.clone(), &position, at).with_clock(old.and_then(|ply| ply.clock)),
            );
            position = played.apply(&position);
        }
        Ok(moves)
    }

    fn names(game: &Game, keep: u32, with: &[CutPly]) -> Vec<String> {
        let mut game = game.clone();
        game.replace_plies(keep, 0, with.to_vec());
        let plies = game.plies().iter().skip(usize::try_from(keep).unwrap_or(usize::MAX)).take(with.len());
        plies.map(|ply| ply.san.to_string()).collect()
    }

    fn words_of_edit(
        &self,
        edit: EditKind,
        ply: u32,
        removed: u32,
        what: &str,
        clash: Option<(u32, String)>,
    ) -> String {
        let language = self.settings.event.language;
        let end = (ply + removed.saturating_sub(1)).to_string();
        let named = if removed > 1 { Phrase::Plies } else { Phrase::Ply };
        let plies = named.fill(language, &[("ply", &ply.to_string()), ("end", &end)]);
        let done = match edit {
            EditKind::Insert => Phrase::PlyEntered,
            EditKind::Replace => Phrase::PlyReplaced,
            EditKind::Delete => Phrase::PlyDeleted,
        };
        let done = done.fill(language, &[("plies", &plies), ("moves", what)]);
        let Some((ply, san)) = clash else { return done };
        let clash = Phrase::PlyClash.fill(language, &[("ply", &ply.to_string()), ("move", &san)]);
        format!("{done} {clash}")
    }

    /// Chooses another path for a stretch that nobody saw.
    pub(super) fn choose(
        &mut self,
        ply: u32,
        path: &PathChoice,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        let game = self.game()?;
        let unseen =
            |number: u32| game.ply(number).is_some_and(|ply| ply.inferred.is_some() && !ply.played.is_set());
        if !unseen(ply) {
            return Err(refused(match game.ply(ply) {
                Some(seen) => format!("ply {ply} ({}) was seen; enter another move for it instead", seen.san),
                None => format!("the game has {} plies, there is no ply {ply}", game.len()),
            }));
        }
        let first = (1..=ply).rev().take_while(|number| unseen(*number)).last().unwrap_or(ply);
        let last = (ply..=game.len()).take_while(|number| unseen(*number)).last().unwrap_or(ply);
        let keep = first - 1;
        let (start, goal) = (game.position_after(keep), game.position_after(last));
        let plies = usize::try_from(last - keep).unwrap_or(usize::MAX);
        let others = || {
            let played: Vec<&Played> =
                (first..=last).filter_map(|number| game.ply(number)).map(|ply| &ply.played).collect();
            let is_present = |path: &Vec<Move>| {
                path.iter()
                    .zip(&played)
                    .all(|(m, played)| matches!(played, Played::Legal(other) if other == m))
            };
            let mut paths = paths_between(&start, &goal, plies);
            paths.retain(|path| !is_present(path));
            paths
        };
        let with = match path {
            PathChoice::Number(number) => {
                let others = others();
                let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
                let Some(path) = index.and_then(|index| others.get(index)) else {
                    return Err(refused(format!("there is no path {number}; {}", named(&start, &others))));
                };
                let mut position = start.clone();
                let mut with = Vec::new();
                for m in path {
                    let played = Played::Legal(*m);
                    with.push(CutPly::entered(played.clone(), &position, now));
                    position = played.apply(&position);
                }
                with
            }
            PathChoice::Moves(moves) => {
                let texts: Vec<&str> = moves.0.iter().flat_map(|text| moves_in(text)).collect();
                Self::read_moves(game, keep, last - keep, (&texts, self.letters()), now)?
            }
        };
        let mut tried = game.clone();
        tried.replace_plies(keep, last - keep, with.clone());
        let count = u32::try_from(with.len()).unwrap_or(u32::MAX);
        let after = tried.position_after(keep + count);
        if with.is_empty() || after.board() != goal.board() || after.turn() != goal.turn() {
            return Err(refused(format!(
                "these moves do not lead to the position that stood there; {}",
                named(&start, &others())
            )));
        }
        let with = with.into_iter().map(|ply| ply.inferred(0)).collect::<Vec<_>>();
        let what = Self::names(game, keep, &with).join(" ");
        entered.edit = self.tracker.edit(keep, last - keep, with);
        if let Some(edit) = entered.edit.clone() {
            self.emit_edit(&edit, now);
        }
        entered.text = Some(self.words_of_edit(EditKind::Replace, first, last - keep, &what, None));
        Ok(())
    }
}

/// Says why a text is no move after so many plies.
fn unread(error: &UnreadMove, text: &str, position: &Position, after: u32) -> String {
    let side = if position.turn() == Color::White { "White" } else { "Black" };
    match error {
        UnreadMove::NoMove => format!("move: {text:?} is no move; write it as Nf3, Sf3 or g1f3"),
        UnreadMove::Ambiguous(moves) => format!("move: {text} may be {}", moves.join(" or ")),
        UnreadMove::Illegal => {
            let near = position.moves_near(text).join(", ");
            format!("move: {text} is no legal move after ply {after} ({side} to move); legal are {near}")
        }
    }
}

fn is_irregular(game: &Game, number: u32) -> bool {
    game.ply(number).is_some_and(|ply| ply.is_illegal() || game.position_after(number - 1).turn() != ply.side)
}

/// Counts plies that are no legal moves, or out of turn.
fn irregular_plies(game: &Game) -> usize {
    let mut position = game.start().clone();
    let irregular = |ply: &&Ply| {
        let is_out_of_turn = position.turn() != ply.side;
        position = ply.apply(&position);
        ply.is_illegal() || is_out_of_turn
    };
    game.plies().iter().filter(irregular).count()
}

/// Names paths with their numbers.
fn named(start: &Position, paths: &[Vec<Move>]) -> String {
    if paths.is_empty() {
        return "no other legal moves are known that lead there".to_owned();
    }
    let path = |(number, path): (usize, &Vec<Move>)| {
        let mut position = start.clone();
        let moves = path.iter().map(|m| {
            let san = position.san(*m);
            position = position.play(*m);
            san
        });
        format!("{}: {}", number + 1, moves.collect::<Vec<_>>().join(" "))
    };
    format!(
        "others that do are {}",
        paths.iter().take(effort::NAMED_PATHS).enumerate().map(path).collect::<Vec<_>>().join(", ")
    )
}

/// Returns the series of just so many legal moves that lead from one position to another, if they are few.
fn paths_between(start: &Position, goal: &Position, plies: usize) -> Vec<Vec<Move>> {
    let mut found = Vec::new();
    if plies <= effort::LISTED_STRETCH {
        let mut remaining = effort::LISTED_POSITIONS;
        search(start, goal, plies, &mut Vec::new(), &mut remaining, &mut found);
    }
    found
}

fn search(
    position: &Position,
    goal: &Position,
    plies: usize,
    path: &mut Vec<Move>,
    remaining: &mut usize,
    found: &mut Vec<Vec<Move>>,
) {
    debug_assert!(plies <= effort::LISTED_STRETCH, "{plies} plies are too many to list");
    if plies == 0 {
        if position.board() == goal.board() && position.turn() == goal.turn() {
            found.push(path.clone());
        }
        return;
    }
    for m in position.legal_moves() {
        // A move changes two squares, a castling four.
        let odd = differences(&position.board_after(m), goal.board()).count();
        if odd > 4 * (plies - 1) || *remaining == 0 {
            continue;
        }
        *remaining -= 1;
        path.push(m);
        search(&position.play(m), goal, plies - 1, path, remaining, found);
        path.pop();
    }
}
