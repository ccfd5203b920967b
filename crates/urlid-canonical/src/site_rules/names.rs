//! The names of a scope's rules, with a fast lookup.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Bound;

use super::grammar::{RuleKind, unescaped};

/// A name that a rule lists, decoded.
#[derive(Debug)]
pub(super) struct Name {
    /// The first eight bytes as a number with the same order. It decides most comparisons.
    head: u64,
    text: Box<str>,
    pub(super) kind: RuleKind,
    /// The value of a rule `default`, decoded.
    pub(super) value: Box<str>,
    /// The index of the rule.
    pub(super) rule: u32,
}

/// Names, and the prefixes of names that were written with a `*`.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Ascending.
    exact: Box<[Name]>,
    /// In ascending order, and none is a prefix of a different one. Only the greatest entry that is not after
    /// a name can therefore be its prefix.
    starts: Box<[Name]>,
}

/// Two contradicting rules about the same field, by index. The first one is the lesser.
pub(super) struct Contradiction(pub(super) u32, pub(super) u32);

impl Names {
    /// Collects the names of rules, each with its kind and index.
    pub(super) fn build<'w>(
        rules: impl Iterator<Item = (RuleKind, &'w str, u32)>,
    ) -> Result<Self, Contradiction> {
        let mut all: Vec<(Name, bool)> = rules.map(|(kind, word, rule)| read(kind, word, rule)).collect();
        // A text sorts after the pattern that is its prefix.
        all.sort_unstable_by(|(a, a_star), (b, b_star)| {
            (&a.text, b_star, a.rule).cmp(&(&b.text, a_star, b.rule))
        });
        let (mut exact, mut starts) = (Vec::<Name>::new(), Vec::<Name>::new());
        for (name, is_start) in all {
            let covering = starts.last().filter(|start| name.text.starts_with(&*start.text));
            let same = exact.last().filter(|last| !is_start && last.text == name.text);
            for other in covering.into_iter().chain(same) {
                if (other.kind, &other.value) != (name.kind, &name.value) {
                    return Err(Contradiction(other.rule.min(name.rule), other.rule.max(name.rule)));
                }
            }
            match (is_start, covering.is_some() || same.is_some()) {
                (_, true) => {}
                (true, false) => starts.push(name),
                (false, false) => exact.push(name),
            }
        }
        Ok(Self { exact: exact.into(), starts: starts.into() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.starts.is_empty()
    }

    /// Returns the entry for a decoded name.
    pub(super) fn find(&self, name: &str) -> Option<&Name> {
        let key = (head(name), name);
        let after = self.starts.partition_point(|start| (start.head, &*start.text) <= key);
        let start = after.checked_sub(1).map(|place| &self.starts[place]);
        start.filter(|start| name.starts_with(&*start.text)).or_else(|| {
            let place = self.exact.binary_search_by(|known| {
                known.head.cmp(&key.0).then_with(|| match known.text.len().max(name.len()) {
                    // The heads are the whole texts, so the known text need not be fetched.
                    ..=8 => known.text.len().cmp(&name.len()),
                    _ => (*known.text).cmp(name),
                })
            });
            place.ok().map(|place| &self.exact[place])
        })
    }
}

/// The segments with sessions that no scope has listed so far, by the name of the session.
pub(super) type Waiting = BTreeMap<String, Vec<usize>>;

impl Names {
    /// Removes the segments with listed names, and returns them. The cost is the number of names on the
    /// smaller side, plus the number of removed segments.
    pub(super) fn take_listed(&self, waiting: &mut Waiting) -> Vec<usize> {
        let mut listed: Vec<String> = Vec::new();
        if waiting.len() <= self.exact.len() + self.starts.len() {
            listed.extend(waiting.keys().filter(|name| self.find(name).is_some()).cloned());
        } else {
            for start in &self.starts {
                let from = (Bound::Included(&*start.text), Bound::Unbounded);
                let names = waiting.range::<str, _>(from).map(|(name, _)| name);
                listed.extend(names.take_while(|name| name.starts_with(&*start.text)).cloned());
            }
            listed.extend(self.exact.iter().map(|name| name.text.to_string()));
        }
        listed.into_iter().filter_map(|name| waiting.remove(&name)).flatten().collect()
    }
}

fn read(kind: RuleKind, word: &str, rule: u32) -> (Name, bool) {
    let (pattern, value) = match (kind, word.split_once('=')) {
        (RuleKind::Default, Some((pattern, value))) => (pattern, value),
        _ => (word, ""),
    };
    let text = pattern.strip_suffix('*').unwrap_or(pattern);
    let boxed = |text| Cow::into_owned(unescaped(text)).into_boxed_str();
    let name = Name { head: 0, text: boxed(text), kind, value: boxed(value), rule };
    (Name { head: head(&name.text), ..name }, text.len() < pattern.len())
}

/// Returns a number that orders texts if it differs. Missing bytes of a short text are 0.
fn head(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = text.len().min(8);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}
