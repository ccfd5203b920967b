//! `bench index-seen [ROWS] [LINES]`: which of these URLs are new, in batches, beside the plain way.
//!
//! Half of the lines are in the index already. Each batch is one transaction, and each way begins with the same rows.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use urlid::suffix::SuffixList;
use urlid_index::{EncoderOptions, Load, LoadOptions, Seen, SeenSet};

use super::urls::Urls;
use super::{Failure, SEED, plain, urls};
use crate::arguments::Arguments;
use crate::record::{Bound, Fact, Record, Target};

const BATCHES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Adds one batch after the other, and returns the time and the number of new lines.
type Way = fn(&Path, &[&str], usize) -> Result<(Duration, u64), Failure>;

/// Measures, prints the record and writes it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let (rows, lines) = (arguments.number(0, 5_000_000)?, arguments.number(1, 1_000_000)?);
    let record = compare(rows as usize, lines as usize).map_err(|error| error.to_string())?;
    record.print();
    record.write(args)
}

fn compare(rows: usize, count: usize) -> Result<Record, Failure> {
    let directory = tempfile::tempdir_in(".")?;
    let [ours_base, plain_base, work] = ["ours", "plain", "work"].map(|name| directory.path().join(name));
    make_bases(&ours_base, &plain_base, rows)?;
    let lines = half_known(count);
    let lines: Vec<&str> = lines.lines().collect();
    let mut record = Record::begin("index-seen");
    record.facts.push(Fact::new("rows before", rows as f64, ""));
    record.facts.push(Fact::new("lines", count as f64, ""));
    for batch in BATCHES.into_iter().filter(|batch| *batch <= count) {
        let mut rates = [0.0; 2];
        let ways: [(&str, &Path, Way); 2] = [("urlid", &ours_base, ours), ("plain", &plain_base, plain_way)];
        for ((name, base, way), rate) in ways.into_iter().zip(&mut rates) {
            std::fs::copy(base, &work)?;
            let (took, new) = way(&work, &lines, batch)?;
            std::fs::remove_file(&work)?;
            *rate = count as f64 / took.as_secs_f64() / 1e3;
            let what = format!("{name}, batches of {batch}: {new} new");
            record.facts.push(Fact::new(what, *rate, "k lines/s"));
        }
        let what = format!("urlid against plain, batches of {batch}");
        record.targets.push(Target { what, must: Bound::AtLeast(1.0), reached: rates[0] / rates[1] });
    }
    Ok(record)
}

/// Makes one index of each way, with the same URLs.
fn make_bases(ours: &Path, plain: &Path, rows: usize) -> Result<(), Failure> {
    let lines = urls::lines(SEED, rows);
    let lines: Vec<&str> = lines.lines().collect();
    let mut load = Load::begin(ours, <&SuffixList>::default(), LoadOptions::default())?;
    for line in &lines {
        load.push(line)?;
    }
    load.finish(&mut |_| ControlFlow::Continue(()))?;
    plain::sorted(plain, &lines, |line| sxurl::encode_url(line).ok())?;
    Ok(())
}

/// Returns lines of which every other one was given before.
fn half_known(count: usize) -> String {
    let mut sources = [Urls::of(SEED), Urls::of(SEED + 1)];
    let mut text = String::new();
    for number in 0..count {
        sources[number % 2].push_next(&mut text);
        text.push('\n');
    }
    text
}

fn ours(path: &Path, lines: &[&str], batch: usize) -> Result<(Duration, u64), Failure> {
    let start = Instant::now();
    let mut set = SeenSet::open(path, <&SuffixList>::default(), None, EncoderOptions::default())?;
    let mut new = 0;
    for lines in lines.chunks(batch) {
        set.add(lines, &mut |_, seen| new += u64::from(seen == Seen::New))?;
    }
    set.close()?;
    Ok((start.elapsed(), new))
}

fn plain_way(path: &Path, lines: &[&str], batch: usize) -> Result<(Duration, u64), Failure> {
    let start = Instant::now();
    let conn = plain::open(path)?;
    let mut new = 0;
    for lines in lines.chunks(batch) {
        new += plain::insert(&conn, lines)?;
    }
    conn.close().map_err(|(_, error)| error)?;
    Ok((start.elapsed(), new))
}
