//! The layout of the lines of an index, recognised by its first line, and the position of the URL in it.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use urlid::{Coded, ErrorCode};

use super::rows;

/// The most bytes of the first line, by which an index is recognised.
pub const MAX_FIRST_LINE: usize = 64 << 10;

/// The layout of the lines of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CdxLayout {
    /// Fields separated by single spaces or tabs.
    Cdx {
        /// The number of fields.
        fields: usize,
        /// The index of the field with the URL, from 0.
        url: usize,
        /// The separator, a space or a tab.
        separator: u8,
    },
    /// The same fields as rows of JSON, from the Wayback CDX server.
    Rows {
        /// The number of fields.
        fields: usize,
        /// The index of the field with the URL, from 0.
        url: usize,
    },
    /// Key, time, and a JSON object with a member `url`.
    Cdxj,
    /// Key, date, type of record, and a JSON object with a member `uri`. This is the format of OpenWayback.
    OpenWayback,
    /// Key, time, and a JSON object with a member `original_uri`. This is the format of ipwb.
    Ipwb,
    /// A list of pages of a WACZ file: JSON objects with a member `url`, without keys.
    Pages,
}

impl fmt::Display for CdxLayout {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CdxLayout::Cdx { fields, separator: b'\t', .. } => {
                write!(out, "CDX of {fields} fields with tabs")
            }
            CdxLayout::Cdx { fields, .. } => write!(out, "CDX of {fields} fields"),
            CdxLayout::Rows { fields, .. } => write!(out, "CDX of {fields} fields in rows of JSON"),
            CdxLayout::Cdxj => out.write_str("CDXJ"),
            CdxLayout::OpenWayback => out.write_str("CDXJ of OpenWayback"),
            CdxLayout::Ipwb => out.write_str("CDXJ of ipwb"),
            CdxLayout::Pages => out.write_str("pages of WACZ"),
        }
    }
}

/// The reason why a line of an index lacks a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CdxError {
    /// The number of fields in the line differs from the header.
    Fields {
        /// The number of fields in the line.
        found: usize,
        /// The number of fields in the header.
        expected: usize,
    },
    /// Key and time are not followed by a JSON object.
    NotJson,
    /// A row of JSON is not an array of texts.
    NotRow,
    /// The JSON object lacks a member `url` that is a text.
    NoUrl,
    /// The URL has a line end in it.
    LineEnd,
    /// The first line is not the first line of an index.
    NoIndex,
    /// The index has different fields from the previous one.
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
            CdxError::NotRow => out.write_str("row of an index in JSON is not an array of texts on its line"),
            CdxError::NotJson => out.write_str("line of a CDXJ index lacks a JSON object after key and time"),
            CdxError::NoUrl => out.write_str("line of a CDXJ index lacks the text `url`"),
            CdxError::LineEnd => out.write_str("line of a CDXJ index has a URL with a line end in it"),
            CdxError::NoIndex => out.write_str("first line is not a line of a CDX or CDXJ index"),
            CdxError::OtherLayout => out.write_str("index has different fields from the previous one"),
        }
    }
}

impl std::error::Error for CdxError {}

impl CdxLayout {
    /// Recognises an index by its first line, without its line end: the header of CDX, a line of CDX with 9
    /// or 11 fields, or a line of CDXJ. A URL cannot start like any of them.
    pub fn recognise(first: &[u8]) -> Option<Self> {
        if first.len() > MAX_FIRST_LINE {
            return None;
        }
        // The first character of a header is the separator.
        if let [separator @ (b' ' | b'\t'), b'C', b'D', b'X', next, header @ ..] = first
            && separator == next
        {
            let names: Vec<_> = header.split(|byte| byte == separator).collect();
            let url = names.iter().position(|name| *name == b"a")?;
            return Some(CdxLayout::Cdx { fields: names.len(), url, separator: *separator });
        }
        match first {
            [b'!', ..] => return Self::of_directive(first),
            [b'[', ..] => {
                let names = rows::header(first)?;
                let url = names.iter().position(|name| name == "original")?;
                return Some(CdxLayout::Rows { fields: names.len(), url });
            }
            [b'{', ..] => return is_list_of_pages(first).then_some(CdxLayout::Pages),
            _ => {}
        }
        Self::of_spaces(first).or_else(|| Self::of_fields(first, b'\t'))
    }

    /// Recognises a line of CDXJ, or one of CDX with spaces.
    fn of_spaces(first: &[u8]) -> Option<Self> {
        let (_, time, rest) = key_and_time(first)?;
        if time.first().is_some_and(u8::is_ascii_digit)
            && time.contains(&b'-')
            && rest.split(|byte| *byte == b' ').nth(1).is_some_and(|json| json.starts_with(b"{"))
        {
            return Some(CdxLayout::OpenWayback);
        }
        if is_time(time) && rest.starts_with(b"{") {
            let members = serde_json::from_slice::<CdxjMembers<'_>>(rest);
            let is_ipwb = members.is_ok_and(|found| found.url.is_none() && found.original_uri.is_some());
            return Some(if is_ipwb { CdxLayout::Ipwb } else { CdxLayout::Cdxj });
        }
        Self::of_fields(first, b' ')
    }

    /// Recognises a line of CDX without a header.
    fn of_fields(first: &[u8], separator: u8) -> Option<Self> {
        let fields: Vec<_> = first.split(|&byte| byte == separator).collect();
        if !fields.get(1).is_some_and(|time| is_time(time)) {
            return None;
        }
        let is_number = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
        let is_line = match fields.len() {
            // In both layouts the second to last field is the offset of the record.
            9 | 11 => is_number(fields[fields.len() - 2]),
            // Lines of the Wayback CDX server, in which the last field is the length.
            7 => fields[2].contains(&b':') && (is_number(fields[6]) || fields[6] == b"-"),
            _ => false,
        };
        is_line.then_some(CdxLayout::Cdx { fields: fields.len(), url: 2, separator })
    }

    /// Recognises the line of an index that starts with `!`.
    fn of_directive(first: &[u8]) -> Option<Self> {
        if first.starts_with(b"!OpenWayback-CDXJ ") {
            Some(CdxLayout::OpenWayback)
        } else if first.starts_with(b"!meta {")
            || [b"!context ".as_slice(), b"!id "].iter().any(|it| first.starts_with(it))
        {
            Some(CdxLayout::Ipwb)
        } else {
            is_meta(first).then_some(CdxLayout::Cdxj)
        }
    }

    /// Returns the layout of the lines that [`CdxLayout::plain`] returns.
    #[must_use]
    pub fn of_plain(self) -> Self {
        match self {
            CdxLayout::Rows { fields, url } => CdxLayout::Cdx { fields, url, separator: b' ' },
            layout => layout,
        }
    }

    /// Returns a line as text that starts with its key. A row of JSON becomes its fields with spaces between
    /// them. Any other line is returned unchanged.
    ///
    /// # Errors
    /// [`CdxError`] if it is not a row.
    pub fn plain(self, line: &[u8]) -> Result<Cow<'_, [u8]>, CdxError> {
        match self {
            CdxLayout::Rows { .. } if !line.is_empty() => {
                rows::plain(line).map(|text| Cow::Owned(text.into_bytes())).ok_or(CdxError::NotRow)
            }
            _ => Ok(Cow::Borrowed(line)),
        }
    }

    /// Returns the URL of a line, or `None` for the header and a blank line.
    ///
    /// # Errors
    /// [`CdxError`] if the line lacks a URL.
    pub fn url(self, line: &[u8]) -> Result<Option<Cow<'_, [u8]>>, CdxError> {
        if line.is_empty() {
            return Ok(None);
        }
        match self {
            CdxLayout::Cdx { .. } if line.starts_with(b" CDX ") || line.starts_with(b"\tCDX\t") => Ok(None),
            CdxLayout::Cdx { fields, url, separator } => {
                let mut values = line.split(|&byte| byte == separator);
                // The fields are counted in the same pass: up to the URL, then the rest.
                let value = values.nth(url);
                let found = value.map_or(0, |_| url + 1 + values.count());
                match value {
                    Some(value) if found == fields => Ok(Some(Cow::Borrowed(value))),
                    // Counted again only for the message, because the pass above may have ended before the
                    // last field.
                    _ => Err(CdxError::Fields {
                        found: line.split(|&byte| byte == separator).count(),
                        expected: fields,
                    }),
                }
            }
            CdxLayout::Rows { .. } if rows::is_frame(line) => Ok(None),
            CdxLayout::Rows { fields, url } => {
                let mut row = rows::row(line).ok_or(CdxError::NotRow)?;
                if row.len() != fields {
                    return Err(CdxError::Fields { found: row.len(), expected: fields });
                }
                checked(row.swap_remove(url)).map(Some)
            }
            CdxLayout::Cdxj if is_meta(line) => Ok(None),
            CdxLayout::OpenWayback | CdxLayout::Ipwb if line.starts_with(b"!") => Ok(None),
            CdxLayout::Pages if is_list_of_pages(line) => Ok(None),
            CdxLayout::Cdxj | CdxLayout::OpenWayback | CdxLayout::Ipwb | CdxLayout::Pages => {
                // The fields in front of the object.
                let fields = match self {
                    CdxLayout::Pages => 0,
                    CdxLayout::OpenWayback => 3,
                    _ => 2,
                };
                let mut parts = line.splitn(fields + 1, |&byte| byte == b' ');
                let json = parts.nth(fields).ok_or(CdxError::NotJson)?;
                if !json.starts_with(b"{") {
                    return Err(CdxError::NotJson);
                }
                let members = match serde_json::from_slice::<CdxjMembers<'_>>(json) {
                    Ok(members) => members,
                    // JSON, but the member is not a text.
                    Err(error) if error.is_data() => return Err(CdxError::NoUrl),
                    Err(_) => return Err(CdxError::NotJson),
                };
                let url = match self {
                    CdxLayout::OpenWayback => members.uri,
                    CdxLayout::Ipwb => members.original_uri,
                    _ => members.url,
                };
                checked(url.ok_or(CdxError::NoUrl)?).map(Some)
            }
        }
    }
}

/// Returns the bytes of a URL.
fn checked(url: Cow<'_, str>) -> Result<Cow<'_, [u8]>, CdxError> {
    if url.contains(['\n', '\r']) {
        // The line end comes from an escape in JSON. It would split the URL when lines are written.
        return Err(CdxError::LineEnd);
    }
    Ok(match url {
        Cow::Borrowed(url) => Cow::Borrowed(url.as_bytes()),
        Cow::Owned(url) => Cow::Owned(url.into_bytes()),
    })
}

/// The members of a line that name its URL in some layout. The members of other layouts may have any value.
#[derive(Deserialize)]
struct CdxjMembers<'a> {
    #[serde(borrow)]
    url: Option<Cow<'a, str>>,
    #[serde(borrow)]
    uri: Option<Cow<'a, str>>,
    #[serde(borrow)]
    original_uri: Option<Cow<'a, str>>,
}

/// Returns whether a line starts a list of pages of a WACZ file.
fn is_list_of_pages(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Header<'a> {
        #[serde(borrow)]
        format: Cow<'a, str>,
    }
    serde_json::from_slice::<Header<'_>>(line).is_ok_and(|header| header.format.starts_with("json-pages-"))
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

/// Returns whether a field is a time of 14 to 17 digits, which has seconds or up to milliseconds.
fn is_time(field: &[u8]) -> bool {
    (14..=17).contains(&field.len()) && field.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CDX11: &str = "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - - 120 0 a.warc.gz";
    const CDX9: &str = "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - 0 a.warc.gz";
    const CDXJ: &str = r#"com,a)/ 20260102030405 {"url": "http://a.com/", "mime": "text/html"}"#;

    fn cdx(fields: usize, separator: u8) -> CdxLayout {
        CdxLayout::Cdx { fields, url: 2, separator }
    }

    #[test]
    fn an_index_is_recognised_by_its_first_line() {
        for (line, expected) in [
            (" CDX N b a m s k r M S V g", Some(cdx(11, b' '))),
            (" CDX A b a m s k r V v D d g M n", Some(cdx(14, b' '))),
            (" CDX N b m", None),
            (CDX11, Some(cdx(11, b' '))),
            (CDX9, Some(cdx(9, b' '))),
            (CDXJ, Some(CdxLayout::Cdxj)),
            (r#"!meta 0 {"format": "cdxj-gzip-1.0", "filename": "a.gz"}"#, Some(CdxLayout::Cdxj)),
            ("com,a)/ 20260102030405 http://a.com/ text/html 200 SHA 120", Some(cdx(7, b' '))),
            ("com,a)/ 20260102030405 http://a.com/ warc/revisit - SHA -", Some(cdx(7, b' '))),
            ("com,a)/\t20260102030405\thttp://a.com/\ttext/html\t200\tSHA\t120", Some(cdx(7, b'\t'))),
            ("\tCDX\tN\tb\ta", Some(cdx(3, b'\t'))),
            (r#"[["urlkey","timestamp","original"],"#, Some(CdxLayout::Rows { fields: 3, url: 2 })),
            (r#"[["urlkey","timestamp"],"#, None),
            ("!OpenWayback-CDXJ 1.0", Some(CdxLayout::OpenWayback)),
            (
                r#"(com,a,)/ 2026-01-02T03:04:05Z response {"uri": "http://a.com/"}"#,
                Some(CdxLayout::OpenWayback),
            ),
            (r#"!context ["https://oduwsdl.github.io/contexts/cdxj"]"#, Some(CdxLayout::Ipwb)),
            (r#"com,a)/ 20260102030405 {"original_uri": "http://a.com/"}"#, Some(CdxLayout::Ipwb)),
            (r#"{"format": "json-pages-1.0", "id": "pages"}"#, Some(CdxLayout::Pages)),
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
        let cdx = cdx(11, b' ');
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
