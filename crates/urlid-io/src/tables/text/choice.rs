//! Choices about a table: its format and its columns.

/// The format of a table of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Fields that may be quoted (RFC 4180), with this character between them.
    Csv(Separator),
    /// Tab-separated values without quotes; `\t`, `\n`, `\r` and `\\` stand for characters.
    Tsv,
    /// A JSON object on each line.
    Ndjson,
}

/// The character between the fields of CSV: ASCII, and neither a quote nor part of a line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separator(u8);

impl Separator {
    /// That of RFC 4180.
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

    /// Recognises the format by the first line: an object, or names separated by tabs.
    pub(super) fn of_line(line: &[u8]) -> Self {
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
            Dialect::Tsv | Dialect::Ndjson => b'\t',
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
