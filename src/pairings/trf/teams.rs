//! The team lines of a report: `310` of TRF26, `013` before it, and `300` for teams that play in another order.

use std::{cmp::Reverse, collections::BTreeMap};

/// Teams by their numbers.
#[derive(Debug, Default)]
pub(super) struct Teams {
    by_number: BTreeMap<u32, Team>,
    /// The team of each player.
    of: BTreeMap<u32, u32>,
    /// Players by board, where they differ from the usual order: by round and team.
    orders: BTreeMap<(u32, u32), Vec<u32>>,
    /// Whether the lines have match points, without which matches cannot be put in order.
    ranked: bool,
}

#[derive(Debug)]
struct Team {
    name: String,
    /// Tenths.
    points: u32,
    players: Vec<u32>,
}

/// Where a match stands among all, and a game in it.
type Place = (Reverse<u32>, Reverse<u32>, u32, usize);

impl Teams {
    /// Handles a line, if it is one about teams.
    pub(super) fn add_line(&mut self, line: &str) {
        let chars: Vec<char> = line.chars().collect();
        let columns = |from, to| super::columns(&chars, from, to);
        let players = |from: usize| {
            let starts = (from..).step_by(5).take_while(|start| *start <= chars.len());
            starts.map(|start| columns(start, start + 3).parse().unwrap_or(0)).collect::<Vec<u32>>()
        };
        let code = columns(1, 3);
        if code == "310" {
            let Ok(number) = columns(5, 7).parse() else { return };
            self.ranked = true;
            self.add(number, columns(9, 40), super::tenths(&columns(55, 60)), players(74));
        } else if code == "013" && !self.ranked {
            let number = u32::try_from(self.by_number.len() + 1).unwrap_or(u32::MAX);
            self.add(number, columns(5, 36), 0, players(37));
        } else if code == "300"
            && let (Ok(round), Ok(team)) = (columns(5, 7).parse(), columns(9, 11).parse())
        {
            self.orders.insert((round, team), players(17));
        }
    }

    fn add(&mut self, number: u32, name: String, points: u32, mut players: Vec<u32>) {
        players.retain(|player| *player > 0);
        self.of.extend(players.iter().map(|player| (*player, number)));
        self.by_number.insert(number, Team { name, points, players });
    }

    /// Returns the name of a player's team; empty if there is none.
    pub(super) fn name(&self, player: u32) -> &str {
        self.of.get(&player).and_then(|team| self.by_number.get(team)).map_or("", |team| &team.name)
    }

    /// Returns the place of a game among those of all matches, if it is part of one.
    pub(super) fn place(&self, round: u32, white: u32, black: u32) -> Option<Place> {
        let (one, two) = (self.of.get(&white)?, self.of.get(&black)?);
        if one == two || !self.ranked {
            return None;
        }
        let (first, second) = (self.by_number.get(one)?, self.by_number.get(two)?);
        let ((number, team, player), other) = if (Reverse(first.points), one) < (Reverse(second.points), two)
        {
            ((*one, first, white), second)
        } else {
            ((*two, second, black), first)
        };
        let order = self.orders.get(&(round, number)).unwrap_or(&team.players);
        let board = order.iter().position(|one| *one == player)?;
        Some((Reverse(team.points), Reverse(team.points + other.points), number, board))
    }
}
