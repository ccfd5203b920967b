//! The contents of each URL of a registered domain, with redirects resolved.

use std::collections::HashMap;

use crate::capture::{Answer, Capture};
use crate::hash;

/// The content of a page that does not exist.
pub(crate) const GONE: u64 = 0;
/// The most redirects that are followed.
const HOPS: usize = 5;

/// A URL and its contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// In `web` form.
    pub(crate) url: String,
    /// The contents in ascending order: digests, [`GONE`], or the hash of a target that was not captured.
    pub(crate) contents: Vec<u64>,
}

/// The united captures of a URL, for judging.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen<'c> {
    pub(crate) url: &'c str,
    pub(crate) contents: Vec<u64>,
    /// The least time.
    pub(crate) time: &'c str,
    /// The number of captures with a content, and of different digests in them.
    pub(crate) captures: usize,
    pub(crate) digests: usize,
    /// Whether all its digests are of visible texts.
    pub(crate) is_text: bool,
    target: Option<&'c str>,
}

impl Seen<'_> {
    /// Returns whether its digest can judge it. It must be a page with a single digest in all its captures.
    pub(crate) fn is_judged(&self) -> bool {
        self.digests < 2 && self.contents.first().is_some_and(|content| *content != GONE)
    }

    pub(crate) fn shares_content(&self, other: &Seen<'_>) -> bool {
        self.contents.iter().any(|content| other.contents.contains(content))
    }
}

/// Unites the captures of each URL, which must be in the order of the URLs. A redirect has the contents of
/// its target.
pub(crate) fn unite<'c>(captures: &[Capture<'c>]) -> Vec<Seen<'c>> {
    let mut all: Vec<Seen<'_>> = Vec::new();
    for capture in captures {
        if all.last().is_none_or(|last| last.url != capture.url) {
            all.push(Seen { url: capture.url, time: capture.time, is_text: true, ..Seen::default() });
        }
        let Some(seen) = all.last_mut() else { continue };
        seen.time = seen.time.min(capture.time);
        match capture.answer {
            Answer::Content(content) => {
                seen.contents.push(content);
                seen.captures += 1;
                seen.is_text &= capture.is_text;
            }
            Answer::Gone => seen.contents.push(GONE),
            // The last target counts. Captures are sorted, so the order in which they were read does not
            // matter.
            Answer::Redirect => seen.target = Some(capture.target),
        }
    }
    for seen in &mut all {
        sort_once(&mut seen.contents);
        seen.digests = seen.contents.iter().filter(|content| **content != GONE).count();
    }
    resolve(&mut all);
    all.retain(|seen| !seen.contents.is_empty());
    all
}

/// Gives each redirect the contents of its target.
fn resolve(all: &mut [Seen<'_>]) {
    if all.iter().all(|seen| seen.target.is_none()) {
        return;
    }
    let places: HashMap<&str, usize> =
        all.iter().enumerate().map(|(place, seen)| (seen.url, place)).collect();
    // All ends are computed before any is stored, so that the result does not depend on the order of URLs.
    let ends: Vec<_> =
        all.iter().map(|seen| seen.target.map(|target| end_of(all, &places, seen.url, target))).collect();
    for (seen, end) in all.iter_mut().zip(ends) {
        let Some(contents) = end else { continue };
        seen.contents.extend(contents);
        sort_once(&mut seen.contents);
    }
}

/// Returns the contents at the end of a chain of redirects. An end that was not captured counts as a content.
fn end_of<'c>(all: &[Seen<'c>], places: &HashMap<&str, usize>, from: &str, mut target: &'c str) -> Vec<u64> {
    let mut passed = vec![from];
    loop {
        let place = places.get(target).copied();
        match place.and_then(|place| all[place].target) {
            Some(next) if !passed.contains(&target) && passed.len() <= HOPS => {
                passed.push(target);
                target = next;
            }
            // The chain is a loop, or has too many redirects.
            Some(_) => return vec![unseen(target)],
            None => {
                let contents = place.map(|place| all[place].contents.clone()).unwrap_or_default();
                return if contents.is_empty() { vec![unseen(target)] } else { contents };
            }
        }
    }
}

/// Returns the content of a URL that was not captured.
fn unseen(target: &str) -> u64 {
    hash::then(hash::hash(b"redirect"), hash::hash(target.as_bytes()))
}

pub(crate) fn sort_once(contents: &mut Vec<u64>) {
    contents.sort_unstable();
    contents.dedup();
}

/// Unites pages with the same URL, and returns them in the order of their URLs.
pub(crate) fn merge(mut pages: Vec<Page>) -> Vec<Page> {
    pages.sort_unstable_by(|one, other| one.url.cmp(&other.url));
    pages.dedup_by(|next, page| {
        let is_same = next.url == page.url;
        if is_same {
            page.contents.append(&mut next.contents);
            sort_once(&mut page.contents);
        }
        is_same
    });
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_has_the_contents_of_its_end() {
        let lines = [
            "a\ta\thttp://a/1\t\trhttp://a/2",
            "a\ta\thttp://a/2\t\trhttp://a/3",
            "a\ta\thttp://a/3\t\t0000000000000100p",
            "a\ta\thttp://a/4\t\trhttp://b/",
            "a\ta\thttp://a/5\t\trhttp://a/5",
            "a\ta\thttp://a/6\t\trhttp://b/",
            "a\ta\thttp://a/7\t\tg",
        ];
        let captures: Vec<_> = lines.iter().filter_map(|line| Capture::read(line)).collect();
        let seen = unite(&captures);
        let contents: Vec<_> = seen.iter().map(|seen| seen.contents.as_slice()).collect();
        assert_eq!(contents[..3], [&[256][..]; 3]);
        assert_eq!((contents[3], contents[6]), (contents[5], &[GONE][..]));
        assert_ne!(contents[3], contents[4]);
    }
}
