//! Parses a text to a URL: the short path for plain texts, and the composition for all others, which starts
//! with force.
//!
//! Force adds the delimiters that a special URL may omit by the URL Standard. It edits the text once, before
//! dots are removed and bytes are encoded. `http:/h`, `http:h` and `http:////h` get the authority `h`.
//! `file:x` gets an empty authority and a root.

use alloc::borrow::Cow;
use core::str::FromStr;

use super::normalise::{clean, normalise};
use super::url::Url;
use super::{error, plain};
use crate::error::Error;
use crate::reference::{Class, Context, Reference, ReferenceBuf, SchemeOf, TokenKind, is_slash};

/// Returns the forced form of a reference. A reference with a special scheme gets an authority, and its path
/// gets a root. Any other reference is unchanged.
///
/// ```
/// use urlid::reference::{Class, Context, Reference};
/// use urlid::web::force;
///
/// let forced = |text| force(&Reference::parse(text, Context::Whatwg(Class::Generic))?);
/// assert_eq!(forced("http:h/a/../b")?.as_str(), "http://h/a/../b");
/// assert_eq!(forced("file:c:/a")?.as_str(), "file:///c:/a");
/// assert_eq!(forced("mailto:a")?.as_str(), "mailto:a");
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if a web URL has no text that could be its authority.
pub fn force(reference: &Reference<'_>) -> Result<ReferenceBuf, Error> {
    Ok(force_if_needed(reference)?.unwrap_or_else(|| ReferenceBuf::from(*reference)))
}

/// Returns the forced form of a reference, or `None` if the reference already has that form.
pub(super) fn force_if_needed(reference: &Reference<'_>) -> Result<Option<ReferenceBuf>, Error> {
    let Some(scheme) = reference.scheme() else { return Ok(None) };
    let forced = match reference.class() {
        Class::Generic => return Ok(None),
        Class::Web if reference.authority_text().is_some_and(|text| !text.is_empty()) => return Ok(None),
        Class::Web => {
            let rest = reference.after_scheme();
            // The authority follows the slashes, whatever their number ("special authority ignore slashes
            // state").
            let slashes = rest.bytes().take_while(|&byte| is_slash(byte, Class::Web)).count();
            let rest = &rest[slashes..];
            if rest.is_empty() || rest.starts_with(['?', '#']) {
                return Err(error::HOST_MISSING.error());
            }
            [scheme, "://", rest].concat()
        }
        Class::File => {
            let is_rooted = reference.path().starts_with(['/', '\\']);
            // An authority without a root before the path is the empty authority before a drive:
            // `file://c:/a`.
            if reference.authority().is_some() && (is_rooted || reference.path().is_empty()) {
                return Ok(None);
            }
            let authority = reference.authority_text().unwrap_or_default();
            let root = if is_rooted { "" } else { "/" };
            let rest = &reference.as_str()[reference.path_start()..];
            [scheme, "://", authority, root, rest].concat()
        }
    };
    ReferenceBuf::parse(forced, Context::Whatwg(reference.class())).map(Some).map_err(error::of_url)
}

/// Returns a URL with its own scheme, or with the assumed one. An empty text stays empty.
///
/// The URL Standard resolves a text without a scheme against a base. Lists of hosts and pages do not have a
/// base, so such a text is a host there. `docs.rs:443` and `localhost:8080/a` start with a host and its port,
/// `tel:911` starts with a scheme.
///
/// ```
/// use urlid::web::assume_scheme;
///
/// assert_eq!(assume_scheme("docs.rs/serde", "https"), "https://docs.rs/serde");
/// assert_eq!(assume_scheme("//docs.rs", "https"), "https://docs.rs");
/// assert_eq!(assume_scheme("localhost:8080", "http"), "http://localhost:8080");
/// assert_eq!(assume_scheme("mailto:a@docs.rs", "https"), "mailto:a@docs.rs");
/// ```
pub fn assume_scheme<'t>(text: &'t str, scheme: &str) -> Cow<'t, str> {
    if text.is_empty() || has_scheme(text) {
        return Cow::Borrowed(text);
    }
    let slashes = if text.starts_with("//") { ":" } else { "://" };
    Cow::Owned([scheme, slashes, text].concat())
}

/// Returns whether a text has the syntax of a scheme.
pub fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Schemes whose URLs may consist of digits, as in `tel:911`.
const OF_NUMBERS: [&str; 8] = ["callto", "fax", "mms", "modem", "sip", "sips", "sms", "tel"];

/// Returns whether digits after a colon are the port of a host.
pub fn is_port(host: &str, port: &str) -> bool {
    let are_digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    are_digits && !OF_NUMBERS.iter().any(|scheme| scheme.eq_ignore_ascii_case(host))
}

/// Returns whether a text starts with a scheme instead of a host and its port.
pub(crate) fn has_scheme(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    if !is_scheme(scheme) || rest.starts_with("//") {
        return is_scheme(scheme);
    }
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // RFC 3986 allows dots in schemes, but in such lists a name with a dot is a host.
    !is_port(scheme, port) && !scheme.contains('.')
}

impl Url {
    /// Parses an absolute URL.
    ///
    /// # Errors
    /// [`Error`] where the standard returns failure.
    pub fn parse(text: &str) -> Result<Self, Error> {
        match plain::parse(text) {
            Some(url) => Ok(url),
            None => parse_composed(text),
        }
    }

    /// Parses a URL relative to this one.
    ///
    /// # Errors
    /// [`Error`] where the standard returns failure.
    pub fn join(&self, text: &str) -> Result<Self, Error> {
        // A recognised text has a scheme and an authority, so it copies no part of the base.
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

/// Parses an absolute URL of any form by the composition.
pub(super) fn parse_composed(text: &str) -> Result<Url, Error> {
    let text = clean(text);
    let reference = Reference::parse(&text, Context::Whatwg(Class::Generic)).map_err(error::of_url)?;
    match reference.scheme() {
        Some(_) => force_and_normalise(&reference),
        None => Err(error::RELATIVE_WITHOUT_BASE.error()),
    }
}

/// Parses a URL by the composition. A URL without a scheme is relative to `base`.
pub(super) fn join_composed(base: &Url, text: &str) -> Result<Url, Error> {
    let text = clean(text);
    let base = base.as_reference();
    let reference = Reference::parse(&text, Context::Whatwg(base.class())).map_err(error::of_url)?;

    // The standard ignores a special scheme that equals the base's scheme: goto' for special schemes, goto
    // for all others.
    let same_special_scheme = reference.class().is_special() && base.has_scheme_of(&reference);
    let (order, scheme) = if same_special_scheme {
        (reference.ord_after_scheme(), SchemeOf::Base)
    } else {
        (reference.ord(), SchemeOf::Reference)
    };
    if order == TokenKind::Scheme {
        return force_and_normalise(&reference);
    }
    // An opaque base accepts only a fragment. It rejects all other references, including the empty one.
    if base.is_opaque() && reference.fragment().is_none_or(|_| order != TokenKind::Fragment) {
        return Err(error::OPAQUE_BASE.error());
    }
    // The whole text is parsed again, because drives and dot segments depend on both paths together.
    Url::parse(&base.concatenate(&reference, order, scheme))
}

fn force_and_normalise(reference: &Reference<'_>) -> Result<Url, Error> {
    let normal = match force_if_needed(reference)? {
        Some(forced) => normalise(&forced.as_reference()),
        None => normalise(reference),
    };
    normal.map_err(error::of_url)
}
