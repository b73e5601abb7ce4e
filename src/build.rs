//! Gives the program what `--version` says: version, commit and features; and compresses what it embeds: the files and words of
//! the desk, and the description of its interface.
//!
//! The commit comes from `JADOUBE_COMMIT` or from git, where there is a repository; a build from a source archive has neither
//! and leaves it out. Only release builds look at git: otherwise every commit would build the whole program anew.

use std::{
    env, fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use flate2::{Compression, write::GzEncoder};

fn main() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    pack_desk(&out.join("desk"))?;
    pack_words(&out.join("desk/words"))?;
    println!("cargo::rerun-if-changed=src/http/openapi.json");
    fs::write(out.join("openapi.json.gz"), pack(&fs::read("src/http/openapi.json")?)?)?;
    println!("cargo::rerun-if-env-changed=JADOUBE_COMMIT");
    let given = env::var("JADOUBE_COMMIT").ok().filter(|commit| !commit.is_empty());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = given.or_else(|| if is_release { commit_of_git() } else { None });
    // In the order of their names; cargo names them in the environment.
    let mut features: Vec<String> = env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_lowercase))
        .filter(|feature| feature != "default")
        .collect();
    features.sort();
    let features = if features.is_empty() { "no features".to_owned() } else { features.join(" ") };
    let parts: Vec<String> = commit.into_iter().chain([features]).collect();
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo::rustc-env=JADOUBE_VERSION={version} ({})", parts.join("; "));
    Ok(())
}

/// Compresses what lies in `src/desk/` into `target`, where that makes it shorter; `src/desk.rs` embeds it.
fn pack_desk(target: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed=src/desk");
    let mut directories = vec![PathBuf::new()];
    while let Some(directory) = directories.pop() {
        fs::create_dir_all(target.join(&directory))?;
        for entry in fs::read_dir(Path::new("src/desk").join(&directory))? {
            let entry = entry?;
            let path = directory.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                directories.push(path);
                continue;
            }
            let plain = fs::read(entry.path())?;
            let packed = pack(&plain)?;
            // Images are compressed already.
            let is_packed = packed.len() < plain.len() && path.extension().is_none_or(|kind| kind != "png");
            fs::write(target.join(&path), if is_packed { packed } else { plain })?;
        }
    }
    Ok(())
}

/// Compresses the words of the desk into `target`, a file for each language, which the core has made of the catalogue.
fn pack_words(target: &Path) -> io::Result<()> {
    let words = env::var_os("DEP_JADOUBE_WORDS_DESK").unwrap_or_default();
    println!("cargo::rerun-if-changed={}", Path::new(&words).display());
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(&words)? {
        let entry = entry?;
        fs::write(target.join(entry.file_name()), pack(&fs::read(entry.path())?)?)?;
    }
    Ok(())
}

/// Compresses with gzip.
fn pack(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    encoder.finish()
}

/// Asks git for the commit, and cargo to run this again when it changes.
fn commit_of_git() -> Option<String> {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // A source archive inside another repository is not part of it.
    git(&["ls-files", "--error-unmatch", "src/build.rs"])?;
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let is_changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changed| !changed.is_empty());
    Some(if is_changed { format!("{commit}, changed") } else { commit })
}
