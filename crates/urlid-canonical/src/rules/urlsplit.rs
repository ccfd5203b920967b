//! The checks of Python's `urlsplit` that the forms of several packages begin with.

use super::python::{check_bracketed_host, check_brackets, check_nfkc};
use super::split;
use crate::profile::Rule;

/// The check of brackets in `urlsplit` of CPython 3.11.
pub(crate) const BRACKETS: Rule =
    Rule::checked("brackets", "Brackets come in pairs and hold an IPv6 address or an `IPvFuture`.", |d| {
        check_brackets(d.host.bytes())?;
        match split::cut(d.host.bytes(), b'[') {
            (_, Some(rest)) => check_bracketed_host(split::cut(rest, b']').0),
            (_, None) => Ok(()),
        }
    });

/// Its check of characters that NFKC changes.
pub(crate) const NFKC: Rule = Rule::checked("nfkc", "NFKC of the authority must not add a delimiter.", |d| {
    check_nfkc(d.host.bytes(), &['/', '?', '#', '@', ':'])
});
