//! The request of a capture as part of its key: the method, and the body as a query.
//!
//! The rules are those of cdxj-indexer 1.5 with `--post-append`, which follow the archived page. A replay of
//! the page makes the same request again, so its key is found. pywb 2.10 has the same rules, except for the
//! differences that [`BodyRules`] lists.

mod json;
mod multipart;
mod text;
mod transfer;

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

pub use text::BodyRules;
pub(super) use text::MAX_BODY;
use text::MAX_QUERY;

use crate::warc::http::HttpHead;

/// The bytes that are read of a body whose head does not state a length.
const UNSTATED: u64 = 8192;

/// The reason a body cannot be part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyFault {
    /// It is too long.
    Length,
    /// It is of a type that is not read.
    Amf,
    /// It is malformed. The value is the expected text.
    Multipart(&'static str),
}

impl fmt::Display for BodyFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BodyFault::Length => write!(out, "it is longer than {} MiB", MAX_BODY >> 20),
            BodyFault::Amf => out.write_str("its type is application/x-amf, which is not read"),
            BodyFault::Multipart(expected) => {
                write!(out, "its multipart/form-data is malformed: expected {expected}")
            }
        }
    }
}

/// Returns whether the body of a request with this method is part of a key.
pub(super) fn has_body(method: &[u8]) -> bool {
    [&b"POST"[..], b"PUT"].iter().any(|one| method.eq_ignore_ascii_case(one))
}

/// The additions of a request to the line of its response.
pub(super) struct Appended {
    /// The text of the key: the URL, followed by method and body.
    pub(super) key: String,
    pub(super) method: String,
    /// `None` if the stated length of the body is not a number.
    pub(super) body: Option<String>,
}

/// Appends method and body of a request to its URL. `None` if its method is not part of keys.
pub(super) fn appended(
    url: &str,
    method: &[u8],
    body: Option<Result<Option<String>, BodyFault>>,
    rules: BodyRules,
) -> Option<Result<Appended, BodyFault>> {
    let written = super::text(method);
    let method = written.to_uppercase();
    let (is_wanted, written) = match rules {
        BodyRules::CdxjIndexer => (matches!(&*method, "POST" | "PUT"), &*written),
        BodyRules::Pywb => (!matches!(&*method, "GET" | ""), method.as_str()),
    };
    if !is_wanted {
        return None;
    }
    let body = match body {
        // cdxj-indexer does not read a body if the method is `post` in lower case.
        Some(body) if matches!(written, "POST" | "PUT") => match body {
            Ok(body) => body,
            Err(fault) => return Some(Err(fault)),
        },
        _ => Some(String::new()),
    };
    let joint = if url.contains('?') { '&' } else { '?' };
    let mut key = format!("{url}{joint}__wb_method={written}");
    if let Some(body) = body.as_deref().filter(|body| !body.is_empty()) {
        key.push('&');
        key.push_str(body);
    }
    if rules == BodyRules::Pywb {
        // The prefix that pywb's client adds to names of fields.
        key = key.replace("WB_wombat_", "");
    }
    Some(Ok(Appended { key, method, body }))
}

/// Returns the body of a request as a query, or `None` if its stated length is not a number. `body` has one
/// byte more than [`MAX_BODY`] if it is longer.
pub(super) fn query(head: &HttpHead, body: &[u8], rules: BodyRules) -> Result<Option<String>, BodyFault> {
    let length = match &head.content_length {
        None if rules == BodyRules::Pywb => return Ok(Some(String::new())),
        None => UNSTATED,
        Some(length) => match stated_length(length) {
            Some(0) if rules == BodyRules::Pywb => return Ok(Some(String::new())),
            Some(length) => length,
            None => return Ok(None),
        },
    };
    let media_type = head.content_type.as_deref().map(super::text).unwrap_or_default();
    let kind = Kind::new(&media_type);
    if kind == Kind::Amf {
        return Err(BodyFault::Amf);
    }
    let mut body = Cow::Borrowed(body);
    if head.has_coding() && rules == BodyRules::CdxjIndexer {
        body = Cow::Owned(transfer::decoded(head, &body).ok_or(BodyFault::Length)?);
    }
    let body = &body[..body.len().min(usize::try_from(length).unwrap_or(usize::MAX))];
    // Only the first bytes of a binary body are used, so it may have any length.
    if body.len() > MAX_BODY && kind != Kind::Binary {
        return Err(BodyFault::Length);
    }
    let query = match kind {
        Kind::Form => str::from_utf8(body).map_or_else(|_| binary(body), text::unquote_plus),
        Kind::Multipart => match multipart::boundary(&media_type) {
            Some(boundary) => multipart::query(body, boundary).map_err(BodyFault::Multipart)?,
            None => binary(body),
        },
        Kind::Json => json::query(body, rules).unwrap_or_default(),
        Kind::Text => json::query(body, rules).unwrap_or_else(|| binary(body)),
        Kind::Amf | Kind::Binary => binary(body),
    };
    Ok(Some(text::first_chars(query, MAX_QUERY)))
}

/// The type of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Form,
    Multipart,
    Json,
    /// Text that may be JSON, as scripts send it to other origins.
    Text,
    Amf,
    Binary,
}

impl Kind {
    /// Returns the kind of a media type by its start. Like its readers, this depends on the case of letters.
    fn new(media_type: &str) -> Self {
        const KINDS: [(&str, Kind); 5] = [
            ("application/x-www-form-urlencoded", Kind::Form),
            ("multipart/", Kind::Multipart),
            ("application/json", Kind::Json),
            ("text/plain", Kind::Text),
            ("application/x-amf", Kind::Amf),
        ];
        KINDS.iter().find(|(start, _)| media_type.starts_with(start)).map_or(Kind::Binary, |(_, kind)| *kind)
    }
}

/// Returns a body as one field in base 64.
fn binary(body: &[u8]) -> String {
    // The rest would not fit into the query.
    format!("__wb_post_data={}", STANDARD.encode(&body[..body.len().min(MAX_QUERY)]))
}

/// Returns a stated length as Python's `int` reads it: space, a sign and single underscores are allowed. A
/// length below 0 is 0.
fn stated_length(length: &[u8]) -> Option<u64> {
    let digits = str::from_utf8(length).ok()?.trim();
    let (is_negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits.strip_prefix('+').unwrap_or(digits)),
    };
    let groups = digits.split('_').map(str::as_bytes);
    if !groups.clone().all(|group| !group.is_empty() && group.iter().all(u8::is_ascii_digit)) {
        return None;
    }
    let add = |number: u64, digit: &u8| number.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    Some(if is_negative { 0 } else { groups.flatten().fold(0, add) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use urlid_testing::proptest_config;

    use super::*;

    /// Texts that look like bodies.
    fn bodies() -> impl Strategy<Value = Vec<u8>> {
        const PIECES: &[&str] = &[
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"a\"",
            "\"a.2_\"",
            "\"\"",
            "\"\\ud83d\"",
            "-",
            "1",
            ".5",
            "e9",
            "null",
            "NaN",
            " ",
            "\n",
            "\r\n",
            "--b",
            "--",
            "Content-Disposition: form-data; name=\"x\"",
            "; filename=\"",
            "Content-Length: 1",
            "\"",
            "\\",
            "=",
            "&",
            "%",
            "%C3",
            "é",
            "0\r\n",
            "1\r\nx",
            ";",
            "\0",
        ];
        let piece = prop_oneof![
            4 => proptest::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
            1 => proptest::collection::vec(any::<u8>(), 0..4),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    const TYPES: [&str; 7] = [
        "application/x-www-form-urlencoded",
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=b",
        "multipart/form-data; boundary=",
        "application/x-amf",
        "",
    ];

    proptest! {
        #![proptest_config(proptest_config())]

        #[test]
        fn no_body_panics_or_is_longer_than_a_query(
            body in bodies(),
            media_type in proptest::sample::select(&TYPES[..]),
            transfer in proptest::sample::select(&[None, Some("chunked")][..]),
            content in proptest::sample::select(&[None, Some("gzip"), Some("deflate")][..]),
        ) {
            let bytes = |text: &str| text.as_bytes().to_vec();
            let head = HttpHead {
                content_type: Some(bytes(media_type)),
                transfer_encoding: transfer.map(bytes),
                content_encoding: content.map(bytes),
                ..HttpHead::default()
            };
            for rules in [BodyRules::CdxjIndexer, BodyRules::Pywb] {
                if let Ok(Some(query)) = query(&head, &body, rules) {
                    prop_assert!(query.chars().count() <= MAX_QUERY);
                }
            }
        }
    }

    #[test]
    fn lengths_are_read_as_python_reads_them() {
        for (length, expected) in [
            ("12", Some(12)),
            (" +1_0 ", Some(10)),
            ("-5", Some(0)),
            ("0012", Some(12)),
            ("99999999999999999999", Some(u64::MAX)),
            ("", None),
            ("1__0", None),
            ("_1", None),
            ("0x10", None),
            ("1.5", None),
        ] {
            assert_eq!(stated_length(length.as_bytes()), expected, "{length}");
        }
    }

    #[test]
    fn bodies_that_are_too_long_are_a_fault_if_they_have_to_be_read() {
        let body = vec![b'1'; MAX_BODY + 1];
        let fault = |media_type: &str| {
            let head = HttpHead {
                content_type: Some(media_type.as_bytes().to_vec()),
                content_length: Some(b"99999999".to_vec()),
                ..HttpHead::default()
            };
            query(&head, &body, BodyRules::CdxjIndexer).map(|query| query.unwrap_or_default().len())
        };
        for media_type in ["application/json", "text/plain", "multipart/form-data; boundary=b"] {
            assert_eq!(fault(media_type), Err(BodyFault::Length), "{media_type}");
        }
        assert_eq!(fault("video/mp4"), Ok(MAX_QUERY));
    }
}
