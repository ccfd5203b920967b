//! `bench index-big [ROWS] [--memory MIB] [--into FILE] [--index] [--record [FILE]]`: one large load, then
//! queries.
//!
//! The load is a separate process (`index-fill`), so that its peak memory is measured alone. It generates its
//! URLs while loading and reports the time of the generation separately. With `--index` the optional indexes
//! are created afterwards and the queries run again.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use urlid::suffix::SuffixList;
use urlid_store::file::{Load, LoadOptions, add_slice_indexes};
use urlid_store::question::SliceIndex;
use urlid_testing::memory;

use super::urls::Urls;
use super::{Failure, SEED, queries};
use crate::arguments::{Arguments, number};
use crate::process;
use crate::record::{Bound, Fact, Record, Target};

/// The report of the loading process.
#[derive(Serialize, Deserialize)]
struct Filled {
    /// Rows that are in the index.
    rows: u64,
    /// From the first line to the index under its name.
    seconds: f64,
    /// The time of making the URLs alone.
    making_seconds: f64,
    peak_mib: f64,
}

/// Measures, prints the record and writes it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let lines = arguments.number(0, 5_000_000)?;
    let memory = arguments.after("--memory").map_or(Ok(256), number)?;
    let into = arguments.after("--into").map(PathBuf::from);
    let record = measure(lines, memory, into.as_deref(), arguments.has("--index"));
    let record = record.map_err(|error| error.to_string())?;
    record.print();
    record.write(args)
}

fn measure(lines: u64, memory: u64, into: Option<&Path>, indexes: bool) -> Result<Record, Failure> {
    let directory = tempfile::tempdir_in(".")?;
    let own = directory.path().join("index");
    let path = into.unwrap_or(&own);
    if path.exists() {
        return Err(format!("{} is there already", path.display()).into());
    }
    let filled = fill_apart(path, lines, memory)?;
    let mut record = Record::begin("index-big");
    let bytes = std::fs::metadata(path)?.len() as f64;
    record.facts = vec![
        Fact::new("lines", lines as f64, ""),
        Fact::new("memory to sort in", memory as f64, "MiB"),
        Fact::new("load", filled.seconds, "s"),
        Fact::new("load: rate", lines as f64 / filled.seconds / 1e3, "k lines/s"),
        Fact::new("making the URLs by itself", filled.making_seconds, "s"),
        Fact::new("size", bytes / 1e6, "MB"),
        Fact::new("size of a row", bytes / filled.rows as f64, "bytes"),
    ];
    let what = "peak of memory, MiB".to_owned();
    record.targets.push(Target {
        what,
        must: Bound::AtMost((memory + 128) as f64),
        reached: filled.peak_mib,
    });
    queries::run_all(path, "", &mut record)?;
    queries::scan(path, &mut record)?;
    if indexes {
        let start = Instant::now();
        add_slice_indexes(path, &SliceIndex::ALL)?;
        record.facts.push(Fact::new("optional indexes, all four: time", start.elapsed().as_secs_f64(), "s"));
        let more = std::fs::metadata(path)?.len() as f64 - bytes;
        let each = more / filled.rows as f64;
        record.facts.push(Fact::new("optional indexes, all four: size of a row", each, "bytes"));
        queries::run_all(path, "with optional indexes: ", &mut record)?;
    }
    Ok(record)
}

/// Runs `index-fill` and reads its report.
fn fill_apart(path: &Path, lines: u64, memory: u64) -> Result<Filled, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("index-fill").arg(path).args([lines.to_string(), memory.to_string()]);
    process::report(&mut command)
}

/// `bench index-fill FILE LINES MIB`: loads generated URLs and prints what that took, as JSON.
#[expect(clippy::print_stdout, reason = "another process of this program reads it")]
pub(crate) fn fill(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let path = arguments.path(0).ok_or("usage: bench index-fill FILE LINES MIB")?;
    let (lines, memory) = (arguments.number(1, 1_000_000)?, arguments.number(2, 256)?);
    let filled = load(&path, lines, memory).map_err(|error| error.to_string())?;
    println!("{}", serde_json::to_string(&filled).map_err(|error| error.to_string())?);
    Ok(())
}

fn load(path: &Path, lines: u64, memory: u64) -> Result<Filled, Failure> {
    let making_seconds = making(lines);
    let start = Instant::now();
    let options = LoadOptions { memory: (memory as usize) << 20, ..LoadOptions::default() };
    let mut load = Load::begin(path, SuffixList::compiled(), options)?;
    each_line(lines, |line| load.push(line).map(drop))?;
    let loaded = load.finish()?;
    let seconds = start.elapsed().as_secs_f64();
    let peak = memory::peak(std::process::id()).ok_or("the system reports no peak")?;
    Ok(Filled { rows: loaded.new, seconds, making_seconds, peak_mib: peak as f64 / f64::from(1 << 20) })
}

/// Returns the time that making a million of the URLs takes, for all of them.
fn making(lines: u64) -> f64 {
    let (start, some) = (Instant::now(), lines.clamp(1, 1_000_000));
    let mut bytes = 0;
    let done: Result<(), std::convert::Infallible> = each_line(some, |line| {
        bytes += line.len();
        Ok(())
    });
    let Ok(()) = done;
    std::hint::black_box(bytes);
    start.elapsed().as_secs_f64() * lines as f64 / some as f64
}

fn each_line<E>(lines: u64, mut each: impl FnMut(&str) -> Result<(), E>) -> Result<(), E> {
    let (mut urls, mut line) = (Urls::of(SEED), String::new());
    for _ in 0..lines {
        line.clear();
        urls.push_next(&mut line);
        each(&line)?;
    }
    Ok(())
}
