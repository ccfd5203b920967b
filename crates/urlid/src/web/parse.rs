//! A text to a URL: the short cut for plain texts, and the composition for all others.

use core::str::FromStr;

use super::force::force_if_needed;
use super::normalise::{clean, normalise};
use super::plain;
use super::url::Url;
use crate::error::Error;
use crate::reference::{Class, Context, Reference, SchemeOf, TokenKind};
use crate::web::error;

impl Url {
    /// Parses an absolute URL.
    ///
    /// # Errors
    /// [`Error`] wherever the standard returns failure.
    pub fn parse(text: &str) -> Result<Self, Error> {
        match plain::parse(text) {
            Some(url) => Ok(url),
            None => parse_composed(text),
        }
    }

    /// Parses a URL relative to this one.
    ///
    /// # Errors
    /// [`Error`] wherever the standard returns failure.
    pub fn join(&self, text: &str) -> Result<Self, Error> {
        // A recognised text has a scheme and an authority, so it takes nothing from the base.
        match plain::parse(text) {
            Some(url) => Ok(url),
            None => join_composed(self, text),
        }
    }
}

impl FromStr for Url {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// Parses an absolute URL by the composition, whatever its form.
pub(super) fn parse_composed(text: &str) -> Result<Url, Error> {
    let text = clean(text);
    let reference = Reference::parse(&text, Context::Whatwg(Class::Generic)).map_err(error::of_url)?;
    match reference.scheme() {
        Some(_) => force_and_normalise(&reference),
        None => Err(error::RELATIVE_WITHOUT_BASE.error()),
    }
}

/// Parses a URL, relative to `base` if it has no scheme of its own, by the composition.
pub(super) fn join_composed(base: &Url, text: &str) -> Result<Url, Error> {
    let text = clean(text);
    let base = base.as_reference();
    let reference = Reference::parse(&text, Context::Whatwg(base.class())).map_err(error::of_url)?;

    // The standard ignores a special scheme that equals the base's: goto' for special schemes, goto for the
    // rest.
    let same_special_scheme = reference.class().is_special() && base.has_scheme_of(&reference);
    let (order, scheme) = if same_special_scheme {
        (reference.ord_after_scheme(), SchemeOf::Base)
    } else {
        (reference.ord(), SchemeOf::Reference)
    };
    if order == TokenKind::Scheme {
        return force_and_normalise(&reference);
    }
    // An opaque base takes a fragment and nothing else, not even an empty reference.
    if base.is_opaque() && reference.fragment().is_none_or(|_| order != TokenKind::Fragment) {
        return Err(error::OPAQUE_BASE.error());
    }
    // Parsed as a whole: drives and dot segments depend on the path of both together.
    Url::parse(&base.concatenate(&reference, order, scheme))
}

fn force_and_normalise(reference: &Reference<'_>) -> Result<Url, Error> {
    let normal = match force_if_needed(reference)? {
        Some(forced) => normalise(&forced.as_reference()),
        None => normalise(reference),
    };
    normal.map_err(error::of_url)
}
