//! The layout of the lines of an index, recognised by its first line: where the URL is.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use urlid::{Coded, ErrorCode};

/// The most bytes of the first line, by which an index is recognised.
pub const MAX_FIRST_LINE: usize = 64 << 10;

/// The layout of the lines of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CdxLayout {
    /// Fields separated by single spaces.
    Cdx {
        /// The number of fields.
        fields: usize,
        /// The index of the field with the URL, from 0.
        url: usize,
    },
    /// Key, time, and a JSON object with a member `url`.
    Cdxj,
}

/// The reason a line of an index has no URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CdxError {
    /// The line has another number of fields than the header.
    Fields {
        /// The number of fields in the line.
        found: usize,
        /// The number of fields in the header.
        expected: usize,
    },
    /// Key and time are not followed by a JSON object.
    NotJson,
    /// The JSON object has no member `url` that is a text.
    NoUrl,
    /// The URL has a line end in it.
    LineEnd,
    /// The first line is not that of an index.
    NoIndex,
    /// The index has other fields than the one before it.
    OtherLayout,
}

impl Coded for CdxError {
    fn code(&self) -> ErrorCode {
        ErrorCode::Archive
    }
}

impl fmt::Display for CdxError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CdxError::Fields { found, expected } => {
                write!(out, "line of a CDX index has {found} fields, expected {expected}")
            }
            CdxError::NotJson => out.write_str("line of a CDXJ index has no JSON object after key and time"),
            CdxError::NoUrl => out.write_str("line of a CDXJ index has no text `url`"),
            CdxError::LineEnd => out.write_str("line of a CDXJ index has a URL with a line end in it"),
            CdxError::NoIndex => out.write_str("first line is not that of a CDX or CDXJ index"),
            CdxError::OtherLayout => out.write_str("index has other fields than the one before it"),
        }
    }
}

impl std::error::Error for CdxError {}

impl CdxLayout {
    /// Recognises an index by its first line, without its line end: the header of CDX, a line of CDX with 9 or 11 fields, or a
    /// line of CDXJ. No URL begins like that.
    pub fn recognise(first: &[u8]) -> Option<Self> {
        if first.len() > MAX_FIRST_LINE {
            return None;
        }
        if let Some(header) = first.strip_prefix(b" CDX ") {
            let names: Vec<_> = header.split(|&byte| byte == b' ').collect();
            let url = names.iter().position(|name| *name == b"a")?;
            return Some(CdxLayout::Cdx { fields: names.len(), url });
        }
        if is_meta(first) {
            return Some(CdxLayout::Cdxj);
        }
        let (_, time, rest) = key_and_time(first)?;
        if !is_time(time) {
            return None;
        }
        if rest.starts_with(b"{") {
            return Some(CdxLayout::Cdxj);
        }
        let fields: Vec<_> = first.split(|&byte| byte == b' ').collect();
        // In both layouts the last but one field is the offset of the record. Splitting off key and time made three fields at
        // least.
        let offset = fields[fields.len() - 2];
        let is_offset = !offset.is_empty() && offset.iter().all(u8::is_ascii_digit);
        (matches!(fields.len(), 9 | 11) && is_offset)
            .then_some(CdxLayout::Cdx { fields: fields.len(), url: 2 })
    }

    /// Returns the URL of a line, `None` for the header and a blank line.
    ///
    /// # Errors
    /// [`CdxError`] if the line has none.
    pub fn url(self, line: &[u8]) -> Result<Option<Cow<'_, [u8]>>, CdxError> {
        if line.is_empty() {
            return Ok(None);
        }
        match self {
            CdxLayout::Cdx { .. } if line.starts_with(b" CDX ") => Ok(None),
            CdxLayout::Cdx { fields, url } => {
                let mut values = line.split(|&byte| byte == b' ');
                // The number of fields is counted in the same pass: up to the URL, then the rest.
                let value = values.nth(url);
                let found = value.map_or(0, |_| url + 1 + values.count());
                match value {
                    Some(value) if found == fields => Ok(Some(Cow::Borrowed(value))),
                    _ => Err(CdxError::Fields {
                        found: line.split(|&byte| byte == b' ').count(),
                        expected: fields,
                    }),
                }
            }
            CdxLayout::Cdxj if is_meta(line) => Ok(None),
            CdxLayout::Cdxj => {
                let (_, _, json) = key_and_time(line).ok_or(CdxError::NotJson)?;
                if !json.starts_with(b"{") {
                    return Err(CdxError::NotJson);
                }
                let url = match serde_json::from_slice::<Members<'_>>(json) {
                    Ok(Members { url: Some(url) }) => url,
                    Ok(Members { url: None }) => return Err(CdxError::NoUrl),
                    // JSON, but `url` is not a text.
                    Err(error) if error.is_data() => return Err(CdxError::NoUrl),
                    Err(_) => return Err(CdxError::NotJson),
                };
                if url.contains(['\n', '\r']) {
                    // From an escape in JSON. It would become two lines where lines are written.
                    return Err(CdxError::LineEnd);
                }
                Ok(Some(match url {
                    Cow::Borrowed(url) => Cow::Borrowed(url.as_bytes()),
                    Cow::Owned(url) => Cow::Owned(url.into_bytes()),
                }))
            }
        }
    }
}

/// The member of a CDXJ line that names its URL.
#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow)]
    url: Option<Cow<'a, str>>,
}

/// Returns whether a line describes the index: `!meta 0 {…}`.
fn is_meta(line: &[u8]) -> bool {
    line.starts_with(b"!meta ") && line.ends_with(b"}")
}

/// Splits a line into its key, its time and the rest.
fn key_and_time(line: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let mut parts = line.splitn(3, |&byte| byte == b' ');
    Some((parts.next()?, parts.next()?, parts.next()?))
}

/// Returns whether a field is a time of 14 to 17 digits: seconds, or up to milliseconds.
fn is_time(field: &[u8]) -> bool {
    (14..=17).contains(&field.len()) && field.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CDX11: &str = "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - - 120 0 a.warc.gz";
    const CDX9: &str = "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - 0 a.warc.gz";
    const CDXJ: &str = r#"com,a)/ 20260102030405 {"url": "http://a.com/", "mime": "text/html"}"#;

    #[test]
    fn an_index_is_recognised_by_its_first_line() {
        for (line, expected) in [
            (" CDX N b a m s k r M S V g", Some(CdxLayout::Cdx { fields: 11, url: 2 })),
            (" CDX A b a m s k r V v D d g M n", Some(CdxLayout::Cdx { fields: 14, url: 2 })),
            (" CDX N b m", None),
            (CDX11, Some(CdxLayout::Cdx { fields: 11, url: 2 })),
            (CDX9, Some(CdxLayout::Cdx { fields: 9, url: 2 })),
            (CDXJ, Some(CdxLayout::Cdxj)),
            (r#"!meta 0 {"format": "cdxj-gzip-1.0", "filename": "a.gz"}"#, Some(CdxLayout::Cdxj)),
            ("com,a)/ 20260102030405", None),
            ("com,a)/ 2026010203 {}", None),
            ("com,a)/ 20260102030405 a b c d e x f", None),
            ("https://a/ b c", None),
            (r#"{"url": "http://a.com/"}"#, None),
            ("", None),
        ] {
            assert_eq!(CdxLayout::recognise(line.as_bytes()), expected, "{line}");
        }
        let long = format!("{CDXJ}{}", " ".repeat(MAX_FIRST_LINE));
        assert_eq!(CdxLayout::recognise(long.as_bytes()), None);
    }

    #[test]
    fn every_line_has_a_url_or_a_reason() {
        let cdx = CdxLayout::Cdx { fields: 11, url: 2 };
        let url = |layout: CdxLayout, line: &str| {
            let found = layout.url(line.as_bytes());
            found.map(|url| url.map(|url| String::from_utf8(url.into_owned()).expect("it is text")))
        };
        let is = |url: &str| Ok(Some(url.to_owned()));
        assert_eq!(url(cdx, CDX11), is("http://a.com/"));
        assert_eq!(url(cdx, CDX9), Err(CdxError::Fields { found: 9, expected: 11 }));
        assert_eq!(url(cdx, " CDX N b a m s k r M S V g"), Ok(None));
        assert_eq!(url(cdx, ""), Ok(None));
        assert_eq!(url(CdxLayout::Cdxj, CDXJ), is("http://a.com/"));
        assert_eq!(url(CdxLayout::Cdxj, r#"k 1 {"x": [{}], "url": "http://\u00e9\/"}"#), is("http://é/"));
        assert_eq!(url(CdxLayout::Cdxj, r#"!meta 0 {"format": "cdxj-gzip-1.0"}"#), Ok(None));
        for (line, error) in [
            ("k 1", CdxError::NotJson),
            ("k 1 {", CdxError::NotJson),
            (r#"k 1 ["http://a/"]"#, CdxError::NotJson),
            ("k 1 {} x", CdxError::NotJson),
            ("k 1 {}", CdxError::NoUrl),
            (r#"k 1 {"url": 3}"#, CdxError::NoUrl),
            (r#"k 1 {"url": "a", "url": "b"}"#, CdxError::NoUrl),
            (r#"k 1 {"url": "a\nb"}"#, CdxError::LineEnd),
        ] {
            assert_eq!(url(CdxLayout::Cdxj, line), Err(error), "{line}");
        }
        let nested = format!(r#"k 1 {{"x": {}"#, "[".repeat(100_000));
        assert_eq!(url(CdxLayout::Cdxj, &nested), Err(CdxError::NotJson));
    }
}
