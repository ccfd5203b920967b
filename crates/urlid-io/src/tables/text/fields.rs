//! The formats of tables, the choice of a column, and the fields of a record with their ends and values.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use urlid::Error;

use super::log::LogFormat;
use crate::error;

/// A field as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    /// Its text, without quotes.
    pub(super) text: &'a [u8],
    pub(super) is_quoted: bool,
    /// The offset of its end as written, before the separator or line end.
    pub(super) end: usize,
    /// The offset after the separator or line end.
    pub(super) next: usize,
    pub(super) before: Before,
}

/// Whether the next field, the next record or the end of the bytes follows a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Field,
    Record,
    /// The end of the bytes.
    End,
}

/// The reason why a field does not end within the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoField {
    /// A quote is not closed.
    Unclosed,
    /// A closing quote is not followed by a separator or a line end.
    AfterQuote,
}

impl NoField {
    /// Returns the error of the record that starts at a line.
    pub(super) fn at(self, line: u64, dialect: Dialect) -> Error {
        match self {
            NoField::Unclosed => error::UNCLOSED.error().with_number(line),
            NoField::AfterQuote => {
                let separator = match dialect.separator() {
                    b',' => "a comma".to_owned(),
                    b'\t' => "a tab".to_owned(),
                    byte => format!("`{}`", byte.escape_ascii()),
                };
                error::AFTER_QUOTE
                    .error()
                    .with_number(line)
                    .with_expected(format!("{separator} or the line's end"))
            }
        }
    }
}

/// Reads the field at `start`. A CR at the end of the bytes is part of a line end, whose LF is missing or was
/// not read yet.
pub(super) fn field(bytes: &[u8], start: usize, dialect: Dialect) -> Result<Field<'_>, NoField> {
    let separator = dialect.separator();
    if matches!(dialect, Dialect::Csv(_)) && bytes.get(start) == Some(&b'"') {
        return quoted(bytes, start, separator);
    }
    let rest = &bytes[start..];
    let length = memchr2(separator, b'\n', rest).unwrap_or(rest.len());
    let (mut text, mut next, mut before) = (&rest[..length], start + length, Before::End);
    match rest.get(length) {
        Some(b'\n') => {
            text = text.strip_suffix(b"\r").unwrap_or(text);
            (next, before) = (next + 1, Before::Record);
        }
        Some(_) => (next, before) = (next + 1, Before::Field),
        None => text = text.strip_suffix(b"\r").unwrap_or(text),
    }
    Ok(Field { text, is_quoted: false, end: start + text.len(), next, before })
}

fn quoted(bytes: &[u8], start: usize, separator: u8) -> Result<Field<'_>, NoField> {
    let mut end = start + 1;
    loop {
        end += memchr(b'"', &bytes[end..]).ok_or(NoField::Unclosed)?;
        if bytes.get(end + 1) != Some(&b'"') {
            break;
        }
        // Both quotes are there, so this is at most the end of the bytes.
        end += 2;
    }
    let text = &bytes[start + 1..end];
    let end = end + 1;
    let (length, before) = match &bytes[end..] {
        [] => (0, Before::End),
        [byte, ..] if *byte == separator => (1, Before::Field),
        [b'\n', ..] => (1, Before::Record),
        [b'\r', b'\n', ..] => (2, Before::Record),
        [b'\r'] => (1, Before::End),
        _ => return Err(NoField::AfterQuote),
    };
    Ok(Field { text, is_quoted: true, end, next: end + length, before })
}

impl<'a> Field<'a> {
    /// Returns the value without its quotes and escapes.
    pub(super) fn value(&self, dialect: Dialect) -> Cow<'a, [u8]> {
        match dialect {
            Dialect::Csv(_) if self.is_quoted && memchr(b'"', self.text).is_some() => {
                Cow::Owned(unescaped(self.text, b'"', |next| (next == b'"').then_some(b'"')))
            }
            Dialect::Tsv if memchr(b'\\', self.text).is_some() => {
                Cow::Owned(unescaped(self.text, b'\\', |next| match next {
                    b't' => Some(b'\t'),
                    b'n' => Some(b'\n'),
                    b'r' => Some(b'\r'),
                    b'\\' => Some(b'\\'),
                    _ => None,
                }))
            }
            _ => Cow::Borrowed(self.text),
        }
    }
}

/// Replaces each `escape` and the byte after it by the result of `meant` for that byte. Keeps both if the
/// result is `None`.
fn unescaped(text: &[u8], escape: u8, meant: impl Fn(u8) -> Option<u8>) -> Vec<u8> {
    let mut value = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        match tail.first().and_then(|&next| meant(next)) {
            Some(character) if byte == escape => {
                value.push(character);
                rest = &tail[1..];
            }
            _ => {
                value.push(byte);
                rest = tail;
            }
        }
    }
    value
}

/// A value of a row in a column that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// The object lacks the member.
    Missing,
    /// JSON's `null`, or the field of an empty line.
    Null,
    /// A text, which may not be UTF-8.
    Text(Cow<'a, [u8]>),
    /// A number of JSON as written, and the error for places that expect a text.
    Number(&'a str, Error),
    /// A value that is not a text.
    Bad(Error),
}

/// The format of a table of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Fields that may be quoted (RFC 4180), with this character between them.
    Csv(Separator),
    /// Tab-separated values without quotes. `\t`, `\n`, `\r` and `\\` stand for characters.
    Tsv,
    /// A JSON object on each line.
    Ndjson,
    /// Lines of a log.
    Log(LogFormat),
}

/// The ASCII character between the fields of CSV. It cannot be a quote or part of a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separator(u8);

impl Separator {
    /// The separator of RFC 4180.
    pub const COMMA: Separator = Separator(b',');

    /// Returns a separator, or `None` for a character that cannot be one.
    pub fn new(character: char) -> Option<Self> {
        let is_possible = character.is_ascii() && !matches!(character, '"' | '\r' | '\n' | '\0');
        is_possible.then_some(Separator(character as u8))
    }

    /// Returns the character as its byte.
    pub fn byte(self) -> u8 {
        self.0
    }
}

impl Dialect {
    /// Comma-separated values.
    pub const CSV: Dialect = Dialect::Csv(Separator::COMMA);

    /// Recognises the format by the first line: an object, a line of a log, or names separated by tabs.
    pub(super) fn of_line(line: &[u8]) -> Self {
        if let Some(format) = LogFormat::of_line(line) {
            return Dialect::Log(format);
        }
        match line {
            _ if line.trim_ascii_start().starts_with(b"{") => Dialect::Ndjson,
            _ if line.contains(&b'\t') => Dialect::Tsv,
            _ => Dialect::CSV,
        }
    }

    /// Returns the byte between fields.
    pub(super) fn separator(self) -> u8 {
        match self {
            Dialect::Csv(separator) => separator.byte(),
            Dialect::Tsv | Dialect::Ndjson | Dialect::Log(_) => b'\t',
        }
    }
}

/// A column as a caller names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnChoice {
    /// By its name.
    Name(String),
    /// By its number, from 1.
    Number(usize),
}

impl From<&str> for ColumnChoice {
    fn from(name: &str) -> Self {
        ColumnChoice::Name(name.to_owned())
    }
}

/// Whether the first record of a table with separators names its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderRow {
    /// The first record has the names.
    Names,
    /// The first record is a row like the others.
    None,
}
