//! What this program has written of a folder of games, as a file in it: a text that is not in it is somebody else's, also one that was
//! made while the program did not run.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

use jadoube_runtime::{fnv, private, replace::replace_public};

/// Its name, which no uploader takes.
const NAME: &str = ".written";

/// The checksums of the texts of each file: what is written, and what was until then, as a kill may come between both.
#[derive(Debug)]
pub(super) struct Ledger {
    path: PathBuf,
    /// Whether the folder has one; folders of earlier versions have none.
    is_known: bool,
    sums: BTreeMap<String, Vec<u64>>,
}

impl Ledger {
    /// Reads that of a folder.
    pub(super) fn read(folder: &Path) -> io::Result<Self> {
        let path = folder.join(NAME);
        let (text, is_known) = match private::read_to_string(&path) {
            Ok(text) => (text, true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), false),
            // It is ours, and whoever has damaged it has lost what it says.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => (String::new(), false),
            Err(error) => return Err(error),
        };
        let sums = text.lines().filter_map(|line| {
            let (name, sums) = line.split_once('\t')?;
            let sums = sums.split(' ').map(|sum| u64::from_str_radix(sum, 16));
            Some((name.to_owned(), sums.collect::<Result<_, _>>().ok()?))
        });
        let sums = sums.collect();
        Ok(Self { path, is_known, sums })
    }

    /// Returns whether a text of a file was written by this program, as far as the folder says.
    pub(super) fn has(&self, name: &str, text: &[u8]) -> bool {
        !self.is_known || self.sums.get(name).is_some_and(|sums| sums.contains(&checksum(text)))
    }

    /// Notes what is to be written in the place of a text.
    pub(super) fn note(&mut self, name: &str, text: &[u8], present: Option<&[u8]>) {
        let sums = [Some(text), present].into_iter().flatten().map(checksum).collect();
        self.sums.insert(name.to_owned(), sums);
    }

    pub(super) fn write(&mut self) -> io::Result<()> {
        let mut text = String::new();
        for (name, sums) in &self.sums {
            let sums: Vec<String> = sums.iter().map(|sum| format!("{sum:x}")).collect();
            writeln!(text, "{name}\t{}", sums.join(" ")).unwrap_or_default();
        }
        replace_public(&self.path, text.as_bytes())?;
        self.is_known = true;
        Ok(())
    }
}

fn checksum(text: &[u8]) -> u64 {
    fnv::extended(fnv::EMPTY, text)
}
