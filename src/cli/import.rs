//! `jadoube import`: dumps of other tools become captures.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::{Failure, output};
use jadoube_core::capture;

/// Arguments of `jadoube import`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Dump of 'socat -x -v', or log of a serial proxy ('SECONDS BRD>APP HEX'), - for standard input
    #[arg(value_name = "DUMP")]
    dump: PathBuf,
    /// Capture to write, - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Reads a dump and writes a capture.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let name = output::name(&args.dump);
    let dump = output::read(&args.dump)?;
    // The text column beside the hex bytes may be in any encoding.
    let dump = String::from_utf8_lossy(&dump);
    // The whole dump is imported before the file is written, so that a bad dump leaves no file.
    let mut text = Vec::new();
    capture::import(&name, &dump, &mut text)?;
    write(&args.output, &text)
}

fn write(file: &Path, text: &[u8]) -> Result<(), Failure> {
    if file == Path::new("-") {
        let mut stdout = BufWriter::new(io::stdout().lock());
        return stdout.write_all(text).and_then(|()| stdout.flush()).map_err(|error| Failure::output(&error));
    }
    fs::write(file, text).map_err(|error| Failure::io(file.display(), &error))
}
