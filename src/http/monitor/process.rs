//! Reads what the kernel says of this process, under the names that every Prometheus client uses.

use crate::metrics::{Exposition, MetricKind};

/// What the kernel says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Process {
    cpu_s: f64,
    memory: u64,
    files: usize,
    most_files: u64,
    threads: u64,
}

#[cfg_attr(target_os = "linux", path = "process/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "process/other.rs")]
mod system;

pub(super) use self::system::read;

impl Process {
    /// Writes the figures.
    pub(super) fn write(&self, started: jiff::Timestamp, text: &mut Exposition) {
        text.family("process_cpu_seconds_total", MetricKind::Counter, "Time on processors.")
            .add(&[], self.cpu_s);
        text.family("process_resident_memory_bytes", MetricKind::Gauge, "Memory in use.")
            .add(&[], self.memory);
        text.family("process_open_fds", MetricKind::Gauge, "Open files.").add(&[], self.files);
        text.family("process_max_fds", MetricKind::Gauge, "Files that may be open.")
            .add(&[], self.most_files);
        text.family("process_threads", MetricKind::Gauge, "Threads.").add(&[], self.threads);
        text.family("process_start_time_seconds", MetricKind::Gauge, "When the service began.")
            .add(&[], started.as_duration().as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_memory_files_and_threads() {
        let process = read().unwrap();
        assert!(process.memory > 1 << 20 && process.files > 0 && process.threads > 0, "{process:?}");
    }
}
