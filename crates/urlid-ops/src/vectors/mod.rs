//! Runs a file of test vectors over the library or over a binding of it, so that every surface is compared
//! with the same values.
//!
//! ```json
//! {"format": 1, "vectors": [
//!   {"id": "root", "op": "urlhash", "class": "plain", "input": {"url": "HTTP://h"},
//!    "expect": {"canonical": "http://h/"}},
//!   {"id": "none", "op": "sxurl.encode", "class": "scheme", "input": {"url": "ws://h/"},
//!    "error": "ERR_INVALID_SCHEME"}
//! ]}
//! ```
//!
//! A vector has an operation, its input and the expected result, which is a set of values or the code of an
//! error. A vector that cannot be checked is a failure and never a pass. Examples are a vector with an
//! unknown operation, input or expected value, and a vector that expects nothing. [`ops`] lists the
//! operations, which the library or a different [`Surface`] runs. The module does not read files or print.
//!
//! ```
//! let report = urlid_ops::vectors::run(r#"{"format": 1, "vectors": []}"#);
//! assert_eq!(report.to_string(), "0 passed, 0 failed");
//! ```

pub mod ops;
mod surface;
mod vector;

pub use surface::{Surface, Values, VectorFault};

use std::collections::HashSet;
use std::fmt;

use serde_json::Value;

/// Runs every vector of a file, given as its text, over the library.
///
/// A text that is not a file of vectors gives a report with one failure, so a mistake never ends in "0
/// failed".
pub fn run(text: &str) -> VectorReport {
    run_over(&ops::Library, text)
}

/// Runs every vector of a file over a surface.
pub fn run_over(surface: &dyn Surface, text: &str) -> VectorReport {
    let mut report = VectorReport::default();
    match vectors(text) {
        Ok(vectors) => {
            vectors
                .iter()
                .for_each(|vector| report.record(vector::id(vector), vector::check(surface, vector)));
        }
        Err(reason) => report.record("file", Err(reason)),
    }
    // This is checked after the run, because the first of two vectors with one id may already have failed.
    report.fail_repeated_ids();
    report
}

/// Reads the outer structure of the file.
fn vectors(text: &str) -> Result<Vec<Value>, String> {
    let mut file: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    // A later format may change the meaning of a key, and vectors that are read wrongly could pass.
    if file["format"] != 1 {
        return Err(format!("format is {}, expected 1", file["format"]));
    }
    match file["vectors"].take() {
        Value::Array(vectors) => Ok(vectors),
        other => Err(format!("`vectors` is {other}, expected a list")),
    }
}

/// The result of a run.
///
/// Displays as one line for each failure and the last line `N passed, N failed`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorReport {
    passed: Vec<String>,
    failures: Vec<Failure>,
}

/// A vector that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The vector's id.
    pub id: String,
    /// The found and the expected value, in one line.
    pub reason: String,
}

impl VectorReport {
    /// Returns how many vectors passed.
    pub fn passed(&self) -> usize {
        self.passed.len()
    }

    /// Returns the vectors that failed, in the order of the file.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    fn record(&mut self, id: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed.push(id.to_owned()),
            Err(reason) => self.failures.push(Failure { id: id.to_owned(), reason }),
        }
    }

    /// Turns a pass into a failure if two vectors have the same id, because a report must identify one
    /// vector.
    fn fail_repeated_ids(&mut self) {
        // An id that failed also fails its other vectors, so an id is never both passed and failed.
        let mut seen: HashSet<String> = self.failures.iter().map(|failure| failure.id.clone()).collect();
        let (unique, repeated) =
            std::mem::take(&mut self.passed).into_iter().partition(|id| seen.insert(id.clone()));
        self.passed = unique;
        let failure = |id| Failure { id, reason: "a different vector has this id".to_owned() };
        self.failures.extend(Vec::into_iter(repeated).map(failure));
    }
}

impl fmt::Display for VectorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Failure { id, reason } in &self.failures {
            writeln!(f, "failed: {id}: {reason}")?;
        }
        write!(f, "{} passed, {} failed", self.passed.len(), self.failures.len())
    }
}
