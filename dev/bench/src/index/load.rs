//! `bench index-load [ROWS] [ROUNDS]`: a first load and a later one, beside a plain loader and beside sorted
//! insertion alone.
//!
//! All four load the same generated lines, in turn; the best time of each counts.

use std::path::Path;
use std::time::{Duration, Instant};

use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_store::file::{Load, LoadOptions};

use super::{Failure, SEED, plain, urls};
use crate::arguments::Arguments;
use crate::record::{Bound, Fact, Record, Target};

/// Makes an index at a new path and returns how long it took and how many rows it has.
type Loader = fn(&Path, &[&str]) -> Result<(Duration, u64), Failure>;

const LOADERS: [(&str, Loader); 4] = [
    ("urlid, new file", ours),
    ("urlid, into an index", ours_later),
    ("sorted insertion alone", sorted),
    ("plain loader", plain::load),
];

/// Runs the loaders, prints the record and writes it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let (rows, rounds) = (arguments.number(0, 1_000_000)?, arguments.number(1, 2)?);
    let record = compare(rows as usize, rounds.max(1)).map_err(|error| error.to_string())?;
    record.print();
    record.write(args)
}

fn compare(count: usize, rounds: u64) -> Result<Record, Failure> {
    let lines = urls::lines(SEED, count);
    let lines: Vec<&str> = lines.lines().collect();
    let directory = tempfile::tempdir_in(".")?;
    let mut best = [(Duration::MAX, 0); 4];
    for _ in 0..rounds {
        for ((_, loader), best) in LOADERS.iter().zip(&mut best) {
            let file = directory.path().join("index");
            let (took, rows) = loader(&file, &lines)?;
            *best = (took.min(best.0), rows);
            std::fs::remove_file(&file)?;
        }
    }
    let mut record = Record::begin("index-load");
    let bytes = lines.iter().map(|line| line.len()).sum::<usize>();
    record.facts.push(Fact::new("lines", count as f64, ""));
    record.facts.push(Fact::new("mean length", bytes as f64 / count as f64, "bytes"));
    let rate = |(took, rows): (Duration, u64)| rows as f64 / took.as_secs_f64() / 1e3;
    for ((name, _), best) in LOADERS.iter().zip(best) {
        record.facts.push(Fact::new(format!("{name}: rows"), best.1 as f64, ""));
        record.facts.push(Fact::new(format!("{name}: time"), best.0.as_secs_f64(), "s"));
        record.facts.push(Fact::new(format!("{name}: rate"), rate(best), "k rows/s"));
    }
    let target = |what: &str, must, reached| Target { what: what.to_owned(), must, reached };
    record.targets = vec![
        target("new file against the plain loader", Bound::AtLeast(10.0), rate(best[0]) / rate(best[3])),
        target("new file against sorted insertion", Bound::AtLeast(0.9), rate(best[0]) / rate(best[2])),
        target("into an index against the plain loader", Bound::AtLeast(9.0), rate(best[1]) / rate(best[3])),
    ];
    Ok(record)
}

fn push_all(path: &Path, lines: &[&str]) -> Result<u64, Failure> {
    let mut load = Load::begin(path, SuffixList::compiled(), LoadOptions::default())?;
    for line in lines {
        load.push(line)?;
    }
    Ok(load.finish()?.new)
}

/// Loads lines with the options of the program.
pub(super) fn ours(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    let start = Instant::now();
    let new = push_all(path, lines)?;
    Ok((start.elapsed(), new))
}

/// The same into an index that is there already.
fn ours_later(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    push_all(path, &["https://example.com/"])?;
    ours(path, lines)
}

fn sorted(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    let list = SuffixList::compiled();
    plain::sorted(path, lines, |line| Some(Components::parse(line, list).ok()?.encode().to_bytes()))
}
