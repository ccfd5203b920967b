//! URLs that are their own normal text ([`Components::to_normal_text`](super::Components::to_normal_text)).

use super::dns::PlainName;
use crate::plain::{self, Accepted};

/// Returns whether a scan shows that a URL is its own normal text; `false` proves nothing.
///
/// For programs that store normal texts: a URL that is recognised need not be parsed.
pub fn is_plain_normal_text(url: &str) -> bool {
    let Some(url) = plain::scan(url, &Accepted::Any) else { return false };
    let parts = &url.boundaries;
    // An empty query or fragment is not printed.
    let is_printed = |start: u32, end: u32| end - start != 1;
    // A port of 0 is an error (S-9), and an empty path is printed as `/`.
    url.port != Some(0)
        && !parts.path().is_empty()
        && is_printed(parts.path_end, parts.query_end)
        && is_printed(parts.query_end, parts.end)
        && PlainName::parse(url.host()).is_some()
}
