//! The figures of `/proc`.

use procfs::{
    ProcResult, WithCurrentSystemInfo as _,
    process::{LimitValue, Process as Kernel},
    ticks_per_second,
};

use super::Process;

/// Reads it.
///
/// # Errors
///
/// Returns an error if the kernel does not know, as where `/proc` is not mounted.
pub(in crate::http::monitor) fn read() -> ProcResult<Process> {
    let kernel = Kernel::myself()?;
    let stat = kernel.stat()?;
    let ticks = u32::try_from(stat.utime + stat.stime).unwrap_or(u32::MAX);
    let a_second = u32::try_from(ticks_per_second()).unwrap_or(100).max(1);
    let most_files = match kernel.limits()?.max_open_files.soft_limit {
        LimitValue::Value(most) => most,
        LimitValue::Unlimited => 0,
    };
    Ok(Process {
        cpu_s: f64::from(ticks) / f64::from(a_second),
        memory: stat.rss_bytes().get(),
        files: kernel.fd_count()?,
        most_files,
        threads: u64::try_from(stat.num_threads).unwrap_or(0),
    })
}
