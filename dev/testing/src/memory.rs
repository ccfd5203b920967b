//! The memory of a process, as Linux counts it.

/// Returns the most memory that a process ever had, in bytes; nothing where the system does not say.
pub fn peak(process: u32) -> Option<u64> {
    status(process, "VmHWM:")
}

/// Returns the memory that a process has now, in bytes; nothing where the system does not say.
pub fn resident(process: u32) -> Option<u64> {
    status(process, "VmRSS:")
}

fn status(process: u32, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB"))?;
    Some(1024 * kibibytes.parse::<u64>().ok()?)
}
