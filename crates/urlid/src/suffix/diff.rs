//! What changed between two public suffix lists.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use urlid_psl::Section;
use urlid_psl::dat::{Rule, RuleKind};

use super::list::{SuffixList, to_ascii};

/// The rules that only one of two lists has.
///
/// ```
/// use urlid::suffix::{Sections, SuffixList, diff};
///
/// let old = SuffixList::parse("com\n", Sections::All)?;
/// let new = SuffixList::parse("com\nexample.com\n", Sections::All)?;
/// assert_eq!((diff(&old, &new).gone.len(), diff(&old, &new).came[0].name), (0, "example.com"));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff<'l> {
    /// Rules of the old list that the new one lacks, in the old one's order.
    pub gone: Vec<Rule<'l>>,
    /// Rules of the new list that the old one lacks, in the new one's order.
    pub came: Vec<Rule<'l>>,
}

/// Compares the rules of two lists, those of the sections that count in each.
///
/// Two rules are equal if they are of the same kind, for the same name, in the same section. Whether the name is written in
/// Unicode or in ASCII, and on which line, does not matter.
pub fn diff<'l>(old: &'l SuffixList, new: &'l SuffixList) -> Diff<'l> {
    let (in_old, in_new) = (meanings(old), meanings(new));
    let only = |list: &'l SuffixList, other: &BTreeSet<Meaning>| {
        list.rules().filter(|rule| !other.contains(&meaning(rule))).collect()
    };
    Diff { gone: only(old, &in_new), came: only(new, &in_old) }
}

type Meaning = (Section, RuleKind, String);

fn meaning(rule: &Rule<'_>) -> Meaning {
    (rule.section, rule.kind, to_ascii(rule.name).unwrap_or_default())
}

fn meanings(list: &SuffixList) -> BTreeSet<Meaning> {
    list.rules().map(|rule| meaning(&rule)).collect()
}
