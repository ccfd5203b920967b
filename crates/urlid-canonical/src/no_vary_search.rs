//! The field `No-Vary-Search` of HTTP, which lists the differences of the query that do not matter for a
//! response (<https://datatracker.ietf.org/doc/draft-ietf-httpbis-no-vary-search/>, the text of 2026-07-01).
//!
//! If the steps of that text contradict its examples, the examples count, as in Firefox: a field with only
//! `key-order` is not the default. `structured_fields` reads the dictionary.

use std::borrow::Cow;
use std::fmt;

use super::draft::Part;
use super::rules::query;
use super::structured_fields::{Member, dictionary};
use urlid::internal::escape::{EscapeSet, UNRESERVED};

/// The syntax of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoVarySearchSyntax {
    /// The syntax of the IETF's text.
    #[default]
    Ietf,
    /// The first syntax of browsers as well: `params` may be a boolean, by itself or together with `except`.
    Browsers,
}

/// A field `No-Vary-Search`. It has the names that do not matter, or the only ones that do, and whether their
/// order matters.
///
/// Two URLs are equivalent if their forms `web+no-vary-search-05=…` are equal.
///
/// ```
/// use urlid_canonical::NoVarySearch;
///
/// let field = NoVarySearch::parse("params=(\"utm_source\"), key-order");
/// assert!(field.are_equivalent("https://h/?a=1&b=2&utm_source=x", "https://h/?b=2&a=%31")?);
/// assert_eq!(field.to_string(), "params=(\"utm_source\"), key-order");
/// let form = field.to_form();
/// assert_eq!(form.canonicalize("https://h/?b&a=+&utm_source=x#f")?, "https://h/?a=+&b=");
/// assert!(NoVarySearch::parse("no field").is_default());
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoVarySearch {
    /// The decoded names in ascending order, each once.
    names: Vec<String>,
    /// Whether the names are the only ones that matter. Otherwise they are the names that do not matter.
    is_except: bool,
    ignores_order: bool,
}

impl NoVarySearch {
    /// Reads a field. The values of several fields are joined with commas. An invalid field is read as the
    /// default, which compares queries as texts.
    pub fn parse(field: &str) -> Self {
        Self::parse_as(field, NoVarySearchSyntax::Ietf)
    }

    /// Reads a field in a syntax.
    pub fn parse_as(field: &str, syntax: NoVarySearchSyntax) -> Self {
        dictionary(field).and_then(|members| Self::read(members, syntax)).unwrap_or(Self::DEFAULT)
    }

    /// Returns whether a field is valid in a syntax.
    pub fn is_valid(field: &str, syntax: NoVarySearchSyntax) -> bool {
        dictionary(field).is_some_and(|members| Self::read(members, syntax).is_some())
    }

    const DEFAULT: Self = Self { names: Vec::new(), is_except: false, ignores_order: false };

    fn read(members: Vec<(String, Member)>, syntax: NoVarySearchSyntax) -> Option<Self> {
        let member = |name: &str| members.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let ignores_order = match member("key-order") {
            None => false,
            Some(Member::Boolean(flag)) => *flag,
            // A member of a wrong type makes the whole field the default (draft, section 2), not only this
            // member.
            Some(_) => return None,
        };
        const NONE: &Member = &Member::List(Vec::new());
        let (params, except) = match (syntax, member("params"), member("except")) {
            (NoVarySearchSyntax::Browsers, Some(Member::Boolean(true)), except) => {
                (None, except.or(Some(NONE)))
            }
            (NoVarySearchSyntax::Browsers, Some(Member::Boolean(false)), None) => (Some(NONE), None),
            (_, params, except) => (params, except),
        };
        let (names, is_except) = match (params, except) {
            (Some(_), Some(_)) => return None,
            (None, None) => (NONE, false),
            (Some(names), None) => (names, false),
            (None, Some(names)) => (names, true),
        };
        let Member::List(names) = names else { return None };
        let decoded = |name: &Member| match name {
            Member::Text(name) => Some(query::decoded_name(name.as_bytes()).into_owned()),
            _ => None,
        };
        let mut names = names.iter().map(decoded).collect::<Option<Vec<String>>>()?;
        // The order is needed for the binary search in `apply`, and gives equal fields the same text.
        names.sort_unstable();
        names.dedup();
        Some(Self { names, is_except, ignores_order })
    }

    /// Returns whether the field is equivalent to a missing one, so that queries are compared as texts.
    pub fn is_default(&self) -> bool {
        *self == Self::DEFAULT
    }

    /// Reads the text after `=` in the name of a step. The error is its canonical spelling.
    pub(super) fn of_step(text: &str) -> Result<Self, String> {
        let mut field = text.as_bytes().to_vec();
        crate::rules::escapes::decode_once(&mut field, |_| true);
        let field = Self::parse(&String::from_utf8_lossy(&field));
        let expected = field.to_step();
        // Only the canonical spelling is a name, because stored names of forms are compared as texts.
        if expected == text { Ok(field) } else { Err(expected) }
    }

    /// Returns the field as written in the name of a step.
    pub(super) fn to_step(&self) -> String {
        let mut text = String::new();
        STEP.encode(&self.to_string(), &mut text);
        text
    }

    /// Reduces a query to the fields that matter.
    pub(super) fn apply(&self, part: &mut Part) {
        if self.is_default() {
            return;
        }
        // URL Standard, 5.1: the urlencoded parser skips empty sequences.
        let fields = query::fields(part.bytes()).filter(|field| !field.is_empty()).map(query::name_and_value);
        let pairs = fields
            .map(|(name, value)| (query::decoded_name(name), query::decoded_name(value.unwrap_or_default())));
        let is_listed = |name: &str| self.names.binary_search_by(|known| (**known).cmp(name)).is_ok();
        let mut pairs: Vec<(Cow<'_, str>, Cow<'_, str>)> =
            pairs.filter(|(name, _)| is_listed(name) == self.is_except).collect();
        if self.ignores_order {
            // Code units differ from bytes above U+FFFF.
            // The sort is stable: the URL Standard keeps the order of pairs with equal names.
            pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
        }
        let mut text = String::new();
        for (name, value) in &pairs {
            text.push_str(if text.is_empty() { "" } else { "&" });
            push_urlencoded(name, &mut text);
            text.push('=');
            push_urlencoded(value, &mut text);
        }
        // A query without pairs is equivalent to a missing query.
        part.set_option((!pairs.is_empty()).then_some(text.as_bytes()));
    }
}

impl fmt::Display for NoVarySearch {
    /// Writes the field in canonical form: names in their order, each once, as the urlencoded serializer
    /// writes them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_order_alone = self.ignores_order && !self.is_except && self.names.is_empty();
        if is_order_alone {
            return f.write_str("key-order");
        }
        f.write_str(if self.is_except { "except=(" } else { "params=(" })?;
        for (index, name) in self.names.iter().enumerate() {
            let mut written = String::new();
            push_urlencoded(name, &mut written);
            write!(f, "{}\"{written}\"", if index > 0 { " " } else { "" })?;
        }
        f.write_str(if self.ignores_order { "), key-order" } else { ")" })
    }
}

/// Bytes that the urlencoded serializer escapes, except the space.
// The set application/x-www-form-urlencoded of the URL Standard, in which `*` stays and `~` does not.
const URLENCODED: EscapeSet = UNRESERVED.with(b"~").without(b"*");
/// Bytes that the name of a step escapes.
const STEP: EscapeSet = UNRESERVED.with(b"~");

fn push_urlencoded(text: &str, out: &mut String) {
    for (index, word) in text.split(' ').enumerate() {
        out.push_str(if index > 0 { "+" } else { "" });
        URLENCODED.encode(word, out);
    }
}
