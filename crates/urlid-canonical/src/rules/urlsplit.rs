//! Python's `urlsplit`: its checks, which the forms of several packages begin with, and the host that it reads.

use super::python::{check_bracketed_host, check_brackets, check_nfkc, lower_case};
use super::{split, trim};
use crate::profile::Rule;
use urlid::Error;

/// The check of brackets in `urlsplit` of CPython 3.11.
pub(crate) const BRACKETS: Rule =
    Rule::checked("brackets", "Brackets come in pairs and hold an IPv6 address or an `IPvFuture`.", |d| {
        check_authority(d.host.bytes())
    });

/// Its check of characters that NFKC changes.
pub(crate) const NFKC: Rule = Rule::checked("nfkc", "NFKC of the authority must not add a delimiter.", |d| {
    check_nfkc(d.host.bytes(), &DELIMITERS)
});

const DELIMITERS: [char; 5] = ['/', '?', '#', '@', ':'];

fn check_authority(authority: &[u8]) -> Result<(), Error> {
    check_brackets(authority)?;
    match split::cut(authority, b'[') {
        (_, Some(rest)) => check_bracketed_host(split::cut(rest, b']').0),
        (_, None) => Ok(()),
    }
}

/// `urlsplit(text).hostname`: empty for `None`, and `None` for an error.
pub(crate) fn hostname(text: &str) -> Option<String> {
    let mut text = text.trim_start_matches(|character| character <= ' ').as_bytes().to_vec();
    trim::delete(&mut text, trim::is_tab_or_newline);
    let start = split::scheme_length(&text).map_or(0, |length| length + 1);
    let Some(rest) = text[start..].strip_prefix(b"//") else { return Some(String::new()) };
    let authority = &rest[..split::authority_end(rest)];
    check_authority(authority).ok()?;
    check_nfkc(authority, &DELIMITERS).ok()?;
    let host = &authority[memchr::memrchr(b'@', authority).map_or(0, |at| at + 1)..];
    let host = match split::cut(host, b'[') {
        (_, Some(rest)) => split::cut(rest, b']').0,
        (_, None) => split::cut(host, b':').0,
    };
    // What follows a `%` is a zone, whose case stays.
    let (name, zone) = host.split_at(memchr::memchr(b'%', host).unwrap_or(host.len()));
    let mut name = name.to_vec();
    lower_case(&mut name);
    name.extend_from_slice(zone);
    String::from_utf8(name).ok()
}
