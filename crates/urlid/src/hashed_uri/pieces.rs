//! The pieces of an absolute URI that the canonical text is made of.

use alloc::string::String;

use super::keep::Keep;
use crate::reference::Reference;

/// The pieces of an absolute URI that go into its canonical text.
pub(super) struct Pieces<'a> {
    pub(super) scheme: &'a str,
    pub(super) authority: Option<&'a str>,
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
    pub(super) fragment: Option<&'a str>,
}

/// 4.3 (1): query and fragment are removed unless they are kept. This comes after (2), because a base may
/// have a query of its own.
pub(super) fn remove_unkept<'a>(uri: &Reference<'a>, keep: Keep) -> (Pieces<'a>, Keep) {
    let pieces = Pieces {
        scheme: uri.scheme().unwrap_or_default(),
        authority: uri.authority_text(),
        path: uri.path(),
        query: uri.query().filter(|_| keep.query),
        fragment: uri.fragment().filter(|_| keep.fragment),
    };
    let kept = Keep { query: pieces.query.is_some(), fragment: pieces.fragment.is_some() };
    (pieces, kept)
}

/// 4.3 (2): appends the scheme in lower case.
pub(super) fn push_scheme(scheme: &str, out: &mut String) {
    let start = out.len();
    out.push_str(scheme);
    out[start..].make_ascii_lowercase();
    out.push(':');
}
