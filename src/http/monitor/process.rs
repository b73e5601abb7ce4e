//! Reads what the kernel says of this process, under the names that every Prometheus client uses.

use std::fs;

use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

use crate::metrics::{Exposition, Kind, Micros};

/// What the kernel says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Process {
    cpu_micros: u64,
    memory: u64,
    files: usize,
    most_files: u64,
    threads: u64,
}

/// Reads it; what cannot be read is 0.
pub(super) fn read() -> Process {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    // Numbers of proc(5), of which the first that is left is 3.
    let field =
        |number: usize| -> u64 { fields.get(number - 3).and_then(|text| text.parse().ok()).unwrap_or(0) };
    let ticks = clock_ticks_per_second().max(1);
    let page = u64::try_from(page_size()).unwrap_or(4096);
    Process {
        cpu_micros: (field(14) + field(15)).saturating_mul(1_000_000) / ticks,
        memory: field(24).saturating_mul(page),
        files: fs::read_dir("/proc/self/fd").map_or(0, Iterator::count),
        most_files: getrlimit(Resource::Nofile).current.unwrap_or(0),
        threads: field(20),
    }
}

impl Process {
    /// Writes the figures.
    pub(super) fn write(&self, started: jiff::Timestamp, text: &mut Exposition) {
        let cpu = Micros(i64::try_from(self.cpu_micros).unwrap_or(i64::MAX));
        text.family("process_cpu_seconds_total", Kind::Counter, "Time on processors.").add(&[], cpu);
        text.family("process_resident_memory_bytes", Kind::Gauge, "Memory in use.").add(&[], self.memory);
        text.family("process_open_fds", Kind::Gauge, "Open files.").add(&[], self.files);
        text.family("process_max_fds", Kind::Gauge, "Files that may be open.").add(&[], self.most_files);
        text.family("process_threads", Kind::Gauge, "Threads.").add(&[], self.threads);
        text.family("process_start_time_seconds", Kind::Gauge, "When the service began.")
            .add(&[], Micros(started.as_microsecond()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_memory_files_and_threads() {
        let process = read();
        assert!(process.memory > 1 << 20 && process.files > 0 && process.threads > 0, "{process:?}");
    }
}
