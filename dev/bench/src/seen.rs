//! `bench seen-digests [KEYS] [LINES] [--peer PYTHON]`: which of these keys are new, beside RocksDB.
//!
//! A set of so many keys of 16 bytes gets lines of which half are in it, in batches; each batch is on the
//! disk before the next begins. A process for each store and size of batches, so that its time, its writes
//! and its peak of memory are its own. The peer is `seen_rocksdb.py`, for a Python that has `rocksdict` and
//! `numpy`; both make the same keys.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use urlid_generators::mix;
use urlid_store::seen::{Keys, SeenFile, SeenKey, SeenSet};
use urlid_testing::memory;

use crate::arguments::Arguments;
use crate::process;
use crate::record::{Bound, Fact, Record, Target};

type Failure = Box<dyn std::error::Error>;

const BATCHES: [u64; 2] = [10_000, 100_000];
/// The keys that are stored together before anything is measured.
const FILL: u64 = 100_000;

/// What a process reports of its store.
#[derive(Serialize, Deserialize)]
struct Report {
    /// CPU time of all threads for each line, in microseconds.
    cpu_us: f64,
    wall_us: f64,
    /// Bytes that the system was given to write, for each key since the first: merges write many keys now and
    /// then.
    written: f64,
    peak_mib: f64,
    /// The CPU time to open the set again.
    open_s: f64,
    /// Bytes on the disk for each key, after everything was merged.
    stored: f64,
}

/// Measures, prints the record and writes it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let (keys, lines) = (arguments.number(0, 10_000_000)?, arguments.number(1, 1_000_000)?);
    let record = compare(keys, lines, arguments.after("--peer")).map_err(|error| error.to_string())?;
    record.print();
    record.write(args)
}

fn compare(keys: u64, lines: u64, python: Option<&str>) -> Result<Record, Failure> {
    let mut record = Record::begin("seen-digests");
    record.facts.push(Fact::new("keys before", keys as f64, ""));
    record.facts.push(Fact::new("lines", lines as f64, ""));
    for batch in BATCHES.into_iter().filter(|batch| *batch <= lines) {
        let own = std::env::current_exe()?;
        let of = |report: Report, name: &str, record: &mut Record| {
            let facts = [
                ("CPU a line", report.cpu_us, "µs"),
                ("time a line", report.wall_us, "µs"),
                ("written a key", report.written, "bytes"),
                ("stored a key", report.stored, "bytes"),
                ("peak of memory", report.peak_mib, "MiB"),
                ("CPU to open", report.open_s, "s"),
            ];
            let facts = facts.map(|(what, value, unit)| {
                Fact::new(format!("{name}, batches of {batch}: {what}"), value, unit)
            });
            record.facts.extend(facts);
            report
        };
        let ours = of(apart(Command::new(own).arg("seen-fill"), keys, lines, batch)?, "urlid", &mut record);
        let mut target = |what: &str, must, reached| {
            record.targets.push(Target { what: format!("batches of {batch}: {what}"), must, reached });
        };
        target("bytes stored a key", Bound::AtMost(24.0), ours.stored);
        target("bytes written a key", Bound::AtMost(300.0), ours.written);
        target("peak of memory, MiB", Bound::AtMost(300.0), ours.peak_mib);
        target("CPU to open, s", Bound::AtMost(1.0), ours.open_s);
        if let Some(python) = python {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("seen_rocksdb.py");
            let peer =
                of(apart(Command::new(python).arg(script), keys, lines, batch)?, "RocksDB", &mut record);
            let what = format!("batches of {batch}: rate by CPU against RocksDB");
            record.targets.push(Target {
                what,
                must: Bound::AtLeast(1.0),
                reached: peer.cpu_us / ours.cpu_us,
            });
        }
    }
    Ok(record)
}

/// Runs a process on a set of its own, and reads its report.
fn apart(command: &mut Command, keys: u64, lines: u64, batch: u64) -> Result<Report, Failure> {
    let directory = tempfile::tempdir_in(".")?;
    let path = directory.path().join("seen");
    process::report(command.arg(path).args([keys, lines, batch].map(|number| number.to_string())))
}

/// `bench seen-fill FOLDER KEYS LINES BATCH`: measures our store and prints the report, as JSON.
#[expect(clippy::print_stdout, reason = "another process of this program reads it")]
pub(crate) fn fill(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let path = arguments.path(0).ok_or("usage: bench seen-fill FOLDER KEYS LINES BATCH")?;
    let [keys, lines, batch] = [1, 2, 3].map(|place| arguments.number(place, 1_000_000));
    let report = measure(&path, keys?, lines?, batch?).map_err(|error| error.to_string())?;
    println!("{}", serde_json::to_string(&report).map_err(|error| error.to_string())?);
    Ok(())
}

fn measure(path: &Path, before: u64, lines: u64, batch: u64) -> Result<Report, Failure> {
    let keys = Keys::of_form(&"web".parse()?);
    let written = self::written()?;
    let mut set = SeenSet::open(path, &keys)?;
    let mut some = Vec::new();
    for start in (0..before).step_by(FILL as usize) {
        some.clear();
        some.extend((start..before.min(start + FILL)).map(key));
        set.add(&some, |_| "", &mut |_, _| {})?;
    }
    let (mut next, mut random, mut new) = (before, 7, 0);
    let (cpu, start) = (cpu_time(), Instant::now());
    for _ in 0..lines / batch {
        some.clear();
        for number in 0..batch {
            if number % 2 == 0 {
                some.push(key(next));
                next += 1;
            } else {
                random = mix(random);
                some.push(key(random % before));
            }
        }
        set.add(&some, |_| "", &mut |_, is_new| new += u64::from(is_new))?;
    }
    // With the merges that are under way.
    set.close()?;
    let (cpu, wall) = (cpu_time() - cpu, start.elapsed().as_secs_f64());
    let written = self::written()? - written;
    if new != lines / batch * batch.div_ceil(2) {
        return Err(format!("{new} keys were new").into());
    }
    let peak = memory::peak(std::process::id()).ok_or("the system reports no peak")?;
    let start = cpu_time();
    let mut set = SeenSet::open(path, &keys)?;
    let open_s = cpu_time() - start;
    set.compact()?;
    set.close()?;
    let mut stored = 0;
    for entry in std::fs::read_dir(path)? {
        stored += entry?.metadata()?.len();
    }
    let count = SeenFile::open(path)?.len();
    if count != next {
        return Err(format!("{count} keys are there").into());
    }
    Ok(Report {
        cpu_us: cpu / lines as f64 * 1e6,
        wall_us: wall / lines as f64 * 1e6,
        written: written as f64 / next as f64,
        peak_mib: peak as f64 / f64::from(1 << 20),
        open_s,
        stored: stored as f64 / count as f64,
    })
}

/// The key of a number, spread as a digest is; `seen_rocksdb.py` makes the same.
fn key(number: u64) -> SeenKey {
    let halves = [number, number + (1 << 40)].map(|number| mix(number).to_be_bytes());
    SeenKey::new(halves.as_flattened()).unwrap_or_default()
}

/// The CPU time of all threads until now, in seconds.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The bytes that this process gave the system to write to disks.
fn written() -> Result<u64, Failure> {
    let io = std::fs::read_to_string("/proc/self/io")?;
    let line = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    Ok(line.ok_or("the system counts no writes")?.parse()?)
}
