//! Experiment 34: random work on an index that is killed at random, compared with a model in memory.
//!
//! A killed step must have happened completely or not at all, and all earlier steps must have effect. The
//! model builds its URLs from their parts, so it answers queries without any of the program's code.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use urlid_generators::Seeded;

use super::child::{Running, output};
use super::program::{Bench, Outcome, expect, show, text};

/// The parts from which a URL was built.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    /// Scheme and final dot. A URL has an SXURL unless one of them prevents it.
    kind: (&'static str, &'static str),
    domain: String,
    tld: &'static str,
    query: String,
}

impl Parts {
    /// Two suffixes that share a slice, and queries of which two share a slice.
    fn random(random: &mut Seeded) -> Self {
        let query = match random.below(40) {
            0 => "id=27901".to_owned(),
            1 => "id=107826".to_owned(),
            _ => format!("id={}", random.below(3_000)),
        };
        let tld = ["com", "sc", "tax", "co.uk"][random.below(4) as usize];
        let kinds = [("https", ""), ("https", ""), ("https", ""), ("wss", ""), ("https", ".")];
        let kind = kinds[random.below(5) as usize];
        Self { kind, domain: format!("example{}", random.below(5)), tld, query }
    }

    fn url(&self) -> String {
        let (scheme, dot) = self.kind;
        format!("{scheme}://{}.{}{dot}/item?{}", self.domain, self.tld, self.query)
    }
}

/// The expected rows.
type Model = BTreeMap<String, Parts>;

/// The conditions of a query, as arguments, and the rows that the model expects.
struct Query {
    conditions: Vec<String>,
    answers: Vec<String>,
}

impl Query {
    fn random(model: &Model, random: &mut Seeded) -> Self {
        let Parts { kind: (scheme, _), domain, tld, query } = Parts::random(random);
        let mut conditions = Vec::new();
        let mut conditional = |name: &str, value: &str, is_given: bool| {
            if is_given {
                conditions.extend([format!("--{name}"), value.to_owned()]);
            }
            is_given
        };
        let by_domain = conditional("domain", &domain, random.below(2) == 0);
        let by_tld = conditional("tld", tld, random.below(2) == 0);
        let by_query = conditional("query", &query, random.below(2) == 0 || !(by_domain || by_tld));
        let by_scheme = conditional("scheme", scheme, random.below(4) == 0);
        let fits = |parts: &Parts| {
            (!by_scheme || parts.kind.0 == scheme)
                && (!by_domain || parts.domain == domain)
                && (!by_tld || parts.tld == tld)
                && (!by_query || parts.query == query)
        };
        let answers = model.iter().filter(|(_, parts)| fits(parts)).map(|(url, _)| url.clone()).collect();
        Self { conditions, answers }
    }
}

struct Soak<'b> {
    bench: &'b mut Bench,
    index: PathBuf,
    model: Model,
    kills: u64,
}

/// Runs rounds of random work.
pub(super) fn soak(bench: &mut Bench) -> Result<Outcome, String> {
    let rounds = bench.times(60, 1_500);
    let index = bench.path("index");
    let mut soak = Soak { bench, index, model: Model::new(), kills: 0 };
    soak.add(false)?;
    for _ in 0..rounds {
        let is_killed = soak.bench.random.below(3) > 0;
        match soak.bench.random.below(10) {
            0..5 => soak.add(is_killed)?,
            5..7 => soak.delete(is_killed)?,
            7 => soak.care(is_killed)?,
            _ => soak.find()?,
        }
    }
    soak.find()?;
    let Soak { model, kills, .. } = soak;
    Ok(Outcome::Seen(format!("{rounds} steps, {kills} of them killed, {} rows as they must be", model.len())))
}

impl Soak<'_> {
    /// Adds random URLs, either all or none.
    fn add(&mut self, is_killed: bool) -> Result<(), String> {
        let count = 1 + self.bench.random.below(400) as usize;
        let given: Vec<Parts> = (0..count).map(|_| Parts::random(&mut self.bench.random)).collect();
        let lines: String = given.iter().map(|parts| parts.url() + "\n").collect();
        let file = self.bench.path("lines");
        std::fs::write(&file, lines).map_err(|e| e.to_string())?;
        let mut command = self.bench.adding(&self.index, &file, &[]);
        self.end(&mut command, is_killed)?;
        let there = self.rows()?;
        if is_killed && there.len() == self.model.len() {
            return self.same(&self.model, &there);
        }
        self.model.extend(given.into_iter().map(|parts| (parts.url(), parts)));
        self.same(&self.model, &there)
    }

    /// Deletes the rows of a query, either all or none.
    fn delete(&mut self, is_killed: bool) -> Result<(), String> {
        let query = Query::random(&self.model, &mut self.bench.random);
        let mut command = self.bench.index([OsStr::new("delete"), self.index.as_os_str()]);
        command.args(&query.conditions).stdout(Stdio::null()).stderr(Stdio::null());
        self.end(&mut command, is_killed)?;
        let there = self.rows()?;
        let mut left = self.model.clone();
        left.retain(|url, _| !query.answers.contains(url));
        if is_killed && there.len() == self.model.len() {
            return self.same(&self.model, &there);
        }
        self.same(&left, &there)?;
        self.model = left;
        Ok(())
    }

    /// Runs a verb that changes the file but not the rows.
    fn care(&mut self, is_killed: bool) -> Result<(), String> {
        let verb = ["seal", "compact", "verify"][self.bench.random.below(3) as usize];
        let mut command = self.bench.index([OsStr::new(verb), self.index.as_os_str()]);
        self.end(command.stdout(Stdio::null()).stderr(Stdio::null()), is_killed)?;
        self.same(&self.model, &self.rows()?)
    }

    /// Runs queries and compares the rows, then verifies the index.
    fn find(&mut self) -> Result<(), String> {
        for _ in 0..5 {
            let query = Query::random(&self.model, &mut self.bench.random);
            let mut command = self.bench.index([OsStr::new("find"), self.index.as_os_str()]);
            let output = output(command.args(&query.conditions))?;
            let mut found: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
            found.sort_unstable();
            if found != query.answers {
                return Err(format!("{:?}: {found:?}, expected {:?}", query.conditions, query.answers));
            }
            expect(&output, i32::from(found.is_empty()))?;
        }
        let rows = self.bench.verified(&self.index)?;
        if rows == self.model.len() as u64 { Ok(()) } else { Err(format!("{rows} rows were counted")) }
    }

    /// Runs a command to its end, or kills it at a random time.
    fn end(&mut self, command: &mut Command, is_killed: bool) -> Result<(), String> {
        if is_killed {
            self.kills += 1;
            return self.bench.kill_within(command, Duration::from_millis(25));
        }
        let output = Running::start(command)?.finish()?;
        if [Some(0), Some(1)].contains(&output.status.code()) { Ok(()) } else { Err(show(&output)) }
    }

    fn rows(&self) -> Result<Vec<String>, String> {
        if !Path::exists(&self.index) {
            return Ok(Vec::new());
        }
        let mut rows: Vec<String> = self.bench.rows(&self.index)?.lines().map(str::to_owned).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    fn same(&self, model: &Model, there: &[String]) -> Result<(), String> {
        if model.keys().eq(there) {
            return Ok(());
        }
        Err(format!("{} rows are there, expected {} others", there.len(), model.len()))
    }
}
