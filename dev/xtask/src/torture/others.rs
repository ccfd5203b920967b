//! Experiments 10 and 13 to 15: cut files, and several processes that use one index.

use std::ffi::OsStr;
use std::process::Stdio;
use std::time::Duration;

use super::child::Running;
use super::program::{Bench, Outcome, expect, is_killed, orderly, show, text};

pub(super) fn truncated(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", 5_000)?;
    let (whole, cut) = (bench.path("whole"), bench.path("cut"));
    bench.add(&whole, &urls)?;
    let bytes = std::fs::read(&whole).map_err(|e| e.to_string())?;
    let mut runs = 0;
    for len in [0, 50, bytes.len() / 100, bytes.len() / 2, bytes.len() * 99 / 100, bytes.len() - 1] {
        for verb in ["count", "stats", "verify", "find", "seal", "compact", "add"] {
            std::fs::write(&cut, &bytes[..len]).map_err(|e| e.to_string())?;
            let mut args = vec![OsStr::new(verb), cut.as_os_str()];
            if verb == "add" {
                args.push(urls.as_os_str());
            }
            let output = bench.run(args)?;
            if orderly(&output)? == 0 {
                return Err(format!("{verb} of {len} bytes: no error"));
            }
            runs += 1;
            super::crash::remove(&cut)?;
        }
    }
    Ok(Outcome::Seen(format!("{runs} runs, each an error")))
}

pub(super) fn two_loaders(bench: &mut Bench) -> Result<Outcome, String> {
    let count = bench.times(60_000, 1_000_000);
    let (seed, urls) = (bench.urls("seed", 1)?, bench.urls("urls", count)?);
    let index = bench.path("index");
    bench.add(&index, &seed)?;
    let start = || {
        let mut command = bench.adding(&index, &urls, &["--format", "csv"]);
        Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    };
    let loaders = [start()?, start()?];
    let outputs = loaders.map(|loader| std::thread::spawn(move || loader.finish()));
    let mut new = Vec::new();
    for output in outputs {
        let output = output.join().map_err(|_| "a thread failed".to_owned())??;
        // Locks are not fair. One of the two may fail because it waited too long, and then has not stored
        // anything.
        if output.status.code() != Some(4) || !text(&output.stderr).contains("index is locked") {
            new.push(new_rows(&expect(&output, 0)?)?);
        }
    }
    if new.is_empty() {
        return Err("both loaders were locked out".to_owned());
    }
    let rows = bench.verified(&index)?;
    let mut log = index.as_os_str().to_owned();
    log.push("-wal");
    let log = std::fs::metadata(log).map_or(0, |log| log.len());
    // The first URL was already stored.
    if rows != count || new.iter().sum::<u64>() != count - 1 {
        return Err(format!(
            "{new:?} rows were new, expected {} in all, and {rows} rows are there",
            count - 1
        ));
    }
    Ok(Outcome::Seen(format!("{new:?} new, {rows} rows, log of {log} bytes")))
}

/// Returns the number of new rows in the report of a load in CSV.
fn new_rows(report: &str) -> Result<u64, String> {
    let mut lines = report.lines().map(|line| line.split(','));
    let columns = lines.next().zip(lines.next()).map(|(names, values)| names.zip(values));
    let new = columns.and_then(|mut columns| columns.find(|(name, _)| *name == "new"));
    new.and_then(|(_, count)| count.parse().ok()).ok_or_else(|| format!("no number of new rows: {report}"))
}

pub(super) fn reading_meanwhile(bench: &mut Bench) -> Result<Outcome, String> {
    const STEP: u64 = 5_000;
    let index = bench.path("index");
    bench.add(&index, &bench.urls("seed", 1)?)?;
    let last_reads = bench.random.below(4);
    let bench = &*bench;
    let read = |before: u64| match bench.count(&index)? {
        rows if rows < before || rows % STEP > 1 => {
            Err(format!("{rows} rows after {before}: no committed state"))
        }
        rows => Ok(rows),
    };
    let (mut rows, mut reads, mut last, loads) = (1, 0, 0, bench.times(12, 100));
    // Each load has the lines of the previous one and this many more. The last load is killed.
    for load in 1..=loads {
        let urls = bench.urls("urls", load * STEP)?;
        let mut loader = Running::start(&mut bench.adding(&index, &urls, &[]))?;
        while loader.is_running()? {
            rows = read(rows)?;
            reads += 1;
            last += u64::from(load == loads);
            if last > last_reads {
                break;
            }
        }
        let status = loader.kill()?;
        if load < loads && !status.success() || !status.success() && !is_killed(status) {
            return Err(format!("load {load} failed: {status}"));
        }
    }
    // From now on the index is not written.
    rows = read(rows)?;
    for _ in 0..loads {
        let again = read(rows)?;
        if again != rows {
            return Err(format!("{again} rows after {rows}, and nobody writes"));
        }
    }
    bench.verified(&index)?;
    Ok(Outcome::Seen(format!("{} reads, up to {rows} rows, without an error", reads + 1 + loads)))
}

pub(super) fn standing_writer(bench: &mut Bench) -> Result<Outcome, String> {
    let (seed, urls) = (bench.urls("seed", 1)?, bench.urls("urls", 200_000)?);
    let index = bench.path("index");
    bench.add(&index, &seed)?;
    for _ in 0..20 {
        let first = Running::start(&mut bench.adding(&index, &urls, &[]))?;
        std::thread::sleep(Duration::from_millis(50 + bench.random.below(500)));
        first.signal("STOP")?;
        let second = bench.run([OsStr::new("add"), index.as_os_str(), seed.as_os_str()]);
        first.kill()?;
        let second = second?;
        bench.verified(&index)?;
        if second.status.code() == Some(4) {
            let message = text(&second.stderr);
            let is_said = message.contains("locked");
            return if is_said { Ok(Outcome::Seen(message.trim().to_owned())) } else { Err(show(&second)) };
        }
        orderly(&second)?;
        super::crash::remove(&index)?;
        bench.add(&index, &seed)?;
    }
    Ok(Outcome::NotRun("the first writer was never stopped within its transaction".to_owned()))
}
