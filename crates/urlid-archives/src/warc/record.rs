//! The head of a record: its type, and the fields that an index needs.

use std::borrow::Cow;

use super::error::Malformed;
use super::types::RecordType;

/// The number of bytes that messages show of a malformed text.
pub(crate) const SHOWN: usize = 24;

/// The head of a record. A reader fills the same value again and again, so that reading a record does not
/// allocate.
///
/// Of a repeated field the first value counts. Values are bytes without the white space around them.
#[derive(Debug, Default)]
pub struct Record {
    /// The number of the record in its file, from 1.
    pub number: u64,
    /// The offset in bytes of the record, decompressed.
    pub offset: u64,
    /// The type of the record, by its WARC-Type.
    pub record_type: RecordType,
    /// The length of the content in bytes.
    pub length: u64,
    /// Whether the record is one of ARC, whose dates are digits only.
    pub(crate) is_arc: bool,
    fields: [Field; FIELDS.len()],
}

/// The fields that are kept, in the order of `Record::fields`.
const FIELDS: [&[u8]; 8] = [
    b"WARC-Type",
    b"WARC-Target-URI",
    b"WARC-Date",
    b"Content-Type",
    b"WARC-Payload-Digest",
    b"Content-Length",
    b"WARC-Record-ID",
    b"WARC-Concurrent-To",
];

#[derive(Debug, Default)]
struct Field {
    is_there: bool,
    value: Vec<u8>,
}

impl Record {
    /// Returns the target URI, without the `<` and `>` that WARC 1.0 puts around it.
    pub fn url(&self) -> Option<&[u8]> {
        let url = self.field(1)?;
        Some(url.strip_prefix(b"<").and_then(|url| url.strip_suffix(b">")).unwrap_or(url))
    }

    /// Returns the target URI as text.
    pub fn url_text(&self) -> Option<Cow<'_, str>> {
        self.url().map(text)
    }

    /// Returns the WARC-Date as written, or the digits of the date in ARC.
    pub fn date(&self) -> Option<&[u8]> {
        self.field(2)
    }

    /// Returns the media type of the content.
    pub fn content_type(&self) -> Option<&[u8]> {
        self.field(3)
    }

    /// Returns the digest of the payload, as written.
    pub fn payload_digest(&self) -> Option<&[u8]> {
        self.field(4)
    }

    /// Returns whether the content begins with the head of a message of HTTP.
    pub(crate) fn has_http_head(&self) -> bool {
        let is_message =
            matches!(self.record_type, RecordType::Response | RecordType::Revisit | RecordType::Request);
        let is_http = |url: &[u8]| url.starts_with(b"http:") || url.starts_with(b"https:");
        is_message && self.length > 0 && self.url().is_some_and(is_http)
    }

    /// Returns the name of the record.
    pub(crate) fn id(&self) -> Option<&[u8]> {
        self.field(6)
    }

    /// Returns the name of a record that was made together with this one.
    pub(crate) fn concurrent_to(&self) -> Option<&[u8]> {
        self.field(7)
    }

    fn field(&self, index: usize) -> Option<&[u8]> {
        let field = &self.fields[index];
        field.is_there.then_some(&field.value)
    }

    /// Removes the fields of the record before.
    pub(crate) fn clear(&mut self) {
        self.is_arc = false;
        for field in &mut self.fields {
            field.is_there = false;
            field.value.clear();
        }
    }

    pub(crate) fn set_url(&mut self, value: &[u8]) {
        self.set(1, value);
    }

    pub(crate) fn set_date(&mut self, value: &[u8]) {
        self.set(2, value);
    }

    pub(crate) fn set_content_type(&mut self, value: &[u8]) {
        self.set(3, value);
    }

    fn set(&mut self, index: usize, value: &[u8]) {
        self.fields[index].is_there = true;
        self.fields[index].value.extend_from_slice(value);
    }

    /// Parses the lines of a head, the first of which is the version.
    pub(crate) fn read(&mut self, head: &[u8]) -> Result<(), Malformed> {
        self.clear();
        let mut last = None;
        for line in head.split(|&byte| byte == b'\n').skip(1) {
            let line = line.trim_ascii_end();
            if line.first().is_some_and(|first| b" \t".contains(first)) {
                // A continuation line, as in old HTTP.
                if let Some(index) = last {
                    let field: &mut Field = &mut self.fields[index];
                    field.value.extend_from_slice(line);
                }
                continue;
            }
            last = None;
            let Some(colon) = memchr::memchr(b':', line) else { continue };
            let name = line[..colon].trim_ascii_end();
            let Some(index) = FIELDS.iter().position(|field| name.eq_ignore_ascii_case(field)) else {
                continue;
            };
            let field = &mut self.fields[index];
            if !field.is_there {
                field.is_there = true;
                field.value.extend_from_slice(line[colon + 1..].trim_ascii_start());
                last = Some(index);
            }
        }
        self.record_type = RecordType::new(self.field(0).unwrap_or_default());
        let length = self.field(5).unwrap_or_default();
        self.length = number(length).ok_or_else(|| Malformed::Length { found: excerpt(length) })?;
        Ok(())
    }
}

/// Returns bytes as text: as UTF-8 if valid, otherwise as ISO 8859-1, like warcio.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Parses a number in decimal digits; `parse` alone would accept `+5`.
pub(crate) fn number(digits: &[u8]) -> Option<u64> {
    let is_plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    str::from_utf8(digits).ok().filter(|_| is_plain)?.parse().ok()
}

/// Returns the first bytes of a text, escaped.
pub(crate) fn excerpt(text: &[u8]) -> String {
    text[..text.len().min(SHOWN)].escape_ascii().to_string()
}
