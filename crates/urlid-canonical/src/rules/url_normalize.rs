//! The rules that versions 2.2 and 3.1 of the Python package url-normalize share.

use super::idna2003::{self, Codec};
use super::python::{self, EmptyAuthority};
use super::{idna2008, query};
use crate::draft::Draft;
use crate::error;
use crate::profile::Rule;
use crate::unicode::python as unicode;
use urlid::Error;

/// Schemes with paths that have a root and are free of dot segments.
const WITH_ROOT: [&[u8]; 4] = [b"http", b"https", b"ftp", b"file"];

const DEFAULT_PORTS: [(&[u8], &[u8]); 11] = [
    (b"ftp", b"21"),
    (b"gopher", b"70"),
    (b"http", b"80"),
    (b"https", b"443"),
    (b"news", b"119"),
    (b"nntp", b"119"),
    (b"snews", b"563"),
    (b"snntp", b"563"),
    (b"telnet", b"23"),
    (b"ws", b"80"),
    (b"wss", b"443"),
];

pub(crate) const DOTS: Rule = Rule::new(
    "dots",
    "In http, https, ftp, file and without a scheme, drop dot segments and empty segments. An empty path \
     becomes `/`.",
    |d| {
        let has_root = WITH_ROOT.contains(&d.scheme.bytes());
        if has_root || d.scheme.is_empty() {
            remove_dots(&mut d.path, &mut d.spare);
        }
        if has_root && d.path.is_empty() {
            d.path.push(b'/');
        }
    },
);

/// The last rule.
pub(crate) const PRINT: Rule = Rule::new("print", "Put the parts together as `urlunsplit` does.", |d| {
    d.join_authority();
    python::unparse(d, EmptyAuthority::ByScheme);
});

/// Maps each label by IDNA 2008, or if one of them is not valid the whole name by IDNA 2003.
pub(crate) fn to_ascii(name: &str) -> Option<String> {
    let labels = name.split('.').filter(|label| !label.is_empty());
    let mapped: Option<Vec<String>> = labels.map(idna2008::encode).collect();
    mapped.map(|labels| labels.join(".")).or_else(|| idna2003::to_ascii(name, Codec::Python))
}

/// Normalises a port of digits by Python's `str.isdigit`, of which `int` accepts only some.
pub(crate) fn port(draft: &mut Draft) -> Result<(), Error> {
    let port = String::from_utf8_lossy(draft.port.bytes());
    if port.is_empty() || !port.chars().all(unicode::is_digit) {
        return Ok(());
    }
    let digits: Option<Vec<u8>> = port.chars().map(python::decimal_digit).collect();
    let digits = digits.filter(|digits| digits.len() <= python::MOST_DIGITS);
    let digits =
        digits.ok_or_else(|| error::port(port.as_bytes(), "at most 4300 digits, all of them decimal"))?;
    // A port of only zeros keeps one. It has a digit, because it is not empty.
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count().min(digits.len() - 1);
    draft.port.set(&digits[zeros..]);
    let is_default =
        |(scheme, port): &(&[u8], &[u8])| *scheme == draft.scheme.bytes() && *port == draft.port.bytes();
    if DEFAULT_PORTS.iter().any(is_default) {
        draft.port.remove();
    }
    Ok(())
}

/// Drops `.` and empty segments. `..` removes the segment before it, except for the first segment. If one of
/// these is the last segment, the path ends with `/`.
fn remove_dots(path: &mut Vec<u8>, spare: &mut Vec<u8>) {
    let mut segments: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/') {
        match segment {
            b"" if segments.is_empty() => segments.push(segment),
            b"" | b"." => {}
            b".." if segments.len() > 1 => drop(segments.pop()),
            b".." => {}
            _ => segments.push(segment),
        }
    }
    if matches!(path.rsplit(|&byte| byte == b'/').next(), Some(b"" | b"." | b"..")) {
        segments.push(b"");
    }
    spare.clear();
    query::join(segments, b'/', spare);
    core::mem::swap(path, spare);
}
