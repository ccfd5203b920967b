//! The changes between two files of rules.

use std::collections::BTreeSet;

use urlid_canonical::Rules;

use crate::shown::{dropped, shown};

/// The largest number of URLs that are shown.
const SHOWN: usize = 10;

/// The differences between two files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The rules of the old file that the new one lacks, as `[SCOPE] KIND WORD`, in order.
    pub lost: Vec<String>,
    /// The rules of the new file that the old one lacks.
    pub gained: Vec<String>,
}

impl Changes {
    /// Compares two files, rule by rule.
    #[must_use]
    pub fn between(old: &Rules, new: &Rules) -> Self {
        let [old, new] =
            [old, new].map(|rules| rules.rules().map(|rule| rule.to_string()).collect::<BTreeSet<_>>());
        let missing = |one: &BTreeSet<String>, other| one.difference(other).cloned().collect();
        Changes { lost: missing(&old, &new), gained: missing(&new, &old) }
    }
}

/// The URLs with a key that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// The number of different URLs.
    pub urls: u64,
    /// The URLs with a different key.
    pub moved: u64,
    /// The first of these URLs, each with its old and its new key.
    pub examples: Vec<[String; 3]>,
}

impl Moves {
    /// Compares the keys of a URL in `web` form.
    pub fn add(&mut self, url: &str, old: &Rules, new: &Rules, shows_values: bool) {
        let rules = [old, new];
        let keys = rules.map(|rules| rules.apply(url, |_| {}));
        self.urls += 1;
        if keys[0] == keys[1] {
            return;
        }
        self.moved += 1;
        if self.examples.len() < SHOWN {
            let [old, new] = keys;
            let hidden: BTreeSet<String> = rules.iter().flat_map(|rules| dropped(url, rules)).collect();
            let show = |url: String| {
                if shows_values { url } else { shown(&url, |name| hidden.contains(name)) }
            };
            self.examples.push([url.to_owned(), old, new].map(show));
        }
    }

    /// Adds the counts of other URLs.
    pub fn join(&mut self, other: Moves) {
        self.urls += other.urls;
        self.moved += other.moved;
        self.examples.extend(other.examples);
        self.examples.truncate(SHOWN);
    }
}
