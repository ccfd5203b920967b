//! The description of the machine, and pinning to one of its cores.

use std::fs;

use rustix::thread::{CpuSet, sched_setaffinity};

/// Keeps this thread on one core.
pub(crate) fn pin(core: usize) -> rustix::io::Result<()> {
    let mut set = CpuSet::new();
    set.set(core);
    sched_setaffinity(None, &set)
}

/// Returns the description of the machine in a record: the processor's name, family and model, and the path
/// of its kernels.
pub(crate) fn describe() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name));
        line.and_then(|line| line.split_once(':')).map_or("?", |(_, value)| value.trim()).to_owned()
    };
    // The cores of the machine, because this thread may be pinned to one of them.
    let cores = info.lines().filter(|line| line.starts_with("processor")).count();
    format!(
        "{} family {} model {}, {cores} cores, {}",
        field("model name"),
        field("cpu family"),
        field("model"),
        urlid_simd::Cpu::detect()
    )
}

/// Returns today's date, UTC, as `year-month-day`.
pub(crate) fn date() -> String {
    let seconds = rustix::time::clock_gettime(rustix::time::ClockId::Realtime).tv_sec;
    // The algorithm "civil from days", for the proleptic Gregorian calendar with years that start in March.
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = 400 * era + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
