//! `canonicalize_url` of w3lib 2.5 with its parameters: the rules of `w3lib-2.5`, changed by the parameters.

use crate::draft::{Draft, Part};
use crate::error;
use crate::profiles::w3lib::W3LIB_2_5;
use crate::rules::python::{self, EmptyAuthority};
use crate::rules::w3lib::{PARAMS_2_5, query_set};
use crate::rules::{escapes, query};
use urlid::Error;

/// Encodes a text, or returns `None` if the encoding lacks one of its characters.
pub type Encode<'e> = &'e dyn Fn(&str) -> Option<Vec<u8>>;

/// The parameters of the package's function, with their defaults.
///
/// ```
/// use urlid_canonical::packages::{W3libOptions, canonicalize_url};
///
/// let options = W3libOptions { keep_fragment: true, ..W3libOptions::default() };
/// assert_eq!(canonicalize_url("http://h/?b&a#f g", &options)?, "http://h/?a=&b=#f%20g");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct W3libOptions<'o> {
    /// `keep_blank_values`: fields without a value stay. Yes by default.
    pub keep_blank_values: bool,
    /// `keep_fragments`: the fragment stays. No by default.
    pub keep_fragment: bool,
    /// `query_separator`: the delimiter of the fields of the query. `&` by default.
    pub query_separator: &'o str,
    /// `encoding`: the encoding of query and fragment before they are escaped. UTF-8 by default.
    pub encode: Option<Encode<'o>>,
}

impl Default for W3libOptions<'_> {
    fn default() -> Self {
        Self { keep_blank_values: true, keep_fragment: false, query_separator: "&", encode: None }
    }
}

impl core::fmt::Debug for W3libOptions<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("W3libOptions")
            .field("keep_blank_values", &self.keep_blank_values)
            .field("keep_fragment", &self.keep_fragment)
            .field("query_separator", &self.query_separator)
            .finish_non_exhaustive()
    }
}

/// Returns the form `w3lib-2.5` of a URL, with parameters that may differ from the defaults.
///
/// ```
/// use urlid_canonical::packages::{W3libOptions, canonicalize_url};
///
/// let latin_1 = |text: &str| text.chars().map(|character| u8::try_from(character).ok()).collect();
/// let options = W3libOptions { encode: Some(&latin_1), ..W3libOptions::default() };
/// assert_eq!(canonicalize_url("http://h/é?é", &options)?, "http://h/%C3%A9?%E9=");
/// assert!(canonicalize_url("http://h/?€", &options).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error`] if the text lacks a form, the separator of fields is empty, or the encoding lacks a character of
/// query or fragment.
pub fn canonicalize_url(text: &str, options: &W3libOptions<'_>) -> Result<String, Error> {
    let mut draft = Draft::default();
    draft.begin(text.as_bytes());
    for rule in W3LIB_2_5.rules() {
        match rule.name {
            "drop-fragment" => {
                // An encoding that does not have the fragment is an error although the fragment goes.
                encode_query_and_fragment(&mut draft, options)?;
                if options.keep_fragment {
                    escapes::encode(draft.fragment.bytes_mut(), &PARAMS_2_5, &mut draft.spare);
                } else {
                    draft.fragment.remove();
                }
            }
            "query" if draft.query.is_empty() => {}
            "query" => sort_query(&mut draft, options)?,
            _ => rule.apply(&mut draft)?,
        }
    }
    String::from_utf8(draft.text).map_err(|_| error::NOT_UTF8.error())
}

/// Joins parts like `canonicalize_url` joins the parts of a `ParseResult`.
///
/// ```
/// use urlid_canonical::packages::unparse_url;
///
/// assert_eq!(unparse_url("http", "h", "a", "p", "q", ""), "http://h/a;p?q");
/// ```
pub fn unparse_url(
    scheme: &str,
    authority: &str,
    path: &str,
    params: &str,
    query: &str,
    fragment: &str,
) -> String {
    let mut draft = Draft::default();
    let Draft { scheme: scheme_part, host, query: query_part, fragment: fragment_part, .. } = &mut draft;
    for (part, text) in
        [(scheme_part, scheme), (host, authority), (query_part, query), (fragment_part, fragment)]
    {
        part.set(text.as_bytes());
    }
    draft.path.extend_from_slice(path.as_bytes());
    if !params.is_empty() {
        draft.path.push(b';');
        draft.path.extend_from_slice(params.as_bytes());
    }
    python::unparse(&mut draft, EmptyAuthority::ByPath);
    String::from_utf8_lossy(&draft.text).into_owned()
}

fn encode_query_and_fragment(draft: &mut Draft, options: &W3libOptions<'_>) -> Result<(), Error> {
    let Some(encode) = options.encode else { return Ok(()) };
    let encoded = |part: &Part| {
        let text = core::str::from_utf8(part.bytes()).map_err(|_| error::NOT_UTF8.error())?;
        encode(text).ok_or_else(|| error::text(part.bytes(), "characters of the encoding"))
    };
    // An encoding may start with a mark, so even an empty query is encoded.
    let query = encoded(&draft.query)?;
    draft.query.set(&query);
    if !draft.fragment.is_empty() {
        let fragment = encoded(&draft.fragment)?;
        draft.fragment.set(&fragment);
    }
    Ok(())
}

fn sort_query(draft: &mut Draft, options: &W3libOptions<'_>) -> Result<(), Error> {
    if options.query_separator.is_empty() {
        return Err(error::text(b"", "a separator of fields"));
    }
    let Draft { scheme, query, spare, .. } = draft;
    // The separator is searched in the escaped query, so a separator that is escaped there is never found.
    escapes::encode(query.bytes_mut(), query_set(scheme.bytes()), spare);
    let separator = options.query_separator.as_bytes();
    let is_kept = |field: &&[u8]| {
        let (_, value) = query::name_and_value(field);
        !field.is_empty() && (options.keep_blank_values || value.is_some_and(|value| !value.is_empty()))
    };
    let fields: Vec<&[u8]> = split(query.bytes(), separator).filter(is_kept).collect();
    query::push_sorted(fields.into_iter(), separator, spare);
    core::mem::swap(query.bytes_mut(), spare);
    Ok(())
}

/// Splits at a separator of one byte or more.
fn split<'t>(text: &'t [u8], separator: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let text = rest?;
        let end = memchr::memmem::find(text, separator);
        rest = end.map(|end| &text[end + separator.len()..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}
