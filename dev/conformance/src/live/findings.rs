//! The differences that comparisons found, which are printed at once.

use std::fmt;
use std::sync::Mutex;

/// The maximum number of printed differences of one comparison.
const SHOWN: usize = 10;
/// The maximum number of printed runs of code points.
const RUNS: usize = 40;

/// The differences that comparisons found.
#[derive(Default)]
pub struct Findings(Mutex<Vec<String>>);

/// The differences of one comparison.
#[derive(Default)]
pub(crate) struct Differences {
    compared: u64,
    differ: u64,
    code_points: Vec<char>,
    shown: Vec<String>,
}

impl Differences {
    /// Counts a text, with the answers if they differ.
    pub(crate) fn count(&mut self, text: &str, found: &str, expected: Option<String>) {
        self.compared += 1;
        let Some(expected) = expected else { return };
        self.differ += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(format!("  {text:?}\n    expected {expected}\n    found    {found}"));
        }
    }

    /// Records the code point of the last counted text.
    pub(crate) fn of_code_point(&mut self, code_point: char) {
        self.code_points.push(code_point);
    }

    /// Adds the counts of a second comparison.
    pub(crate) fn add(&mut self, other: &Differences) {
        self.compared += other.compared;
        self.differ += other.differ;
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} compared, {} differ", self.compared, self.differ)
    }
}

impl Findings {
    /// Stores the differences of a comparison. They are printed at once, because the other comparisons may
    /// be slow.
    pub(crate) fn take(&self, name: &str, differences: &Differences) {
        if differences.differ == 0 {
            return;
        }
        let line = format!("{name}: {differences}");
        report(&format!("{line} {}\n{}", runs(&differences.code_points), differences.shown.join("\n")));
        self.0.lock().expect("no thread panics while it has the lock").push(line);
    }

    /// Returns a line for each comparison that found differences.
    pub fn list(self) -> Vec<String> {
        self.0.into_inner().expect("no thread panics while it has the lock")
    }
}

/// Returns ascending code points as runs.
fn runs(code_points: &[char]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for code_point in code_points.iter().copied().map(u32::from) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == code_point => *last = code_point,
            _ => runs.push((code_point, code_point)),
        }
    }
    let show = |&(first, last): &(u32, u32)| {
        if first == last { format!("U+{first:04X}") } else { format!("U+{first:04X}-{last:04X}") }
    };
    let shown: Vec<String> = runs.iter().take(RUNS).map(show).collect();
    let more = runs.len().saturating_sub(RUNS);
    shown.join(" ") + &if more > 0 { format!(" and {more} runs more") } else { String::new() }
}

#[expect(clippy::print_stderr, reason = "a comparison reports how much it compared")]
pub(crate) fn report(line: &str) {
    eprintln!("{line}");
}

#[test]
fn code_points_are_shown_as_runs() {
    assert_eq!(runs(&['a', 'c', 'd', 'e']), "U+0061 U+0063-0065");
}
