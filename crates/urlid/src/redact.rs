//! Redaction: secrets leave a URL, and no other byte changes, so that the rest still joins and groups.
//!
//! Secrets are the user information of a URL and of any URL written out in it, and the values of parameters
//! on a list of names. Where the URL Standard and RFC 3986 read a text differently, everything that either
//! takes for a secret goes.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Error, ErrorCode, ErrorKind};
use crate::generic::normalise;
use crate::hashed_uri::digests::HmacKey;
use crate::hex;
use crate::reference::Class;
use crate::web::{Url, clean, decode_form, is_scheme};

/// The name of the list of parameters that are secret by default: the keys that OpenTelemetry's semantic
/// conventions name for `url.full` and `url.query` in any release up to 1.44.
pub const LIST_NAME: &str = "otel-1.44";

/// The names on the list [`LIST_NAME`]. Releases before 1.42 lack those that begin with `X-Amz-`; 1.42 to
/// 1.44 lack `AWSAccessKeyId` and `Signature`, which signed URLs still have.
pub const SECRET_NAMES: [&str; 7] = [
    "AWSAccessKeyId",
    "Signature",
    "X-Amz-Credential",
    "X-Amz-Security-Token",
    "X-Amz-Signature",
    "X-Goog-Signature",
    "sig",
];

/// The text that replaces a secret.
const REDACTED: &str = "REDACTED";

/// The base of a relative reference, to learn whether it is one.
const BASE: &str = "http://base.invalid/";

/// The bytes of a key. A file of a key with a line end after it has more.
const KEY_LENGTH: usize = 32;

const WRONG_KEY: ErrorKind =
    ErrorKind::new(ErrorCode::Key, "key has the wrong length: found {found} bytes, expected 32");
const UNREADABLE: ErrorKind =
    ErrorKind::new(ErrorCode::UrlParse, "text is not a URL reference, by the URL Standard or RFC 3986");

/// Takes secrets out of URLs.
///
/// ```
/// use urlid::redact::Redactor;
///
/// let redactor = Redactor::default();
/// let shown = redactor.redact("https://me:pass@h.example/a?sig=0f&b=1#top")?;
/// assert_eq!(shown, "https://REDACTED:REDACTED@h.example/a?sig=REDACTED&b=1#top");
/// assert_eq!(redactor.redact(&shown)?, shown);
///
/// let redactor = redactor.with_names(["token".to_owned()]);
/// assert_eq!(redactor.redact("/a?sig=0f#token=1&b=2")?, "/a?sig=0f#token=REDACTED&b=2");
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Redactor {
    /// The names of secret parameters, unless they are [`SECRET_NAMES`].
    names: Option<BTreeSet<String>>,
    key: Option<HmacKey>,
}

impl Redactor {
    /// Takes these names of parameters for secret, and no others. They are decoded, and their case counts.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.names = Some(names.into_iter().collect());
        self
    }

    /// Replaces a secret by the 64 hexadecimal digits of its HMAC-SHA-256, so that equal secrets stay equal.
    /// A secret is hashed as it is written. User and password are replaced each; one that is absent is empty.
    ///
    /// The digits are secrets to the next redaction: do it once.
    ///
    /// # Errors
    /// [`Error`] if the key has other than 32 bytes.
    pub fn keyed(mut self, key: &[u8]) -> Result<Self, Error> {
        if key.len() != KEY_LENGTH {
            return Err(WRONG_KEY.error().with_shown(key.len()));
        }
        self.key = Some(HmacKey::new(key));
        Ok(self)
    }

    /// Returns a URL or relative reference without its secrets.
    ///
    /// User information becomes `REDACTED:REDACTED@`, also if it is a user alone, and the value of a secret
    /// parameter of the query or the fragment `REDACTED`. A parameter begins after `?`, `#`, `&` or `;`, and
    /// its value ends at `&`. Names are decoded once.
    ///
    /// # Errors
    /// [`Error`] if neither the URL Standard nor RFC 3986 reads the text, or the result. It does not quote
    /// the text.
    pub fn redact<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, Error> {
        check_readable(text)?;
        let cleaned = clean(text);
        let mut secrets = Vec::new();
        let end = users(&cleaned, &mut secrets);
        self.parameters(&cleaned, end, &mut secrets);
        if secrets.is_empty() {
            return Ok(Cow::Borrowed(text));
        }
        let redacted = self.replace(text, &cleaned, merged(secrets));
        // Without a user that only RFC 3986 reads, as in `http://h\\@a b/`, the rest is another URL, or none.
        check_readable(&redacted)?;
        Ok(Cow::Owned(redacted))
    }

    /// Finds the values of secret parameters in the query and the fragment, which are after `start`.
    fn parameters(&self, text: &str, start: usize, secrets: &mut Vec<Secret>) {
        let fragment = memchr::memchr(b'#', &text.as_bytes()[start..]).map(|place| start + place);
        let before_fragment = fragment.unwrap_or(text.len());
        if let Some(place) = memchr::memchr(b'?', &text.as_bytes()[start..before_fragment]) {
            self.values(text, start + place + 1..before_fragment, secrets);
        }
        if let Some(fragment) = fragment {
            self.values(text, fragment + 1..text.len(), secrets);
        }
    }

    /// Finds the values of secret parameters in a query, or in a fragment that may look like one.
    fn values(&self, text: &str, section: Range<usize>, secrets: &mut Vec<Secret>) {
        let mut start = section.start;
        for field in text[section].split('&') {
            let end = start + field.len();
            // The URL Standard reads one name in a field. Older readers also end a pair at `;`, and a URL in
            // a value has a query of its own. If one of them reads a secret name, all from there to the end
            // of the field goes.
            let whole = field.find('=').filter(|&equals| self.is_secret(&field[..equals]));
            let mut piece_start = 0;
            let equals = whole.or_else(|| {
                field.split([';', '?', '#']).find_map(|piece| {
                    let start = piece_start;
                    piece_start += piece.len() + 1;
                    piece
                        .find('=')
                        .filter(|&equals| self.is_secret(&piece[..equals]))
                        .map(|equals| start + equals)
                })
            });
            if let Some(equals) = equals {
                secrets.push(Secret { span: start + equals + 1..end, is_user: false });
            }
            start = end + 1;
        }
    }

    fn is_secret(&self, name: &str) -> bool {
        let name =
            if name.contains(['%', '+']) { Cow::Owned(decode_form(name)) } else { Cow::Borrowed(name) };
        match &self.names {
            Some(names) => names.contains(&*name),
            None => SECRET_NAMES.contains(&&*name),
        }
    }

    /// Returns the text with its secrets replaced. They are spans of the cleaned text, in order.
    fn replace(&self, text: &str, cleaned: &str, secrets: Vec<Secret>) -> String {
        let mut places = Places { text, cleaned, in_text: 0, in_cleaned: 0 };
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for Secret { span, is_user } in secrets {
            // After the byte before, so that tabs around a secret stay where they are; those inside go with
            // it.
            let before = places.after(span.start);
            let start = if span.is_empty() { before } else { places.before(span.start) };
            out.push_str(&text[copied..start]);
            copied = if span.is_empty() { start } else { places.after(span.end) };
            let secret = &cleaned[span];
            if is_user {
                let (user, password) = secret.split_once(':').unwrap_or((secret, ""));
                self.push(user, &mut out);
                out.push(':');
                self.push(password, &mut out);
            } else {
                self.push(secret, &mut out);
            }
        }
        out.push_str(&text[copied..]);
        out
    }

    fn push(&self, secret: &str, out: &mut String) {
        match &self.key {
            Some(key) => out.push_str(&hex::encode(&key.hmac(secret.as_bytes()))),
            None => out.push_str(REDACTED),
        }
    }
}

impl core::fmt::Debug for Redactor {
    /// Shows whether there is a key, never the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Redactor").field("names", &self.names).field("is_keyed", &self.key.is_some()).finish()
    }
}

/// A part of the cleaned text.
struct Secret {
    span: Range<usize>,
    /// Whether it is user information, without its `@`.
    is_user: bool,
}

/// Returns the secrets in order. Those that overlap, such as the user of a URL in a secret value, are one.
fn merged(mut secrets: Vec<Secret>) -> Vec<Secret> {
    secrets.sort_by_key(|secret| secret.span.start);
    secrets.dedup_by(|next, last| {
        let overlaps = next.span.start < last.span.end;
        if overlaps {
            last.span.end = last.span.end.max(next.span.end);
            // The union need not have the form `user:password`, and must not be split at a colon.
            last.is_user = false;
        }
        overlaps
    });
    secrets
}

/// Checks that either specification reads the text.
fn check_readable(text: &str) -> Result<(), Error> {
    let is_web = match scheme_end(&clean(text)) {
        0 => Url::parse(BASE).and_then(|base| base.join(text)).is_ok(),
        _ => Url::parse(text).is_ok(),
    };
    // A text that no reader takes for a URL could hold a secret anywhere, so it is never passed on.
    if is_web || normalise(text).is_ok() { Ok(()) } else { Err(UNREADABLE.error()) }
}

/// Finds the user information of a cleaned text, and of the URLs in it. Returns the end of the authority.
fn users(text: &str, secrets: &mut Vec<Secret>) -> usize {
    let bytes = text.as_bytes();
    let scheme = scheme_end(text);
    let class = if scheme > 0 { Class::of_scheme(&text[..scheme - 1]) } else { Class::Web };
    let slashes = bytes[scheme..].iter().take_while(|byte| matches!(byte, b'/' | b'\\')).count();
    // The URL Standard skips any number of slashes after the scheme of a web URL, even none, and two or more
    // without a scheme.
    let is_skipped = class == Class::Web && (scheme > 0 || slashes >= 2);
    // The authority of RFC 3986 goes on after a `\`. If it has a user, it contains that of the standard.
    let generic = bytes[scheme..].starts_with(b"//").then(|| scheme + 2..authority_end(text, scheme + 2));
    let authority = match generic {
        Some(generic) if !is_skipped || text[generic.clone()].contains('@') => generic,
        _ if is_skipped => scheme + slashes..authority_end(text, scheme + slashes),
        _ => scheme..scheme,
    };
    push_user(text, authority.clone(), secrets);

    // A URL in the path, the query or the fragment may have a user of its own.
    let mut start = authority.end;
    while let Some(place) = memchr::memmem::find(&bytes[start..], b"://") {
        start += place + 3;
        let end = authority_end(text, start);
        // In a query the next parameter begins at a `&`.
        let end = start + memchr::memchr(b'&', &bytes[start..end]).unwrap_or(end - start);
        push_user(text, start..end, secrets);
        start = end;
    }
    authority.end
}

/// Returns the offset after the scheme and its colon, or 0.
fn scheme_end(text: &str) -> usize {
    match text.split_once(':') {
        Some((scheme, _)) if is_scheme(scheme) => scheme.len() + 1,
        _ => 0,
    }
}

/// Returns where the authority that begins at `start` ends, as RFC 3986 has it, which is never before the end
/// of the URL Standard.
fn authority_end(text: &str, start: usize) -> usize {
    let rest = &text.as_bytes()[start..];
    start + memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len())
}

fn push_user(text: &str, authority: Range<usize>, secrets: &mut Vec<Secret>) {
    if let Some(length) = text[authority.clone()].rfind('@') {
        secrets.push(Secret { span: authority.start..authority.start + length, is_user: true });
    }
}

/// The places in a text of the bytes of its cleaned text, looked up in order.
struct Places<'t> {
    text: &'t str,
    cleaned: &'t str,
    in_text: usize,
    in_cleaned: usize,
}

impl Places<'_> {
    /// Returns where the byte before an offset of the cleaned text ends.
    fn after(&mut self, offset: usize) -> usize {
        // Nothing was removed, so the places are the same.
        if self.text.len() == self.cleaned.len() {
            return offset;
        }
        while self.in_cleaned < offset {
            self.skip();
            self.in_text += 1;
            self.in_cleaned += 1;
        }
        self.in_text
    }

    /// Returns where the byte at an offset of the cleaned text begins.
    fn before(&mut self, offset: usize) -> usize {
        let after = self.after(offset);
        if self.text.len() == self.cleaned.len() {
            return after;
        }
        self.skip();
        self.in_text
    }

    /// Passes the bytes that were removed before the next one.
    fn skip(&mut self) {
        let next = self.cleaned.as_bytes().get(self.in_cleaned);
        let rest = &self.text.as_bytes()[self.in_text..];
        self.in_text += rest.iter().position(|byte| Some(byte) == next).unwrap_or(0);
    }
}
