//! The rules that the keys of the Python package surt and of Java's webarchive-commons share.

use super::{authority, query, session};
use crate::draft::Draft;
use crate::profile::Rule;

/// The further rules of archives for a URL that is already canonical, by which more captures have the same
/// key.
// In the order of `IAURLCanonicalizer`, a class of both packages.
pub(crate) const MASSAGE: &[Rule] = &[
    Rule::new("default-port", "Drop port 80 of `http` and 443 of `https`.", |d| {
        authority::drop_default_port(d, &["http", "https"]);
    }),
    Rule::new("path-case", "Lower-case the path.", |d| d.path.make_ascii_lowercase()),
    Rule::new("path-session", "Remove a session directory of ASP.NET from the path.", |d| {
        session::strip_from_path(&mut d.path);
    }),
    Rule::new("trailing-slash", "Remove one `/` at the end of the path, unless it is all of it.", |d| {
        if d.path.len() > 1 && d.path.ends_with(b"/") {
            d.path.pop();
        }
    }),
    Rule::new("query-session", "Remove the last match of each session pattern from the query.", |d| {
        session::strip_from_query(d.query.bytes_mut());
    }),
    Rule::new("query-case", "Lower-case the query.", |d| d.query.bytes_mut().make_ascii_lowercase()),
    Rule::new("query-sort", "Sort the fields of the query by name and value; an empty query goes.", |d| {
        query::sort(&mut d.query, &mut d.spare);
    }),
];

/// Finishes texts that have no other rule.
pub(crate) fn pass_through(draft: &mut Draft, prefixes: &[&[u8]]) {
    if draft.text.is_empty() {
        draft.finish_with(b"-");
    } else if prefixes.iter().any(|prefix| draft.text.starts_with(prefix)) {
        draft.finish();
    }
}
