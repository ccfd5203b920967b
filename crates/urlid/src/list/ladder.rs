//! The ladder: which parents of a candidate are looked up beside itself (docs/lists.md, "The ladder").
//!
//! The rungs are the prefixes of the Theory of URLs from the path upwards, and the same for the domains above the
//! host, as Safe Browsing's host-suffix and path-prefix expressions. A rung is a text that is made canonical again.

use super::terms::Ladder;
use crate::hashed_uri::{Canonical, CanonicalError, Keep, Variant};
use crate::host::ends_in_number;
use crate::reference::{Context, Reference, TooLong};
use crate::suffix;

/// The most directories of a candidate that are looked up, from the root downwards and the root included.
pub(super) const MOST_DIRECTORIES: usize = 32;
/// The most hosts of a candidate: its own, and four above it.
pub(super) const MOST_HOSTS: usize = 5;

/// Makes an empty path after an authority the root: below a ladder, `http://h` and `http://h/` are one.
pub(super) fn rooted(canonical: Canonical, variant: Variant) -> Result<Canonical, CanonicalError> {
    let text = canonical.as_str();
    let parsed = parse(text)?;
    if parsed.authority().is_none() || !parsed.path().is_empty() {
        return Ok(canonical);
    }
    let kept = canonical.kept();
    let (start, rest) = text.split_at(parsed.path_start());
    let rooted = Canonical::make(String::new(), &[start, "/", rest].concat(), None, Keep::ALL, variant)?;
    Ok(rooted.with_kept(kept))
}

fn parse(text: &str) -> Result<Reference<'_>, TooLong> {
    Reference::parse(text, Context::Rfc3986)
}

/// Where a canonical text can be cut, in bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cuts {
    /// Where the host begins.
    pub(super) host_start: usize,
    /// Where the hosts begin that are looked up, its own first.
    pub(super) hosts: Vec<usize>,
    /// After the slashes of the directories that are looked up, from the root downwards.
    pub(super) directories: Vec<usize>,
}

impl Cuts {
    /// Finds the cuts of the canonical text of a candidate. An opaque text has none.
    pub(super) fn of(text: &str, ladder: Ladder, suffixes: &suffix::SuffixList) -> Result<Self, TooLong> {
        let parsed = parse(text)?;
        let authority_start = parsed.path_start() - parsed.authority_text().map_or(0, str::len);
        let (host_start, hosts) = match parsed.authority() {
            Some(authority) => {
                let before =
                    parsed.authority_text().and_then(|text| text.rfind('@')).map_or(0, |offset| offset + 1);
                let host_start = authority_start + before;
                (host_start, hosts(authority.host, host_start, ladder, suffixes))
            }
            None => (authority_start, vec![authority_start]),
        };
        let slashes = memchr::memchr_iter(b'/', parsed.path().as_bytes());
        let directories = match ladder {
            Ladder::None => Vec::new(),
            Ladder::Path | Ladder::Hosts if parsed.is_opaque() => Vec::new(),
            Ladder::Path | Ladder::Hosts => {
                slashes.take(MOST_DIRECTORIES).map(|offset| parsed.path_start() + offset + 1).collect()
            }
        };
        Ok(Self { host_start, hosts, directories })
    }
}

/// Returns where the hosts begin: the host itself, then at most four made of its last five labels, down to the
/// registrable domain. An address has no domains above it.
fn hosts(host: &str, start: usize, ladder: Ladder, suffixes: &suffix::SuffixList) -> Vec<usize> {
    let mut hosts = vec![start];
    if ladder != Ladder::Hosts || host.is_empty() || host.starts_with('[') || ends_in_number(host) {
        return hosts;
    }
    let lower = host.to_ascii_lowercase();
    let split = suffixes.split(lower.strip_suffix('.').unwrap_or(&lower));
    if split.domain.is_empty() {
        return hosts;
    }
    let registrable = if split.sub.is_empty() { 0 } else { split.sub.len() + 1 };
    let after_dot = |offset: usize| offset + 1;
    let labels = memchr::memchr_iter(b'.', lower.as_bytes()).map(after_dot);
    let parents: Vec<usize> = labels.filter(|&offset| offset <= registrable).collect();
    let labels_of = |offset: usize| lower[offset..].trim_end_matches('.').split('.').count();
    let shown = parents.into_iter().filter(|&offset| labels_of(offset) <= MOST_HOSTS);
    hosts.extend(shown.take(MOST_HOSTS - 1).map(|offset| start + offset));
    hosts
}
