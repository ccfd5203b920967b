//! WHATWG URLs: a text to its normal form, as the URL standard defines it (docs/spec/web.md).
//!
//! Layer 3. The standard's state machine as a composition on the Theory of URLs:
//!
//! ```text
//! clean ─▶ parse ─▶ goto base ─▶ force ─▶ normalise ─▶ Url
//! ```
//!
//! Each step is a small file; `plain` is the short cut for a text that is its own normal form. Knows nothing of identifiers; `url_hash` hashes what this gives.

mod clean;
mod error;
mod force;
mod normalise;
mod path;
mod plain;
mod query_pairs;
mod url;

pub use clean::clean;
pub use error::ParseError;
pub use force::force;
pub use query_pairs::QueryPairs;
pub use url::Url;

pub(crate) use plain::{Form, form_of_line};

use crate::reference::{Class, Context, Reference, SchemeOf, TokenKind};

/// Parses an absolute URL.
fn parse(text: &str) -> Result<Url, ParseError> {
    match plain::parse(text) {
        Some(url) => Ok(url),
        None => parse_composed(text),
    }
}

/// Parses an absolute URL by the composition, whatever its form.
fn parse_composed(text: &str) -> Result<Url, ParseError> {
    let text = clean(text);
    let reference = Reference::parse(&text, Context::Whatwg(Class::Generic))?;
    match reference.scheme() {
        Some(_) => force_and_normalise(&reference),
        None => Err(ParseError::RelativeWithoutBase),
    }
}

/// Parses a URL, relative to `base` if it has no scheme of its own.
fn join(base: &Url, text: &str) -> Result<Url, ParseError> {
    let text = clean(text);
    let base = base.as_reference();
    let reference = Reference::parse(&text, Context::Whatwg(base.class()))?;

    // The standard ignores a special scheme that equals the base's: goto' for special schemes, goto for the rest.
    let same_special_scheme = reference.class().is_special() && base.has_scheme_of(&reference);
    let (order, scheme) = match same_special_scheme {
        true => (reference.ord_after_scheme(), SchemeOf::Base),
        false => (reference.ord(), SchemeOf::Reference),
    };
    if order == TokenKind::Scheme {
        return force_and_normalise(&reference);
    }
    if base.is_opaque() && reference.fragment().is_none_or(|_| order != TokenKind::Fragment) {
        return Err(ParseError::OpaqueBase);
    }
    let target = base.concatenate(&reference, order, scheme);
    let target = Reference::parse(&target, Context::Whatwg(base.class()))?;
    force_and_normalise(&target)
}

fn force_and_normalise(reference: &Reference<'_>) -> Result<Url, ParseError> {
    match force::force_if_needed(reference)? {
        Some(forced) => normalise::normalise(&forced.as_reference()),
        None => normalise::normalise(reference),
    }
}
