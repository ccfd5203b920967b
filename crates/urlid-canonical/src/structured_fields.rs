//! Dictionaries of structured fields of HTTP (RFC 9651, section 4.2.2), as far as `No-Vary-Search` needs
//! them. Every value is checked, and parameters are dropped.

/// The value of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Boolean(bool),
    /// A string.
    Text(String),
    /// An inner list.
    List(Vec<Member>),
    /// A number, a token, bytes, a date or a display string.
    Other,
}

/// Reads the members of a dictionary. The last of several members with one key counts. Returns `None` if the
/// field is malformed.
pub(super) fn dictionary(field: &str) -> Option<Vec<(String, Member)>> {
    let mut reader = Reader(field.trim_matches(' ').as_bytes());
    let mut members: Vec<(String, Member)> = Vec::new();
    while !reader.0.is_empty() {
        let key = reader.key()?;
        let value = if reader.take(b"=") {
            reader.item_or_list()?
        } else {
            reader.parameters()?;
            Member::Boolean(true)
        };
        // A hostile field has many keys, but only three are ever looked up.
        if matches!(&*key, "params" | "except" | "key-order") {
            // RFC 9651, 4.2.2: the last of several members with one key counts.
            members.retain(|(other, _)| *other != key);
            members.push((key, value));
        }
        reader.skip(b" \t");
        if reader.0.is_empty() {
            break;
        }
        if !reader.take(b",") {
            return None;
        }
        reader.skip(b" \t");
        // RFC 9651, 4.2.2: a comma at the end is an error.
        if reader.0.is_empty() {
            return None;
        }
    }
    Some(members)
}

/// The part of a field that is not read yet.
struct Reader<'f>(&'f [u8]);

impl<'f> Reader<'f> {
    fn take(&mut self, prefix: &[u8]) -> bool {
        let rest = self.0.strip_prefix(prefix);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn skip(&mut self, bytes: &[u8]) {
        self.take_while(|byte| bytes.contains(&byte));
    }

    fn take_while(&mut self, is_in: impl Fn(u8) -> bool) -> &'f [u8] {
        let length = self.0.iter().position(|&byte| !is_in(byte)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn key(&mut self) -> Option<String> {
        if !matches!(self.0.first()?, b'a'..=b'z' | b'*') {
            return None;
        }
        let key =
            self.take_while(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'*'));
        Some(key.iter().copied().map(char::from).collect())
    }

    fn parameters(&mut self) -> Option<()> {
        while self.take(b";") {
            self.skip(b" ");
            self.key()?;
            if self.take(b"=") {
                self.bare_item()?;
            }
        }
        Some(())
    }

    fn item_or_list(&mut self) -> Option<Member> {
        if !self.take(b"(") {
            let value = self.bare_item()?;
            self.parameters()?;
            return Some(value);
        }
        let mut items = Vec::new();
        loop {
            // Section 4.2.1.2: items are separated only by spaces, unlike members, which may also be
            // separated by tabs.
            self.skip(b" ");
            if self.take(b")") {
                self.parameters()?;
                return Some(Member::List(items));
            }
            items.push(self.bare_item()?);
            self.parameters()?;
            if !matches!(self.0.first()?, b' ' | b')') {
                return None;
            }
        }
    }

    fn bare_item(&mut self) -> Option<Member> {
        match self.0.first()? {
            b'?' => match self.0.get(1)? {
                flag @ (b'0' | b'1') => {
                    self.0 = &self.0[2..];
                    Some(Member::Boolean(*flag == b'1'))
                }
                _ => None,
            },
            b'"' => self.string().map(Member::Text),
            b'-' | b'0'..=b'9' => self.number().map(|_| Member::Other),
            b'A'..=b'Z' | b'a'..=b'z' | b'*' => {
                self.take_while(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte));
                Some(Member::Other)
            }
            b':' => {
                self.take(b":");
                self.take_while(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
                self.take(b":").then_some(Member::Other)
            }
            b'@' => {
                self.take(b"@");
                // Section 4.2.9: a date is an integer.
                self.number().filter(|is_integer| *is_integer).map(|_| Member::Other)
            }
            b'%' => self.display_string(),
            _ => None,
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take(b"\"");
        let mut text = String::new();
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            match byte {
                b'"' => return Some(text),
                b'\\' => {
                    let (&escaped, rest) = self.0.split_first()?;
                    if !matches!(escaped, b'"' | b'\\') {
                        return None;
                    }
                    self.0 = rest;
                    text.push(char::from(escaped));
                }
                b' '..=b'~' => text.push(char::from(byte)),
                _ => return None,
            }
        }
    }

    /// Reads a number, and returns whether it is an integer.
    fn number(&mut self) -> Option<bool> {
        self.take(b"-");
        let digits = self.take_while(|byte| byte.is_ascii_digit()).len();
        if !self.take(b".") {
            // Section 4.2.4: at most 15 digits. A decimal number has up to 12 before the point and 3 after
            // it.
            return (1..=15).contains(&digits).then_some(true);
        }
        let decimals = self.take_while(|byte| byte.is_ascii_digit()).len();
        ((1..=12).contains(&digits) && (1..=3).contains(&decimals)).then_some(false)
    }

    fn display_string(&mut self) -> Option<Member> {
        if !self.take(b"%\"") {
            return None;
        }
        let mut bytes = Vec::new();
        loop {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            match byte {
                b'"' => return String::from_utf8(bytes).ok().map(|_| Member::Other),
                b'%' => {
                    let (digits, rest) = self.0.split_first_chunk::<2>()?;
                    // Section 4.2.10: capital hexadecimal digits are an error.
                    let is_lower = digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
                    bytes.push(urlid::internal::escape::escaped_byte(digits).filter(|_| is_lower)?);
                    self.0 = rest;
                }
                b' '..=b'~' => bytes.push(byte),
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_are_read_and_all_else_is_malformed() {
        for field in [
            "",
            " params ",
            "a=1;b=2;c, params=(\"a\" \"b\";x)  ,\tb=?0",
            "a=-1.5, b=tok/en:x, c=:YQ==:, d=@-12, e=%\"%c3%bc\", f=\"\\\"\\\\\", *g.-_=()",
            "a=( 1 2 )",
        ] {
            assert!(dictionary(field).is_some(), "{field}");
        }
        for field in [
            ",",
            "a,",
            "a b",
            "A",
            "1",
            "a=",
            "a=(",
            "a=(1",
            "a=(1\"b\")",
            "a=(1,2)",
            "a=\"",
            "a=\"\\a\"",
            "a=\"\u{fc}\"",
            "a=?2",
            "a=1.",
            "a=1.2345",
            "a=1234567890123456",
            "a=-",
            "a=@1.5",
            "a=:a",
            "a=%\"%C3\"",
            "a=%\"%c3\"",
            "a=%x",
            "a;=1",
            "a;B",
            "\u{fc}",
            "a=1,,b",
        ] {
            assert_eq!(dictionary(field), None, "{field}");
        }
        let last = dictionary("params=1, params=(\"a\"), params=?1;x");
        assert_eq!(last, Some(vec![("params".to_owned(), Member::Boolean(true))]));
    }
}
