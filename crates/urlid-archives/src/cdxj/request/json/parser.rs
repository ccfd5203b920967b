//! The syntax of JSON, as Python's `json` module reads it.

/// The most digits of a whole number that Python reads.
const MAX_DIGITS: usize = 4300;

/// Parses a document in text.
pub(super) struct Parser<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    pub(super) tape: &'a mut Vec<u32>,
    /// The greatest depth of values within values.
    pub(super) max_depth: usize,
}

impl Parser<'_> {
    fn next(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.next() {
            self.at += 1;
        }
    }

    /// Skips this byte with the space around it, and returns whether it was there.
    fn skip(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_there = self.next() == Some(byte);
        if is_there {
            self.at += 1;
            self.skip_space();
        }
        is_there
    }

    fn push(&mut self) {
        // The cast is exact, because `MAX_BODY` keeps offsets far below 4 GiB.
        self.tape.push(self.at as u32);
    }

    pub(super) fn value(&mut self, depth: usize) -> Result<(), Fault> {
        let Some(first) = self.next() else { return Err(Fault::Syntax) };
        // Limits the recursion here and in the code that reads the values again.
        if depth > self.max_depth {
            return Err(Fault::Other);
        }
        self.push();
        let close = match first {
            b'"' => return self.string(),
            b'[' => b']',
            b'{' => b'}',
            _ => {
                let (len, is_whole) = scalar_len(&self.text[self.at..]).ok_or(Fault::Syntax)?;
                let digits = len - usize::from(first == b'-');
                if is_whole && digits > MAX_DIGITS {
                    return Err(Fault::Other);
                }
                self.at += len;
                return Ok(());
            }
        };
        let entry = self.tape.len();
        // Set at the end, when the entry after the last one is known.
        self.tape.push(0);
        self.at += 1;
        if !self.skip(close) {
            loop {
                if first == b'{' {
                    self.skip_space();
                    if self.next() != Some(b'"') {
                        return Err(Fault::Syntax);
                    }
                    self.push();
                    self.string()?;
                    if !self.skip(b':') {
                        return Err(Fault::Syntax);
                    }
                }
                self.skip_space();
                self.value(depth + 1)?;
                if !self.skip(b',') {
                    break;
                }
            }
            self.skip_space();
            if self.next() != Some(close) {
                return Err(Fault::Syntax);
            }
            self.at += 1;
        }
        self.tape[entry] = self.tape.len() as u32;
        Ok(())
    }

    /// Skips a string with its quotes.
    fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            match self.next().ok_or(Fault::Syntax)? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let len = match self.text.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if unit_at(self.text, self.at).is_some() => 6,
                        _ => return Err(Fault::Syntax),
                    };
                    self.at += len;
                }
                // Python rejects control characters in strings, unlike some parsers.
                0..=0x1f => return Err(Fault::Syntax),
                _ => self.at += 1,
            }
        }
    }
}

/// Returns the number of an escape `\uXXXX` at a place.
pub(super) fn unit_at(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)? as u16))
}

/// The words that are values.
const WORDS: [&str; 6] = ["null", "true", "false", "NaN", "Infinity", "-Infinity"];

/// Returns the length of the word or number at the start of a text, and whether it is a whole number.
pub(super) fn scalar_len(text: &[u8]) -> Option<(usize, bool)> {
    if let Some(word) = WORDS.iter().find(|word| text.starts_with(word.as_bytes())) {
        return Some((word.len(), false));
    }
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(text.starts_with(b"-"));
    let whole = match text.get(sign)? {
        // Leading zeros are not allowed. The rest of `01` is an error of the enclosing value.
        b'0' => sign + 1,
        b'1'..=b'9' => sign + digits(sign),
        _ => return None,
    };
    let mut len = whole;
    // As in Python, a point or an exponent without digits is not part of the number.
    if text.get(len) == Some(&b'.') && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if let Some(b'e' | b'E') = text.get(len) {
        let sign = usize::from(matches!(text.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits((len + 1 + sign).min(text.len()));
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    Some((len, len == whole))
}

/// The reason a body is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is not JSON, but its lines may be.
    Syntax,
    /// Its text is not Unicode, or it exceeds the limits of Python.
    Other,
}
