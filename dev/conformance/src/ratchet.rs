//! A list of expected failures that only ever gets shorter: an unexpected pass fails as an unexpected failure
//! does.

use std::collections::BTreeSet;

/// What a suite found, case by case.
#[derive(Default)]
pub struct Ratchet {
    passed: usize,
    failed: BTreeSet<String>,
    details: Vec<String>,
}

impl Ratchet {
    /// Counts a case; `name` is how the list calls it.
    pub fn record(&mut self, name: &str, result: Result<(), String>) {
        match result {
            Ok(()) => self.passed += 1,
            Err(detail) => {
                self.failed.insert(name.escape_default().to_string());
                self.details.push(format!("{name:?}: {detail}"));
            }
        }
    }

    /// Demands that just the listed cases failed, and that `total` were run. Lines of the list that begin
    /// with `#` are comments.
    ///
    /// # Panics
    /// If it is otherwise.
    pub fn check(self, list: &str, total: usize) {
        let listed = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
        assert_eq!(self.failed, listed, "failures differ from the list:\n{}", self.details.join("\n"));
        assert_eq!(self.passed + self.details.len(), total, "a different number of cases was run");
    }
}
