//! Owns the arbiter's desk: the pages, styles, scripts and texts that a browser gets, all part of the program.
//!
//! There is no build step: what lies in `src/desk/` is what the browser reads. The server asks for files by path.

pub mod position;

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io::Write as _,
    sync::{LazyLock, OnceLock},
};

use flate2::{Compression, write::GzEncoder};

/// A file of the desk.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its media type.
    pub content_type: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
    /// Its entity tag, quoted as HTTP wants it; it changes with the content.
    pub etag: &'static str,
    /// The entity tag of its compressed content.
    pub packed_etag: &'static str,
    packed: &'static OnceLock<Option<Vec<u8>>>,
}

impl Asset {
    /// Returns its content as gzip, `None` if that is no shorter; compressed once, when it is first asked for.
    #[must_use]
    pub fn packed(&self) -> Option<&'static [u8]> {
        // Images are compressed already.
        let pack = || pack(self.bytes, Compression::best()).filter(|_| self.content_type != "image/png");
        self.packed.get_or_init(pack).as_deref()
    }
}

/// Compresses with gzip; returns `None` if that makes it no shorter.
pub(crate) fn pack(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 2), level);
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()?;
    (packed.len() < bytes.len()).then_some(packed)
}

/// Embeds files that lie in `src/desk/`.
macro_rules! files {
    ($($path:literal)*) => {
        /// All files, by path below `/desk/`.
        const FILES: &[(&str, &[u8])] = &[$(($path, include_bytes!(concat!("desk/", $path)))),*];
    };
}

files! {
    "index.html" "trust.html" "icon.svg" "icon-192.png" "icon-512.png" "manifest.webmanifest" "desk.css" "sw.js"
    "desk.js" "alarm.js" "api.js" "dom.js" "words.js" "hall.js" "parts.js" "board-svg.js" "orders.js" "board-orders.js"
    "hall-view.js" "card.js" "tile.js" "alert-view.js" "board-view.js" "sheet-view.js" "pages.js" "evidence.js" "replay-strip.js"
    "arbiters.js" "attention.js" "signals.js" "arbiter-words.js" "steps.js" "ruling-words.js" "service-words.js" "round-view.js" "round-words.js" "order-words.js" "refusal-words.js" "report-view.js"
    "push.js" "tables-view.js" "table-words.js"
    "articles.json" "arbiters.md" "arbiters.de.md"
    "screenshots/hall-desktop-light.png" "screenshots/hall-desktop-dark.png"
    "screenshots/alert-desktop-light.png" "screenshots/alert-phone-dark.png"
    "screenshots/board-desktop-light.png" "screenshots/board-desktop-dark.png"
}

static ASSETS: LazyLock<BTreeMap<&str, Asset>> = LazyLock::new(|| {
    let asset = |(path, bytes): &(&'static str, &'static [u8])| {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let hash = hasher.finish();
        let etag = String::leak(format!("\"{hash:016x}\""));
        let packed_etag = String::leak(format!("\"{hash:016x}-gzip\""));
        let packed = Box::leak(Box::default());
        (*path, Asset { content_type: content_type(path), bytes, etag, packed_etag, packed })
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
