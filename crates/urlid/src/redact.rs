//! Redaction: removes the secrets from a URL and keeps all other bytes, so that the result can still be
//! joined and grouped.
//!
//! Secrets are the user information of a URL and of the URLs in it, written literally or percent-encoded
//! once, and the values of parameters on a list of names. If the URL Standard and RFC 3986 read a text
//! differently, everything is removed that is a secret in either reading.

mod names;
mod text;

use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

pub use names::NameList;
use names::folded;

use crate::error::{Error, ErrorCode, ErrorKind};
use crate::generic::normalise;
use crate::hashed_uri::Key;
use crate::hex;
use crate::reference::Class;
use crate::web::{Url, clean, decode_form, is_scheme};

/// The text that replaces a secret.
const REDACTED: &str = "REDACTED";

/// The base that is used to check whether a text is a relative reference.
const BASE: &str = "http://base.invalid/";

/// The maximum number of searches after the first. Two are enough for all texts except those crafted to need
/// more.
const MOST_ROUNDS: usize = 8;

const UNREADABLE: ErrorKind =
    ErrorKind::new(ErrorCode::UrlParse, "text is not a URL reference, by the URL Standard or RFC 3986");

/// Removes secrets from URLs.
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
    /// The names of secret parameters, or `None` for the names of the default list. Folded if they are
    /// compared in this form.
    names: Option<BTreeSet<String>>,
    list: NameList,
    key: Option<Key>,
}

impl Redactor {
    /// Replaces the names on a list instead of the names on [`NameList::Otel144`]. Names are compared as the
    /// list compares them.
    #[must_use]
    pub fn with_list(mut self, list: NameList) -> Self {
        (self.names, self.list) = (Some(list.names().map(str::to_owned).collect()), list);
        self
    }

    /// Uses only these names of secret parameters. They are decoded, and compared as the chosen list compares
    /// names. By default, they are case-sensitive.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.names = Some(BTreeSet::new());
        self.and_names(names)
    }

    /// Replaces these names of parameters in addition to the others.
    #[must_use]
    pub fn and_names(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let (list, mut others) = (self.list, self.names.take());
        let all = others.get_or_insert_with(|| list.names().map(str::to_owned).collect());
        all.extend(names.into_iter().map(|name| if list.folds() { folded(&name) } else { name }));
        self.names = others;
        self
    }

    /// Replaces a secret by the 64 hexadecimal digits of its HMAC-SHA-256, so that equal secrets stay equal.
    /// A secret is hashed as it is written. User and password are replaced separately, and an absent one is
    /// hashed as an empty text.
    ///
    /// A second redaction would read the digits as secrets, so redact only once.
    #[must_use]
    pub fn with_key(mut self, key: &Key) -> Self {
        self.key = Some(key.clone());
        self
    }

    /// Returns a URL or relative reference without its secrets.
    ///
    /// User information becomes `REDACTED:REDACTED@`, even if there is only a user. The value of a secret
    /// parameter of the query or the fragment becomes `REDACTED`. A parameter starts after `?`, `#`, `&` or
    /// `;`, and its value ends at `&`. Names are decoded once. A URL in the text starts after two slashes,
    /// after a colon and slashes, or after the scheme of a web URL. Its text is read both as written and
    /// decoded once.
    ///
    /// # Errors
    /// [`Error`] if neither the URL Standard nor RFC 3986 can read the text or the result. The error does not
    /// quote the text.
    pub fn redact<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, Error> {
        check_readable(text)?;
        let cleaned = clean(text);
        let secrets = self.secrets(&cleaned);
        if secrets.is_empty() {
            return Ok(Cow::Borrowed(text));
        }
        let redacted = self.replace(text, &cleaned, secrets);
        // A user that only RFC 3986 reads, as in `http://h\\@a b/`, can be removed. The rest is then a
        // different URL, or not a URL.
        check_readable(&redacted)?;
        Ok(Cow::Owned(redacted))
    }

    /// Returns the secrets of a cleaned text, in order.
    ///
    /// The text may read differently once a secret is removed: the fragment `http:a;sig=/&b@h` has the user
    /// `a;sig=REDACTED&b` as soon as the `/` in the value is gone. Therefore the search is repeated until it
    /// finds no more secrets.
    fn secrets(&self, text: &str) -> Vec<Secret> {
        let mut secrets = self.found(text);
        for _ in 0..MOST_ROUNDS {
            if secrets.is_empty() {
                return secrets;
            }
            let mut more = self.found(&without(text, &secrets));
            more.extend(secrets.iter().cloned());
            let more = merged(more);
            if more == secrets {
                return secrets;
            }
            secrets = more;
        }
        // Each round reads the whole text, so the number of rounds has a limit. Only crafted texts reach it.
        let start = secrets.first().map_or(text.len(), |secret| secret.span.start);
        Vec::from([Secret { span: start..text.len(), kind: SecretKind::Value }])
    }

    /// Searches a cleaned text once.
    fn found(&self, text: &str) -> Vec<Secret> {
        let sections = Sections::new(text);
        let mut secrets = users(text, &sections);
        self.parameters(text, &sections, &mut secrets);
        merged(secrets)
    }

    /// Finds the values of secret parameters in the query and the fragment, and in percent-encoded URLs.
    fn parameters(&self, text: &str, sections: &Sections, secrets: &mut Vec<Secret>) {
        for section in [sections.query(), sections.fragment()].into_iter().flatten() {
            let mut start = section.start;
            for field in text.as_bytes()[section].split(|&byte| byte == b'&') {
                let end = start + field.len();
                if let Some(equals) = self.secret_equals(field) {
                    secrets.push(Secret { span: start + equals + 1..end, kind: SecretKind::Value });
                }
                start = end + 1;
            }
        }
        if has_encoded(text, b"?#") {
            self.encoded_parameters(&Reading::decoded(text, sections), sections, secrets);
        }
    }

    /// Finds the values of secret parameters after an encoded `?` or `#`. A value ends at an encoded `&`, or
    /// with the field that contains the encoded URL.
    fn encoded_parameters(&self, reading: &Reading<'_>, sections: &Sections, secrets: &mut Vec<Secret>) {
        for field in reading.fields(sections) {
            let mark = field.clone().find(|&index| reading.is_encoded_one_of(b"?#", index));
            let mut start = mark.map_or(field.end, |mark| mark + 1);
            while start < field.end {
                let next = (start..field.end).find(|&index| reading.is_encoded_one_of(b"&", index));
                let end = next.unwrap_or(field.end);
                if let Some(equals) = self.secret_equals(&reading.bytes[start..end]) {
                    let span = reading.place(start + equals + 1)..reading.place(end);
                    secrets.push(Secret { span, kind: SecretKind::Value });
                }
                start = end + 1;
            }
        }
    }

    /// Returns the offset of the `=` before a secret value of a field.
    ///
    /// The URL Standard reads one name in a field. Older readers also end a pair at `;`, and a URL in a value
    /// has its own query. If one of these readings has a secret name, everything from its value to the end of
    /// the field is removed.
    fn secret_equals(&self, field: &[u8]) -> Option<usize> {
        let equals_in =
            |piece: &[u8]| memchr::memchr(b'=', piece).filter(|&equals| self.is_secret(&piece[..equals]));
        equals_in(field).or_else(|| {
            let mut start = 0;
            field.split(|byte| matches!(byte, b';' | b'?' | b'#')).find_map(|piece| {
                let piece_start = start;
                start += piece.len() + 1;
                equals_in(piece).map(|equals| piece_start + equals)
            })
        })
    }

    fn is_secret(&self, name: &[u8]) -> bool {
        let Ok(name) = core::str::from_utf8(name) else { return false };
        let name =
            if name.contains(['%', '+']) { Cow::Owned(decode_form(name)) } else { Cow::Borrowed(name) };
        match &self.names {
            Some(names) if self.list.folds() => names.contains(&folded(&name)),
            Some(names) => names.contains(&*name),
            None => self.list.has(&name),
        }
    }

    /// Returns the text with its secrets replaced. The secrets are ordered spans of the cleaned text.
    fn replace(&self, text: &str, cleaned: &str, secrets: Vec<Secret>) -> String {
        let mut places = Places { text, cleaned, in_text: 0, in_cleaned: 0 };
        let mut out = String::with_capacity(text.len());
        let mut copied = 0;
        for Secret { span, kind } in secrets {
            // A replacement starts after the preceding byte, so that tabs around a secret stay in place. Tabs
            // inside a secret are removed with it.
            let before = places.after(span.start);
            let start = if span.is_empty() { before } else { places.before(span.start) };
            out.push_str(&text[copied..start]);
            copied = if span.is_empty() { start } else { places.after(span.end) };
            self.push_secret(&cleaned[span], kind, &mut out);
        }
        out.push_str(&text[copied..]);
        out
    }

    fn push_secret(&self, secret: &str, kind: SecretKind, out: &mut String) {
        let colon = match kind {
            SecretKind::Value => return self.push(secret, out),
            SecretKind::User => ":",
            SecretKind::EncodedUser => first_colon(secret),
        };
        let (user, password) = secret.split_once(colon).unwrap_or((secret, ""));
        self.push(user, out);
        out.push(':');
        self.push(password, out);
    }

    fn push(&self, secret: &str, out: &mut String) {
        match &self.key {
            Some(key) => out.push_str(&hex::encode(&key.hmac(secret.as_bytes()))),
            None => out.push_str(REDACTED),
        }
    }
}

impl core::fmt::Debug for Redactor {
    /// Shows whether there is a key, but never the key.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Redactor").field("names", &self.names).field("is_keyed", &self.key.is_some()).finish()
    }
}

/// A span of the cleaned text.
#[derive(Clone, PartialEq)]
struct Secret {
    span: Range<usize>,
    kind: SecretKind,
}

#[derive(Clone, Copy, PartialEq)]
enum SecretKind {
    /// The value of a parameter, or the union of several secrets.
    Value,
    /// User information, without its `@`.
    User,
    /// User information in which the colon may be percent-encoded.
    EncodedUser,
}

/// Returns the secrets in order. Secrets that overlap or touch are merged, for example the user of a URL in a
/// secret value.
fn merged(mut secrets: Vec<Secret>) -> Vec<Secret> {
    secrets.sort_by_key(|secret| secret.span.start);
    secrets.dedup_by(|next, last| {
        let is_joined = next.span.start <= last.span.end;
        if is_joined && last.span == next.span {
            if last.kind == SecretKind::Value {
                last.kind = next.kind;
            }
        } else if is_joined && next.span.end > last.span.end {
            // A union need not have the form `user:password`, so it must not be split at a colon.
            last.kind = if last.span.start == next.span.start { next.kind } else { SecretKind::Value };
            last.span.end = next.span.end;
        }
        is_joined
    });
    secrets
}

/// Returns the text with letters in place of its secrets, so that all offsets stay the same.
fn without(text: &str, secrets: &[Secret]) -> String {
    let mut out = String::with_capacity(text.len());
    for Secret { span, .. } in secrets {
        out.push_str(&text[out.len()..span.start]);
        out.extend(core::iter::repeat_n('x', span.len()));
    }
    out.push_str(&text[out.len()..]);
    out
}

/// The parts of a cleaned text that may contain secrets.
struct Sections {
    /// The authority after its slashes. May be empty.
    authority: Range<usize>,
    query: Option<usize>,
    fragment: Option<usize>,
    end: usize,
}

impl Sections {
    fn new(text: &str) -> Self {
        let authority = authority(text);
        let rest = &text.as_bytes()[authority.end..];
        let fragment = memchr::memchr(b'#', rest);
        let query = memchr::memchr(b'?', &rest[..fragment.unwrap_or(rest.len())]);
        let [query, fragment] = [query, fragment].map(|place| place.map(|place| authority.end + place));
        Self { authority, query, fragment, end: text.len() }
    }

    /// Returns the query without its `?`.
    fn query(&self) -> Option<Range<usize>> {
        Some(self.query? + 1..self.fragment.unwrap_or(self.end))
    }

    /// Returns the fragment without its `#`.
    fn fragment(&self) -> Option<Range<usize>> {
        Some(self.fragment? + 1..self.end)
    }

    /// Returns whether the byte at an offset separates the path, the fields of the query and the fields of
    /// the fragment.
    fn separates(&self, place: usize, byte: u8) -> bool {
        let is_in_fields = self.query.or(self.fragment).is_some_and(|start| place > start);
        [self.query, self.fragment].contains(&Some(place)) || is_in_fields && byte == b'&'
    }
}

/// A cleaned text as written, or the text after its authority with percent-encoded bytes decoded once.
struct Reading<'t> {
    text: &'t str,
    bytes: Cow<'t, [u8]>,
    /// The offset in the text of each decoded byte, followed by the end. Empty if the text is read as
    /// written.
    places: Vec<usize>,
}

impl<'t> Reading<'t> {
    fn written(text: &'t str) -> Self {
        Self { text, bytes: Cow::Borrowed(text.as_bytes()), places: Vec::new() }
    }

    fn decoded(text: &'t str, sections: &Sections) -> Self {
        let (mut bytes, mut places) = (Vec::new(), Vec::new());
        let mut place = sections.authority.end;
        while let Some(&byte) = text.as_bytes().get(place) {
            let encoded = encoded_byte(&text.as_bytes()[place..]);
            // Readers of the decoded URL drop these bytes, like `clean`.
            if !matches!(encoded, Some(b'\t' | b'\n' | b'\r')) {
                bytes.push(encoded.unwrap_or(byte));
                places.push(place);
            }
            place += if encoded.is_some() { 3 } else { 1 };
        }
        places.push(place);
        Self { text, bytes: Cow::Owned(bytes), places }
    }

    fn place(&self, index: usize) -> usize {
        if self.places.is_empty() { index } else { self.places[index] }
    }

    fn is_encoded(&self, index: usize) -> bool {
        self.text.as_bytes()[self.place(index)] != self.bytes[index]
    }

    fn is_encoded_one_of(&self, bytes: &[u8], index: usize) -> bool {
        bytes.contains(&self.bytes[index]) && self.is_encoded(index)
    }

    /// Returns the path, the fields of the query and the fields of the fragment.
    fn fields(&self, sections: &Sections) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        let ends = (0..self.bytes.len()).filter(|&index| {
            !self.is_encoded(index) && sections.separates(self.place(index), self.bytes[index])
        });
        ends.chain([self.bytes.len()]).map(move |end| core::mem::replace(&mut start, end + 1)..end)
    }

    /// Finds the users of the URLs in the reading.
    ///
    /// In a query, a `&` ends an authority if a `=` follows before the next `@`, because the next parameter
    /// starts there. In `http://me:a&b@h/`, the `&` belongs to a password.
    fn users(&self, sections: &Sections, secrets: &mut Vec<Secret>) {
        let start = if self.places.is_empty() { sections.authority.start } else { 0 };
        let query = sections.query().unwrap_or(0..0);
        // The scan runs backwards and reads each byte once, even if many authorities overlap. For an
        // authority that starts at the current byte, `user_end` is its last `@`, and `has_equals` tells
        // whether a `=` comes before its first `@`.
        let mut user_end = None;
        let mut has_equals = false;
        for index in (start..self.bytes.len()).rev() {
            match self.bytes[index] {
                b'/' | b'?' | b'#' => user_end = None,
                b'@' => {
                    user_end = user_end.or(Some(index));
                    has_equals = false;
                }
                b'=' if !self.is_encoded(index) => has_equals = true,
                b'&' if has_equals && query.contains(&self.place(index)) && !self.is_encoded(index) => {
                    user_end = None;
                }
                _ => {}
            }
            if let Some(end) = user_end
                && end > index
                && self.bytes[index] != b'\\'
                && ends_before_authority(&self.bytes[start..index])
            {
                let kind = if self.places.is_empty() { SecretKind::User } else { SecretKind::EncodedUser };
                secrets.push(Secret { span: self.place(index)..self.place(end), kind });
            }
        }
    }
}

/// Returns whether an authority may start after these bytes: after a colon and slashes, after two slashes, or
/// after the scheme of a web URL, which the URL Standard accepts without slashes.
fn ends_before_authority(bytes: &[u8]) -> bool {
    match bytes {
        [.., b':' | b'/' | b'\\', b'/' | b'\\'] => true,
        [scheme @ .., b':'] => {
            let start =
                scheme.iter().rposition(|byte| !byte.is_ascii_alphabetic()).map_or(0, |last| last + 1);
            core::str::from_utf8(&scheme[start..]).is_ok_and(|name| Class::of_scheme(name) == Class::Web)
        }
        _ => false,
    }
}

/// Returns the byte whose percent-encoding is at the start of a text.
fn encoded_byte(text: &[u8]) -> Option<u8> {
    match text {
        [b'%', high, low, ..] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            u8::try_from(digit(high)? * 16 + digit(low)?).ok()
        }
        _ => None,
    }
}

/// Returns whether the text has one of these bytes in percent-encoded form.
fn has_encoded(text: &str, bytes: &[u8]) -> bool {
    let text = text.as_bytes();
    memchr::memchr_iter(b'%', text)
        .any(|place| encoded_byte(&text[place..]).is_some_and(|byte| bytes.contains(&byte)))
}

/// Returns the first colon in its written form.
fn first_colon(user: &str) -> &str {
    let encoded = ["%3A", "%3a"].into_iter().filter_map(|colon| user.find(colon)).min();
    match (user.find(':'), encoded) {
        (written, Some(place)) if written.is_none_or(|written| place < written) => &user[place..place + 3],
        _ => ":",
    }
}

/// Checks that at least one of the two specifications accepts the text.
fn check_readable(text: &str) -> Result<(), Error> {
    let is_web = match scheme_end(&clean(text)) {
        0 => Url::parse(BASE).and_then(|base| base.join(text)).is_ok(),
        _ => Url::parse(text).is_ok(),
    };
    // If no reader accepts a text as a URL, a secret could be anywhere in it. Such a text is never returned.
    if is_web || normalise(text).is_ok() { Ok(()) } else { Err(UNREADABLE.error()) }
}

/// Finds the user information of a cleaned text, and of the URLs in it.
fn users(text: &str, sections: &Sections) -> Vec<Secret> {
    let mut secrets = Vec::new();
    let authority = sections.authority.clone();
    if let Some(length) = text[authority.clone()].rfind('@') {
        let span = authority.start..authority.start + length;
        secrets.push(Secret { span, kind: SecretKind::User });
    }
    let has_encoded_at = has_encoded(text, b"@");
    if has_encoded_at || text.contains('@') {
        Reading::written(text).users(sections, &mut secrets);
        if has_encoded_at || has_encoded(text, b":/\\") {
            Reading::decoded(text, sections).users(sections, &mut secrets);
        }
    }
    secrets
}

/// Returns the authority of a cleaned text, after its slashes. It is empty if there is no authority.
fn authority(text: &str) -> Range<usize> {
    let bytes = text.as_bytes();
    let scheme = scheme_end(text);
    let class = if scheme > 0 { Class::of_scheme(&text[..scheme - 1]) } else { Class::Web };
    let slashes = bytes[scheme..].iter().take_while(|byte| matches!(byte, b'/' | b'\\')).count();
    // The URL Standard skips any number of slashes after the scheme of a web URL, including zero. Without a
    // scheme, it skips two or more.
    let is_skipped = class == Class::Web && (scheme > 0 || slashes >= 2);
    // The authority of RFC 3986 continues after a `\`. If it has a user, it contains the standard's
    // authority.
    let generic = bytes[scheme..].starts_with(b"//").then(|| scheme + 2..authority_end(text, scheme + 2));
    match generic {
        Some(generic) if !is_skipped || text[generic.clone()].contains('@') => generic,
        _ if is_skipped => scheme + slashes..authority_end(text, scheme + slashes),
        _ => scheme..scheme,
    }
}

/// Returns the offset after the scheme and its colon, or 0.
fn scheme_end(text: &str) -> usize {
    match text.split_once(':') {
        Some((scheme, _)) if is_scheme(scheme) => scheme.len() + 1,
        _ => 0,
    }
}

/// Returns the end of the authority that starts at `start` by RFC 3986. The end by the URL Standard is never
/// later.
fn authority_end(text: &str, start: usize) -> usize {
    let rest = &text.as_bytes()[start..];
    start + memchr::memchr3(b'/', b'?', b'#', rest).unwrap_or(rest.len())
}

/// Maps offsets in a cleaned text to offsets in the original text. Cleaning only removes bytes, so both texts
/// are walked in parallel from the previous offset, and offsets have to be looked up in ascending order. A
/// removed tab or line end between two bytes belongs to neither of them: `after` returns the offset before
/// the removed bytes, and `before` the offset after them.
struct Places<'t> {
    text: &'t str,
    cleaned: &'t str,
    in_text: usize,
    in_cleaned: usize,
}

impl Places<'_> {
    /// Returns the end of the byte before an offset of the cleaned text.
    fn after(&mut self, offset: usize) -> usize {
        // The texts are equal if no byte was removed.
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

    /// Returns the start of the byte at an offset of the cleaned text.
    fn before(&mut self, offset: usize) -> usize {
        let after = self.after(offset);
        if self.text.len() == self.cleaned.len() {
            return after;
        }
        self.skip();
        self.in_text
    }

    /// Skips the removed bytes before the next kept byte.
    fn skip(&mut self) {
        let next = self.cleaned.as_bytes().get(self.in_cleaned);
        let rest = &self.text.as_bytes()[self.in_text..];
        self.in_text += rest.iter().position(|byte| Some(byte) == next).unwrap_or(0);
    }
}
