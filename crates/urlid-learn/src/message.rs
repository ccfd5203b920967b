//! The HTTP message in a record of an archive: the header fields that learning reads, and its body without
//! transfer and content encodings.

use std::io::Read;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use urlid_archives::{HttpHead, without_chunks};

/// The most bytes of a body that are digested. The rest of a longer body is ignored.
pub const MOST_BODY: usize = 16 << 20;

/// The parts of a response that learning reads.
#[derive(Debug, Default)]
pub struct Message<'m> {
    head: HttpHead,
    body: &'m [u8],
}

impl<'m> Message<'m> {
    /// Reads a message. A message without an HTTP head has no status.
    pub fn read(message: &'m [u8]) -> Self {
        let (head, body) = HttpHead::split(message);
        Message { head, body }
    }

    /// Returns the status, if the first line has one.
    pub fn status(&self) -> Option<u16> {
        text(&self.head.status).filter(|_| self.head.first.starts_with(b"HTTP/"))?.parse().ok()
    }

    /// Returns the value of `Content-Type`.
    pub fn content_type(&self) -> &str {
        text(&self.head.content_type).unwrap_or_default()
    }

    /// Returns the value of `Location`.
    pub fn location(&self) -> Option<&str> {
        text(&self.head.location)
    }

    /// Returns the value of `No-Vary-Search`.
    pub fn no_vary_search(&self) -> Option<&str> {
        text(&self.head.no_vary_search)
    }

    /// Writes the decoded body to `out`, up to [`MOST_BODY`] bytes. A body with a wrong encoding in its head
    /// is copied unchanged, because many archives keep the head of a body that they have decoded.
    pub fn body(&self, out: &mut Vec<u8>) {
        out.clear();
        let mut chunks = Vec::new();
        let mut body = self.body;
        if text(&self.head.transfer_encoding).is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            without_chunks(body, &mut chunks);
            body = &chunks;
        }
        let encoding = text(&self.head.content_encoding).unwrap_or_default().to_ascii_lowercase();
        let is_decoded = match encoding.as_str() {
            "gzip" | "x-gzip" => read_into(MultiGzDecoder::new(body), out),
            // Servers use this name for two formats.
            "deflate" => read_into(ZlibDecoder::new(body), out) || read_into(DeflateDecoder::new(body), out),
            "br" => read_into(brotli_decompressor::Decompressor::new(body, 16 << 10), out),
            _ => false,
        };
        if !is_decoded {
            out.clear();
            out.extend_from_slice(&body[..body.len().min(MOST_BODY)]);
        }
    }
}

/// Reads a decoder to its end, and returns whether it read anything.
fn read_into(decoder: impl Read, out: &mut Vec<u8>) -> bool {
    out.clear();
    // The bytes before damage count as the body, because a page that is cut is still the same page.
    let _ = decoder.take(MOST_BODY as u64).read_to_end(out);
    !out.is_empty()
}

/// Returns the value of a field, if it is text.
fn text(value: &Option<Vec<u8>>) -> Option<&str> {
    std::str::from_utf8(value.as_deref()?).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_body_is_decoded() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"hello").expect("there is room");
        let gzip = gzip.finish().expect("there is room");
        let half = gzip.len() / 2;
        let chunks = [
            format!("{half:x};a=b\r\n").as_bytes(),
            &gzip[..half],
            b"\r\n",
            format!("{:X}\r\n", gzip.len() - half).as_bytes(),
            &gzip[half..],
            b"\r\n0\r\n\r\n",
        ]
        .concat();
        let mut out = Vec::new();
        for (fields, body) in [
            ("", &b"hello"[..]),
            ("Content-Encoding: gzip\r\n", &gzip),
            ("content-encoding: gzip\r\ntransfer-encoding: chunked\r\n", &chunks),
            ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", b"hello"),
        ] {
            let head =
                format!("HTTP/1.1 301 Moved\r\n{fields}Location: /b\r\nContent-Type: text/html\r\n\r\n");
            let bytes = [head.as_bytes(), body].concat();
            let message = Message::read(&bytes);
            assert_eq!(
                (message.status(), message.location(), message.content_type()),
                (Some(301), Some("/b"), "text/html")
            );
            message.body(&mut out);
            assert_eq!(out, b"hello", "{fields}");
        }
    }
}
