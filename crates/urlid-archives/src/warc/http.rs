//! HTTP messages in records: the fields of their heads, and bodies in chunks.

use std::io::Read;

use memchr::memchr;
use urlid::Error;

use super::error::MAX_HEAD;
use super::reader::WarcReader;

/// The number of bytes that are examined first; nearly every head is shorter.
const FIRST: usize = 4 << 10;
/// The most bytes of the line before a chunk.
pub(crate) const MAX_LINE: usize = 64;
/// The one field whose values are joined.
const NO_VARY_SEARCH: &[u8] = b"no-vary-search";
/// The most bytes of a chunk.
const MAX_CHUNK: u64 = 1 << 31;

/// The fields of an HTTP head that its readers need, read as leniently as warcio does. Of a repeated field
/// the first value counts, except that those of `No-Vary-Search`, which is a dictionary, are joined with
/// commas.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct HttpHead {
    /// The first word of the first line: the method of a request, the version of a response.
    pub first: Vec<u8>,
    /// The second word of the first line, if there is one.
    pub status: Option<Vec<u8>>,
    /// `Content-Type`.
    pub content_type: Option<Vec<u8>>,
    /// `Content-Length`.
    pub content_length: Option<Vec<u8>>,
    /// `Transfer-Encoding`.
    pub transfer_encoding: Option<Vec<u8>>,
    /// `Content-Encoding`.
    pub content_encoding: Option<Vec<u8>>,
    /// `Location`.
    pub location: Option<Vec<u8>>,
    /// `No-Vary-Search`.
    pub no_vary_search: Option<Vec<u8>>,
}

impl HttpHead {
    /// Reads and consumes the head at the start of the content. Of a head longer than [`MAX_HEAD`], only that
    /// much is examined.
    pub(crate) fn read<R: Read>(reader: &mut WarcReader<R>) -> Result<Self, Error> {
        let mut wanted = FIRST;
        loop {
            let content = reader.peek_content(wanted)?;
            let is_all = content.len() < wanted || wanted >= MAX_HEAD;
            if let Some((head, len)) = Self::parse(content, is_all) {
                reader.consume(len);
                return Ok(head);
            }
            // 4 KiB, 64 KiB, and then 1 MiB, which is `MAX_HEAD`.
            wanted *= 16;
        }
    }

    /// Splits a whole message into its head, of which at most [`MAX_HEAD`] bytes are examined, and its body.
    pub fn split(message: &[u8]) -> (Self, &[u8]) {
        let examined = &message[..message.len().min(MAX_HEAD)];
        let (head, length) = Self::parse(examined, true).unwrap_or_default();
        (head, &message[length..])
    }

    /// Parses the head and returns it with its length, or `None` if it does not end in `content` and `is_all`
    /// is false.
    fn parse(content: &[u8], is_all: bool) -> Option<(Self, usize)> {
        let mut head = HttpHead::default();
        let mut offset = 0;
        // The value that a line may continue.
        let mut last = None;
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
                head.first = text.split(|&byte| byte == b' ').next().unwrap_or_default().to_vec();
                let status = memchr(b' ', text).map_or(&b""[..], |space| text[space..].trim_ascii());
                let word = status.split(|&byte| byte == b' ').next().unwrap_or_default();
                head.status = Some(word.to_vec()).filter(|word| !word.is_empty());
            } else if number > 1 && matches!(text, [b' ' | b'\t', ..]) {
                // A continuation line, as in old HTTP.
                if let Some(value) = last.and_then(|name| head.field(name)).and_then(Option::as_mut) {
                    value.extend_from_slice(text);
                }
            } else {
                last = None;
                let Some(colon) = memchr(b':', text) else { continue };
                let name = text[..colon].trim_ascii_end();
                let Some(value) = head.field(name) else { continue };
                let text = text[colon + 1..].trim_ascii_start();
                match value {
                    None => *value = Some(text.to_vec()),
                    Some(value) if name.eq_ignore_ascii_case(NO_VARY_SEARCH) => {
                        value.extend_from_slice(b", ");
                        value.extend_from_slice(text);
                    }
                    Some(_) => continue,
                }
                last = Some(name);
            }
        }
        Some((head, offset))
    }

    /// Returns the field with this name.
    fn field(&mut self, name: &[u8]) -> Option<&mut Option<Vec<u8>>> {
        let fields: [(&[u8], _); 6] = [
            (b"content-type", &mut self.content_type),
            (b"content-length", &mut self.content_length),
            (b"transfer-encoding", &mut self.transfer_encoding),
            (b"content-encoding", &mut self.content_encoding),
            (b"location", &mut self.location),
            (NO_VARY_SEARCH, &mut self.no_vary_search),
        ];
        fields.into_iter().find(|(field, _)| name.eq_ignore_ascii_case(field)).map(|(_, value)| value)
    }

    /// Returns whether the content is in a transfer coding or content coding.
    pub(crate) fn has_coding(&self) -> bool {
        self.transfer_encoding.is_some() || self.content_encoding.is_some()
    }
}

/// Passes the chunks of a body (RFC 9112, 7.1) to `push`, and returns the bytes after them; `None` if `push`
/// does. Where a body is not in chunks, it is passed as it is, as warcio does.
pub(crate) fn push_chunks<'a>(
    mut rest: &'a [u8],
    push: &mut dyn FnMut(&[u8]) -> Option<()>,
) -> Option<&'a [u8]> {
    loop {
        let line_len =
            memchr(b'\n', &rest[..rest.len().min(MAX_LINE)]).map_or(rest.len().min(MAX_LINE), |end| end + 1);
        let (line, after) = rest.split_at(line_len);
        let Some(len) = line.strip_suffix(b"\r\n").and_then(chunk_len) else {
            push(line)?;
            return Some(after);
        };
        let chunk = &after[..after.len().min(usize::try_from(len).unwrap_or(usize::MAX))];
        let behind = &after[chunk.len()..];
        if len > chunk.len() as u64 {
            // The body is cut.
            push(chunk)?;
            return Some(&[]);
        }
        let ends_line = behind.starts_with(b"\r\n");
        let behind = &behind[behind.len().min(2)..];
        if !ends_line {
            // Not a chunk after all. The two bytes in the place of its line end are lost, as in warcio.
            push(&[line, chunk].concat())?;
            return Some(behind);
        }
        if len == 0 {
            return Some(&[]);
        }
        push(chunk)?;
        rest = behind;
    }
}

/// Returns the number of bytes in a chunk by its line, as Python's `int` reads it: space, a sign, `0x` and
/// single underscores are allowed.
pub(crate) fn chunk_len(line: &[u8]) -> Option<u64> {
    let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
    let digits = str::from_utf8(digits).ok()?.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let of_prefix = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let digits = of_prefix.map_or(digits, |digits| digits.strip_prefix('_').unwrap_or(digits));
    let groups = digits.split('_').map(str::as_bytes);
    if !groups.clone().all(|group| !group.is_empty() && group.iter().all(u8::is_ascii_hexdigit)) {
        return None;
    }
    let number = groups.flatten().try_fold(0_u64, |number, digit| {
        let digit = u64::from(char::from(*digit).to_digit(16)?);
        // Checked before each digit, so the shift loses no bits.
        (number <= MAX_CHUNK).then_some(number << 4 | digit)
    });
    number.filter(|number| *number <= MAX_CHUNK)
}

/// Appends a body in chunks to `out` without their lines.
pub fn without_chunks(body: &[u8], out: &mut Vec<u8>) {
    let rest = push_chunks(body, &mut |bytes| {
        out.extend_from_slice(bytes);
        Some(())
    });
    out.extend_from_slice(rest.unwrap_or_default());
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
        for first in ["ICY", "HTTP/1.1", "HTTP/1.1 ", "<html>hi</html>", "\0"] {
            check(format!("{first}\r\nnonsense\r\n").as_bytes(), None, None, b"");
        }
        check(b"HTTP/1.1 200 OK", Some("200"), None, b"");
        check(b"P /\r\nContent-Type: a;\r\n\tb\r\n c\r\nx:\r\n d\r\n\r\n", Some("/"), Some("a;\tb c"), b"");
        check(b"\r\nHTTP/1.1 200 OK", None, None, b"HTTP/1.1 200 OK");
        check(b"", None, None, b"");
        assert_eq!(HttpHead::parse(b"HTTP/1.1 200 OK\r\n", false), None);
    }
}
