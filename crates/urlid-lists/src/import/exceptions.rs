//! Exceptions: the hosts that they name, and the selection of those that concern an entry.

use std::collections::BTreeSet;

use super::report::LinePlace;

/// The hosts that an exception is about.
pub(super) enum ExceptionScope {
    /// A host and the hosts below it. `is_whole` states that the exception is unconditional, and `is_open`
    /// that longer hosts with this prefix are also meant.
    Host { host: String, is_whole: bool, is_open: bool },
    /// Any host.
    Unknown,
}

/// An exception: its line, its scope, and its place.
pub(super) type Exception = (String, ExceptionScope, LinePlace);

impl ExceptionScope {
    fn is_open(&self) -> bool {
        matches!(self, ExceptionScope::Host { is_open: true, .. })
    }
}

/// The most bytes of a name of DNS as text. Longer names are read, and the time of their look-up grows only
/// with their length.
pub(super) const MOST_NAME: usize = 253;

/// Returns the exceptions that concern a listed entry, after the entries that they remove completely are
/// gone. An exception that concerns only removed entries is not a difference.
pub(super) fn concerning(exceptions: Vec<Exception>, listed: &[&str]) -> Vec<(String, LinePlace)> {
    if exceptions.is_empty() {
        return Vec::new();
    }
    let mut keys: Vec<Vec<u8>> = listed.iter().map(|host| key_of(host)).collect();
    keys.sort_unstable();
    let top = topmost(keys.iter().cloned());
    let hosts: BTreeSet<&[u8]> = listed.iter().map(|host| host.as_bytes()).collect();
    // Only the bytes that can be the prefix of an open host are kept.
    let above: BTreeSet<&[u8]> = match exceptions.iter().any(|(_, scope, _)| scope.is_open()) {
        true => listed.iter().flat_map(|host| suffixes_of(host)).map(start_of).collect(),
        false => BTreeSet::new(),
    };
    let begins = |hosts: &BTreeSet<&[u8]>, start: &[u8]| {
        hosts.range(start..).next().is_some_and(|host| host.starts_with(start))
    };
    let mut partial = Vec::new();
    for (line, scope, place) in exceptions {
        let concerns = match &scope {
            ExceptionScope::Unknown => !listed.is_empty(),
            ExceptionScope::Host { host, is_open: false, .. } => {
                let key = key_of(host);
                let first = keys.partition_point(|other| *other < key);
                keys.get(first).is_some_and(|other| other.starts_with(&key)) || is_below(&key, &top)
            }
            ExceptionScope::Host { host, .. } => {
                begins(&above, host.as_bytes())
                    || suffixes_of(host).any(|start| begins(&hosts, start.as_bytes()))
            }
        };
        if concerns {
            partial.push((line, place));
        }
    }
    partial
}

/// Returns the key of a host: its bytes in reverse and a dot. A host is equal to or below a second host if
/// its key starts with the second key.
pub(super) fn key_of(host: &str) -> Vec<u8> {
    host.bytes().rev().chain([b'.']).collect()
}

/// Sorts keys, and removes each key that starts with a different one.
pub(super) fn topmost(keys: impl Iterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = keys.collect();
    keys.sort_unstable();
    keys.dedup_by(|key, above| key.starts_with(above));
    keys
}

/// Returns whether a key starts with one of the topmost keys.
pub(super) fn is_below(key: &[u8], topmost: &[Vec<u8>]) -> bool {
    // All keys between such a prefix and this key start with the prefix, so the prefix is the only one of
    // them among the topmost.
    let end = topmost.partition_point(|above| above.as_slice() <= key);
    end.checked_sub(1).is_some_and(|last| key.starts_with(&topmost[last]))
}

/// Returns the first bytes of a host.
fn start_of(host: &str) -> &[u8] {
    &host.as_bytes()[..host.len().min(MOST_NAME)]
}

/// Iterates over a host and the domains above it.
fn suffixes_of(host: &str) -> impl Iterator<Item = &str> {
    core::iter::once(host).chain(host.match_indices('.').map(|(offset, _)| &host[offset + 1..]))
}
