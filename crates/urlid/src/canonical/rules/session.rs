//! Session identifiers in paths and queries, by the patterns that archives have always removed.

use memchr::memmem;

/// A session parameter of a query.
pub(in crate::canonical) struct SessionPattern {
    /// No shorter text matches.
    shortest: usize,
    /// Returns the length of the match at the start of the text.
    matched: fn(&[u8]) -> Option<usize>,
}

/// The patterns, in the order in which each removes its last match.
pub(in crate::canonical) const QUERY_PATTERNS: [SessionPattern; 5] = [
    SessionPattern { shortest: 43, matched: |text| named(text, b"jsessionid=") },
    SessionPattern { shortest: 42, matched: |text| named(text, b"phpsessid=") },
    SessionPattern { shortest: 36, matched: |text| named(text, b"sid=") },
    SessionPattern { shortest: 45, matched: asp_session },
    SessionPattern { shortest: 16, matched: cold_fusion },
];

/// Removes the last match of each pattern, with the `&` after it. A match ends at a `&` or at the end; it may start
/// inside a name.
pub(in crate::canonical) fn strip_from_query(query: &mut Vec<u8>) {
    for pattern in &QUERY_PATTERNS {
        if query.len() < pattern.shortest {
            continue;
        }
        let found = (0..=query.len() - pattern.shortest).rev().find_map(|start| {
            let end = start + (pattern.matched)(&query[start..])?;
            matches!(query.get(end), None | Some(b'&')).then_some((start, end))
        });
        if let Some((start, end)) = found {
            query.drain(start..query.len().min(end + 1));
        }
    }
}

/// A name, and 32 letters and digits.
fn named(text: &[u8], name: &[u8]) -> Option<usize> {
    let value = strip_prefix(text, name)?;
    (alphanumeric_length(value) >= 32).then_some(name.len() + 32)
}

/// `aspsessionid`, 8 letters, `=`, 24 letters.
fn asp_session(text: &[u8]) -> Option<usize> {
    let rest = strip_prefix(text, b"aspsessionid")?;
    let (suffix, rest) = rest.split_at_checked(8)?;
    let value = rest.strip_prefix(b"=")?.get(..24)?;
    let is_match = suffix.iter().chain(value).all(u8::is_ascii_alphabetic);
    is_match.then_some(45)
}

/// `cfid=…&cftoken=…`
fn cold_fusion(text: &[u8]) -> Option<usize> {
    let rest = strip_prefix(text, b"cfid=")?;
    let rest = &rest[value_length(rest)?..];
    let rest = strip_prefix(rest, b"&cftoken=")?;
    Some(text.len() - rest.len() + value_length(rest)?)
}

/// Returns how many bytes stand before the next `&`, if there is one at least.
fn value_length(text: &[u8]) -> Option<usize> {
    let length = memchr::memchr(b'&', text).unwrap_or(text.len());
    (length > 0).then_some(length)
}

/// Removes a directory that holds a session of ASP.NET: `/(S(…)F(…))/` or `/(…)/`, with 24 letters and digits in each
/// inner pair of parentheses. A file `*.aspx` must follow.
pub(in crate::canonical) fn strip_from_path(path: &mut Vec<u8>) {
    if memmem::find(path, b".aspx").is_none() {
        return;
    }
    for directory in [typed_directory, plain_directory] {
        let found = path.iter().enumerate().rev().find_map(|(slash, &byte)| {
            let rest = &path[slash + 1..];
            let length = (byte == b'/').then(|| directory(rest)).flatten()?;
            is_aspx(&rest[length..]).then_some((slash + 1, slash + 1 + length))
        });
        if let Some((start, end)) = found {
            path.drain(start..end);
        }
    }
}

/// `((x(24))+)/`
fn typed_directory(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"(")?;
    while let Some(after) = typed_session(rest) {
        rest = after;
    }
    let after = rest.strip_prefix(b")/")?;
    let length = text.len() - after.len();
    (length > 3).then_some(length)
}

fn typed_session(text: &[u8]) -> Option<&[u8]> {
    let (letter, rest) = text.split_first()?;
    let rest = rest.strip_prefix(b"(")?;
    let is_session = letter.is_ascii_alphabetic() && alphanumeric_length(rest) == 24;
    rest.get(24..)?.strip_prefix(b")").filter(|_| is_session)
}

/// `(24)/`
fn plain_directory(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"(")?;
    (alphanumeric_length(rest) == 24 && rest[24..].starts_with(b")/")).then_some(27)
}

/// One byte at least that is no `?`, then `.aspx`.
fn is_aspx(text: &[u8]) -> bool {
    let file = text.split(|&byte| byte == b'?').next().unwrap_or_default();
    // What follows the `?` may not complete the extension.
    file.get(1..).is_some_and(|rest| memmem::find(rest, b".aspx").is_some())
}

fn alphanumeric_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

/// Returns what follows the prefix, in either case.
fn strip_prefix<'a>(text: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}
