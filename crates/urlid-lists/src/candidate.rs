//! The canonical texts under which a URI is listed and looked up.
//!
//! The expressions are the prefixes of the Theory of URLs from the path upwards, and the same prefixes for
//! the domains above the host. These are the host-suffix and path-prefix expressions of Safe Browsing,
//! version 4. The URI is cut as written, and each expression is made canonical once, because a cut canonical
//! text of variant P is no longer canonical.
//!
//! Before that, the intake prepares the text of an entry or a candidate for the rules of a variant. The
//! intake `web` passes the WHATWG normal form to the canonical form of The Hashed URI. This is the only such
//! combination of two systems, for lists that block URLs as browsers open them. The header of a list names
//! its intake, and whether hosts are made plain after it.

use std::borrow::Cow;

use urlid::Error;
use urlid::hashed_uri::{Canonical, Keep, Variant};
use urlid::internal::{absolute, ends_in_number, escape_forbidden};
use urlid::reference::{Context, Reference};
use urlid::web::Url;

use crate::rules::{Covers, Intake, ListRules, UserInfo};

/// The most directories of a candidate that are looked up, from the root downwards and the root included.
pub(super) const MOST_DIRECTORIES: usize = 32;
/// The most hosts of a candidate: its own, and four above it.
pub(super) const MOST_HOSTS: usize = 5;

/// A URI to list or to look up: its text after the intake, and the places where its expressions are cut.
pub(super) struct ListCandidate<'t> {
    text: Cow<'t, str>,
    /// The base of a relative text, if that is not resolved yet.
    base: Option<&'t str>,
    variant: Variant,
    cuts: Cuts,
}

/// A canonical text of a candidate, as the places where the candidate is cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expression {
    /// The start of the host: the offset of its first byte, or of the domain above it.
    host: usize,
    /// The end of the text.
    end: usize,
}

impl<'t> ListCandidate<'t> {
    /// Applies the intake of a list, and finds the cuts that its coverage requires.
    pub(super) fn new(uri: &'t str, base: Option<&'t str>, rules: ListRules) -> Result<Self, Error> {
        let ListRules { variant, intake, covers, .. } = rules;
        let (text, base) = match intake {
            Intake::Rfc3986 => (Cow::Borrowed(uri), base),
            Intake::Web(host) => (web_form(uri, base, host)?, None),
        };
        if covers == Covers::Url {
            return Ok(Self { text, base, variant, cuts: Cuts::default() });
        }
        // Only an absolute text can be cut, because a relative one lacks its own authority.
        let text = rooted(&absolute(&text, base, variant)?, variant)?;
        let cuts = Cuts::parse(&text, rules)?;
        Ok(Self { text: Cow::Owned(text), base: None, variant, cuts })
    }

    pub(super) fn itself(&self) -> Expression {
        Expression { host: self.cuts.host, end: self.text.len() }
    }

    /// Iterates over the offsets at which the host of an expression starts: first the host itself, then the
    /// domains above it.
    pub(super) fn hosts(&self) -> impl Iterator<Item = usize> {
        [self.cuts.host].into_iter().chain(self.cuts.parents.iter().copied())
    }

    /// Iterates over the expressions of a host for entries with these flags, the nearest first. An entry
    /// with flags names a single resource, so directories are left out.
    pub(super) fn expressions(&self, host: usize, keep: Keep) -> impl Iterator<Item = Expression> {
        let directories = match keep {
            Keep::NONE => &self.cuts.directories[..],
            _ => &[],
        };
        // The whole text comes first. The parts that its flags drop are removed when it is made canonical.
        let ends = [self.text.len()].into_iter().chain(directories.iter().rev().copied());
        ends.map(move |end| Expression { host, end })
    }

    /// Makes the canonical text of an expression, and reuses the buffers of two strings.
    pub(super) fn canonical(
        &self,
        room: String,
        cut: &mut String,
        expression: Expression,
        keep: Keep,
    ) -> Result<Canonical, Error> {
        if expression.host == self.cuts.host && expression.end == self.text.len() {
            return Canonical::make(room, &self.text, self.base, keep, self.variant);
        }
        cut.clear();
        // Scheme, user and `//` precede the shorter host, and the port follows it, as in the candidate.
        cut.push_str(&self.text[..self.cuts.host]);
        cut.push_str(&self.text[expression.host..expression.end]);
        Canonical::make(room, cut, None, keep, self.variant)
    }
}

/// Replaces an empty path after an authority by the root, because `http://h` and `http://h/` are one if an
/// entry covers more than its own URL.
fn rooted(text: &str, variant: Variant) -> Result<String, Error> {
    let parsed = parse(text)?;
    let has_authority = match variant {
        Variant::None => parsed.authority_text().is_some(),
        // An empty authority is left out (H-10).
        Variant::N | Variant::P => parsed.authority_text().is_some_and(|text| !text.is_empty()),
    };
    let (start, rest) = text.split_at(parsed.path_start());
    let root = if has_authority && parsed.path().is_empty() { "/" } else { "" };
    Ok([start, root, rest].concat())
}

fn parse(text: &str) -> Result<Reference<'_>, Error> {
    Reference::parse(text, Context::Rfc3986)
}

/// The byte offsets at which an absolute URI can be cut.
#[derive(Debug, Default, PartialEq, Eq)]
struct Cuts {
    /// The start of the host.
    host: usize,
    /// The starts of the domains above the host that are looked up, the nearest first.
    parents: Vec<usize>,
    /// The ends of the directories that are looked up, after their slashes, from the root downwards.
    directories: Vec<usize>,
}

impl Cuts {
    /// Finds the cuts of a URI. An opaque URI cannot be cut.
    fn parse(text: &str, rules: ListRules) -> Result<Self, Error> {
        let parsed = parse(text)?;
        let authority_start = parsed.path_start() - parsed.authority_text().map_or(0, str::len);
        let user_length =
            parsed.authority_text().and_then(|text| text.rfind('@')).map_or(0, |offset| offset + 1);
        let host = authority_start + user_length;
        let parents = match parsed.authority() {
            Some(authority) if rules.covers == Covers::Subdomains => parents(authority.host, host),
            _ => Vec::new(),
        };
        let directories = if parsed.is_opaque() {
            Vec::new()
        } else {
            directories(parsed.path(), parsed.path_start(), rules.variant)
        };
        Ok(Self { host, parents, directories })
    }
}

/// Returns the ends of the directories. Variant P removes empty segments, so a slash that follows a slash
/// does not end a directory there.
fn directories(path: &str, start: usize, variant: Variant) -> Vec<usize> {
    let bytes = path.as_bytes();
    let ends_directory = |&offset: &usize| variant != Variant::P || offset == 0 || bytes[offset - 1] != b'/';
    let slashes = memchr::memchr_iter(b'/', bytes).filter(ends_directory);
    // Counted from the root. The bound limits the cost of a hostile path, and the widest entries are still
    // found.
    slashes.take(MOST_DIRECTORIES).map(|offset| start + offset + 1).collect()
}

/// Returns the starts of the domains above a host: its last five, four, three and two labels. The result is
/// empty for an address.
fn parents(host: &str, start: usize) -> Vec<usize> {
    if host.is_empty() || host.starts_with('[') || ends_in_number(host) {
        return Vec::new();
    }
    // Final dots belong to the last label, and all other dots divide labels, which may be empty. The search
    // runs from the right, because a host may have any number of labels and only the last ones count. The
    // last label by itself is not an expression.
    let labels = host.trim_end_matches('.').as_bytes();
    let dots = memchr::memrchr_iter(b'.', labels).skip(1).take(MOST_HOSTS - 1);
    let mut parents: Vec<usize> = dots.map(|dot| start + dot + 1).collect();
    parents.reverse();
    parents
}

/// Returns the WHATWG normal form of a text, with or without user information, and with the characters percent-encoded that the
/// URL Standard allows in it and the generic syntax of URIs does not.
pub(super) fn web_form<'t>(
    text: &'t str,
    base: Option<&'t str>,
    user_info: UserInfo,
) -> Result<Cow<'t, str>, Error> {
    let url = match base {
        None => Url::parse(text)?,
        Some(base) => Url::parse(base)?.join(text)?,
    };
    let text = match user_info {
        UserInfo::Drop => with_plain_host(url),
        UserInfo::Keep => url.into_string(),
    };
    Ok(Cow::Owned(escape_forbidden(text)))
}

/// Returns the text of a URL without user information, and without one dot at the end of its host. A host
/// that is only a dot stays, because removing it would change the host or leave it empty.
fn with_plain_host(url: Url) -> String {
    let (user, host) = url.user_and_host();
    let has_dot = url.as_str()[host.clone()].ends_with('.') && host.len() > 1;
    let mut text = url.into_string();
    // The dot is removed first. The user information precedes it, so removing that first would move the dot.
    if has_dot {
        text.remove(host.end - 1);
    }
    if !user.is_empty() {
        text.replace_range(user, "");
    }
    text
}
