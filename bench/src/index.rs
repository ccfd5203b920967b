//! Loading an index, beside a plain loader and beside sorted insertion alone, and asking it.
//!
//! `index-load [ROWS] [ROUNDS]` runs the three over the same generated lines in turn and prints the best time of each;
//! `index-ask FILE` times questions on an index. Two cores are used, as a load does.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use urlid::suffix::List;
use urlid::sxurl::{Components, Slice};
use urlid_index::{Ask, Index, Load, LoadOptions, Question};

use crate::index_urls::Urls;

type Failure = Box<dyn std::error::Error>;

const SEED: u64 = 1;

/// Runs the loaders.
pub(crate) fn load(args: &[String]) -> Result<(), String> {
    let number = |index: usize| args.get(index).and_then(|text| text.replace('_', "").parse::<usize>().ok());
    compare(number(0).unwrap_or(1_000_000), number(1).unwrap_or(2)).map_err(|error| error.to_string())
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn compare(count: usize, rounds: usize) -> Result<(), Failure> {
    let lines = lines(count);
    let lines: Vec<&str> = lines.lines().collect();
    println!(
        "{count} lines, {} bytes on average",
        lines.iter().map(|line| line.len()).sum::<usize>() / count
    );
    let directory = tempfile::tempdir_in(".")?;
    let path = |name: &str| directory.path().join(name);
    let mut best = [Duration::MAX; 4];
    let mut rows = [0; 4];
    for round in 0..rounds {
        let loaders: [(&str, Loader); 4] =
            [("ours", ours), ("ours, into an index", ours_later), ("sorted", sorted), ("plain", plain)];
        for (index, (name, loader)) in loaders.into_iter().enumerate() {
            let file = path(&format!("{round}-{index}"));
            let (took, stored) = loader(&file, &lines)?;
            println!("  round {round}: {name} {:.2} s", took.as_secs_f64());
            best[index] = best[index].min(took);
            rows[index] = stored;
            std::fs::remove_file(&file)?;
        }
    }
    let rate = |index: usize| rows[index] as f64 / best[index].as_secs_f64() / 1e3;
    println!("| loader | rows | s | k rows/s | ours / it |\n| --- | ---: | ---: | ---: | ---: |");
    for (index, name) in ["urlid, new file", "urlid, into an index", "sorted insertion alone", "plain loader"]
        .iter()
        .enumerate()
    {
        println!(
            "| {name} | {} | {:.2} | {:.0} | {:.2} |",
            rows[index],
            best[index].as_secs_f64(),
            rate(index),
            rate(0) / rate(index)
        );
    }
    println!("peak resident memory of all four together: {}", peak_memory());
    Ok(())
}

/// Makes an index at a new path and returns how long it took and how many rows it has.
type Loader = fn(&Path, &[&str]) -> Result<(Duration, u64), Failure>;

fn lines(count: usize) -> String {
    let (mut urls, mut text) = (Urls::of(SEED), String::new());
    for _ in 0..count {
        urls.push_next(&mut text);
        text.push('\n');
    }
    text
}

fn push_all(path: &Path, lines: &[&str]) -> Result<u64, Failure> {
    let mut load = Load::begin(path, <&List>::default(), LoadOptions::default())?;
    for line in lines {
        load.push(line)?;
    }
    Ok(load.finish(&mut |_| ControlFlow::Continue(()))?.new)
}

fn ours(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    let start = Instant::now();
    let new = push_all(path, lines)?;
    Ok((start.elapsed(), new))
}

/// The same into an index that is there already.
fn ours_later(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    push_all(path, &["https://example.com/"])?;
    ours(path, lines)
}

/// What a careful user writes with the crates there are: ids of the `sxurl` crate, transactions of 100,000 rows, no sorting.
fn plain(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    let start = Instant::now();
    let conn = Connection::open(path)?;
    conn.execute_batch(
        "PRAGMA journal_mode = wal; PRAGMA synchronous = normal;
         CREATE TABLE url(id BLOB, url TEXT, PRIMARY KEY(id, url)) WITHOUT ROWID, STRICT;",
    )?;
    let mut new = 0;
    for batch in lines.chunks(100_000) {
        conn.execute_batch("BEGIN")?;
        let mut insert = conn.prepare_cached("INSERT OR IGNORE INTO url(id, url) VALUES(?1, ?2)")?;
        for line in batch {
            if let Ok(id) = sxurl::encode_url(line) {
                new += insert.execute((id.as_slice(), line))? as u64;
            }
        }
        conn.execute_batch("COMMIT")?;
    }
    conn.close().map_err(|(_, error)| error)?;
    Ok((start.elapsed(), new))
}

/// Rows that are sorted already into a new file without a journal: what the file itself costs.
fn sorted(path: &Path, lines: &[&str]) -> Result<(Duration, u64), Failure> {
    let list = <&List>::default();
    let mut rows: Vec<([u8; 32], &str)> = lines
        .iter()
        .filter_map(|line| Components::parse(line, list).ok().map(|parts| (parts.encode().to_bytes(), *line)))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let start = Instant::now();
    let conn = Connection::open(path)?;
    conn.execute_batch(
        "PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA locking_mode = exclusive; PRAGMA cache_size = -65536;
         CREATE TABLE url(id BLOB, url TEXT, PRIMARY KEY(id, url)) WITHOUT ROWID, STRICT; BEGIN",
    )?;
    let mut insert = conn.prepare("INSERT INTO url(id, url) VALUES(?1, ?2)")?;
    for (id, url) in &rows {
        insert.execute((id.as_slice(), url))?;
    }
    drop(insert);
    conn.execute_batch("COMMIT")?;
    conn.close().map_err(|(_, error)| error)?;
    std::fs::File::open(path)?.sync_all()?;
    Ok((start.elapsed(), rows.len() as u64))
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned())
}

/// Times questions on an index.
pub(crate) fn ask(args: &[String]) -> Result<(), String> {
    let path = args.first().map(PathBuf::from).ok_or("usage: bench index-ask FILE")?;
    questions(&path).map_err(|error| error.to_string())
}

#[expect(clippy::print_stdout, reason = "a bench prints its table")]
fn questions(path: &Path) -> Result<(), Failure> {
    let index = Index::open(path)?;
    let rows = index.rows()?;
    // A domain of few rows and one of many, taken from the file itself.
    let (groups, _) = index.group(
        &Question::of(&Ask { scheme: None, tld: Some("museum"), ..Ask::default() }, index.list())?,
        urlid_index::Part::Domain,
    )?;
    let small = groups.last().ok_or("no domain under museum")?.name.clone();
    let small_parts = Components::parse(&format!("https://{small}/"), index.list())?.domain().to_owned();
    println!("{rows} rows; small domain {small}\n| question | rows | best ms |\n| --- | ---: | ---: |");
    let table = [
        (
            "tld + domain, small",
            Ask { tld: Some("museum"), domain: Some(&small_parts), ..Ask::default() },
            200,
        ),
        ("domain under any tld", Ask { domain: Some(&small_parts), ..Ask::default() }, 5),
        ("tld museum", Ask { tld: Some("museum"), ..Ask::default() }, 5),
        ("path /robots.txt (scan without an index)", Ask { path: Some("/robots.txt"), ..Ask::default() }, 2),
        ("port 8443", Ask { port: Some(8443), ..Ask::default() }, 2),
    ];
    let mut ranges = f64::NAN;
    for (name, ask, repeats) in table {
        let question = Question::of(&ask, index.list())?;
        let (took, found) = best(repeats, || index.count(&question).map(|found| found.rows))?;
        ranges = if ranges.is_nan() { took } else { ranges };
        println!("| {name} | {found} | {took:.3} |");
    }
    let conn = Connection::open(path)?;
    let hex = |slice: Slice, value: &str| {
        format!("{:0width$x}", slice.hash(value), width = slice.bits() as usize / 4)
    };
    let sql =
        "SELECT count(*) FROM url_hex WHERE SUBSTR(id_hex, 3+1, 4) = ?1 AND SUBSTR(id_hex, 7+1, 15) = ?2";
    let values = (hex(Slice::Tld, "museum"), hex(Slice::Domain, &small_parts));
    let (took, found) = best(1, || conn.query_row(sql, (&values.0, &values.1), |row| row.get::<_, i64>(0)))?;
    println!("| the cookbook's SUBSTR(id_hex, …) for the same | {found} | {took:.3} |");
    println!("ranges against SUBSTR: {:.0} times faster", took / ranges);
    let mut urls = Vec::new();
    index.find(&Question::of(&Ask { tld: Some("museum"), ..Ask::default() }, index.list())?, &mut |row| {
        urls.push(row.url.to_owned());
        if urls.len() < 10_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let (took, found) = best(3, || {
        urls.iter()
            .try_fold(0_u64, |sum, url| index.get_url(url).map(|lookup| sum + u64::from(lookup.is_stored)))
    })?;
    println!("| get by URL, each | {found} | {:.4} |", took / urls.len() as f64);
    Ok(())
}

/// Runs a question and returns its best time in milliseconds, and its answer.
fn best<T, E>(repeats: usize, mut run: impl FnMut() -> Result<T, E>) -> Result<(f64, T), E> {
    let mut least = f64::INFINITY;
    let mut last = run()?;
    for _ in 0..repeats {
        let start = Instant::now();
        last = run()?;
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok((least, last))
}
