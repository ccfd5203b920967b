//! The sitemaps that robots.txt names, as lines ([the protocol](https://www.sitemaps.org/protocol.html),
//! "Specifying the Sitemap location in your robots.txt file").

use memchr::memchr2;
use urlid::Error;

use crate::lines::chunk::BOM;
use crate::lines::framing::decisive_len;
use crate::lines::options::LineOptions;
use crate::lines::sitemap::SitemapRow;
use crate::lines::stream::{ByteStream, CountedStream, LineSource, LineStream};

/// The names at the start of the first line of a file, apart from comments (RFC 9309, and frequent
/// extensions).
const NAMES: [&[u8]; 6] = [b"user-agent", b"sitemap", b"disallow", b"allow", b"crawl-delay", b"host"];

/// Returns whether a file that starts with these bytes is a robots.txt with a sitemap, or `None` if more
/// bytes are needed.
pub(crate) fn begins_robots(head: &[u8]) -> Option<bool> {
    let mut rest = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    while rest.first() == Some(&b'#') {
        rest = rest[memchr2(b'\n', b'\r', rest)?..].trim_ascii_start();
    }
    let Some(colon) = rest.iter().position(|&byte| byte == b':') else {
        // A name, or the blanks after it, may go on behind the bytes.
        let rest = without_blanks(rest);
        let is_name =
            |name: &&[u8]| rest.len() <= name.len() && name[..rest.len()].eq_ignore_ascii_case(rest);
        return if NAMES.iter().any(is_name) { None } else { Some(false) };
    };
    if !NAMES.iter().any(|name| name.eq_ignore_ascii_case(without_blanks(&rest[..colon]))) {
        return Some(false);
    }
    // In a URL with one of these names as its scheme, a blank or a line end never follows the colon.
    if !rest.get(colon + 1)?.is_ascii_whitespace() {
        return Some(false);
    }
    // Other files also start with lines of names and values.
    let is_sitemap = |line: &[u8]| {
        let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
        name.len() < line.len() && name.trim_ascii().eq_ignore_ascii_case(b"sitemap")
    };
    rest.split(|byte| b"\r\n".contains(byte)).any(is_sitemap).then_some(true)
}

/// Returns bytes without the blanks at their end.
fn without_blanks(mut bytes: &[u8]) -> &[u8] {
    while let [rest @ .., b' ' | b'\t'] = bytes {
        bytes = rest;
    }
    bytes
}

/// The URLs of the lines `Sitemap:`, a line each.
pub(crate) struct RobotLines {
    stream: CountedStream,
    line: Vec<u8>,
    options: LineOptions,
}

impl RobotLines {
    /// Reads robots.txt. A line that is too long may be cut, but its URL is then still too long.
    pub(crate) fn new(stream: CountedStream, options: LineOptions) -> LineStream<Self> {
        LineStream::new(RobotLines { stream, line: Vec::new(), options })
    }

    fn end_line(&mut self, lines: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_prefix(BOM).unwrap_or(&line);
        let Some(colon) = line.iter().position(|&byte| byte == b':') else { return };
        let (name, url) = (line[..colon].trim_ascii(), &line[colon + 1..]);
        // A comment follows white space, because a URL may have a fragment.
        let end = url.windows(2).position(|pair| pair[0].is_ascii_whitespace() && pair[1] == b'#');
        let url = url[..end.unwrap_or(url.len())].trim_ascii();
        if !name.eq_ignore_ascii_case(b"sitemap") || url.is_empty() || !self.options.sitemaps.contains(true) {
            return;
        }
        match str::from_utf8(url) {
            Ok(url) if self.options.has_sitemap_rows => {
                SitemapRow::new(url, "sitemap").push_to(lines);
            }
            _ => {
                lines.extend_from_slice(url);
                lines.push(b'\n');
            }
        }
    }
}

impl LineSource for RobotLines {
    fn read_piece(&mut self, lines: &mut Vec<u8>) -> Result<bool, Error> {
        let mut room = [0; 8 << 10];
        let n = self.stream.read(&mut room)?;
        let most = decisive_len(self.options.max_line) + 64;
        for piece in room[..n].split_inclusive(|byte| b"\r\n".contains(byte)) {
            let (text, is_end) = match piece {
                [text @ .., b'\r' | b'\n'] => (text, true),
                text => (text, false),
            };
            self.line.extend(text.iter().take(most.saturating_sub(self.line.len())));
            if is_end {
                self.end_line(lines);
            }
        }
        if n == 0 {
            self.end_line(lines);
        }
        Ok(n > 0)
    }

    fn is_ready(&mut self) -> bool {
        self.stream.is_ready()
    }
}
