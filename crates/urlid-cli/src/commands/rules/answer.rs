//! The result of a test of rules, as JSON has it and as text and page show it.

use std::path::Path;

use clap::ValueEnum;
use serde::Serialize;
use urlid_canonical::{NoVarySearch, Rules};
use urlid_learn::{Counts, Declared, Pair};

use crate::input::bounded::read_text;
use crate::report::exit::Failure;
use crate::report::message;

/// Reads a file of rules.
pub(super) fn read(path: &Path) -> Result<Rules, Failure> {
    Rules::parse(&read_text(path)?).map_err(|error| Failure::of_file(path, &error))
}

/// What examples show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Examples {
    /// Replace long values, digits and sessions by an ellipsis
    #[default]
    Masked,
    /// Show complete URLs
    Full,
}

impl Examples {
    pub(super) fn are_full(self) -> bool {
        self == Examples::Full
    }
}

/// The rule and its results.
#[derive(Serialize)]
pub(super) struct RuleResult {
    pub(super) line: u32,
    pub(super) rule: String,
    pub(super) judged: u64,
    pub(super) wrong: u64,
    pub(super) examples: Vec<Pair>,
    pub(super) counterexamples: Vec<Pair>,
}

/// The counts of a form over URLs, [`Counts`], and the shares that follow from them.
#[derive(Serialize)]
pub(super) struct Numbers {
    pub(super) urls: u64,
    pub(super) skipped: u64,
    pub(super) judged: u64,
    pub(super) wrong: u64,
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    pub(super) lost: u64,
}

impl From<Counts> for Numbers {
    fn from(counts: Counts) -> Self {
        let (precision, recall) = (counts.precision(), counts.recall());
        let Counts { urls, skipped, judged, wrong, lost, .. } = counts;
        Numbers { urls, skipped, judged, wrong, precision, recall, lost }
    }
}

/// The whole result, as JSON has it.
#[derive(Serialize)]
pub(super) struct TestAnswer {
    pub(super) form: String,
    #[serde(flatten)]
    pub(super) numbers: Numbers,
    pub(super) rules: Vec<RuleResult>,
    pub(super) counterexamples: Vec<Pair>,
    pub(super) no_vary_search: Vec<DeclaredField>,
    pub(super) hosts: Vec<Host>,
    pub(super) unjudged_hosts: Vec<Unjudged>,
}

/// A host that was judged.
#[derive(Serialize)]
pub(super) struct Host {
    pub(super) host: String,
    #[serde(flatten)]
    pub(super) numbers: Numbers,
}

/// A field `No-Vary-Search` of a host, and the evidence of the captures that have it.
#[derive(Serialize)]
pub(super) struct DeclaredField {
    pub(super) host: String,
    pub(super) field: String,
    /// Whether it is valid and differs in meaning from a missing field.
    pub(super) says_something: bool,
    pub(super) captures: u64,
    pub(super) judged: u64,
    pub(super) wrong: u64,
    pub(super) counterexamples: Vec<Pair>,
}

impl From<((String, String), Declared)> for DeclaredField {
    fn from(((host, field), declared): ((String, String), Declared)) -> Self {
        let says_something = !NoVarySearch::parse(&field).is_default();
        let Declared { captures, judged, wrong, counters } = declared;
        DeclaredField { host, field, says_something, captures, judged, wrong, counterexamples: counters }
    }
}

impl DeclaredField {
    /// Returns the verdict of the captures, in words.
    pub(super) fn verdict(&self) -> String {
        let captures = message::count(self.captures, "capture");
        match (self.says_something, self.judged) {
            (false, _) => format!("{captures}, not valid or without effect"),
            (true, 0) => format!("{captures}, none that could contradict it"),
            (true, judged) => format!("{captures}, {judged} judged, {} wrong", self.wrong),
        }
    }
}

/// A host that the digest cannot judge.
#[derive(Serialize)]
pub(super) struct Unjudged {
    pub(super) host: String,
    pub(super) urls: u64,
}

/// Returns a share with four digits, or a dash for a missing share.
pub(super) fn share(share: Option<f64>) -> String {
    // Rounded down, so that only a share of exactly 1 is shown as 1.
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.4}", (share * 10_000.0).floor() / 10_000.0))
}

/// Returns the numbers of a result as one line.
pub(super) fn summary(numbers: &Numbers) -> String {
    format!(
        "{}, {} skipped, {} judged, {} wrong: precision {}, recall {}, {} lost",
        message::count(numbers.urls, "URL"),
        numbers.skipped,
        numbers.judged,
        numbers.wrong,
        share(numbers.precision),
        share(numbers.recall),
        message::count(numbers.lost, "content"),
    )
}
