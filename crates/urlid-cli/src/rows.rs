//! Rows in the four formats.
//!
//! One writer for all commands, so that escaping is right in one place. A row has the same columns in each format but
//! `text`, which is for people and pipes and shows the columns that its command chose.

use std::borrow::Cow;
use std::io::Write;

use clap::{Args, ValueEnum};
use memchr::{memchr, memchr_iter, memchr2, memchr3};

use crate::escape::Escaped;
use crate::exit::Failure;
use crate::json;
use crate::output::Output;

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
    /// Nothing; an empty text outside of JSON.
    Null,
    /// A text, escaped by the rules of the format.
    Text(&'a str),
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

/// Whether control characters are written as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Every byte as it is, for programs.
    Exact,
    /// What a terminal would act on is escaped, whatever the format.
    Visible,
}

/// Writes the rows of one table.
#[derive(Clone)]
pub(crate) struct Rows {
    format: Format,
    shows: Shows,
    /// The columns that the format shows: their places among all columns, and their names.
    columns: Vec<(usize, String)>,
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
        let columns = columns
            .iter()
            .enumerate()
            .filter(|(_, column)| is_shown(column.shown))
            .map(|(index, column)| (index, column.name.to_owned()))
            .collect();
        Rows { format, shows, columns, buffer: Vec::new() }
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

    /// Appends what stands for a row that is left out: nothing, or a blank line that [`number_rows`] counts and drops.
    pub(crate) fn push_left_out(&self, rows: &mut Vec<u8>) {
        if self.format == Format::Ndjson {
            rows.push(b'\n');
        }
    }

    /// Appends a row with its line end, a value for each column.
    pub(crate) fn push(&self, row: &mut Vec<u8>, values: &[Value<'_>]) {
        self.push_each(row, values.iter().copied());
    }

    /// Appends a row of values that come one after the other.
    pub(crate) fn push_each<'v>(&self, row: &mut Vec<u8>, values: impl IntoIterator<Item = Value<'v>>) {
        let mut values = values.into_iter().enumerate();
        let separator = match self.format {
            Format::Text | Format::Tsv => b'\t',
            Format::Csv | Format::Ndjson => b',',
        };
        for (index, (column, name)) in self.columns.iter().enumerate() {
            if index > 0 {
                row.push(separator);
            }
            let value = values.find(|(index, _)| index == column).map_or(Value::Null, |(_, value)| value);
            match self.format {
                Format::Ndjson => {
                    if index == 0 {
                        row.push(b'{');
                    }
                    json::push_string(row, name);
                    row.push(b':');
                    push_json(row, value);
                }
                Format::Text if self.columns.len() == 1 => {
                    self.push_value(row, value, is_one_line, push_line)
                }
                Format::Text => self.push_value(row, value, is_plain_text, push_text),
                Format::Csv => self.push_value(row, value, is_plain_csv, push_csv),
                Format::Tsv => self.push_value(row, value, is_plain_tsv, push_tsv),
            }
        }
        row.extend_from_slice(if self.format == Format::Ndjson { b"}\n" } else { b"\n" });
    }

    /// Appends a value in a format that is not JSON.
    fn push_value(
        &self,
        row: &mut Vec<u8>,
        value: Value<'_>,
        is_plain: impl Fn(&[u8]) -> bool,
        push: impl Fn(&mut Vec<u8>, &str),
    ) {
        let text = match value {
            Value::Null => return,
            Value::Number(number) => return push_number(row, number),
            Value::Line(line) if self.shows == Shows::Exact && is_plain(line) && line.is_ascii() => {
                return row.extend_from_slice(line);
            }
            Value::Line(line) => str::from_utf8(line).unwrap_or_default(),
            Value::Text(text) | Value::Json(text) | Value::List { text, .. } => text,
        };
        match self.shows {
            Shows::Visible => push(row, &Escaped(text.as_bytes()).to_string()),
            Shows::Exact => push(row, text),
        }
    }
}

fn push_json(row: &mut Vec<u8>, value: Value<'_>) {
    match value {
        Value::Null => row.extend_from_slice(b"null"),
        Value::Text(text) => json::push_string(row, text),
        Value::Line(line) => match str::from_utf8(line) {
            Ok(text) => json::push_string(row, text),
            Err(_) => row.extend_from_slice(b"null"),
        },
        Value::Number(number) => push_number(row, number),
        Value::Json(json) | Value::List { json, .. } => row.extend_from_slice(json.as_bytes()),
    }
}

fn push_number(row: &mut Vec<u8>, number: u64) {
    write!(row, "{number}").expect("writing to a Vec does not fail");
}

/// Appends the only value of a row of text, which stays one line.
fn push_line(row: &mut Vec<u8>, text: &str) {
    row.extend_from_slice(one_line(text).as_bytes());
}

/// Returns a text as one line: LF as `\n`.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    match is_one_line(text.as_bytes()) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.replace('\n', "\\n")),
    }
}

/// Appends one of several values of a row of text.
fn push_text(row: &mut Vec<u8>, text: &str) {
    match is_plain_text(text.as_bytes()) {
        true => row.extend_from_slice(text.as_bytes()),
        false => push_line(row, &text.replace('\t', "\\t")),
    }
}

fn is_one_line(text: &[u8]) -> bool {
    memchr(b'\n', text).is_none()
}

fn is_plain_text(text: &[u8]) -> bool {
    memchr2(b'\t', b'\n', text).is_none()
}

/// Appends a field of CSV.
pub(crate) fn push_csv(row: &mut Vec<u8>, text: &str) {
    if is_plain_csv(text.as_bytes()) {
        return row.extend_from_slice(text.as_bytes());
    }
    row.push(b'"');
    row.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    row.push(b'"');
}

/// Appends a field of TSV.
pub(crate) fn push_tsv(row: &mut Vec<u8>, text: &str) {
    if is_plain_tsv(text.as_bytes()) {
        return row.extend_from_slice(text.as_bytes());
    }
    for &byte in text.as_bytes() {
        match byte {
            b'\t' => row.extend_from_slice(b"\\t"),
            b'\n' => row.extend_from_slice(b"\\n"),
            b'\r' => row.extend_from_slice(b"\\r"),
            b'\\' => row.extend_from_slice(b"\\\\"),
            _ => row.push(byte),
        }
    }
}

/// Whether a text needs no quotes in a field of CSV.
fn is_plain_csv(text: &[u8]) -> bool {
    memchr3(b'"', b',', b'\n', text).is_none()
        && memchr(b'\r', text).is_none()
        && text.trim_ascii().len() == text.len()
}

/// Whether a text needs no escaping in a field of TSV.
fn is_plain_tsv(text: &[u8]) -> bool {
    memchr3(b'\t', b'\r', b'\n', text).is_none() && memchr(b'\\', text).is_none()
}

/// Appends rows of ndjson with their numbers as first members; the first row has the number `first`, and blank lines stand
/// for rows that are left out.
pub(crate) fn number_rows(rows: &[u8], first: u64, out: &mut Vec<u8>) {
    let mut digits = first.to_string().into_bytes();
    let mut start = 0;
    for end in memchr_iter(b'\n', rows) {
        if let Some(members) = rows[start..=end].strip_prefix(b"{") {
            out.extend_from_slice(b"{\"line\":");
            out.extend_from_slice(&digits);
            out.push(b',');
            out.extend_from_slice(members);
        }
        start = end + 1;
        increment(&mut digits);
    }
}

/// Adds one to a decimal number.
fn increment(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        match *digit {
            b'9' => *digit = b'0',
            _ => {
                *digit += 1;
                return;
            }
        }
    }
    digits.insert(0, b'1');
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
    fn each_format_escapes_in_its_own_way() {
        check(Format::Text, false, "\t\u{1b}[0m ");
        check(Format::Text, true, "\t\\x1b[0m ");
        check(Format::Csv, false, "\"a,\"\"b\"\"\tc\\d\r\n\",,\"\u{1b}[0m \"");
        check(Format::Csv, true, "\"a,\"\"b\"\"\\x09c\\d\\x0d\\x0a\",,\"\\x1b[0m \"");
        check(Format::Tsv, false, "a,\"b\"\\tc\\\\d\\r\\n\t\t\u{1b}[0m ");
        check(Format::Ndjson, true, r#"{"line":7,"url":"a,\"b\"\tc\\d\r\n","id":null,"n":"\u001b[0m "}"#);
    }

    #[test]
    fn a_row_of_text_is_one_line_with_a_tab_between_values() {
        let column = Column { name: "n", shown: Shown::Always };
        let value = Value::Text("a\tb\nc\\");
        for (width, expected) in [(1, "a\tb\\nc\\\n"), (2, "a\\tb\\nc\\\ta\\tb\\nc\\\n")] {
            let mut row = Vec::new();
            Rows::new(Format::Text, &vec![column; width], Shows::Exact).push(&mut row, &vec![value; width]);
            assert_eq!(str::from_utf8(&row), Ok(expected));
        }
    }

    #[test]
    fn rows_are_numbered_without_gaps() {
        let mut out = Vec::new();
        number_rows(b"{\"a\":1}\n{\"a\":2}\n\n{\"a\":4}\n", 99, &mut out);
        let expected = "{\"line\":99,\"a\":1}\n{\"line\":100,\"a\":2}\n{\"line\":102,\"a\":4}\n";
        assert_eq!(str::from_utf8(&out), Ok(expected));
        let mut digits = b"0".to_vec();
        for number in 1..2000 {
            increment(&mut digits);
            assert_eq!(digits, number.to_string().into_bytes());
        }
    }
}
