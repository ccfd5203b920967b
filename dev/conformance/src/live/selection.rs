//! The compared profiles, shapes and code points.

use std::str::FromStr;

use sweep::{Reach, SHAPES, Shape};
use urlid_generators::mix;

use super::oracle::{ORACLES, Oracle};
use crate::parallel;

/// The profiles, shapes and code points of a run.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Parts of names of profiles. Without them, all profiles.
    pub profiles: Vec<String>,
    /// Parts of names of shapes. Without them, all shapes.
    pub shapes: Vec<String>,
    /// The code points that are inserted into each shape.
    pub code_points: CodePoints,
}

/// The compared code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePoints {
    /// `all`: every code point that a shape accepts.
    All,
    /// `assigned`: the code points of the planes in which Unicode assigns characters.
    Assigned,
    /// A number below 64: one of 64 code points. The 64 samples together are all code points.
    Sample(u64),
}

/// The number of samples, which together are all code points.
const SAMPLES: u64 = 64;

impl Selection {
    /// Selects all profiles and shapes, and the code points of the planes in which Unicode assigns
    /// characters.
    pub fn of_assigned() -> Self {
        Self { profiles: Vec::new(), shapes: Vec::new(), code_points: CodePoints::Assigned }
    }

    /// Selects the profiles that freeze packages of Python and Node, and this commit's sample of code
    /// points. Each tree has a different sample. `URLID_SWEEP` selects a specific sample, or more.
    ///
    /// # Panics
    /// Panics if `URLID_SWEEP` is neither `all`, `assigned` nor a number below 64.
    pub fn of_this_commit() -> Self {
        let code_points = match std::env::var("URLID_SWEEP") {
            Ok(text) => text.parse().unwrap_or_else(|error| panic!("URLID_SWEEP: {error}")),
            Err(_) => CodePoints::Sample(digits_of_the_tree() % SAMPLES),
        };
        let profiles = ORACLES.iter().filter(|oracle| oracle.is_installed());
        let profiles = profiles.map(|oracle| oracle.profile.to_owned()).collect();
        Self { profiles, shapes: Vec::new(), code_points }
    }

    /// Returns the shapes whose name contains one of the words.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = &'static Shape> + Clone + Send + use<> {
        let words = self.shapes.clone();
        SHAPES.iter().filter(move |shape| has_one_of(&words, shape.name))
    }

    /// Calls `compare` for the implementations, on as many threads as there are CPUs.
    pub fn each_oracle(&self, compare: impl Fn(&'static Oracle) + Sync) {
        let oracles = ORACLES.iter().filter(|oracle| has_one_of(&self.profiles, oracle.profile));
        parallel::for_each(oracles, compare);
    }
}

impl CodePoints {
    /// Returns the code points that a shape accepts.
    pub(crate) fn of(self, shape: &Shape) -> impl Iterator<Item = char> + Clone + Send + use<> {
        let reach = shape.reach;
        ('\0'..=char::MAX).filter(move |&code_point| reach.contains(code_point) && self.contains(code_point))
    }

    fn contains(self, code_point: char) -> bool {
        match self {
            CodePoints::All => true,
            CodePoints::Assigned => Reach::Assigned.contains(code_point),
            CodePoints::Sample(number) => mix(u64::from(u32::from(code_point))) % SAMPLES == number,
        }
    }
}

impl FromStr for CodePoints {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(CodePoints::All),
            "assigned" => Ok(CodePoints::Assigned),
            _ => {
                let number = text.parse().ok().filter(|number| *number < SAMPLES);
                let expected = format!("{text}: expected `all`, `assigned` or a number below {SAMPLES}");
                number.map(CodePoints::Sample).ok_or(expected)
            }
        }
    }
}

/// Returns whether the name contains one of the words. Without words, returns true.
pub(crate) fn has_one_of(words: &[String], name: &str) -> bool {
    words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))
}

/// Returns the first digits of the commit's tree, or 0 without a repository.
fn digits_of_the_tree() -> u64 {
    let git = std::process::Command::new("git")
        .args(["rev-parse", "HEAD^{tree}"])
        .current_dir(urlid_testing::root())
        .output();
    let digits = git.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    digits.and_then(|digits| u64::from_str_radix(digits.get(..8)?, 16).ok()).unwrap_or_default()
}

#[test]
fn the_samples_together_are_every_code_point() {
    let count = |code_points: CodePoints| code_points.of(&SHAPES[0]).count();
    assert_eq!(count(CodePoints::All), 0x11_0000 - 0x800);
    assert_eq!(
        (0..SAMPLES).map(|number| count(CodePoints::Sample(number))).sum::<usize>(),
        0x11_0000 - 0x800
    );
}
