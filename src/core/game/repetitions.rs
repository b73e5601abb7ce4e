//! Owns how often a position has stood (Art. 9.2).

use super::{Game, Ply};

impl Game {
    /// Counts how often the position after `ply` has stood since play was last irregular, itself included: the position that
    /// an irregular ply has left is the first one.
    #[must_use]
    pub fn repetitions(&self, ply: u32) -> usize {
        self.count_repetitions(ply, Ply::is_exact)
    }

    /// Counts the same through illegal moves that stand, as far back as the position is known.
    #[must_use]
    pub fn repetitions_through_illegal(&self, ply: u32) -> usize {
        self.count_repetitions(ply, |ply| !ply.played.is_set())
    }

    /// Counts the same; plies of another kind than `goes_on` let nothing before them count.
    fn count_repetitions(&self, ply: u32, goes_on: impl Fn(&Ply) -> bool) -> usize {
        let Some(count) = usize::try_from(ply).ok().filter(|count| *count <= self.plies.len()) else {
            return 0;
        };
        let (before, _) = self.plies.split_at(count);
        let Some(last) = before.last() else { return 1 };
        // What stood before the last capture or pawn move cannot come again.
        let quiet = usize::try_from(last.halfmoves).unwrap_or(usize::MAX).saturating_add(1);
        let mut found = 0;
        for earlier in before.iter().rev().take(quiet) {
            found += usize::from(earlier.key == last.key);
            if !goes_on(earlier) {
                return found;
            }
        }
        debug_assert!(found <= count, "{found} of {count} positions");
        found + usize::from(quiet > count && self.start.key() == last.key)
    }

    /// Counts the same without a first position of which nobody knows which rights belonged to it.
    #[must_use]
    pub fn sure_repetitions(&self, ply: u32) -> usize {
        let counted = self.repetitions(ply);
        if !self.adopted {
            return counted;
        }
        let last = self.ply(ply).map_or(self.start.key(), |ply| ply.key);
        let upto = usize::try_from(ply).unwrap_or(usize::MAX);
        let from_start = self.plies.iter().take(upto).all(Ply::is_exact) && self.start.key() == last;
        counted.saturating_sub(usize::from(from_start))
    }
}
