//! The keys of lines: the text from which a key is made, and the range of keys that match a URL.

use std::borrow::Cow;

use serde::Deserialize;
use urlid::Error;
use urlid_canonical::{Canonicalizer, Form};

use super::layout::{CdxError, CdxLayout};
use crate::error;

/// Returns the key of a line as written, which is the text before its first separator.
pub fn written_key(layout: CdxLayout, line: &str) -> &str {
    let separator = if let CdxLayout::Cdx { separator: b'\t', .. } = layout { '\t' } else { ' ' };
    line.split_once(separator).map_or(line, |(key, _)| key)
}

/// Returns the key of a line. A key of OpenWayback is returned as the others are written, without the
/// parenthesis before the host and the comma after it.
pub fn key(layout: CdxLayout, line: &str) -> Cow<'_, str> {
    let key = written_key(layout, line);
    if layout != CdxLayout::OpenWayback {
        return Cow::Borrowed(key);
    }
    match key.strip_prefix('(').and_then(|key| key.split_once(')')) {
        Some((host, rest)) => {
            let (host, port) = host.split_once(":").map_or((host, None), |(host, port)| (host, Some(port)));
            let port = port.map(|port| format!(":{port}")).unwrap_or_default();
            Cow::Owned(format!("{}{port}){rest}", host.strip_suffix(',').unwrap_or(host)))
        }
        None => Cow::Borrowed(key),
    }
}

/// Returns a key, or the start of one with its host, as the lines of a layout have it.
pub fn styled_key(layout: CdxLayout, key: &str) -> Cow<'_, str> {
    if layout != CdxLayout::OpenWayback {
        return Cow::Borrowed(key);
    }
    match key.find([')', ':']).filter(|_| key.contains(')')) {
        Some(end) if !key.starts_with('[') => Cow::Owned(format!("({},{}", &key[..end], &key[end..])),
        _ => Cow::Borrowed(key),
    }
}

/// Appends the key of a text. If the form rejects the text, the key is the text itself, as in cdxj-indexer.
/// Spaces and control characters are escaped, because they would end the key or the line.
pub fn push_key(keys: &mut Canonicalizer<'_>, text: &str, out: &mut String) {
    if keys.canonicalize_into(text, out).is_ok() {
        return;
    }
    for char in text.chars() {
        if char == ' ' || char.is_ascii_control() {
            out.push_str(&format!("%{:02X}", u32::from(char)));
        } else {
            out.push(char);
        }
    }
}

/// Returns the text from which the key of a line is made: the URL, and the request body for POST and PUT.
/// Returns `None` for the header and a blank line.
///
/// # Errors
/// [`CdxError`] if the line does not have a URL.
pub fn key_text(layout: CdxLayout, line: &str) -> Result<Option<Cow<'_, str>>, CdxError> {
    let Some(url) = layout.url(line.as_bytes())? else { return Ok(None) };
    let url = match url {
        Cow::Borrowed(url) => String::from_utf8_lossy(url),
        Cow::Owned(url) => Cow::Owned(String::from_utf8_lossy(&url).into_owned()),
    };
    let json = line.splitn(3, ' ').nth(2).filter(|_| layout == CdxLayout::Cdxj).unwrap_or("{}");
    match serde_json::from_str(json) {
        Ok(Sent { method: Some(method), body }) if matches!(&*method, "POST" | "PUT") => {
            // Like pywb and cdxj-indexer, this appends a body to the query, so that visits with different
            // bodies differ.
            let joint = if url.contains('?') { '&' } else { '?' };
            let body =
                body.filter(|body| !body.is_empty()).map(|body| format!("&{body}")).unwrap_or_default();
            Ok(Some(Cow::Owned(format!("{url}{joint}__wb_method={method}{body}"))))
        }
        _ => Ok(Some(url)),
    }
}

/// The members of a CDXJ line about the request.
#[derive(Deserialize)]
struct Sent<'a> {
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "requestBody")]
    body: Option<Cow<'a, str>>,
}

/// The lines that match a URL, by the types of pywb's `matchType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchType {
    /// Lines of the URL.
    Exact,
    /// Lines of URLs that start with it.
    Prefix,
    /// Lines of its host.
    Host,
    /// Lines of its host and of names below it.
    Domain,
}

/// A range of lines in the order of their bytes, `start` included and `end` not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRange {
    /// The least line of the range.
    pub start: Vec<u8>,
    /// The least line after the range.
    pub end: Vec<u8>,
}

impl LineRange {
    /// Returns the URL of a text with a `*`, and the lines that match it, as pywb reads it: `http://h/a*` is
    /// a prefix, and `*.h` a host with the names below it. Other texts are exact.
    ///
    /// ```
    /// use urlid_archives::cdx::{LineRange, MatchType};
    ///
    /// assert_eq!(LineRange::pattern("http://h.example/*"), ("http://h.example/", MatchType::Prefix));
    /// assert_eq!(LineRange::pattern("*.h.example"), ("h.example", MatchType::Domain));
    /// assert_eq!(LineRange::pattern("http://h.example/"), ("http://h.example/", MatchType::Exact));
    /// ```
    pub fn pattern(text: &str) -> (&str, MatchType) {
        match (text.strip_prefix("*."), text.strip_suffix('*')) {
            (Some(host), _) => (host.strip_suffix("/*").unwrap_or(host), MatchType::Domain),
            (None, Some(prefix)) => (prefix, MatchType::Prefix),
            (None, None) => (text, MatchType::Exact),
        }
    }

    /// Returns the range of lines that match `url` in an index with keys of `form`, like pywb.
    ///
    /// # Errors
    /// If the URL does not have a key, or if the key lacks a host that the match type needs.
    pub fn parse(url: &str, form: &Form, matched: MatchType) -> Result<Self, Error> {
        let mut key = form.canonicalize(url)?;
        let host = |key: &str| match key.split_once(")/") {
            Some((host, _)) => Ok(host.to_owned()),
            None => Err(error::NO_HOST.error().with_shown(key.escape_debug())),
        };
        let (start, end) = match matched {
            // A space follows the key, and `!` is the character after the space.
            MatchType::Exact => (key.clone(), key + "!"),
            MatchType::Prefix => {
                // The form drops a final `/` or `?`. As in pywb, it is a part of the prefix.
                for end in ['/', '?'] {
                    if url.ends_with(end) && !key.ends_with(end) {
                        key.push(end);
                    }
                }
                let mut after = key.clone().into_bytes();
                // The byte 0xff does not occur in UTF-8, so this gives the least text after all texts that
                // start with the key.
                if let Some(last) = after.last_mut() {
                    *last = last.saturating_add(1);
                }
                return Ok(LineRange { start: key.into_bytes(), end: after });
            }
            // In ASCII `)` `*` `+` `,` `-` are consecutive. Keys of the host continue with `)/` and keys of
            // names below it with `,`. Keys with a port continue with `:`, so they are outside both ranges.
            MatchType::Host => host(&key).map(|host| (format!("{host})/"), format!("{host}*")))?,
            MatchType::Domain => {
                let host = host(&key)?;
                // A host of one label, a top-level domain, matches the names below it only.
                let first = if host.contains(',') { ")/" } else { "," };
                (format!("{host}{first}"), format!("{host}-"))
            }
        };
        Ok(LineRange { start: start.into_bytes(), end: end.into_bytes() })
    }

    /// Returns whether a line of an index is in the range.
    pub fn contains(&self, layout: CdxLayout, line: &[u8]) -> bool {
        let range = self.styled(layout);
        let text = layout.plain(line).unwrap_or(Cow::Borrowed(line));
        // A header starts with a blank or `!`, unlike any key.
        *text >= *range.start && *text < *range.end
    }

    /// Returns the same range in the keys of a layout.
    pub(super) fn styled(&self, layout: CdxLayout) -> Self {
        if layout != CdxLayout::OpenWayback {
            return self.clone();
        }
        let styled = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            // The ends of ranges of hosts have a different character in the place of `)`.
            match text.strip_suffix(['*', ',', '-']).filter(|host| !host.contains(')')) {
                Some(host) if text.ends_with('*') => format!("({host},*"),
                Some(host) => format!("({host}{}", &text[host.len()..]),
                None => styled_key(layout, &text).into_owned(),
            }
            .into_bytes()
        };
        LineRange { start: styled(&self.start), end: styled(&self.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_match_pywb() {
        let form: Form = "surt-0.3.1".parse().expect("it is a form");
        for (url, matched, start, end) in [
            (
                "http://example.com/path/file.html",
                MatchType::Exact,
                "com,example)/path/file.html",
                "com,example)/path/file.html!",
            ),
            (
                "http://example.com/path/file.html",
                MatchType::Prefix,
                "com,example)/path/file.html",
                "com,example)/path/file.htmm",
            ),
            ("http://example.com/path/", MatchType::Prefix, "com,example)/path/", "com,example)/path0"),
            ("http://example.com/path?", MatchType::Prefix, "com,example)/path?", "com,example)/path@"),
            ("http://example.com/path/?", MatchType::Prefix, "com,example)/path?", "com,example)/path@"),
            ("http://example.com/path/file.html", MatchType::Host, "com,example)/", "com,example*"),
            ("http://example.com/path/file.html", MatchType::Domain, "com,example)/", "com,example-"),
            ("com", MatchType::Domain, "com,", "com-"),
        ] {
            let expected = LineRange { start: start.into(), end: end.into() };
            assert_eq!(LineRange::parse(url, &form, matched), Ok(expected), "{url} {matched:?}");
        }
        let error = LineRange::parse("mailto:a@b", &form, MatchType::Host).expect_err("it has no host");
        assert!(error.is(error::NO_HOST), "{error}");
    }

    #[test]
    fn the_method_and_body_are_part_of_the_key() {
        let text = |line| key_text(CdxLayout::Cdxj, line).map(|text| text.map(Cow::into_owned));
        let is = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(text(r#"k 1 {"url": "http://a/"}"#), is("http://a/"));
        assert_eq!(text(r#"k 1 {"url": "http://a/", "method": "GET"}"#), is("http://a/"));
        assert_eq!(text(r#"k 1 {"url": "http://a/", "method": "PUT"}"#), is("http://a/?__wb_method=PUT"));
        let posted = r#"k 1 {"url": "http://a/?x", "method": "POST", "requestBody": "b=c"}"#;
        assert_eq!(text(posted), is("http://a/?x&__wb_method=POST&b=c"));
        assert_eq!(text(""), Ok(None));
        assert_eq!((&*key(CdxLayout::Cdxj, "k 1 x"), &*key(CdxLayout::Cdxj, "k")), ("k", "k"));
        let tabs = CdxLayout::Cdx { fields: 7, url: 2, separator: b'\t' };
        assert_eq!(key(tabs, "k a\t1"), "k a");
        for (plain, styled) in [
            ("com,example)/a(b)", "(com,example,)/a(b)"),
            ("com,example:81)/", "(com,example,:81)/"),
            ("mailto:a", "mailto:a"),
        ] {
            assert_eq!(key(CdxLayout::OpenWayback, &format!("{styled} 2026 response {{}}")), plain);
            assert_eq!(styled_key(CdxLayout::OpenWayback, plain), styled);
        }
    }
}
