//! Says on a terminal how far a replay of many captures has come.

use std::io::{self, IsTerminal, Write};

/// With fewer captures no progress is shown.
const MANY: usize = 20;

/// A line on standard error that is overwritten with each update.
pub(super) struct ReplayProgress {
    done: usize,
    total: usize,
    shown: bool,
    visible: bool,
}

impl ReplayProgress {
    /// Progress is shown only if standard error is a terminal and standard output is not.
    pub(super) fn new(total: usize) -> Self {
        let visible = total >= MANY && io::stderr().is_terminal() && !io::stdout().is_terminal();
        Self { done: 0, total, shown: false, visible }
    }

    /// Counts a capture.
    pub(super) fn step(&mut self) {
        self.done += 1;
        // At most about a hundred updates, whatever the number of captures.
        if self.visible && self.done.is_multiple_of((self.total / 100).max(1)) {
            self.shown = true;
            let line = format!("\r{} of {} captures", self.done, self.total);
            // A failed write of progress is ignored.
            io::stderr().lock().write_all(line.as_bytes()).unwrap_or_default();
        }
    }

    /// Makes room for another line.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            io::stderr().lock().write_all(b"\r\x1b[K").unwrap_or_default();
        }
    }
}
