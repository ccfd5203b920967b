//! Choices about a table: its format and its columns.

/// The format of a table of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Comma-separated values (RFC 4180).
    Csv,
    /// Tab-separated values without quotes; `\t`, `\n`, `\r` and `\\` stand for characters.
    Tsv,
    /// A JSON object on each line.
    Ndjson,
}

impl Dialect {
    /// Recognises the format by the first line: an object, or names separated by tabs.
    pub(super) fn of_line(line: &[u8]) -> Self {
        match line {
            _ if line.trim_ascii_start().starts_with(b"{") => Dialect::Ndjson,
            _ if line.contains(&b'\t') => Dialect::Tsv,
            _ => Dialect::Csv,
        }
    }
}

/// How a caller names a column.
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
