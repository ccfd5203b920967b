//! The stages in which rules change a URL: alias, https, path, query, order. Each stage reads only the
//! results of earlier ones, so applying the rules to their own output changes nothing.

use std::borrow::Cow;

use super::grammar::RuleKind;
use super::names::Waiting;
use super::scopes::{FIELD_KINDS, OnHost, Scope, Scopes};
use crate::draft::{Draft, Part};
use crate::rules::escapes::decode_once;
use crate::rules::{dots, query};
use memchr::{memchr, memrchr};

/// Applies the rules to the parts of a URL of `http` or `https`, with the whole authority as its host part.
pub(super) fn apply(scopes: &Scopes, draft: &mut Draft, decided: &mut dyn FnMut(usize)) {
    let Draft { scheme, host: authority, path, query, spare, .. } = draft;
    if !matches!(scheme.bytes(), b"http" | b"https") {
        return;
    }
    let mut decided = |rule: u32| decided(rule as usize);
    let (start, mut end) = host_range(authority.bytes());
    // The alias comes first, because all other rules are the rules of the replacing host.
    let mut host = scopes.on(&lossy(&authority.bytes()[start..end]));
    if let Some((rule, target)) = host.alias() {
        authority.bytes_mut().splice(start..end, target.bytes());
        end = start + target.len();
        host = scopes.on(target);
        decided(rule);
    }
    let Some(scope) = host.longest(path) else { return };
    // The form `web` has dropped default ports, so a remaining port is not the default of `https`.
    let has_port = end < authority.bytes().len();
    let https = scopes.from(scope).find_map(|scope| scope.single(RuleKind::Https));
    if let Some(rule) = https.filter(|_| scheme.bytes() == b"http" && !has_port) {
        scheme.set(b"https");
        decided(rule);
    }
    // If the path has left all scopes, its query does not have rules either.
    if let Some(scope) = change_path(scopes, host, scope, path, &mut decided) {
        drop_fields(scopes, scope, query, spare, &mut decided);
        if scope.kinds_with_wider().has(&[RuleKind::Order]) && query::sort_by_name(query, spare) {
            scopes.from(scope).find_map(|scope| scope.single(RuleKind::Order)).into_iter().for_each(decided);
        }
    }
}

/// Returns the range of the host in an authority.
fn host_range(authority: &[u8]) -> (usize, usize) {
    let start = memrchr(b'@', authority).map_or(0, |at| at + 1);
    // The colons of an IPv6 address are before its `]`.
    let address = memrchr(b']', &authority[start..]).map_or(start, |bracket| start + bracket);
    (start, memchr(b':', &authority[address..]).map_or(authority.len(), |colon| address + colon))
}

/// Changes a path until nothing changes, and returns the longest scope of the result.
fn change_path<'s>(
    scopes: &'s Scopes,
    host: OnHost<'s>,
    scope: &'s Scope,
    path: &mut Vec<u8>,
    decided: &mut impl FnMut(u32),
) -> Option<&'s Scope> {
    let mut scope = drop_sessions(scopes, host, scope, path, decided)?;
    let is_case = scope.kinds_with_wider().has(&[RuleKind::Case]) && path.iter().any(u8::is_ascii_uppercase);
    if is_case && let Some(rule) = scopes.from(scope).find_map(|scope| scope.single(RuleKind::Case)) {
        path.make_ascii_lowercase();
        decided(rule);
        scope = drop_sessions(scopes, host, host.longest(path)?, path, decided)?;
    }
    // A path that loses its end can only leave scopes.
    while let Some((rule, length)) = shorter(scopes, scope, path) {
        path.truncate(length);
        decided(rule);
        scope = scopes.up_to(scope, length)?;
    }
    Some(scope)
}

/// Returns the rule `index` or `slash` that shortens a path, and the remaining length.
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

/// Drops `;NAME=…` at the ends of segments, and returns the longest scope of the result. A session after dots
/// stays, because without it the dots would be the segment `.` or `..`.
///
/// Without a session the path can be in other scopes, which list other names. A remaining session waits for a
/// scope that lists its name, so that each iteration examines only segments that it shortens.
fn drop_sessions<'s>(
    scopes: &'s Scopes,
    host: OnHost<'s>,
    mut scope: &'s Scope,
    path: &mut Vec<u8>,
    decided: &mut impl FnMut(u32),
) -> Option<&'s Scope> {
    if !scope.kinds_with_wider().has(&[RuleKind::Session]) || memchr(b';', path).is_none() {
        return Some(scope);
    }
    let text = path.clone();
    let mut segments: Vec<&[u8]> = text.split(|&byte| byte == b'/').collect();
    let mut waiting = Waiting::new();
    let mut turn: Vec<usize> = (0..segments.len()).collect();
    while !turn.is_empty() {
        let mut is_shorter = false;
        for number in turn {
            while let Some((name, length)) = last_session(segments[number]) {
                let listed = scopes.from(scope).find_map(|scope| scope.listing(RuleKind::Session, &name));
                let Some(rule) = listed else {
                    waiting.entry(name.into_owned()).or_default().push(number);
                    break;
                };
                decided(rule);
                segments[number] = &segments[number][..length];
                is_shorter = true;
            }
        }
        if !is_shorter {
            break;
        }
        path.clear();
        for (number, segment) in segments.iter().enumerate() {
            path.extend_from_slice(if number > 0 { b"/" } else { b"" });
            path.extend_from_slice(segment);
        }
        let left = scope;
        scope = host.longest(path)?;
        let is_entered = |scope: &&Scope| !scopes.from(left).any(|left| std::ptr::eq(left, *scope));
        turn = scopes.from(scope).filter(is_entered).flat_map(|scope| scope.listed(&mut waiting)).collect();
        turn.sort_unstable();
    }
    Some(scope)
}

/// Returns the name of the session at the end of a segment, and the length of the segment without it.
fn last_session(segment: &[u8]) -> Option<(Cow<'_, str>, usize)> {
    let semicolon = memrchr(b';', segment)?;
    let (name, _) = query::name_and_value(&segment[semicolon + 1..]);
    let has_value = semicolon + 1 + name.len() < segment.len();
    (has_value && !dots::is_dots(&segment[..semicolon])).then(|| (decoded(name), semicolon))
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

/// Returns a piece of a path, decoded. Bytes that are not UTF-8 become U+FFFD.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Rules;
    use urlid_generators::{Seeded, cases, seed};

    /// Drops the sessions of all segments in each turn, as the rules are written: the definition that
    /// `drop_sessions` is a faster form of.
    fn drop_sessions_in_turns<'s>(
        scopes: &'s Scopes,
        host: OnHost<'s>,
        mut scope: &'s Scope,
        path: &mut Vec<u8>,
        decided: &mut impl FnMut(u32),
    ) -> Option<&'s Scope> {
        loop {
            let mut segments: Vec<&[u8]> = path.split(|&byte| byte == b'/').collect();
            for segment in &mut segments {
                while let Some((name, length)) = last_session(segment)
                    && let Some(rule) =
                        scopes.from(scope).find_map(|scope| scope.listing(RuleKind::Session, &name))
                {
                    decided(rule);
                    *segment = &segment[..length];
                }
            }
            let shorter = segments.join(&b'/');
            if shorter.len() == path.len() {
                return Some(scope);
            }
            *path = shorter;
            scope = host.longest(path)?;
        }
    }

    fn path(random: &mut Seeded, most: u64) -> String {
        const SEGMENTS: [&str; 9] =
            ["a", "b", "a;s=1", "a;t=2;s=1", "b;u=1;s=2;t", "b;ua=;t=3", "..;s=1", "a;s=1;s=2;v=3", ""];
        let mut path = String::from("/");
        for _ in 0..random.below(most) {
            path += random.one(&SEGMENTS);
            path += "/";
        }
        path
    }

    #[test]
    fn sessions_are_dropped_as_in_turns_over_all_segments() {
        let mut random = Seeded::new(seed());
        let (mut longest, mut dropped) = (0, 0_u64);
        for _ in 0..cases(20_000) {
            let mut bodies = BTreeSet::new();
            for _ in 0..1 + random.below(6) {
                let prefix = path(&mut random, 4);
                let prefix = if prefix == "/" { "" } else { &prefix };
                let names = random.one(&["s", "t", "u*", "s v", "ua", "t u", "v*"]);
                bodies.insert(format!("[h{prefix}]\nsession {names}\n"));
            }
            let text = format!("urlid-rules 1\n{}", bodies.into_iter().collect::<String>());
            let Ok(rules) = Rules::parse(&text) else { continue };
            let (scopes, path) = (&rules.0.scopes, path(&mut random, 6));
            let host = scopes.on("h");
            let Some(scope) = host.longest(path.as_bytes()) else { continue };
            let run = |is_turns: bool| {
                let (mut left, mut rules) = (path.clone().into_bytes(), Vec::new());
                let mut decided = |rule| rules.push(rule);
                let scope = if is_turns {
                    drop_sessions_in_turns(scopes, host, scope, &mut left, &mut decided)
                } else {
                    drop_sessions(scopes, host, scope, &mut left, &mut decided)
                };
                (scope.map(std::ptr::from_ref), left, rules)
            };
            let expected = run(true);
            longest = longest.max(expected.2.len());
            dropped += u64::from(!expected.2.is_empty());
            // Without a scope that lists sessions nothing is looked at, and the scope stays.
            assert_eq!(run(false), expected, "{text}{path}");
        }
        assert!(longest > 5 && dropped * 10 > cases(20_000), "{longest} {dropped}");
    }
}
