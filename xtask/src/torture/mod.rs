//! `cargo xtask torture`: the index through kills, full disks, failing system calls and hostile files.
//!
//! Each experiment has the number of its line in the table of failure experiments. It works on the `urlid` program itself, in a directory of its own,
//! and says "seen", "not run" with the reason, or what went wrong. What a library test shows already is named and not repeated.

mod crash;
mod limits;
mod others;
mod program;

use std::fmt::Write;

use self::program::{Bench, Random};

/// What an experiment came to.
enum Outcome {
    /// All that must be observed was; with figures.
    Seen(String),
    /// The machine does not allow it.
    NotRun(String),
}

type Experiment = fn(&mut Bench) -> Result<Outcome, String>;

const EXPERIMENTS: &[(&str, &str, Experiment)] = &[
    ("1", "kill while adding: what was acknowledged is there, a second run completes", crash::adding),
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
        "a sealed file where nothing can be written: questions are answered, writes refused",
        limits::read_only,
    ),
    ("10", "truncated files: an error, no signal, by every command", others::truncated),
    ("13", "two loaders of the same rows: none lost, none twice", others::two_loaders),
    (
        "14",
        "questions while a loader works and is killed: committed states, rising",
        others::reading_meanwhile,
    ),
    ("15", "a writer that stands still in a transaction: the second one says so", others::standing_writer),
    ("31", "a small address space: a load ends well or with an error", limits::small_memory),
    (
        "33",
        "SIGINT and SIGTERM in a load: it stops at a commit, says how far, 130 and 143",
        crash::asked_to_stop,
    ),
];

/// Experiments that tests of the library show, and where.
const IN_TESTS: &[(&str, &str)] = &[
    ("11", "crates/urlid-index/tests/care.rs: every flipped bit (URLID_FLIPS=10000 for the long form)"),
    ("12, 27, 35", "crates/urlid-index/tests/refusals.rs: foreign, hostile and other snapshots"),
    ("16, 17", "crates/urlid-index/tests/collisions.rs: colliding pairs and public suffixes"),
    (
        "18, 34",
        "crates/urlid-index/src/model.rs: slices of four bits against a set (URLID_MODEL_STEPS, URLID_MODEL_SEED)",
    ),
    ("25, 26", "crates/urlid-index/tests/load.rs: hostile text, links and names in the way"),
];

/// Runs `[--long] [--seed N] [--urlid FILE] [NUMBER…]`.
#[expect(clippy::print_stdout, reason = "a task talks to the developer who started it")]
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let (mut is_long, mut seed, mut urlid, mut wanted) = (false, None, None, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--long" => is_long = true,
            "--seed" => seed = args.next().and_then(|text| text.parse().ok()),
            "--urlid" => urlid = args.next().cloned(),
            number => wanted.push(number.to_owned()),
        }
    }
    let seed = seed.unwrap_or_else(Random::seed_of_now);
    let urlid = urlid.map_or_else(program::built, |path| Ok(path.into()))?;
    println!("seed {seed}, {}", if is_long { "long form" } else { "short form (--long for the long one)" });
    let mut failures = String::new();
    for (number, what, experiment) in EXPERIMENTS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| wanted == number) {
            continue;
        }
        let mut bench = Bench::new(urlid.clone(), seed, is_long)?;
        match experiment(&mut bench) {
            Ok(Outcome::Seen(figures)) => println!("{number:>3} seen     {what}: {figures}"),
            Ok(Outcome::NotRun(reason)) => println!("{number:>3} not run  {what}: {reason}"),
            Err(message) => {
                println!("{number:>3} FAILED   {what}: {message}");
                let _ = write!(failures, " {number}");
            }
        }
    }
    if wanted.is_empty() {
        IN_TESTS.iter().for_each(|(numbers, place)| println!("{numbers:>6} in tests: {place}"));
    }
    if failures.is_empty() { Ok(()) } else { Err(format!("failed with --seed {seed}:{failures}")) }
}
