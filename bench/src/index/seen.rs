//! `bench index-seen [ROWS] [LINES]`: which of these URLs are new, in batches, beside SQLite's own `INSERT OR IGNORE`.
//!
//! Half of the lines are in the index already. Each batch is one transaction, which is on the disk before the next begins. SQLite
//! has its default settings, and gets rows with identifiers, which it inserts in their order. Both begin with the same file.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use urlid::Sxurl;
use urlid::suffix::SuffixList;
use urlid_index::{EncoderOptions, Load, LoadOptions, Seen, SeenSet};

use super::urls::Urls;
use super::{Failure, SEED, urls};
use crate::arguments::Arguments;
use crate::record::{Bound, Fact, Record, Target};

const BATCHES: [usize; 3] = [10_000, 100_000, 1_000_000];
const INSERT: &str = "INSERT OR IGNORE INTO url(id, url) VALUES(?1, ?2)";

/// A line and its identifier.
type Line<'l> = ([u8; 32], &'l str);

/// Adds one batch after the other, and returns the time and the number of new lines.
type Way = fn(&Path, &[Line<'_>], usize) -> Result<(Duration, u64), Failure>;

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
    let [base, work] = ["base", "work"].map(|name| directory.path().join(name));
    make_base(&base, rows)?;
    let lines = half_known(count);
    let lines = lines.lines().map(|line| Ok((Sxurl::encode(line)?.to_bytes(), line)));
    let lines = lines.collect::<Result<Vec<Line<'_>>, Failure>>()?;
    let mut record = Record::begin("index-seen");
    record.facts.push(Fact::new("rows before", rows as f64, ""));
    record.facts.push(Fact::new("lines", count as f64, ""));
    for batch in BATCHES.into_iter().filter(|batch| *batch <= count) {
        let mut rates = [0.0; 2];
        let ways: [(&str, Way); 2] = [("urlid", ours), ("SQLite", sqlite)];
        for ((name, way), rate) in ways.into_iter().zip(&mut rates) {
            std::fs::copy(&base, &work)?;
            std::fs::File::open(&work)?.sync_all()?;
            let (took, new) = way(&work, &lines, batch)?;
            std::fs::remove_file(&work)?;
            *rate = count as f64 / took.as_secs_f64() / 1e3;
            let what = format!("{name}, batches of {batch}: {new} new");
            record.facts.push(Fact::new(what, *rate, "k lines/s"));
        }
        let what = format!("urlid against SQLite, batches of {batch}");
        record.targets.push(Target { what, must: Bound::AtLeast(3.0), reached: rates[0] / rates[1] });
    }
    Ok(record)
}

/// Makes the index that both begin with.
fn make_base(path: &Path, rows: usize) -> Result<(), Failure> {
    let mut load = Load::begin(path, SuffixList::compiled(), LoadOptions::default())?;
    for line in urls::lines(SEED, rows).lines() {
        load.push(line)?;
    }
    load.finish()?;
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

fn ours(path: &Path, lines: &[Line<'_>], batch: usize) -> Result<(Duration, u64), Failure> {
    let lines: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
    let start = Instant::now();
    let mut set = SeenSet::open(path, SuffixList::compiled(), None, EncoderOptions::default())?;
    let mut new = 0;
    for lines in lines.chunks(batch) {
        set.add(lines, &mut |_, seen| new += u64::from(seen == Seen::New))?;
    }
    set.close()?;
    Ok((start.elapsed(), new))
}

fn sqlite(path: &Path, lines: &[Line<'_>], batch: usize) -> Result<(Duration, u64), Failure> {
    let start = Instant::now();
    let conn = Connection::open(path)?;
    conn.execute_batch("PRAGMA journal_mode = wal; PRAGMA synchronous = full")?;
    let mut new = 0;
    for lines in lines.chunks(batch) {
        let mut rows = lines.to_vec();
        rows.sort_unstable();
        conn.execute_batch("BEGIN")?;
        let mut insert = conn.prepare_cached(INSERT)?;
        for (id, line) in rows {
            new += insert.execute((id.as_slice(), line))? as u64;
        }
        drop(insert);
        conn.execute_batch("COMMIT")?;
    }
    conn.close().map_err(|(_, error)| error)?;
    Ok((start.elapsed(), new))
}
