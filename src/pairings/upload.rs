//! Pairings that were uploaded in the desk: a file in the state directory, which counts as long as no newer one is where the
//! configuration names one.

use std::{
    io,
    path::{Path, PathBuf},
};

use jadoube_runtime::replace::{Durability, replace};

use super::{Pairings, Player};

/// Name of the file in the state directory.
const NAME: &str = "pairings.csv";

/// Returns where it lies.
pub(crate) fn path(state_dir: &Path) -> PathBuf {
    state_dir.join(NAME)
}

/// Writes pairings there.
///
/// # Errors
///
/// Returns an error if the disk does not take them.
pub(crate) fn write(state_dir: &Path, pairings: &Pairings) -> io::Result<()> {
    replace(&path(state_dir), pairings.csv().as_bytes(), Durability::Synced)
}

impl Pairings {
    /// Writes the pairings as the reader of CSV takes them.
    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let sides = ["white", "black"];
        let head = ["round", "table", "serial"].map(str::to_owned).into_iter();
        let columns = |side: &str| {
            let more = ["title", "fide_id", "elo", "federation", "team"].map(|what| format!("{side}_{what}"));
            [side.to_owned()].into_iter().chain(more).collect::<Vec<_>>()
        };
        writer.write_record(head.chain(sides.into_iter().flat_map(columns))).unwrap_or_default();
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        let player = |player: &Player| {
            let more = &player.more;
            let (title, team) = (more.title.clone(), more.team.clone());
            [
                player.name.clone(),
                title,
                more.fide_id.clone(),
                number(more.elo),
                more.federation.clone(),
                team,
            ]
        };
        for game in &self.games {
            let place = [number(self.round), number(game.table), game.serial.clone().unwrap_or_default()];
            let record = place.into_iter().chain(player(&game.white)).chain(player(&game.black));
            writer.write_record(record).unwrap_or_default();
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_uploaded_is_read_as_it_was() {
        let text = "round,table,serial,white,white_elo,white_title,white_fide_id,black,black_federation,black_team\n\
                    5,3,11111,\"Ada, \"\"A\"\"\",2100,WGM,123,\"B; b\",CZE,Club\n5,9,,C,,,,D,,\n";
        let pairings = super::super::parse("test", text.as_bytes(), None).unwrap();
        let again = super::super::parse("test", pairings.csv().as_bytes(), None).unwrap();
        assert_eq!(again, pairings);
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &pairings).unwrap();
        assert_eq!(super::super::read(&path(dir.path()), None).unwrap(), pairings);
        for damage in ["", "\0\0", "round,table\n"] {
            std::fs::write(path(dir.path()), damage).unwrap();
            assert!(super::super::read(&path(dir.path()), None).is_err(), "{damage:?}");
        }
    }
}
