//! To which halls boards belong: whoever may write to the broker can say of any board that it is in another one.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use tracing::warn;

/// How long a board stays that of the hall that has had it, while it cannot be heard there.
const RETURN: SignedDuration = SignedDuration::from_mins(10);

/// The halls of boards, by the names under which these are shown.
#[derive(Debug)]
pub(super) struct Homes {
    all: BTreeMap<String, Home>,
    /// Boards that can be heard at home at this look.
    up: BTreeSet<String>,
}

/// The hall that has had a board first, as long as it can be heard there.
#[derive(Debug)]
struct Home {
    /// What all topics of its daemon begin with.
    root: String,
    /// Since when the board cannot be heard there.
    down_since: Option<jiff::Timestamp>,
    /// Another hall that says it has the board at the same time, which was reported.
    rival: Option<String>,
}

impl Homes {
    /// Knows of no board.
    pub(super) const fn new() -> Self {
        Self { all: BTreeMap::new(), up: BTreeSet::new() }
    }

    /// Returns whether a hall is that of a board.
    pub(super) fn is(&self, board: &str, root: &str) -> bool {
        self.all.get(board).is_some_and(|home| home.root == root)
    }

    /// Notes that a board can be heard in a hall.
    pub(super) fn hear(&mut self, board: &str, root: &str) {
        let Some(home) = self.all.get_mut(board) else { return };
        if home.root == root {
            self.up.insert(board.to_owned());
        } else if home.down_since.is_none() && home.rival.is_none() {
            warn!(
                board,
                hall = home.root,
                other = root,
                "another hall says that it has this board; it stays where it was"
            );
            home.rival = Some(root.to_owned());
        }
    }

    /// Ends a look: boards that are up, each with the hall where it is shown, belong there if they belong to none.
    pub(super) fn settle<'a>(
        &mut self,
        shown: impl Iterator<Item = (&'a String, &'a String)>,
        now: jiff::Timestamp,
    ) {
        let up = std::mem::take(&mut self.up);
        self.all.retain(|board, home| {
            if up.contains(board) {
                home.down_since = None;
                return true;
            }
            now.duration_since(*home.down_since.get_or_insert(now)) <= RETURN
        });
        for (board, root) in shown {
            self.all.entry(board.clone()).or_insert_with(|| Home {
                root: root.clone(),
                down_since: None,
                rival: None,
            });
        }
    }
}
