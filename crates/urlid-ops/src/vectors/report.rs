//! What a run found: how many vectors passed, and why each of the others failed.

use std::collections::HashSet;
use std::fmt;

/// The result of a run.
///
/// Displays as one line for each failure and the last line `N passed, N failed`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    passed: Vec<String>,
    failures: Vec<Failure>,
}

/// A vector that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The vector's id.
    pub id: String,
    /// What was found and what was expected, in one line.
    pub reason: String,
}

impl Report {
    /// Returns how many vectors passed.
    pub fn passed(&self) -> usize {
        self.passed.len()
    }

    /// Returns the vectors that failed, in the order of the file.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    pub(crate) fn record(&mut self, id: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed.push(id.to_owned()),
            Err(reason) => self.failures.push(Failure { id: id.to_owned(), reason }),
        }
    }

    /// Turns a pass into a failure where another vector has the same id: a report must name one vector.
    pub(crate) fn fail_repeated_ids(&mut self) {
        let mut seen: HashSet<String> = self.failures.iter().map(|failure| failure.id.clone()).collect();
        let (unique, repeated) =
            std::mem::take(&mut self.passed).into_iter().partition(|id| seen.insert(id.clone()));
        self.passed = unique;
        let failure = |id| Failure { id, reason: "another vector has this id".to_owned() };
        self.failures.extend(Vec::into_iter(repeated).map(failure));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Failure { id, reason } in &self.failures {
            writeln!(f, "failed: {id}: {reason}")?;
        }
        write!(f, "{} passed, {} failed", self.passed.len(), self.failures.len())
    }
}
