//! `bench seen [KEYS] [LINES] [PROGRAM]`: which of these keys are new, beside RocksDB.
//!
//! A set of so many keys of 16 bytes gets lines of which half are in it, in batches; each batch is on the
//! disk before the next begins. `PROGRAM` is `seen_rocksdb.cc`, compiled; both make the same keys.

use std::path::Path;
use std::process::Command;

use rustix::time::{ClockId, clock_gettime};
use urlid_generators::mix;
use urlid_store::seen::{Keys, SeenKey, SeenSet};

use crate::arguments::Arguments;
use crate::record::{Bound, Fact, Record, Target};

type Failure = Box<dyn std::error::Error>;

const BATCH: u64 = 10_000;
/// The keys that are stored together before anything is measured.
const FILL: u64 = 100_000;

/// Measures, prints the record and writes it.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let arguments = Arguments(args);
    let (keys, lines) = (arguments.number(0, 10_000_000)?, arguments.number(1, 1_000_000)?);
    let record = compare(keys, lines, arguments.path(2).as_deref()).map_err(|error| error.to_string())?;
    record.print();
    record.write(args)
}

fn compare(keys: u64, lines: u64, peer: Option<&Path>) -> Result<Record, Failure> {
    let mut record = Record::begin("seen");
    let mut add = |name: &str, [cpu, stored]: [f64; 2]| {
        record.facts.push(Fact::new(format!("{name}: CPU a line"), cpu, "µs"));
        record.facts.push(Fact::new(format!("{name}: stored a key"), stored, "bytes"));
        cpu
    };
    let folder = tempfile::tempdir_in(".")?;
    let ours = add("urlid", measure(&folder.path().join("ours"), keys, lines)?);
    let theirs = match peer {
        None => None,
        Some(program) => {
            let mut peer = Command::new(program);
            peer.arg(folder.path().join("theirs")).args([keys, lines, BATCH].map(|n| n.to_string()));
            let printed = String::from_utf8(peer.output()?.stdout)?;
            let mut words = printed.trim_end().splitn(3, ' ');
            let mut number = || words.next().unwrap_or_default().parse::<f64>();
            let numbers = [number()?, number()?];
            let name = words.next().ok_or("the peer has no name")?.to_owned();
            Some((add(&name, numbers), name))
        }
    };
    if let Some((theirs, name)) = theirs {
        let what = format!("rate by CPU against {name}");
        record.targets.push(Target { what, must: Bound::AtLeast(1.0), reached: theirs / ours });
    }
    record.facts.push(Fact::new("keys before", keys as f64, ""));
    record.facts.push(Fact::new(format!("lines, in batches of {BATCH}"), lines as f64, ""));
    Ok(record)
}

/// Returns the microseconds of CPU for each line, and the bytes on disk for each key.
fn measure(path: &Path, before: u64, lines: u64) -> Result<[f64; 2], Failure> {
    let keys = Keys::of_form(&"web".parse()?);
    let mut set = SeenSet::open(path, &keys)?;
    let mut some = Vec::new();
    for start in (0..before).step_by(FILL as usize) {
        some.clear();
        some.extend((start..before.min(start + FILL)).map(key));
        set.add(&some, |_| "", &mut |_, _| {})?;
    }
    let (mut next, mut random, mut new) = (before, 7, 0);
    let start = cpu_time();
    for _ in 0..lines / BATCH {
        some.clear();
        for number in 0..BATCH {
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
    let cpu = cpu_time() - start;
    if new != lines / BATCH * BATCH.div_ceil(2) {
        return Err(format!("{new} keys were new").into());
    }
    let mut set = SeenSet::open(path, &keys)?;
    set.compact()?;
    set.close()?;
    let sizes = std::fs::read_dir(path)?.map(|entry| Ok(entry?.metadata()?.len()));
    let stored = sizes.sum::<std::io::Result<u64>>()?;
    Ok([cpu / lines as f64 * 1e6, stored as f64 / next as f64])
}

/// The key of a number, spread as a digest is; `seen_rocksdb.cc` makes the same.
fn key(number: u64) -> SeenKey {
    let halves = [number, number + (1 << 40)].map(|number| mix(number).to_be_bytes());
    SeenKey::new(halves.as_flattened()).unwrap_or_default()
}

/// The CPU time of all threads until now, in seconds.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
