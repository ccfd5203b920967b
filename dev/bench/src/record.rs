//! A run's figures, with the machine and the date, as a table for people and as JSON for
//! `dev/bench/records/`.

use std::path::PathBuf;
use std::{env, fs};

use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::machine;
use crate::race::Time;

/// The results of a run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Record {
    /// The verb that was run.
    pub(crate) verb: String,
    pub(crate) date: String,
    pub(crate) machine: String,
    /// The peers and their versions, from the lock file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) versions: Vec<String>,
    /// Times, each comparable with the times of the same corpus.
    pub(crate) figures: Vec<Figure>,
    /// Ratios with their required and intended values.
    pub(crate) rows: Vec<Row>,
    /// Quantities of other kinds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) facts: Vec<Fact>,
    /// Single numbers with their required values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) targets: Vec<Target>,
}

/// The time of one work for each item of a corpus.
#[derive(Serialize, Deserialize)]
pub(crate) struct Figure {
    pub(crate) corpus: String,
    pub(crate) work: String,
    pub(crate) nanoseconds: f64,
}

/// The ratio of the speeds of two works, on crawl and on mixed.
#[derive(Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) work: String,
    pub(crate) against: String,
    pub(crate) must: [f64; 2],
    pub(crate) aim: [f64; 2],
    pub(crate) reached: [f64; 2],
}

/// A quantity in its unit, which is empty for a count.
#[derive(Serialize, Deserialize)]
pub(crate) struct Fact {
    pub(crate) what: String,
    pub(crate) value: f64,
    pub(crate) unit: String,
}

impl Fact {
    /// Makes a fact.
    pub(crate) fn new(what: impl Into<String>, value: f64, unit: &str) -> Self {
        Fact { what: what.into(), value, unit: unit.to_owned() }
    }
}

/// A number and its bound.
#[derive(Serialize, Deserialize)]
pub(crate) struct Target {
    pub(crate) what: String,
    pub(crate) must: Bound,
    pub(crate) reached: f64,
}

/// The bound that a number must meet.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

impl Bound {
    fn holds(self, number: f64) -> bool {
        match self {
            Bound::AtLeast(least) => number >= least,
            Bound::AtMost(most) => number <= most,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bound::AtLeast(least) => f.pad(&format!(">= {least}")),
            Bound::AtMost(most) => f.pad(&format!("<= {most}")),
        }
    }
}

impl Record {
    /// Starts a record with today's date and this machine.
    pub(crate) fn begin(verb: &str) -> Self {
        Record {
            verb: verb.to_owned(),
            date: machine::date(),
            machine: machine::describe(),
            versions: Vec::new(),
            figures: Vec::new(),
            rows: Vec::new(),
            facts: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Adds the versions of crates.
    pub(crate) fn add_versions(&mut self, names: &[&str]) {
        let lock = include_str!("../../../Cargo.lock");
        let version = |name: &&str| {
            // The newest, if conformance has an older one.
            let (_, rest) = lock.rsplit_once(&format!("name = \"{name}\"\nversion = \""))?;
            Some(format!("{name} {}", rest.split('"').next()?))
        };
        self.versions.extend(names.iter().filter_map(version));
    }

    /// Adds the times of a race's works over a corpus.
    pub(crate) fn add_times(&mut self, corpus: &Corpus, times: &[Time]) {
        self.figures.extend(times.iter().map(|time| Figure {
            corpus: corpus.name.clone(),
            work: time.name.to_owned(),
            nanoseconds: time.nanoseconds,
        }));
    }

    /// Prints the figures and the table.
    #[expect(clippy::print_stdout, reason = "the figures are the program's output")]
    pub(crate) fn print(&self) {
        println!("{} on {}, {}\n{}\n", self.verb, self.machine, self.date, self.versions.join(", "));
        for figure in &self.figures {
            println!("{:<12} {:<44} {:9.1} ns", figure.corpus, figure.work, figure.nanoseconds);
        }
        if !self.rows.is_empty() {
            println!(
                "\n{:<36} {:<30} {:>11} {:>11} {:>13}",
                "crawl / mixed", "against", "must", "aim", "reached"
            );
        }
        for row in &self.rows {
            let pair = |[crawl, mixed]: [f64; 2]| format!("{crawl:.1} / {mixed:.1}");
            let verdict = match row.reached.iter().zip(row.must).all(|(reached, must)| *reached >= must) {
                true if row.reached.iter().zip(row.aim).all(|(reached, aim)| *reached >= aim) => "aim",
                true => "must",
                false => "MISSED",
            };
            println!(
                "{:<36} {:<30} {:>11} {:>11} {:>13}  {verdict}",
                row.work,
                row.against,
                pair(row.must),
                pair(row.aim),
                pair(row.reached)
            );
        }
        for Fact { what, value, unit } in &self.facts {
            println!("{what:<100} {value:14.3} {unit}");
        }
        for Target { what, must, reached } in &self.targets {
            let verdict = if must.holds(*reached) { "must" } else { "MISSED" };
            println!("{what:<100} {reached:14.3} {must:>9}  {verdict}");
        }
    }

    /// Writes the record to the file after `--record`, if the arguments contain it.
    pub(crate) fn write(&self, arguments: &[String]) -> Result<(), String> {
        let Some(at) = arguments.iter().position(|argument| argument == "--record") else { return Ok(()) };
        let path = match arguments.get(at + 1).filter(|argument| !argument.starts_with("--")) {
            Some(path) => PathBuf::from(path),
            None => records().join(format!("{}-{}.json", self.verb, self.date)),
        };
        let json = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        fs::write(&path, json + "\n").map_err(|error| format!("can't write {}: {error}", path.display()))
    }
}

/// The folder of the records.
pub(crate) fn records() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("records")
}
