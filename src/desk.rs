//! Owns the arbiter's desk: the pages, styles, scripts and texts that a browser gets, all part of the program.
//!
//! What lies in `src/desk/` is what the browser reads, with the words of the catalogue (`src/core/words/`), of which it asks for one
//! language; the program has it compressed (`src/build.rs`), as nearly all clients take it.
//! The server asks for files by path.

pub mod position;

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::{Read as _, Write as _},
    sync::{LazyLock, OnceLock},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};

/// A file of the desk.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its media type.
    pub content_type: &'static str,
    /// Its entity tag, quoted as HTTP wants it; it changes with the content.
    pub etag: &'static str,
    /// The entity tag of its compressed content.
    pub packed_etag: &'static str,
    stored: &'static [u8],
    plain: &'static OnceLock<Vec<u8>>,
}

impl Asset {
    /// Returns its content; unpacked once, when it is first asked for.
    #[must_use]
    pub fn bytes(&self) -> &'static [u8] {
        if self.packed().is_some() { self.plain.get_or_init(|| unpack(self.stored)) } else { self.stored }
    }

    /// Returns its content as gzip, `None` if that is no shorter.
    #[must_use]
    pub fn packed(&self) -> Option<&'static [u8]> {
        Some(self.stored).filter(|stored| stored.starts_with(&GZIP))
    }
}

/// How gzip begins; nothing of the desk begins like that by itself.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Unpacks what the build has packed.
pub(crate) fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    if let Err(error) = GzDecoder::new(packed).read_to_end(&mut plain) {
        tracing::error!("a file of the desk is damaged: {error}");
    }
    plain
}

/// Compresses with gzip; returns `None` if that makes it no shorter.
pub(crate) fn pack(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 2), level);
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()?;
    (packed.len() < bytes.len()).then_some(packed)
}

/// Embeds files that lie in `src/desk/`, as the build has stored them.
macro_rules! files {
    ($($path:literal)*) => {
        /// All files, by path below `/desk/`.
        const FILES: &[(&str, &[u8])] = &[$(($path, include_bytes!(concat!(env!("OUT_DIR"), "/desk/", $path)))),*];
    };
}

files! {
    "index.html" "trust.html" "icon.svg" "icon-192.png" "icon-512.png" "manifest.webmanifest" "sw.js" "articles.json"
    "words/de.json" "words/en.json" "words/es.json" "words/fr.json" "words/it.json"
    "words/articles-de.json" "words/articles-en.json" "words/articles-es.json" "words/articles-fr.json" "words/articles-it.json"
    "words/help-de.md" "words/help-en.md" "words/help-es.md" "words/help-fr.md" "words/help-it.md"
    "tokens.css" "desk.css" "pages.css" "sizes.css"
    "alarm.js" "alert-view.js" "alerts.js" "api.js" "arbiters.js" "attention.js"
    "board-orders.js" "board-svg.js" "board-view.js" "broadcast-view.js" "card.js" "components-view.js" "decided.js" "desk.js" "dom.js"
    "equipment-view.js" "evidence.js" "hall-view.js" "hall.js" "icons.js" "more-view.js" "order-words.js" "orders.js"
    "pages.js" "pairings-part.js" "parts.js" "position-editor.js" "push.js" "queue.js" "refusals.js" "replay-strip.js" "report-view.js"
    "results-part.js" "room.js" "round-view.js" "setup-part.js"
    "sheet-view.js" "signals.js" "steps.js" "tables-view.js" "tile.js" "time-control.js" "toast.js"
    "watch-view.js" "words.js"
    "screenshots/hall-desktop-light.png" "screenshots/hall-desktop-dark.png" "screenshots/alert-desktop-light.png"
    "screenshots/alert-phone-dark.png" "screenshots/board-desktop-light.png" "screenshots/board-desktop-dark.png"
}

static ASSETS: LazyLock<BTreeMap<&str, Asset>> = LazyLock::new(|| {
    let asset = |(path, stored): &(&'static str, &'static [u8])| {
        let mut hasher = DefaultHasher::new();
        stored.hash(&mut hasher);
        let hash = hasher.finish();
        let etag = String::leak(format!("\"{hash:016x}\""));
        let packed_etag = String::leak(format!("\"{hash:016x}-gzip\""));
        let plain = Box::leak(Box::default());
        (*path, Asset { content_type: content_type(path), etag, packed_etag, stored, plain })
    };
    FILES.iter().map(asset).collect()
});

/// Returns a file of the desk; the empty path and `/` are its page.
#[must_use]
pub fn asset(path: &str) -> Option<Asset> {
    let path = path.trim_start_matches('/');
    let path = path.strip_prefix("desk/").unwrap_or(path);
    ASSETS.get(if path.is_empty() { "index.html" } else { path }).copied()
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        Some("md") => "text/markdown; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;
