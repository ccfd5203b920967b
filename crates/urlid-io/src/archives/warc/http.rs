//! The head of an HTTP response in a record: its status and media type.

use std::io::Read;

use memchr::memchr;
use urlid::Error;

use super::error::MAX_HEAD;
use super::reader::WarcReader;

/// The number of bytes that are examined first; nearly every head is shorter.
const FIRST: usize = 4 << 10;

/// The fields of an HTTP head that an index needs, read as leniently as warcio does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct HttpHead {
    /// The second word of the first line; `None` without a head.
    pub(crate) status: Option<Vec<u8>>,
    /// The first Content-Type.
    pub(crate) content_type: Option<Vec<u8>>,
}

impl HttpHead {
    /// Reads and consumes the head at the start of the content. Of a head longer than [`MAX_HEAD`], only that much is examined.
    pub(crate) fn read<R: Read>(reader: &mut WarcReader<R>) -> Result<Self, Error> {
        let mut wanted = FIRST;
        loop {
            let content = reader.peek_content(wanted)?;
            let is_all = content.len() < wanted || wanted >= MAX_HEAD;
            if let Some((head, len)) = Self::parse(content, is_all) {
                reader.consume(len);
                return Ok(head);
            }
            wanted *= 16;
        }
    }

    /// Parses the head and returns it with its length, or `None` if it does not end in `content` and `is_all` is false.
    fn parse(content: &[u8], is_all: bool) -> Option<(Self, usize)> {
        let mut head = HttpHead::default();
        let mut offset = 0;
        for number in 0.. {
            let rest = &content[offset..];
            let line = match memchr(b'\n', rest) {
                Some(end) => &rest[..=end],
                None if is_all => rest,
                None => return None,
            };
            offset += line.len();
            let text = line.trim_ascii_end();
            if text.is_empty() {
                break;
            }
            if number == 0 {
                let status = memchr(b' ', text).map_or(&b""[..], |space| text[space..].trim_ascii());
                let word = status.split(|&byte| byte == b' ').next().unwrap_or_default();
                head.status = Some(word.to_vec());
            } else if head.content_type.is_none()
                && let Some(colon) = memchr(b':', text)
                && text[..colon].trim_ascii_end().eq_ignore_ascii_case(b"content-type")
            {
                head.content_type = Some(text[colon + 1..].trim_ascii_start().to_vec());
            }
        }
        Some((head, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(content: &[u8], status: Option<&str>, content_type: Option<&str>, rest: &[u8]) {
        let (head, len) = HttpHead::parse(content, true).expect("all is there");
        let text = |value: Option<Vec<u8>>| value.map(|value| String::from_utf8(value).expect("it is text"));
        assert_eq!(
            (text(head.status).as_deref(), text(head.content_type).as_deref()),
            (status, content_type)
        );
        assert_eq!(&content[len..], rest);
    }

    #[test]
    fn heads_are_read_leniently() {
        let head = b"HTTP/1.1 200 OK\r\ncontent-TYPE : text/html; charset=x\r\nContent-Type: b\r\n\r\n<p>";
        check(head, Some("200"), Some("text/html; charset=x"), b"<p>");
        check(b"HTTP/1.1  404\n\nx", Some("404"), None, b"x");
        check(b"ICY\r\nnonsense\r\n", Some(""), None, b"");
        check(b"HTTP/1.1 200 OK", Some("200"), None, b"");
        check(b"\r\nHTTP/1.1 200 OK", None, None, b"HTTP/1.1 200 OK");
        check(b"", None, None, b"");
        assert_eq!(HttpHead::parse(b"HTTP/1.1 200 OK\r\n", false), None);
    }
}
