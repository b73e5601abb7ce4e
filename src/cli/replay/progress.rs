//! Says on a terminal how far a replay of many captures has come.

use std::io::{self, IsTerminal, Write};

/// Fewer captures are done before anybody wonders.
const MANY: usize = 20;

/// A line on standard error that is written over again and again.
pub(super) struct Progress {
    done: usize,
    total: usize,
    shown: bool,
    visible: bool,
}

impl Progress {
    /// Shows itself only where it disturbs nobody: on a terminal that does not show the output as well.
    pub(super) fn new(total: usize) -> Self {
        let visible = total >= MANY && io::stderr().is_terminal() && !io::stdout().is_terminal();
        Self { done: 0, total, shown: false, visible }
    }

    /// Counts a capture.
    pub(super) fn step(&mut self) {
        self.done += 1;
        // Hundred lines are enough for any number of captures.
        if self.visible && self.done.is_multiple_of((self.total / 100).max(1)) {
            self.shown = true;
            let line = format!("\r{} of {} captures", self.done, self.total);
            // Whoever cannot see it misses nothing.
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
