//! The parts of a URL in `web` form that rules read.

use std::borrow::Cow;

/// A URL in `web` form, split.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'u> {
    pub(crate) scheme: &'u str,
    pub(crate) host: &'u str,
    /// The port with its colon. Empty if it is not written.
    pub(crate) port: &'u str,
    pub(crate) path: &'u str,
    pub(crate) fields: Vec<Field<'u>>,
}

/// A field of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<'u> {
    pub(crate) text: &'u str,
    /// The name and the value as written. A field without `=` has no value.
    pub(crate) name: &'u str,
    pub(crate) value: Option<&'u str>,
}

impl<'u> Parts<'u> {
    /// Splits a URL of http or https without a user name. Other URLs have no rules.
    pub(crate) fn parse(url: &'u str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        let rest = rest.split('#').next().unwrap_or_default();
        let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        if !matches!(scheme, "http" | "https") || authority.is_empty() || authority.contains('@') {
            return None;
        }
        // The colons of an IPv6 address are before its `]`.
        let port = authority.rfind(':').filter(|colon| !authority[*colon..].contains(']'));
        let (host, port) = authority.split_at(port.unwrap_or(authority.len()));
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let fields = query.split('&').filter(|text| !text.is_empty()).map(Field::new).collect();
        Some(Parts { scheme, host, port, path, fields })
    }

    /// Returns the last segment of the path.
    pub(crate) fn file(&self) -> &'u str {
        self.path.rsplit('/').next().unwrap_or_default()
    }
}

impl<'u> Field<'u> {
    pub(crate) fn new(text: &'u str) -> Self {
        match text.split_once('=') {
            Some((name, value)) => Field { text, name, value: Some(value) },
            None => Field { text, name: text, value: None },
        }
    }
}

/// Returns a name or a value without its escapes, for comparisons.
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '+']) {
        return Cow::Borrowed(text);
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let [first, after @ ..] = rest {
        rest = after;
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        match (first, after) {
            (b'+', _) => bytes.push(b' '),
            (b'%', [high, low, after @ ..]) if let (Some(high), Some(low)) = (digit(*high), digit(*low)) => {
                bytes.push(high << 4 | low);
                rest = after;
            }
            (byte, _) => bytes.push(*byte),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the sessions at the ends of the segments of a path: the places of `;NAME=VALUE`, and the names.
pub(crate) fn sessions(path: &str) -> impl Iterator<Item = (std::ops::Range<usize>, &str)> {
    let mut start = 0;
    path.split('/').filter_map(move |segment| {
        let from = start;
        start += segment.len() + 1;
        let semicolon = segment.rfind(';')?;
        let (name, _) = segment[semicolon + 1..].split_once('=')?;
        (!name.is_empty()).then_some((from + semicolon..from + segment.len(), name))
    })
}

/// Returns whether a text may be a secret, or valid only for a moment. Such a text is long, or has the digits
/// of a date or a digest.
pub(crate) fn is_token(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_hex = text.len() >= 7 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) && digits > 0;
    text.chars().count() > 16 || is_hex || digits >= 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_split() {
        let parts = Parts::parse("http://[::1]:80/a/b;s=1/c?x=1&&y#z").expect("it has parts");
        assert_eq!((parts.host, parts.port, parts.path, parts.file()), ("[::1]", ":80", "/a/b;s=1/c", "c"));
        let fields: Vec<_> = parts.fields.iter().map(|field| (field.name, field.value)).collect();
        assert_eq!(fields, [("x", Some("1")), ("y", None)]);
        assert_eq!(sessions(parts.path).collect::<Vec<_>>(), [(4..8, "s")]);
        assert!(Parts::parse("http://user@h/").is_none() && Parts::parse("mailto:a@b").is_none());
        assert_eq!(decoded("a%20b+c%zz%"), "a b c%zz%");
    }
}
