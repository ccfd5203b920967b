//! `scrapy-2.7/w3lib-2.5` and `scrapy-2.7/w3lib-2.4`: the fingerprints of Scrapy's requests, in hexadecimal
//! digits.

use crate::canonicalizer::Canonicalizer;
use crate::draft::Draft;
use crate::error;
use crate::plain;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::split;
use crate::rules::w3lib::{
    AUTHORITY_2_4, AUTHORITY_2_5, PARTS_2_4, PARTS_2_5, SAFE_URL_2_4, SAFE_URL_2_5, TRIM,
};
use crate::unicode::python as unicode;
use urlid::Error;
use urlid::hex;
use urlid::internal::sha1;

pub(super) static SCRAPY_W3LIB_2_5: Profile = WITH_W3LIB_2_5;

const WITH_W3LIB_2_5: Profile = Profile {
    name: "scrapy-2.7/w3lib-2.5",
    about: "The request fingerprint of Scrapy 2.7 to 2.19 with w3lib 2.5: method GET, no body, no headers.",
    kind: Kind::Key,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2003,
    runtime: Some("CPython 3.11, Unicode 14.0"),
    frozen_since: "2026-11-22",
    quirks: &["A text without `://` is an error unless it starts with `about:` or `data:`."],
    proof: "Compared with Scrapy 2.19 and w3lib 2.5.0 on CPython 3.11: every code point at 44 places of a URL, 100,000 real URLs and 1,000,000 generated \
        ones, 0 differences.",
    plain: Some(plain_fingerprint),
    groups: &[REQUEST_2_5, TRIM, AUTHORITY_2_5, PARTS_2_5, FINGERPRINT],
};

pub(super) static SCRAPY_W3LIB_2_4: Profile = Profile {
    name: "scrapy-2.7/w3lib-2.4",
    about: "The request fingerprint of Scrapy 2.7 to 2.19 with w3lib 2.0 to 2.4: method GET, no body, no headers.",
    frozen_since: "2026-11-22",
    proof: "Compared with Scrapy 2.19 and w3lib 2.4.1 on CPython 3.11: every code point at 44 places of a URL and 1,000,000 generated URLs, 0 \
        differences.",
    groups: &[REQUEST_2_4, TRIM, AUTHORITY_2_4, PARTS_2_4, FINGERPRINT],
    ..WITH_W3LIB_2_5
};

const REQUEST_2_5: &[Rule] =
    &[Rule::checked("request-url", REQUEST, |d| request_url(d, &[TRIM, AUTHORITY_2_5, SAFE_URL_2_5]))];

const REQUEST_2_4: &[Rule] =
    &[Rule::checked("request-url", REQUEST, |d| request_url(d, &[TRIM, SAFE_URL_2_4]))];

const REQUEST: &str = "Make the URL of the request by `safe_url_string` of w3lib; it holds `://`, or starts with `about:` or \
    `data:`, or is an error.";

const FINGERPRINT: &[Rule] = &[Rule::checked(
    "fingerprint",
    "The SHA-1 of the JSON object of `body`, `headers`, `method` and `url`, in hexadecimal digits.",
    |d| {
        let url = core::str::from_utf8(&d.text).map_err(|_| error::NOT_UTF8.error())?;
        let digest = digest(url, "GET", b"", &mut String::with_capacity(url.len() + 64));
        d.finish_with(hex::encode(&digest).as_bytes());
        Ok(())
    },
)];

/// The version of w3lib that computes the canonical URLs of fingerprints.
///
/// ```
/// use urlid_canonical::{RequestFingerprinter, W3lib};
///
/// let of = |w3lib| RequestFingerprinter::new(w3lib).fingerprint("https://example.com/", "GET", b"");
/// assert_eq!(of(W3lib::V2_4)?, of(W3lib::V2_5)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum W3lib {
    /// 2.0 to 2.4.
    V2_4,
    /// 2.5.
    V2_5,
}

/// Computes the fingerprints of Scrapy's requests, with any method and body, without headers.
///
/// ```
/// use urlid_canonical::{Form, RequestFingerprinter, W3lib};
///
/// let mut fingerprinter = RequestFingerprinter::new(W3lib::V2_5);
/// let get = fingerprinter.fingerprint("https://example.com/?b&a", "GET", b"")?;
/// assert_ne!(fingerprinter.fingerprint("https://example.com/?b&a", "POST", b"x")?, get);
/// let form: Form = "scrapy-2.7/w3lib-2.5".parse()?;
/// assert_eq!(urlid::hex::encode(&get), form.canonicalize("https://example.com/?b&a")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RequestFingerprinter {
    canonicalizer: Canonicalizer<'static>,
    url: String,
    json: String,
}

/// The canonical URL in the fingerprint of a request.
static URL_BY_W3LIB_2_5: Profile = Profile {
    plain: Some(plain::w3lib),
    groups: &[REQUEST_2_5, TRIM, AUTHORITY_2_5, PARTS_2_5],
    ..WITH_W3LIB_2_5
};

static URL_BY_W3LIB_2_4: Profile = Profile {
    plain: Some(plain::w3lib),
    groups: &[REQUEST_2_4, TRIM, AUTHORITY_2_4, PARTS_2_4],
    ..WITH_W3LIB_2_5
};

impl RequestFingerprinter {
    /// Makes a fingerprinter for Scrapy 2.7 to 2.19 with a version of w3lib.
    pub fn new(w3lib: W3lib) -> Self {
        let profile = match w3lib {
            W3lib::V2_4 => &URL_BY_W3LIB_2_4,
            W3lib::V2_5 => &URL_BY_W3LIB_2_5,
        };
        Self { canonicalizer: Canonicalizer::new(profile, &[]), url: String::new(), json: String::new() }
    }

    /// Returns the fingerprint of a request.
    ///
    /// # Errors
    /// [`Error`] if Scrapy rejects the URL.
    pub fn fingerprint(&mut self, url: &str, method: &str, body: &[u8]) -> Result<[u8; 20], Error> {
        self.url.clear();
        self.canonicalizer.canonicalize_into(url, &mut self.url)?;
        self.json.clear();
        Ok(digest(&self.url, method, body, &mut self.json))
    }
}

/// The fingerprint of a request for a plain URL.
fn plain_fingerprint(text: &str, out: &mut String) -> bool {
    let mut url = String::with_capacity(text.len() + 8);
    let is_plain = plain::w3lib(text, &mut url);
    if is_plain {
        let digest = digest(&url, "GET", b"", &mut String::with_capacity(url.len() + 64));
        out.push_str(&hex::encode(&digest));
    }
    is_plain
}

/// Returns the SHA-1 of the JSON object, which is appended to an empty text.
fn digest(canonical_url: &str, method: &str, body: &[u8], json: &mut String) -> [u8; 20] {
    // `json.dumps` with `sort_keys` and its default separators. The blanks are also hashed.
    json.push_str("{\"body\": \"");
    json.push_str(&hex::encode(body));
    json.push_str("\", \"headers\": {}, \"method\": \"");
    // By Python's Unicode data, since `str.upper` also changes letters beyond ASCII.
    push_json(&unicode::upper_case(method), json);
    json.push_str("\", \"url\": \"");
    push_json(canonical_url, json);
    json.push_str("\"}");
    sha1(json.as_bytes())
}

/// Appends a text as the inside of a JSON string in ASCII.
fn push_json(text: &str, json: &mut String) {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
        return json.push_str(text);
    }
    // Python escapes a character above U+FFFF as the two units of UTF-16.
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(byte @ (b'"' | b'\\')) => json.extend(['\\', char::from(byte)]),
            Ok(b'\n') => json.push_str("\\n"),
            Ok(b'\r') => json.push_str("\\r"),
            Ok(b'\t') => json.push_str("\\t"),
            Ok(8) => json.push_str("\\b"),
            Ok(12) => json.push_str("\\f"),
            Ok(byte @ b' '..=b'~') => json.push(char::from(byte)),
            Ok(_) | Err(_) => json.push_str(&format!("\\u{unit:04x}")),
        }
    }
}

fn request_url(draft: &mut Draft, groups: &[&[Rule]]) -> Result<(), Error> {
    // For most URLs, which are plain, the rules of the canonical URL do all the work once instead of twice.
    if !is_plain(&draft.text) {
        groups.iter().copied().flatten().try_for_each(|rule| rule.apply(draft))?;
    }
    let text = draft.text.as_slice();
    let has_scheme = text.starts_with(b"about:") || text.starts_with(b"data:");
    if has_scheme || memchr::memmem::find(text, b"://").is_some() {
        Ok(())
    } else {
        Err(error::text(text, "a scheme"))
    }
}

/// Returns whether `safe_url_string` would only make changes to a text that the rules after it also make.
fn is_plain(text: &[u8]) -> bool {
    let Some(rest) = split::scheme_length(text).and_then(|length| text[length + 1..].strip_prefix(b"//"))
    else {
        return false;
    };
    let (host, rest) = rest.split_at(split::authority_end(rest));
    !host.is_empty()
        && host.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
        && rest.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'[' | b']' | b'|'))
}
