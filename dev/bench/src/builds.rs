//! `bench builds DEFAULT CAREFUL`: two builds of this program beside each other, each of them urlid's own
//! works on one core.
//!
//! Users of the crates build them with Cargo's default `release`, and the records were made with
//! whole-program optimisation. DEFAULT and CAREFUL are this program in those two profiles:
//!
//! ```sh
//! cargo build --release --package bench && cp target/release/bench default
//! cargo build --profile bench --package bench && target/release/bench builds default target/release/bench
//! ```
//!
//! Both run as processes that take turns over the same slices, so that one pays for a switch of processes as
//! often as the other.

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use std::{hint, io};

use crate::arguments::Arguments;
use crate::corpus::{self, Corpus};
use crate::own::{FORMS, IDENTIFIERS, Lines};
use crate::process::Process;
use crate::race::Race;
use crate::record::{Bound, Fact, Figure, Record, Target};

const ROUNDS: usize = 25;
/// What the default build must reach of the careful one: each row, and their geometric mean.
const LEAST: f64 = 0.88;
const LEAST_MEAN: f64 = 0.95;

/// Measures, prints the table and writes the record.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let places = Arguments(arguments);
    let (default, careful) = places.path(0).zip(places.path(1)).ok_or("expected two builds of bench")?;
    let mut record = Record::begin("builds");
    let (mut logarithms, mut rows) = (0.0, 0.0);
    for corpus in &corpus::standard()? {
        for work in IDENTIFIERS.into_iter().chain(FORMS) {
            let [ours, best] = race(corpus, work, [&default, &careful])?;
            for (build, nanoseconds) in [("default", ours), ("careful", best)] {
                let work = format!("{work}, {build}");
                record.figures.push(Figure { corpus: corpus.name.clone(), work, nanoseconds });
            }
            let reached = best / ours;
            logarithms += reached.ln();
            rows += 1.0;
            let what = format!("{}: {work}: the default build, of the careful one", corpus.name);
            record.targets.push(Target { what, must: Bound::AtLeast(LEAST), reached });
        }
    }
    record.facts.push(Fact::new("rows", rows, ""));
    record.targets.push(Target {
        what: "geometric mean".to_owned(),
        must: Bound::AtLeast(LEAST_MEAN),
        reached: (logarithms / rows).exp(),
    });
    record.print();
    record.write(arguments)
}

/// Returns the nanoseconds that a line takes in each build.
fn race(corpus: &Corpus, work: &str, builds: [&Path; 2]) -> Result<[f64; 2], String> {
    let lines = corpus.lines();
    let mut race = Race::over(lines.len());
    for (name, build) in ["default", "careful"].into_iter().zip(builds) {
        let mut command = Command::new(build);
        command.args(["serve", work]);
        let mut process = Process::start(command, &lines)?;
        race.add_timed(name, move |range| process.measure(range).expect("the process answers"));
    }
    let times = race.run(ROUNDS);
    Ok([times[0].nanoseconds, times[1].nanoseconds])
}

/// `bench serve WORK`: works through the lines of standard input as [`Process`] says, for `builds` of another
/// build.
#[expect(clippy::print_stdout, reason = "the answers are the program's output")]
pub(crate) fn serve(arguments: &[String]) -> Result<(), String> {
    let [work] = arguments else { return Err("expected a work".to_owned()) };
    let mut input = io::stdin().lock().lines().map(|line| line.map_err(|error| error.to_string()));
    let mut next = || input.next().transpose();
    let count = next()?.and_then(|line| line.parse().ok()).ok_or("expected the number of lines")?;
    let lines = (0..count).map(|_| next()?.ok_or_else(|| "too few lines".to_owned()));
    let corpus = Corpus::of("", lines.collect::<Result<Vec<_>, String>>()?);
    let lines = Lines::of(&corpus);
    let mut work = lines.work(work).ok_or_else(|| format!("no work: {work}"))?;
    while let Some(range) = next()? {
        let (start, end) = range.split_once(' ').ok_or("expected a range")?;
        let number = |text: &str| text.parse::<usize>().map_err(|error| error.to_string());
        let range = number(start)?..number(end)?;
        let begun = Instant::now();
        hint::black_box(work(hint::black_box(range)));
        println!("{}", begun.elapsed().as_nanos());
        io::stdout().flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}
