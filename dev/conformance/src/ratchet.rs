//! A list of expected failures that can only shrink. An unexpected pass fails like an unexpected failure.

use std::collections::BTreeSet;

/// The results of a suite, case by case.
#[derive(Default)]
pub struct Ratchet {
    passed: usize,
    failed: BTreeSet<String>,
    details: Vec<String>,
}

impl Ratchet {
    /// Counts a case. `name` is its name in the list.
    pub fn record(&mut self, name: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(detail) => {
                self.failed.insert(name.escape_default().to_string());
                self.details.push(format!("{name:?}: {detail}"));
            }
        }
    }

    /// Checks that exactly the listed cases failed, and that `total` cases were run. Lines of the list that
    /// start with `#` are comments.
    ///
    /// # Panics
    /// Panics otherwise.
    pub fn check(self, list: &str, total: usize) {
        let listed = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
        assert_eq!(self.failed, listed, "failures differ from the list:\n{}", self.details.join("\n"));
        assert_eq!(self.passed + self.details.len(), total, "a different number of cases was run");
    }
}
