//! Session identifiers in paths and queries, by the traditional patterns of archives and by the list of the
//! step `+drop-session`.

use super::{dots, query};
use crate::draft::Draft;
use memchr::{memchr, memmem};

/// Drops the session identifiers of a URL of `http` or `https`: the list of `+drop-session`, which never
/// changes.
///
/// The names are the ones that SURT and Heritrix remove, but here a whole field has to match. The value may
/// be any text if the name has no other use, because PHP and Tomcat let their operators choose its length.
pub(crate) fn drop(draft: &mut Draft) {
    // In any other scheme, a path may be a name instead of a place on a server.
    if !matches!(draft.scheme.bytes(), b"http" | b"https") {
        return;
    }
    strip_from_path(&mut draft.path);
    drop_parameters(&mut draft.path, &mut draft.spare);
    let is = |name: &[u8], expected: &str| name.eq_ignore_ascii_case(expected.as_bytes());
    let has = |expected| {
        query::fields(draft.query.bytes()).any(|field| is(query::name_and_value(field).0, expected))
    };
    // Each name without the other may be an ordinary field.
    let is_cold_fusion = has("cfid") && has("cftoken");
    query::drop_fields_by(&mut draft.query, &mut draft.spare, |name, value| {
        let value = value.unwrap_or_default();
        is(name, "jsessionid")
            || is(name, "phpsessid")
            || is(name, "sid") && value.len() == 32 && alphanumeric_length(value) == 32
            || strip_prefix(name, b"aspsessionid")
                .is_some_and(|rest| rest.len() == 8 && rest.iter().all(u8::is_ascii_alphabetic))
            || is_cold_fusion && (is(name, "cfid") || is(name, "cftoken"))
    });
}

/// Drops the parameters `;jsessionid=…` of each segment of a path (Servlet 6.0, 7.1.3).
fn drop_parameters(path: &mut Vec<u8>, spare: &mut Vec<u8>) {
    if memchr(b';', path).is_none() {
        return;
    }
    spare.clear();
    for (number, segment) in path.split(|&byte| byte == b'/').enumerate() {
        spare.extend_from_slice(if number > 0 { b"/" } else { b"" });
        let start = spare.len();
        for (number, parameter) in segment.split(|&byte| byte == b';').enumerate() {
            // Without the parameter, dots before it would become the segment `.` or `..`.
            let is_session = number > 0
                && strip_prefix(parameter, b"jsessionid=").is_some()
                && !dots::is_dots(&spare[start..]);
            if !is_session {
                spare.extend_from_slice(if number > 0 { b";" } else { b"" });
                spare.extend_from_slice(parameter);
            }
        }
    }
    core::mem::swap(path, spare);
}

/// A session parameter of a query.
pub(crate) struct SessionPattern {
    /// The length of the shortest match.
    shortest: usize,
    /// Returns the length of the match at the start of the text. The length of its first field is given.
    matched: fn(&[u8], usize) -> Option<usize>,
}

/// The patterns, in the order in which each removes its last match.
pub(crate) const QUERY_PATTERNS: [SessionPattern; 5] = [
    // The shortest are a name and 32 characters, the 45 of ASP, and `cfid=` and `&cftoken=` with a character
    // after each.
    SessionPattern { shortest: 43, matched: |text, _| named(text, b"jsessionid=") },
    SessionPattern { shortest: 42, matched: |text, _| named(text, b"phpsessid=") },
    SessionPattern { shortest: 36, matched: |text, _| named(text, b"sid=") },
    SessionPattern { shortest: 45, matched: |text, _| asp_session(text) },
    SessionPattern { shortest: 16, matched: cold_fusion },
];

/// Removes the last match of each pattern, with the `&` after it. A match ends at a `&` or at the end, and
/// may start inside a name.
pub(crate) fn strip_from_query(query: &mut Vec<u8>) {
    for pattern in &QUERY_PATTERNS {
        if let Some((start, end)) = last_match(query, pattern) {
            query.drain(start..query.len().min(end + 1));
        }
    }
}

/// Returns where the last match of a pattern starts and ends.
fn last_match(query: &[u8], pattern: &SessionPattern) -> Option<(usize, usize)> {
    // The field that holds the start is known, so that a long one is not searched for its end from every
    // place in it.
    let mut field_end = query.len();
    let starts = (0..query.len()).rev().map(|start| {
        if query[start] == b'&' {
            field_end = start;
        }
        (start, field_end)
    });
    // The filter follows the map, which has to see every `&`.
    let mut starts = starts.filter(|(start, _)| query.len() - start >= pattern.shortest);
    starts.find_map(|(start, field_end)| {
        let end = start + (pattern.matched)(&query[start..], field_end - start)?;
        matches!(query.get(end), None | Some(b'&')).then_some((start, end))
    })
}

/// A name, and 32 letters and digits.
fn named(text: &[u8], name: &[u8]) -> Option<usize> {
    let value = strip_prefix(text, name)?;
    // A longer value does not match, because `last_match` requires a `&` or the end after the 32.
    (alphanumeric_length(value) >= 32).then_some(name.len() + 32)
}

/// `aspsessionid`, 8 letters, `=`, 24 letters.
fn asp_session(text: &[u8]) -> Option<usize> {
    let rest = strip_prefix(text, b"aspsessionid")?;
    let (suffix, rest) = rest.split_at_checked(8)?;
    let value = rest.strip_prefix(b"=")?.get(..24)?;
    let is_match = suffix.iter().chain(value).all(u8::is_ascii_alphabetic);
    // 12 for the name, 8 and 24 letters, and the `=`.
    is_match.then_some(45)
}

/// `cfid=…&cftoken=…`
fn cold_fusion(text: &[u8], field: usize) -> Option<usize> {
    let id = strip_prefix(&text[..field], b"cfid=")?;
    let token = strip_prefix(&text[field..], b"&cftoken=").filter(|_| !id.is_empty())?;
    let length = memchr(b'&', token).unwrap_or(token.len());
    (length > 0).then_some(text.len() - token.len() + length)
}

/// Removes a directory with a session of ASP.NET: `/(S(…)F(…))/` or `/(…)/`, with 24 letters and digits in
/// each inner pair of parentheses. A file `*.aspx` must follow.
pub(crate) fn strip_from_path(path: &mut Vec<u8>) {
    for directory in [typed_directory, plain_directory] {
        // The second pattern is searched in the result of the first one.
        let files = Files::new(path);
        let found = (!files.extensions.is_empty()).then(|| last_directory(path, directory, &files)).flatten();
        if let Some((start, end)) = found {
            path.drain(start..end);
        }
    }
}

/// Returns where the last directory that a file `*.aspx` follows starts and ends.
fn last_directory(
    path: &[u8],
    directory: fn(&[u8]) -> Option<usize>,
    files: &Files,
) -> Option<(usize, usize)> {
    memchr::memrchr_iter(b'/', path).find_map(|slash| {
        let start = slash + 1;
        let end = start + directory(&path[start..])?;
        files.follow(end).then_some((start, end))
    })
}

/// The offsets in a path that tell whether a file `*.aspx` follows a directory.
struct Files {
    extensions: Vec<usize>,
    question_marks: Vec<usize>,
}

impl Files {
    fn new(path: &[u8]) -> Self {
        let extensions: Vec<usize> = memmem::find_iter(path, b".aspx").collect();
        let question_marks =
            if extensions.is_empty() { Vec::new() } else { memchr::memchr_iter(b'?', path).collect() };
        Self { extensions, question_marks }
    }

    /// Whether one byte at least that is not a `?`, then `.aspx`, follow an offset.
    fn follow(&self, offset: usize) -> bool {
        // Both lists ascend, so a hostile path of many directories is not searched again from each of them.
        let next =
            |offsets: &[usize], from: usize| offsets.get(offsets.partition_point(|&at| at < from)).copied();
        let question_mark = next(&self.question_marks, offset).unwrap_or(usize::MAX);
        next(&self.extensions, offset + 1).is_some_and(|extension| extension < question_mark)
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
    // A bare `()/` does not contain a session.
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

fn alphanumeric_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

/// Returns the text after the prefix, which matches in either case.
fn strip_prefix<'a>(text: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}
