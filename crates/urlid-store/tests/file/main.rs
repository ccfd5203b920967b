//! Tests of the index, as one program: each module is named by what it promises. Here is what they share:
//! small indexes and the colliding pairs.

mod care;
mod collisions;
mod combinations;
mod cookbook;
mod forms;
mod hazards;
mod load;
mod others;
mod readable;
mod rejections;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use urlid::suffix::SuffixList;
use urlid_store::file::{Index, LineOutcome, Load, LoadOptions, Loaded};
use urlid_store::question::{Candidates, Condition, Question};

/// Different URLs that have one identifier, and that identifier.
pub(crate) const PAIRS: [(&str, &str, &str); 6] = [
    (
        "https://example.com/item?id=27901",
        "https://example.com/item?id=107826",
        "10862fe9cee73c091a1a7b440f00a90000e7407e0408db164da835ac7329e356",
    ),
    (
        "https://example.com/#s2087",
        "https://example.com/#s7571",
        "10462fe9cee73c091a1a7b440f00a9000098911d784580332c354b043a44b32f",
    ),
    (
        "https://u47858.example.com/",
        "https://u133837.example.com/",
        "11062fe9cee73c091a1a7bba5d8679000098911d784580332c354b043a29e356",
    ),
    (
        "https://example.com/aa1bc0670ee7201",
        "https://example.com/e60510b72945482",
        "10062fe9cee73c091a1a7b440f00a900005e830400b9d06b7c354b043a29e356",
    ),
    ("https://d4f44fff7a187fb.com/a?b#c", "https://26d712b5b4bb3bc.com/a?b#c", ""),
    ("https://example.sc/", "https://example.tax/", ""),
];

/// Makes a directory, which is removed when it is dropped, and returns a path in it.
pub(crate) fn fresh(name: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(name);
    (directory, path)
}

/// Loads lines into an index, which must go well; rejected lines are counted only.
pub(crate) fn load(path: &Path, lines: &[&str]) -> Loaded {
    load_with(path, lines, LoadOptions::default())
}

/// Loads lines with options.
pub(crate) fn load_with(path: &Path, lines: &[&str], options: LoadOptions) -> Loaded {
    let mut load = Load::begin(path, SuffixList::compiled(), options).expect("the load begins");
    for line in lines {
        let _: LineOutcome = load.push(line).expect("the load goes on");
    }
    load.finish().expect("the load ends well")
}

/// Makes a question, which must be possible.
pub(crate) fn question(conditions: &[(Condition, &str)]) -> Question {
    Question::new(conditions.iter().copied()).expect("the question is possible")
}

/// Returns the answers to a question, in order, and what became of the candidates.
pub(crate) fn find(index: &Index, conditions: &[(Condition, &str)]) -> (Vec<String>, Candidates) {
    let question = question(conditions);
    let mut urls = Vec::new();
    let found = index
        .find(&question, &mut |row| {
            urls.push(row.url.to_owned());
            ControlFlow::Continue(())
        })
        .expect("the question is answered");
    (urls, found)
}

/// Returns every URL of an index, in order.
pub(crate) fn all(path: &Path) -> Vec<String> {
    find(&Index::open(path).expect("opens"), &[]).0
}

/// Returns an error and its causes as one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", with_causes(cause)),
        None => error.to_string(),
    }
}
