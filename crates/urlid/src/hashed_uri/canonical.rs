//! The canonical text of a URI, which is hashed (draft, section 4.3, steps 1 and 2, and appendix A).
//!
//! Only [`canonicalize`] makes a [`Canonical`], so only canonical texts can be hashed. It works on the raw
//! pieces of a [`Reference`]. A WHATWG URL would be wrong here, because it reads `011` as octal. Digests are
//! in `hasher`.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::appendix_a;
use super::keep::{Keep, Variant};
use super::keep::{Pieces, push_scheme, remove_unkept};
use super::plain;
use super::syntax::{self, Fault};
use crate::error::Error;
use crate::escape::escaped_byte;
use crate::generic::{Mode, resolve};
use crate::reference::{Context, Reference};

/// A canonical text, and whether it was made with the query and the fragment.
///
/// ```
/// use urlid::hashed_uri::{Keep, Variant, canonicalize};
///
/// let canonical = canonicalize("HTTP://H:80/?q", None, Keep::QUERY, Variant::N)?;
/// assert_eq!((canonical.as_str(), canonical.kept()), ("http://h/?q", Keep::QUERY));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Canonical {
    text: String,
    kept: Keep,
}

impl Canonical {
    /// Makes the canonical text in the buffer of `room`, whose contents are dropped. This is [`canonicalize`]
    /// without an allocation for every URI.
    ///
    /// # Errors
    /// Same as [`canonicalize`].
    pub fn make(
        mut room: String,
        uri: &str,
        base: Option<&str>,
        keep: Keep,
        variant: Variant,
    ) -> Result<Self, Error> {
        room.clear();
        match plain::canonical_prefix(uri, keep).filter(|_| variant == Variant::N) {
            Some((length, kept)) => {
                room.push_str(&uri[..length]);
                Ok(Self { text: room, kept })
            }
            None => canonicalize_by_rules(room, uri, base, keep, variant),
        }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text as an owned string.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns the parts that were present and kept. An empty query or fragment counts, although variants N
    /// and P do not print it (H-3).
    pub fn kept(&self) -> Keep {
        self.kept
    }
}

impl fmt::Display for Canonical {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Returns the canonical form of a URI. A relative URI is first resolved against `base` (H-11).
///
/// ```
/// use urlid::hashed_uri::{Keep, Variant, canonicalize};
///
/// let form = |uri, variant| canonicalize(uri, None, Keep::NONE, variant).map(|form| form.to_string());
/// let uri = "http://Fred@WWW.Thus.net:0112/Test/index.html";
/// assert_eq!(form(uri, Variant::N)?, "http://Fred@www.thus.net:112/Test/");
/// assert_eq!(form(uri, Variant::P)?, "http://fred@www.thus.net:112/test/");
///
/// let uri = "http://111.011.101.001/test//Image.jpeg";
/// assert_eq!(form(uri, Variant::N)?, "http://111.11.101.1/test//Image.jpeg");
/// assert_eq!(form(uri, Variant::P)?, "http://111.11.101.1/test/image.jpg");
/// # Ok::<(), urlid::Error>(())
/// ```
///
/// # Errors
/// [`Error`] if the text is not a URI, or is relative without a base.
pub fn canonicalize(uri: &str, base: Option<&str>, keep: Keep, variant: Variant) -> Result<Canonical, Error> {
    Canonical::make(String::with_capacity(uri.len()), uri, base, keep, variant)
}

/// Applies the rules in their order and writes the canonical text into the empty `room`.
pub(super) fn canonicalize_by_rules(
    mut room: String,
    uri: &str,
    base: Option<&str>,
    keep: Keep,
    variant: Variant,
) -> Result<Canonical, Error> {
    let absolute = absolute(uri, base, variant)?;
    let absolute = parse(&absolute)?;
    let (pieces, kept) = remove_unkept(&absolute, keep); // 4.3 (1)
    match variant {
        // H-13: in every variant, only the scheme of an opaque URI changes, to lower case.
        Variant::N | Variant::P if !absolute.is_opaque() => appendix_a::push(&pieces, variant, &mut room)?,
        Variant::None | Variant::N | Variant::P => push_verbatim(&pieces, &mut room),
    }
    Ok(Canonical { text: room, kept })
}

/// Returns the text to which the rules of a variant are applied: absolute (4.3 (2)), with escaped unreserved
/// characters decoded (H-7).
pub fn absolute<'t>(uri: &'t str, base: Option<&str>, variant: Variant) -> Result<Cow<'t, str>, Error> {
    // This check precedes all decoding and resolving, so the error's offset is an offset in the caller's
    // text.
    check_characters(uri, "uri")?;
    let given = parse(uri)?;
    let resolved = resolve_relative(&given, base)?;
    let absolute = resolved.as_deref().map_or(Ok(given), parse)?;
    match decode_unreserved(&absolute, variant) {
        Some(decoded) => Ok(Cow::Owned(decoded)),
        None => Ok(resolved.map_or(Cow::Borrowed(uri), Cow::Owned)),
    }
}

fn parse(text: &str) -> Result<Reference<'_>, Error> {
    Reference::parse(text, Context::Rfc3986)
}

fn check_characters(text: &str, subject: &'static str) -> Result<(), Error> {
    syntax::check(text).map_err(|(offset, fault)| {
        let error = match fault {
            Fault::Character => {
                let found: String = text[offset..].chars().take(1).collect();
                syntax::CHARACTER.found(&found)
            }
            Fault::Percent => syntax::PERCENT.error(),
            Fault::Fragment => syntax::SECOND_FRAGMENT.error(),
        };
        error.with_subject(subject).with_offset(offset)
    })
}

/// 4.3 (2): converts a relative URI to the equivalent absolute one. An absolute URI stays unchanged,
/// including its dots (H-11).
fn resolve_relative(given: &Reference<'_>, base: Option<&str>) -> Result<Option<String>, Error> {
    if given.scheme().is_some() {
        return Ok(None);
    }
    let uri = given.as_str();
    let base = base.ok_or_else(|| syntax::RELATIVE.found(uri))?;
    // The text is a misspelt scheme, which would become a path: `ht_tp://h/` (H-2; RFC 2396 `rel_segment`,
    // RFC 3986 `path-noscheme`).
    if given.authority().is_none() && given.path().split('/').next().is_some_and(|first| first.contains(':'))
    {
        return Err(syntax::FIRST_SEGMENT.found(uri));
    }
    // The base is only checked if it is used, so an absolute URI is accepted with any base.
    check_characters(base, "base")?;
    Ok(Some(resolve(base, uri, Mode::Strict)?))
}

/// H-7: in http and https URIs, variants N and P decode escaped unreserved characters, in one pass and before
/// all other rules. Unreserved characters are not delimiters, so all components are decoded at once.
fn decode_unreserved(uri: &Reference<'_>, variant: Variant) -> Option<String> {
    let text = uri.as_str();
    let first = memchr::memchr(b'%', text.as_bytes())?;
    let scheme = uri.scheme()?;
    let is_http = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if variant == Variant::None || !is_http || uri.is_opaque() {
        return None;
    }
    let mut decoded = String::with_capacity(text.len());
    decoded.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(offset) = memchr::memchr(b'%', rest.as_bytes()) {
        decoded.push_str(&rest[..offset]);
        // Two digits follow every `%`, because the URI and the base were checked and resolving does not split
        // an escape.
        let (escape, after) = rest[offset..].split_at_checked(3).unwrap_or((&rest[offset..], ""));
        match escaped_byte(&escape.as_bytes()[1..]).filter(|&byte| syntax::is_unreserved(byte)) {
            Some(byte) => decoded.push(char::from(byte)),
            None => decoded.push_str(escape),
        }
        rest = after;
    }
    decoded.push_str(rest);
    Some(decoded)
}

/// 4.3 (2): appends the scheme in lower case, and the rest unchanged.
fn push_verbatim(pieces: &Pieces<'_>, out: &mut String) {
    push_scheme(pieces.scheme, out);
    for (delimiter, piece) in
        [("//", pieces.authority), ("", Some(pieces.path)), ("?", pieces.query), ("#", pieces.fragment)]
    {
        if let Some(piece) = piece {
            out.push_str(delimiter);
            out.push_str(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorCode;

    fn text(uri: &str, base: Option<&str>, keep: Keep, variant: Variant) -> String {
        canonicalize(uri, base, keep, variant).unwrap().into_string()
    }

    #[test]
    fn opaque_uris_get_a_lower_case_scheme_and_nothing_else() {
        for variant in [Variant::None, Variant::N, Variant::P] {
            assert_eq!(text("MAILTO:A@B%41?C#", None, Keep::ALL, variant), "mailto:A@B%41?C#");
            assert_eq!(text("HTTP:A%41/index.html", None, Keep::ALL, variant), "http:A%41/index.html");
        }
    }

    #[test]
    fn escapes_are_decoded_once_and_only_where_variants_n_and_p_do_it() {
        let uri = "HTTP://h/%41%2541%2f%7e?%61#%5a";
        assert_eq!(text(uri, None, Keep::ALL, Variant::None), "http://h/%41%2541%2f%7e?%61#%5a");
        assert_eq!(text(uri, None, Keep::ALL, Variant::N), "http://h/A%2541%2f~?a#Z");
        assert_eq!(text("ws://h/%41", None, Keep::ALL, Variant::N), "ws://h/%41");
    }

    #[test]
    fn the_query_of_a_base_counts_like_one_of_the_uri() {
        let base = Some("http://h/a/b?q#f");
        assert_eq!(text("", base, Keep::NONE, Variant::N), "http://h/a/b");
        assert_eq!(text("", base, Keep::ALL, Variant::N), "http://h/a/b?q");
        assert_eq!(text("#g", base, Keep::ALL, Variant::N), "http://h/a/b?q#g");
        assert_eq!(text("../c", base, Keep::ALL, Variant::N), "http://h/c");
        assert_eq!(text("http://H/../c", base, Keep::ALL, Variant::N), "http://h/../c");
    }

    #[test]
    fn kept_parts_are_reported_only_if_present() {
        let kept = |uri, keep| canonicalize(uri, None, keep, Variant::N).unwrap().kept();
        assert_eq!(kept("http://h/", Keep::ALL), Keep::NONE);
        assert_eq!(kept("http://h/?", Keep::ALL), Keep::QUERY);
        assert_eq!(kept("http://h/?q#", Keep::FRAGMENT), Keep::FRAGMENT);
        assert_eq!(kept("http://h/?q#f", Keep::ALL), Keep::ALL);
    }

    #[test]
    fn errors_say_what_where_and_what_was_expected() {
        let cases = [
            (
                "a b",
                None,
                ErrorCode::NotUri,
                "uri has a character that URIs do not allow: found ` ` at byte 1, expected its percent-encoding",
            ),
            (
                "a",
                Some("h:\t"),
                ErrorCode::NotUri,
                "base has a character that URIs do not allow: found `\\t` at byte 2, expected its percent-encoding",
            ),
            (
                "%4",
                None,
                ErrorCode::NotUri,
                "uri has a bare `%` at byte 0, expected two hexadecimal digits after it",
            ),
            ("#a#", None, ErrorCode::NotUri, "uri has a second `#` at byte 2, expected one"),
            (
                "ws://a:b/",
                None,
                ErrorCode::NotUri,
                "authority of the uri is malformed: found `a:b`, expected `[user@]host[:port]`",
            ),
            (
                "a/b",
                None,
                ErrorCode::Relative,
                "uri is relative: found `a/b`, expected an absolute URI or a base",
            ),
            ("a", Some("/b"), ErrorCode::Relative, "base has no scheme: expected an absolute URI"),
        ];
        for (uri, base, code, message) in cases {
            let error = canonicalize(uri, base, Keep::NONE, Variant::N).unwrap_err();
            assert_eq!((error.code(), error.to_string().as_str()), (code, message), "{uri}");
        }
    }
}
