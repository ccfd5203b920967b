//! Rows of JSON of the Wayback CDX server, each on a line of its own, also where they were written on one
//! line.

use crate::lines::stream::ByteStream;
use urlid::Error;

/// The bytes that are read at once.
const STEP: usize = 64 << 10;

/// An array of arrays with a line end after each of them, and no space outside of texts.
///
/// A row that lacks its end does not hide the next one: a row has no array in it, and a text no line end.
pub(crate) struct RowLines {
    stream: Box<dyn ByteStream>,
    read: Vec<u8>,
    lines: Vec<u8>,
    /// The bytes of `lines` that were returned.
    used: usize,
    depth: u32,
    text: Text,
}

/// The place of the next byte in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Outside,
    Inside,
    /// After a backslash.
    Escaped,
}

impl RowLines {
    pub(crate) fn new(stream: Box<dyn ByteStream>) -> Self {
        let (read, lines) = (vec![0; STEP], Vec::new());
        RowLines { stream, read, lines, used: 0, depth: 0, text: Text::Outside }
    }

    fn push(&mut self, byte: u8) {
        match (self.text, byte) {
            (Text::Outside, b'"') => self.text = Text::Inside,
            (Text::Outside, b'[') => {
                // A row has no array in it, so the row before lacks its end.
                if self.depth == 2 {
                    self.lines.push(b'\n');
                } else {
                    self.depth += 1;
                }
            }
            (Text::Outside, b']') if self.depth == 1 => {
                // The line of the last row ends here, so that it is whole even if reading fails after it.
                self.depth = 0;
                self.lines.extend(b"]\n");
                return;
            }
            (Text::Outside, b']') => self.depth = self.depth.saturating_sub(1),
            (Text::Outside, b',') if self.depth < 2 => {
                self.lines.extend(b",\n");
                return;
            }
            (Text::Outside, byte) if byte.is_ascii_whitespace() => return,
            (Text::Inside, b'"') => self.text = Text::Outside,
            // A text has no line end in it, so the text and its row are cut off here.
            (_, b'\n' | b'\r') => (self.text, self.depth) = (Text::Outside, self.depth.min(1)),
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Escaped, _) => self.text = Text::Inside,
            _ => {}
        }
        self.lines.push(byte);
    }
}

impl ByteStream for RowLines {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        while self.used == self.lines.len() && !room.is_empty() {
            self.used = 0;
            self.lines.clear();
            let n = self.stream.read(&mut self.read)?;
            if n == 0 {
                return Ok(0);
            }
            for index in 0..n {
                self.push(self.read[index]);
            }
        }
        let n = room.len().min(self.lines.len() - self.used);
        room[..n].copy_from_slice(&self.lines[self.used..self.used + n]);
        self.used += n;
        Ok(n)
    }

    fn is_ready(&mut self) -> bool {
        self.used < self.lines.len() || self.stream.is_ready()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::stream::ReaderStream;

    /// Returns what is read a few bytes at a time.
    fn lines(rows: &str, step: usize) -> String {
        let stream = Box::new(ReaderStream(std::io::Cursor::new(rows.to_owned())));
        let (mut rows, mut out, mut room) = (RowLines::new(stream), Vec::new(), vec![0; step]);
        loop {
            match rows.read(&mut room).expect("memory can be read") {
                0 => return String::from_utf8(out).expect("it was text"),
                n => out.extend_from_slice(&room[..n]),
            }
        }
    }

    #[test]
    fn each_row_is_a_line() {
        for (rows, expected) in [
            (r#"[["a","b"],["c","d"]]"#, "[[\"a\",\"b\"],\n[\"c\",\"d\"]]\n"),
            ("[[\"a\", \"b\"],\n [\"c\",\n\t\"d\"]\r\n]\n", "[[\"a\",\"b\"],\n[\"c\",\"d\"]]\n"),
            (r#"[["a [\", ],["],["\\"],["]"]]"#, "[[\"a [\\\", ],[\"],\n[\"\\\\\"],\n[\"]\"]]\n"),
            ("[[\"a\"],\n[\"b\",\n[\"c\"]]", "[[\"a\"],\n[\"b\",\n[\"c\"]]\n"),
            ("[[\"a\"],\n[\"b\n[\"c\"]]", "[[\"a\"],\n[\"b\n[\"c\"]]\n"),
            ("[[\"a\"],\r[\"b\r[\"c\"]]\r", "[[\"a\"],\n[\"b\r[\"c\"]]\n"),
            ("[[\"a\"]]\n[[\"b\"]]", "[[\"a\"]]\n[[\"b\"]]\n"),
            ("[]", "[]\n"),
            ("]],x", "]],\nx"),
            ("", ""),
        ] {
            for step in [1, 3, 100] {
                assert_eq!(lines(rows, step), expected, "{rows}");
            }
        }
    }
}
