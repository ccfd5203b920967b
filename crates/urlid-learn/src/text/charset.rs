//! The charset of a page: its byte order mark, else what the header says, else what the page says, else UTF-8
//! if it is that, else windows-1252.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::memmem;

/// The bytes in which a page may name its charset, as many as the HTML standard examines.
const HEAD: usize = 1024;

/// Returns the text of a page.
pub(super) fn decode<'b>(content_type: &str, body: &'b [u8]) -> Cow<'b, str> {
    let declared = || label(content_type.as_bytes()).or_else(|| label(&body[..body.len().min(HEAD)]));
    let encoding = match Encoding::for_bom(body) {
        Some((encoding, _)) => encoding,
        None => match declared() {
            Some(encoding) => encoding,
            None if std::str::from_utf8(body).is_ok() => UTF_8,
            None => WINDOWS_1252,
        },
    };
    // The mark is removed, and malformed bytes become U+FFFD.
    encoding.decode(body).0
}

/// Returns the encoding of the first `charset=` in a header or in the first bytes of a page.
fn label(text: &[u8]) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let start = memmem::find(&lower, b"charset")? + b"charset".len();
    let rest = lower[start..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest.iter().position(|byte| b"\"';/> \t\r\n".contains(byte)).unwrap_or(rest.len());
    Encoding::for_label(&rest[..end])
}
