//! The keys of the table `other` that can belong to answers (docs/index-format.md, section 6). This module
//! does not read files.

use std::collections::BTreeSet;

use urlid::suffix::SuffixList;
use urlid::sxurl::Slice;

use crate::question::conditions::Question;
use crate::question::other::{host_key, reversed};
use crate::question::under::Under;
use crate::question::under::WantedHost;

/// The keys of hosts that can belong to answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OtherKeys {
    /// All keys.
    All,
    /// The keys in these ranges, in ascending order. A range is its first text and its exclusive end.
    Ranges(Vec<(String, String)>),
}

impl OtherKeys {
    pub(crate) fn new(question: &Question, list: &SuffixList) -> Self {
        if let Some(host) = question.host() {
            return Self::of_host(host);
        }
        let part = |slice| question.part(slice, list).filter(|part| !part.is_empty());
        let Some(tld) = part(Slice::Tld) else {
            return match question.under() {
                Some(under) => Self::of_under(under),
                None => Self::All,
            };
        };
        let mut name = tld.to_owned();
        if let Some(domain) = part(Slice::Domain) {
            name = [domain, ".", &name].concat();
            if let Some(sub) = part(Slice::Sub) {
                name = [sub, ".", &name].concat();
            }
        }
        Self::Ranges(vec![at_or_below(&name)])
    }

    fn of_host(host: &WantedHost) -> Self {
        Self::Ranges(spellings(host))
    }

    fn of_under(under: &Under) -> Self {
        let mut ranges = spellings(under.host());
        // An address has an empty name, and hosts cannot be below it.
        if !under.name().is_empty() {
            let below = at_or_below(under.name());
            // A spelling within the range of the name is dropped, because overlapping ranges would return its
            // rows twice.
            ranges.retain(|range| range.0 < below.0 || below.1 < range.1);
            ranges.push(below);
            ranges.sort();
        }
        Self::Ranges(ranges)
    }
}

/// Returns the range of each key of a host, in order.
fn spellings(host: &WantedHost) -> Vec<(String, String)> {
    // A host may have two spellings, but their keys may be equal. The set keeps each key once, in order. NUL
    // is the least character, so the key with a NUL appended is the least text after the key.
    let keys: BTreeSet<String> = host.texts().map(host_key).collect();
    keys.into_iter().map(|key| (key.clone(), key + "\0")).collect()
}

/// Returns the range of the keys of a name and everything below it.
fn at_or_below(name: &str) -> (String, String) {
    let first = reversed(name);
    // `/` is the character after `.`, so the range has the name itself and everything below it. Names with
    // only the same prefix (`com.example-a`) may be in it. The comparison with the URL drops them.
    let behind = [&first, "/"].concat();
    (first, behind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::condition::Condition;

    #[test]
    fn both_spellings_of_a_host_are_read() {
        let keys = |value: &str| {
            let question = Question::new([(Condition::Under, value)]).expect(value);
            match OtherKeys::new(&question, SuffixList::compiled()) {
                OtherKeys::Ranges(ranges) => ranges,
                keys => panic!("{keys:?}"),
            }
        };
        let range = |first: &str, behind: &str| (first.to_owned(), behind.to_owned());
        assert_eq!(keys("abc.com"), [range("com.abc", "com.abc/")]);
        let opaque = host_key("a%62c.com");
        assert_eq!(keys("a%62c.com"), [(opaque.clone(), opaque + "\0"), range("com.abc", "com.abc/")]);
    }
}
