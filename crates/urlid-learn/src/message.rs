//! The HTTP message in a record of an archive: its head, and its body without transfer and content encodings.

use std::io::Read;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use memchr::memmem;

/// The most bytes of a body that are digested; of a longer one the rest does not count.
pub const MOST_BODY: usize = 16 << 20;

/// The fields of a response that learning reads. Of a repeated field the first value counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Message<'m> {
    /// The status, if the first line has one.
    pub status: Option<u16>,
    /// The value of `Content-Type`.
    pub content_type: &'m str,
    /// The value of `Location`.
    pub location: Option<&'m str>,
    transfer_encoding: &'m str,
    content_encoding: &'m str,
    body: &'m [u8],
}

impl<'m> Message<'m> {
    /// Reads a message. What is not a head of HTTP gives an empty one.
    pub fn read(message: &'m [u8]) -> Self {
        let mut read = Message::default();
        let end = memmem::find(message, b"\r\n\r\n").map(|end| (end, end + 4));
        let end = end.or_else(|| memmem::find(message, b"\n\n").map(|end| (end, end + 2)));
        let (head, body) = end.map_or((message, message.len()), |(end, body)| (&message[..end], body));
        read.body = &message[body..];
        let mut lines = head.split(|byte| *byte == b'\n').map(|line| line.trim_ascii());
        let first = lines.next().and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default();
        if first.starts_with("HTTP/") {
            read.status = first.split_ascii_whitespace().nth(1).and_then(|status| status.parse().ok());
        }
        for line in lines.filter_map(|line| std::str::from_utf8(line).ok()) {
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            let is = |wanted: &str| name.trim_end().eq_ignore_ascii_case(wanted);
            if is("Location") {
                read.location.get_or_insert(value);
            } else {
                let field = match () {
                    () if is("Content-Type") => &mut read.content_type,
                    () if is("Transfer-Encoding") => &mut read.transfer_encoding,
                    () if is("Content-Encoding") => &mut read.content_encoding,
                    () => continue,
                };
                if field.is_empty() {
                    *field = value;
                }
            }
        }
        read
    }

    /// Writes the decoded body to `out`, up to [`MOST_BODY`] bytes. A body that is not encoded as it says stays as it is: many
    /// archives keep the head of a body that they have decoded.
    pub fn body(&self, out: &mut Vec<u8>) {
        out.clear();
        let mut chunks = Vec::new();
        let mut body = self.body;
        if self.transfer_encoding.eq_ignore_ascii_case("chunked")
            && without_chunks(body, &mut chunks).is_some()
        {
            body = &chunks;
        }
        let encoding = self.content_encoding.to_ascii_lowercase();
        let is_decoded = match encoding.as_str() {
            "gzip" | "x-gzip" => read_into(MultiGzDecoder::new(body), out),
            // Servers mean either of two formats by this name.
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
    // What is before damage counts as the body: a page that is cut is still that page.
    let _ = decoder.take(MOST_BODY as u64).read_to_end(out);
    !out.is_empty()
}

/// Joins the chunks of a body; `None` if it has no chunks.
fn without_chunks(mut body: &[u8], out: &mut Vec<u8>) -> Option<()> {
    loop {
        let end = memchr::memchr(b'\n', body)?;
        let size = std::str::from_utf8(&body[..end]).ok()?.split(';').next().unwrap_or_default().trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        body = &body[end + 1..];
        if size == 0 {
            return Some(());
        }
        let chunk = &body[..size.min(body.len())];
        out.extend_from_slice(chunk);
        body = body[chunk.len()..].strip_prefix(b"\r\n").unwrap_or_default();
        if body.is_empty() {
            return Some(());
        }
    }
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
                (message.status, message.location, message.content_type),
                (Some(301), Some("/b"), "text/html")
            );
            message.body(&mut out);
            assert_eq!(out, b"hello", "{fields}");
        }
    }
}
