//! Traps.

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Trap {
    /// The kind: `repeat`, `calendar`, `facets` or `session`.
    pub kind: &'static str,
    /// The template, or its path.
    pub template: String,
    /// The URLs of the sample.
    pub urls: usize,
    /// What was seen.
    pub reason: String,
}

pub(super) fn find(_: &str, _: &[(&str, u32)], _: &[String]) -> Vec<Trap> {
    Vec::new()
}
