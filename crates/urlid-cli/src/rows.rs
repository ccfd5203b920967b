//! Rows in the four formats.
//!
//! All commands use this writer, so escaping is in one place. A row has the same columns in each format but `text`, which is
//! for people and pipes and shows the columns that its command chose.

mod fields;

use clap::{Args, ValueEnum};
use memchr::{memchr, memchr3};

use crate::escape::Escaped;
use crate::exit::Failure;
use crate::json;
use crate::output::Output;

pub(crate) use fields::{one_line, push_csv, push_tsv};
use fields::{push_line, push_short, push_text};

/// The choice of the output format.
#[derive(Debug, Args)]
pub(crate) struct FormatArg {
    /// The format of the output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// The format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The values only, separated by tabs; LF in a value as \n, and tab as \t where a row has several values
    #[default]
    Text,
    /// One JSON object per line
    Ndjson,
    /// Comma-separated values with a header (RFC 4180, lines end with LF)
    Csv,
    /// Tab-separated values with a header; tab, LF, CR and backslash as \t \n \r \\
    Tsv,
}

/// A column of a command's output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    /// The name in headers and objects.
    pub(crate) name: &'a str,
    /// In which formats the column is shown.
    pub(crate) shown: Shown,
}

/// In which formats a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// In all of them.
    Always,
    /// In all but `text`.
    NotInText,
    /// In `ndjson` only.
    InJson,
}

/// A value of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    /// Nothing: null in JSON, an empty field elsewhere. An empty text is a field of two quotes in CSV.
    Null,
    /// A text, escaped by the rules of the format.
    Text(&'a str),
    /// A text that is more than one line of `text` if it has line ends.
    Lines(&'a str),
    /// A line of input, which is null if it is not UTF-8.
    Line(&'a [u8]),
    /// A whole number.
    Number(u64),
    /// Something that is JSON already; in other formats it is a text.
    Json(&'a str),
    /// Several things: a JSON list, and a text in other formats.
    List {
        /// The text.
        text: &'a str,
        /// The list.
        json: &'a str,
    },
}

/// The treatment of control characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Every byte unchanged, for programs.
    Exact,
    /// Characters that a terminal would act on are escaped, in every format.
    Visible,
}

/// Writes the rows of one table.
#[derive(Clone)]
pub(crate) struct Rows {
    format: Format,
    shows: Shows,
    /// The bytes before the values of each column; `None` for a column that the format does not show.
    columns: Vec<Option<Vec<u8>>>,
    /// Whether one column is shown.
    has_one: bool,
    /// The row that is being written.
    buffer: Vec<u8>,
}

impl Rows {
    /// Returns a writer of rows with these columns.
    pub(crate) fn new(format: Format, columns: &[Column<'_>], shows: Shows) -> Self {
        let is_shown = |shown: Shown| match format {
            Format::Text => shown == Shown::Always,
            Format::Csv | Format::Tsv => shown != Shown::InJson,
            Format::Ndjson => true,
        };
        let mut is_first = true;
        let mut before = |column: &Column<'_>| {
            is_shown(column.shown).then(|| before_value(format, std::mem::take(&mut is_first), column.name))
        };
        let columns: Vec<_> = columns.iter().map(&mut before).collect();
        let has_one = columns.iter().flatten().count() == 1;
        Rows { format, shows, columns, has_one, buffer: Vec::new() }
    }

    /// Begins a table on `out`, with a header where the format has one.
    pub(crate) fn begin(out: &mut Output, format: Format, columns: &[Column<'_>]) -> Result<Self, Failure> {
        let rows = Rows::new(format, columns, if out.is_terminal() { Shows::Visible } else { Shows::Exact });
        if matches!(format, Format::Csv | Format::Tsv) {
            let names: Vec<_> = columns.iter().map(|column| Value::Text(column.name)).collect();
            let mut header = Vec::new();
            rows.push(&mut header, &names);
            out.write(&header)?;
        }
        Ok(rows)
    }

    /// Writes a row, a value for each column.
    pub(crate) fn write(&mut self, out: &mut Output, values: &[Value<'_>]) -> Result<(), Failure> {
        let mut row = std::mem::take(&mut self.buffer);
        row.clear();
        self.push(&mut row, values);
        self.buffer = row;
        out.write(&self.buffer)
    }

    /// Writes the row of a blank line: in the format for people that is a blank line too.
    pub(crate) fn write_blank(&mut self, out: &mut Output, values: &[Value<'_>]) -> Result<(), Failure> {
        match self.format {
            Format::Text => out.write(b"\n"),
            _ => self.write(out, values),
        }
    }

    /// Writes a blank line, in the format for people only.
    pub(crate) fn separate(&self, out: &mut Output) -> Result<(), Failure> {
        match self.format {
            Format::Text => out.write(b"\n"),
            _ => Ok(()),
        }
    }

    /// Appends a row with its line end, a value for each column.
    pub(crate) fn push(&self, row: &mut Vec<u8>, values: &[Value<'_>]) {
        let mut row = self.row(row);
        values.iter().for_each(|value| row.push(*value));
        row.end();
    }

    /// Begins a row, which is appended to `out`.
    pub(crate) fn row<'r>(&'r self, out: &'r mut Vec<u8>) -> RowWriter<'r> {
        RowWriter { rows: self, out, column: 0 }
    }

    /// Appends a value in a format that is not JSON.
    fn push_value(&self, row: &mut Vec<u8>, value: Value<'_>, push: impl Fn(&mut Vec<u8>, &str)) {
        let text = match value {
            Value::Null => return,
            Value::Number(number) => return push_number(row, number),
            Value::Line(line) if !line.is_empty() && is_plain(line) => return row.extend_from_slice(line),
            Value::Line(line) => match str::from_utf8(line) {
                Ok(text) => text,
                Err(_) => return,
            },
            Value::Lines(text) if self.format == Format::Text => return self.push_lines(row, text),
            Value::Text(text) | Value::Lines(text) | Value::Json(text) | Value::List { text, .. } => text,
        };
        match self.shows {
            Shows::Visible => push(row, &Escaped(text.as_bytes()).to_string()),
            Shows::Exact => push(row, text),
        }
    }

    /// Appends a text of several lines.
    fn push_lines(&self, row: &mut Vec<u8>, text: &str) {
        match self.shows {
            Shows::Visible => {
                let lines = text.split('\n').map(|line| Escaped(line.as_bytes()).to_string());
                row.extend_from_slice(lines.collect::<Vec<_>>().join("\n").as_bytes());
            }
            Shows::Exact => row.extend_from_slice(text.as_bytes()),
        }
    }
}

/// A row that is being written.
pub(crate) struct RowWriter<'r> {
    rows: &'r Rows,
    out: &'r mut Vec<u8>,
    /// The column of the next value.
    column: usize,
}

impl RowWriter<'_> {
    /// Appends the value of the next column.
    pub(crate) fn push(&mut self, value: Value<'_>) {
        let before = self.rows.columns.get(self.column).and_then(Option::as_deref);
        self.column += 1;
        let Some(before) = before else { return };
        match *before {
            [separator] => self.out.push(separator),
            _ => self.out.extend_from_slice(before),
        }
        match self.rows.format {
            Format::Ndjson => push_json(self.out, value),
            Format::Text if self.rows.has_one => self.rows.push_value(self.out, value, push_line),
            Format::Text => self.rows.push_value(self.out, value, push_text),
            Format::Csv => self.rows.push_value(self.out, value, push_csv),
            Format::Tsv => self.rows.push_value(self.out, value, push_tsv),
        }
    }

    /// Returns whether pieces of `text`, which is printable ASCII, are certainly written unchanged.
    pub(crate) fn is_unescaped(&self, text: &str) -> bool {
        let text = text.as_bytes();
        match self.rows.format {
            Format::Text => true,
            Format::Tsv => memchr(b'\\', text).is_none(),
            // A space needs quotes only at the ends of a piece, but any space may be one of these.
            Format::Csv => memchr3(b'"', b',', b' ', text).is_none(),
            // Texts need quotes, numbers do not, and this writer cannot tell them apart here.
            Format::Ndjson => false,
        }
    }

    /// Appends the values of the next columns, which all formats show, without escaping.
    pub(crate) fn push_unescaped(&mut self, values: &[Option<&str>]) {
        let is_csv = self.rows.format == Format::Csv;
        let separator = if is_csv { b',' } else { b'\t' };
        let before = self.rows.columns.get(self.column).and_then(Option::as_deref);
        self.column += values.len();
        self.out.extend_from_slice(before.unwrap_or_default());
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push(separator);
            }
            match value {
                Some("") if is_csv => self.out.extend_from_slice(b"\"\""),
                Some(value) => push_short(self.out, value.as_bytes()),
                None => {}
            }
        }
    }

    /// Ends the row; columns without a value are null.
    pub(crate) fn end(mut self) {
        while self.column < self.rows.columns.len() {
            self.push(Value::Null);
        }
        self.out.extend_from_slice(if self.rows.format == Format::Ndjson { b"}\n" } else { b"\n" });
    }
}

/// Returns the bytes before a value: the separator, and in JSON the name of the column.
fn before_value(format: Format, is_first: bool, name: &str) -> Vec<u8> {
    let separator: &[u8] = match (format, is_first) {
        (Format::Ndjson, true) => b"{",
        (_, true) => b"",
        (Format::Text | Format::Tsv, false) => b"\t",
        (Format::Csv | Format::Ndjson, false) => b",",
    };
    let mut before = separator.to_vec();
    if format == Format::Ndjson {
        json::push_string(&mut before, name);
        before.push(b':');
    }
    before
}

fn push_json(row: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::Null => row.extend_from_slice(b"null"),
        Value::Text(text) | Value::Lines(text) => json::push_string(row, text),
        Value::Line(line) => {
            if !json::push_plain(row, line) {
                match str::from_utf8(line) {
                    Ok(text) => json::push_string(row, text),
                    Err(_) => row.extend_from_slice(b"null"),
                }
            }
        }
        Value::Number(number) => push_number(row, number),
        Value::Json(json) | Value::List { json, .. } => row.extend_from_slice(json.as_bytes()),
    }
}

fn push_number(row: &mut Vec<u8>, number: u64) {
    row.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

/// Returns whether bytes are ASCII that no format escapes, as most URLs are.
fn is_plain(line: &[u8]) -> bool {
    // No early exit, so that the loop compiles to vector instructions.
    let is_plain = |byte: u8| matches!(byte, b'!'..=b'~') & (byte != b'"') & (byte != b',') & (byte != b'\\');
    line.iter().fold(true, |plain, &byte| plain & is_plain(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, is_terminal: bool, expected: &str) {
        let column = |name, shown| Column { name, shown };
        let columns = [
            column("line", Shown::InJson),
            column("url", Shown::NotInText),
            column("id", Shown::Always),
            column("n", Shown::Always),
        ];
        let rows = Rows::new(format, &columns, if is_terminal { Shows::Visible } else { Shows::Exact });
        let mut row = Vec::new();
        let url = "a,\"b\"\tc\\d\r\n";
        let last = Value::Text("\u{1b}[0m ");
        rows.push(&mut row, &[Value::Number(7), Value::Line(url.as_bytes()), Value::Null, last]);
        assert_eq!(String::from_utf8(row), Ok(format!("{expected}\n")));
    }

    #[test]
    fn an_empty_text_is_no_null_where_the_format_has_both() {
        for (format, expected) in [
            (Format::Text, "\t"),
            (Format::Csv, "\"\","),
            (Format::Tsv, "\t"),
            (Format::Ndjson, r#"{"a":"","b":null}"#),
        ] {
            let columns = ["a", "b"].map(|name| Column { name, shown: Shown::Always });
            let rows = Rows::new(format, &columns, Shows::Exact);
            let mut row = Vec::new();
            rows.push(&mut row, &[Value::Text(""), Value::Null]);
            assert_eq!(String::from_utf8(row), Ok(format!("{expected}\n")));
        }
    }

    #[test]
    fn each_format_escapes_in_its_own_way() {
        check(Format::Text, false, "\t\u{1b}[0m ");
        check(Format::Text, true, "\t\\x1b[0m ");
        check(Format::Csv, false, "\"a,\"\"b\"\"\tc\\d\r\n\",,\"\u{1b}[0m \"");
        check(Format::Csv, true, "\"a,\"\"b\"\"\\x09c\\d\\x0d\\x0a\",,\"\\x1b[0m \"");
        check(Format::Tsv, false, "a,\"b\"\\tc\\\\d\\r\\n\t\t\u{1b}[0m ");
        check(Format::Ndjson, true, r#"{"line":7,"url":"a,\"b\"\tc\\d\r\n","id":null,"n":"\u001b[0m "}"#);
    }
}
