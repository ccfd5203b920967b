//! The memory of a process, as Linux counts it.

/// Returns the maximum memory of a process so far, in bytes, or `None` if the system does not report it.
pub fn peak(process: u32) -> Option<u64> {
    status(process, "VmHWM:")
}

/// Returns the current memory of a process, in bytes, or `None` if the system does not report it.
pub fn resident(process: u32) -> Option<u64> {
    status(process, "VmRSS:")
}

fn status(process: u32, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB"))?;
    Some(1024 * kibibytes.parse::<u64>().ok()?)
}
