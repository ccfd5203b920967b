//! The pairs of a query (WHATWG URL, "application/x-www-form-urlencoded parsing").

use alloc::string::String;
use alloc::vec::Vec;

use crate::escape::escaped_byte;

/// The names and values of a query, decoded; bytes that are not UTF-8 become U+FFFD.
///
/// ```
/// let url = urlid::Url::parse("https://example.com/?a=1&b+c=%41")?;
/// let pairs: Vec<(String, String)> = url.query_pairs().collect();
/// assert_eq!(pairs[1], ("b c".to_owned(), "A".to_owned()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct QueryPairs<'a>(core::str::Split<'a, char>);

impl<'a> QueryPairs<'a> {
    pub(super) fn new(query: &'a str) -> Self {
        Self(query.split('&'))
    }
}

impl Iterator for QueryPairs<'_> {
    type Item = (String, String);

    fn next(&mut self) -> Option<Self::Item> {
        // The standard skips empty sequences: `a&&b` has two pairs.
        let pair = self.0.find(|pair| !pair.is_empty())?;
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((decode(name), decode(value)))
    }
}

/// Decodes `+` and `%XX`; bytes that are not UTF-8 become U+FFFD.
pub(crate) fn decode(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (byte, escaped_byte(tail)) {
            (b'+', _) => decoded.push(b' '),
            (b'%', Some(value)) => {
                decoded.push(value);
                rest = &tail[2..];
            }
            _ => decoded.push(byte),
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
