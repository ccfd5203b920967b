//! The stages by which rules change a URL: alias, https, path, query, order. Each stage reads only what
//! earlier ones have fixed, so the form of a form is the form itself.

use std::borrow::Cow;

use super::grammar::RuleKind;
use super::scopes::{FIELD_KINDS, OnHost, Scope, Scopes};
use crate::draft::{Draft, Part};
use crate::rules::escapes::decode_once;
use crate::rules::{dots, query};
use memchr::{memchr, memrchr};

/// Applies the rules to the parts of a URL of `http` or `https`, whose host part is the whole authority.
pub(super) fn apply(scopes: &Scopes, draft: &mut Draft, decided: &mut dyn FnMut(usize)) {
    let Draft { scheme, host: authority, path, query, spare, .. } = draft;
    if !matches!(scheme.bytes(), b"http" | b"https") {
        return;
    }
    let mut decided = |rule: u32| decided(rule as usize);
    let (start, mut end) = host_range(authority.bytes());
    // The alias comes first: all other rules are those of the host that replaces this one.
    let mut host = scopes.on(&lossy(&authority.bytes()[start..end]));
    if let Some((rule, target)) = host.alias() {
        authority.bytes_mut().splice(start..end, target.bytes());
        end = start + target.len();
        host = scopes.on(target);
        decided(rule);
    }
    let Some(scope) = host.longest(path) else { return };
    // The form `web` has dropped default ports, so one that is left is not that of `https`.
    let has_port = end < authority.bytes().len();
    let https = scopes.from(scope).find_map(|scope| scope.single(RuleKind::Https));
    if let Some(rule) = https.filter(|_| scheme.bytes() == b"http" && !has_port) {
        scheme.set(b"https");
        decided(rule);
    }
    // A path that has left all scopes has no rules for its query either.
    if let Some(scope) = change_path(scopes, host, scope, path, &mut decided) {
        drop_fields(scopes, scope, query, spare, &mut decided);
        if scope.kinds_with_wider().has(&[RuleKind::Order]) && query::sort_by_name(query, spare) {
            scopes.from(scope).find_map(|scope| scope.single(RuleKind::Order)).into_iter().for_each(decided);
        }
    }
}

/// Returns where the host of an authority is.
fn host_range(authority: &[u8]) -> (usize, usize) {
    let start = memrchr(b'@', authority).map_or(0, |at| at + 1);
    // The colons of an IPv6 address stand before its `]`.
    let address = memrchr(b']', &authority[start..]).map_or(start, |bracket| start + bracket);
    (start, memchr(b':', &authority[address..]).map_or(authority.len(), |colon| address + colon))
}

/// Changes a path until nothing changes, and returns the longest scope that it is in then.
fn change_path<'s>(
    scopes: &'s Scopes,
    host: OnHost<'s>,
    mut scope: &'s Scope,
    path: &mut Vec<u8>,
    decided: &mut impl FnMut(u32),
) -> Option<&'s Scope> {
    // What is left out of segments, and lower case, can bring the path into other scopes.
    // Ends, because each turn shortens the path or lowers its case, and nothing undoes either.
    loop {
        let kinds = scope.kinds_with_wider();
        let is_shorter = kinds.has(&[RuleKind::Session]) && drop_sessions(scopes, scope, path, decided);
        let is_lower = !is_shorter
            && kinds.has(&[RuleKind::Case])
            && path.iter().any(u8::is_ascii_uppercase)
            && scopes.from(scope).find_map(|scope| scope.single(RuleKind::Case)).map(&mut *decided).is_some();
        if is_lower {
            path.make_ascii_lowercase();
        }
        if !is_shorter && !is_lower {
            break;
        }
        scope = host.longest(path)?;
    }
    // A path that loses its end can only leave scopes.
    while let Some((rule, length)) = shorter(scopes, scope, path) {
        path.truncate(length);
        decided(rule);
        scope = scopes.up_to(scope, length)?;
    }
    Some(scope)
}

/// Returns the rule `index` or `slash` that shortens a path, and the length that is left.
fn shorter(scopes: &Scopes, scope: &Scope, path: &[u8]) -> Option<(u32, usize)> {
    let kinds = scope.kinds_with_wider();
    let last = memrchr(b'/', path)? + 1;
    if last < path.len() {
        let is_index = kinds.has(&[RuleKind::Index]);
        let name = is_index.then(|| decoded(&path[last..]))?;
        let rule = scopes.from(scope).find_map(|scope| scope.listing(RuleKind::Index, &name))?;
        return Some((rule, last));
    }
    let rule = kinds.has(&[RuleKind::Slash]) && path.len() > 1;
    let rule = rule.then(|| scopes.from(scope).find_map(|scope| scope.single(RuleKind::Slash))).flatten()?;
    let length = path.iter().rposition(|&byte| byte != b'/').map_or(1, |place| place + 1);
    Some((rule, length))
}

/// Drops `;NAME=…` at the ends of segments, and returns whether one was there. One that stands after dots
/// stays: without it these would be the segment `.` or `..`.
fn drop_sessions(scopes: &Scopes, scope: &Scope, path: &mut Vec<u8>, decided: &mut impl FnMut(u32)) -> bool {
    if memchr(b';', path).is_none() {
        return false;
    }
    let before = path.len();
    let (mut start, mut written) = (0, 0);
    while start < path.len() {
        let end = memchr(b'/', &path[start..]).map_or(path.len(), |slash| start + slash);
        let mut kept = end;
        while let Some((rule, length)) = without_session(scopes, scope, &path[start..kept]) {
            decided(rule);
            kept = start + length;
        }
        path.copy_within(start..kept, written);
        written += kept - start;
        if end < path.len() {
            path[written] = b'/';
            written += 1;
        }
        start = end + 1;
    }
    path.truncate(written);
    path.len() < before
}

/// Returns the rule that drops the end of a segment, and the length that is left.
fn without_session(scopes: &Scopes, scope: &Scope, segment: &[u8]) -> Option<(u32, usize)> {
    let semicolon = memrchr(b';', segment)?;
    let (name, _) = query::name_and_value(&segment[semicolon + 1..]);
    let has_value = semicolon + 1 + name.len() < segment.len();
    let name = (has_value && !dots::is_dots(&segment[..semicolon])).then(|| decoded(name))?;
    let rule = scopes.from(scope).find_map(|scope| scope.listing(RuleKind::Session, &name))?;
    Some((rule, semicolon))
}

fn drop_fields(
    scopes: &Scopes,
    scope: &Scope,
    query: &mut Part,
    spare: &mut Vec<u8>,
    decided: &mut impl FnMut(u32),
) {
    if !scope.kinds_with_wider().has(FIELD_KINDS) {
        return;
    }
    query::drop_fields_by(query, spare, |name, value| {
        let value = || query::decoded_name(value.unwrap_or_default());
        let rule = scopes.dropped_by(scope, &query::decoded_name(name), value);
        rule.map(&mut *decided).is_some()
    });
}

/// Returns a piece of a path, decoded; what is not UTF-8 is U+FFFD.
fn decoded(piece: &[u8]) -> Cow<'_, str> {
    if memchr(b'%', piece).is_none() {
        return lossy(piece);
    }
    let mut bytes = piece.to_vec();
    decode_once(&mut bytes, |_| true);
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// Returns a part of a URL, which is ASCII in the form `web`, as text.
fn lossy(part: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(part)
}
