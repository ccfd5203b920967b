//! `cargo xtask torture`: tests the index with kills, full disks, failing system calls and hostile files.
//!
//! Each experiment has the number of its line in the table of failure experiments. It tests the `urlid`
//! program in a separate directory and reports "seen", "not run" with the reason, or the failure.
//! Experiments that a library test covers are listed and not repeated.

mod child;
mod crash;
mod delivery;
mod limits;
mod others;
mod program;
mod soak;
mod tables;

use std::fmt::Write;
use std::time::{Duration, Instant, SystemTime};

use self::program::{Bench, Outcome};

type Experiment = fn(&mut Bench) -> Result<Outcome, String>;

const EXPERIMENTS: &[(&str, &str, Experiment)] = &[
    ("1", "kill while adding: what was there is there, a second run completes", crash::adding),
    ("2", "kill while adding, and again while what is left is recovered", crash::recovering),
    ("3", "kill during a first load: the name is absent or whole", crash::first_load),
    ("4", "kill during seal, compact, merge and export: what was there stays", crash::caring),
    ("5", "a full disk: an error, earlier rows intact, it goes on when there is space", limits::full_disk),
    ("6", "a limit on file size: an error and no signal", limits::file_size),
    ("7", "fsync fails at the n-th call: nothing acknowledged is lost", limits::failing_sync),
    (
        "8",
        "write, open and read fail at the n-th call: an error, then the file is whole",
        limits::failing_calls,
    ),
    (
        "9",
        "a sealed file where nothing can be written: questions are answered, writes rejected",
        limits::read_only,
    ),
    ("10", "truncated files: an error, no signal, by every command", others::truncated),
    ("13", "two loaders of the same rows: each row is stored once", others::two_loaders),
    (
        "14",
        "questions while a loader works and is killed: committed states, rising",
        others::reading_meanwhile,
    ),
    ("15", "a writer that stands still in a transaction: the second one says so", others::standing_writer),
    ("29", "Parquet files that lie: rejected by name, in little memory", tables::hostile),
    ("31", "a small address space: a load ends well or with an error", limits::small_memory),
    (
        "33",
        "SIGINT and SIGTERM in a load: it stops at a commit, says how far, 130 and 143",
        crash::asked_to_stop,
    ),
    ("34", "random work killed at random times: what a set says must be there is there", soak::soak),
    (
        "37",
        "lines of uniq --seen whose reader or writer dies: each is printed, at most one batch twice",
        delivery::cut_short,
    ),
];

/// Experiments that tests of the library cover, and these tests.
const IN_TESTS: &[(&str, &str)] = &[
    ("5, 7, 8 of seen-sets", "crates/urlid-store/src/seen/tests/mod.rs: the disk fails at each place"),
    ("11", "crates/urlid-store/tests/file/care.rs: every flipped bit (URLID_FLIPS=10000 for the long form)"),
    ("12, 27, 35", "crates/urlid-store/tests/file/rejections.rs: foreign, hostile and other snapshots"),
    ("16, 17", "crates/urlid-store/tests/file/collisions.rs: colliding pairs and public suffixes"),
    (
        "18",
        "crates/urlid-store/src/file/model.rs: slices of four bits against a set (URLID_MODEL_STEPS, URLID_MODEL_SEED)",
    ),
    (
        "25, 26",
        "crates/urlid-store/tests/file/load.rs and readable.rs: hostile text, links and names in the way",
    ),
];

/// The options of the task.
struct Wanted {
    is_long: bool,
    seed: u64,
    urlid: Option<String>,
    /// An experiment that would start after this time has failed, because it was requested and did not run.
    within: Option<Duration>,
    numbers: Vec<String>,
}

impl Wanted {
    fn of(args: &[String]) -> Result<Self, String> {
        let mut wanted =
            Self { is_long: false, seed: seed_of_now(), urlid: None, within: None, numbers: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut number = || {
                let number = args.next().and_then(|text| text.parse::<u64>().ok());
                number.ok_or_else(|| format!("{arg} needs a number"))
            };
            match arg.as_str() {
                "--long" => wanted.is_long = true,
                "--seed" => wanted.seed = number()?,
                "--within" => wanted.within = Some(Duration::from_secs(number()?)),
                "--urlid" => wanted.urlid = Some(args.next().ok_or("--urlid needs a file")?.clone()),
                number if EXPERIMENTS.iter().any(|(own, ..)| *own == number) => {
                    wanted.numbers.push(number.to_owned());
                }
                other => return Err(format!("no such experiment or option: {other}")),
            }
        }
        Ok(wanted)
    }

    fn has(&self, number: &str) -> bool {
        self.numbers.is_empty() || self.numbers.iter().any(|wanted| wanted == number)
    }
}

/// Returns a different seed for each run, which a failure prints.
fn seed_of_now() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(1, |now| now.as_nanos() as u64 % 1_000_000_007)
}

/// Runs `[--long] [--seed N] [--within SECONDS] [--urlid FILE] [NUMBER…]`.
///
/// # Errors
///
/// Fails if an experiment failed or had no time left. Experiments that the machine does not allow are not
/// failures, and are listed at the end.
#[expect(clippy::print_stdout, reason = "a task talks to the developer who started it")]
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let wanted = Wanted::of(args)?;
    let seed = wanted.seed;
    let urlid = wanted.urlid.clone().map_or_else(program::built, |path| Ok(path.into()))?;
    child::expect_form(wanted.is_long);
    let form = if wanted.is_long { "long form" } else { "short form (--long for the long one)" };
    println!("seed {seed}, {form}");
    let (start, mut failures, mut not_run) = (Instant::now(), String::new(), String::new());
    for (number, what, experiment) in EXPERIMENTS.iter().filter(|(number, ..)| wanted.has(number)) {
        let begun = Instant::now();
        let outcome = match wanted.within {
            Some(within) if begun - start >= within => Err(format!("not begun within {within:?}")),
            _ => experiment(&mut Bench::new(urlid.clone(), seed, wanted.is_long)?),
        };
        let took = begun.elapsed().as_secs_f64();
        match outcome {
            Ok(Outcome::Seen(figures)) => println!("{number:>3} seen     {took:5.1} s  {what}: {figures}"),
            Ok(Outcome::NotRun(reason)) => {
                println!("{number:>3} NOT RUN            {what}: {reason}");
                let _ = write!(not_run, " {number}");
            }
            Err(message) => {
                println!("{number:>3} FAILED   {took:5.1} s  {what}: {message}");
                let _ = write!(failures, " {number}");
            }
        }
    }
    if wanted.numbers.is_empty() {
        IN_TESTS.iter().for_each(|(numbers, place)| println!("{numbers:>10} in tests: {place}"));
    }
    if !not_run.is_empty() {
        println!("NOT RUN:{not_run}");
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("failed with --seed {seed}:{failures}")) }
}
