//! Rows on standard output, in the four formats.
//!
//! One writer for all commands, so that escaping is right in one place. A row has the same columns in each format but
//! `text`, which is for people and pipes and shows the columns that its command chose.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

use clap::ValueEnum;
use memchr::{memchr, memchr3};

use crate::escape::Escaped;
use crate::exit::Failure;
use crate::json;

/// The format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The bare values, tab-separated
    #[default]
    Text,
    /// One JSON object a line
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
    /// A text, escaped as the format wants it.
    Text(&'a str),
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

/// Standard output.
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    is_terminal: bool,
}

impl Output {
    /// Opens standard output.
    pub(crate) fn stdout() -> io::Result<Self> {
        let is_terminal = io::stdout().is_terminal();
        Ok(Output { writer: BufWriter::with_capacity(64 << 10, raw_stdout()?), is_terminal })
    }

    /// Writes bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.writer.write_all(bytes)?)
    }

    /// Writes a line of text for people; control characters are escaped on a terminal.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        match self.is_terminal {
            true => writeln!(self.writer, "{}", Escaped(text.as_bytes()))?,
            false => writeln!(self.writer, "{text}")?,
        }
        Ok(())
    }

    /// Returns where values write themselves as they are.
    pub(crate) fn writer(&mut self) -> &mut impl Write {
        &mut self.writer
    }

    /// Gives what was written so far to whoever reads it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.writer.flush()?)
    }
}

/// Returns the descriptor itself: the line buffer of `io::Stdout` would cost a write for every line.
#[cfg(unix)]
fn raw_stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;
    Ok(Box::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn raw_stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}

/// Writes the rows of one table.
pub(crate) struct Rows {
    out: Output,
    format: Format,
    /// The columns with their names.
    columns: Vec<(String, Shown)>,
    /// The row that is being put together.
    line: String,
}

impl Rows {
    /// Begins a table on standard output, with a header where the format has one.
    pub(crate) fn new(out: Output, format: Format, columns: &[Column<'_>]) -> Result<Self, Failure> {
        let columns = columns.iter().map(|column| (column.name.to_owned(), column.shown)).collect();
        let mut rows = Rows { out, format, columns, line: String::new() };
        if matches!(format, Format::Csv | Format::Tsv) {
            let names: Vec<_> = rows.columns.iter().map(|(name, _)| name.clone()).collect();
            rows.row(&names.iter().map(|name| Value::Text(name)).collect::<Vec<_>>())?;
        }
        Ok(rows)
    }

    /// Writes a row, a value for each column.
    pub(crate) fn row(&mut self, values: &[Value<'_>]) -> Result<(), Failure> {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        self.push_row(&mut line, values);
        line.push('\n');
        let result = self.out.write(line.as_bytes());
        self.line = line;
        result
    }

    /// Writes the row of a blank line: in the format for people that is a blank line too.
    pub(crate) fn blank(&mut self, values: &[Value<'_>]) -> Result<(), Failure> {
        match self.format {
            Format::Text => self.out.write(b"\n"),
            _ => self.row(values),
        }
    }

    /// Writes a blank line, in the format for people only.
    pub(crate) fn separate(&mut self) -> Result<(), Failure> {
        match self.format {
            Format::Text => self.out.write(b"\n"),
            _ => Ok(()),
        }
    }

    /// Gives what was written so far to whoever reads it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()
    }

    fn push_row(&self, line: &mut String, values: &[Value<'_>]) {
        let separator = match self.format {
            Format::Text | Format::Tsv => '\t',
            Format::Csv | Format::Ndjson => ',',
        };
        let shown = self.columns.iter().zip(values).filter(|((_, shown), _)| match self.format {
            Format::Text => *shown == Shown::Always,
            Format::Csv | Format::Tsv => *shown != Shown::InJson,
            Format::Ndjson => true,
        });
        if self.format == Format::Ndjson {
            line.push('{');
        }
        for (index, ((name, _), value)) in shown.enumerate() {
            if index > 0 {
                line.push(separator);
            }
            match self.format {
                Format::Ndjson => {
                    json::push_string(line, name);
                    line.push(':');
                    push_json(line, *value);
                }
                Format::Text => self.push_plain(line, *value, String::push_str),
                Format::Csv => self.push_plain(line, *value, push_csv),
                Format::Tsv => self.push_plain(line, *value, push_tsv),
            }
        }
        if self.format == Format::Ndjson {
            line.push('}');
        }
    }

    /// Appends a value that is no JSON; on a terminal no control character gets through, whatever the format.
    fn push_plain(&self, line: &mut String, value: Value<'_>, push_text: impl Fn(&mut String, &str)) {
        match value {
            Value::Null => {}
            Value::Text(text) | Value::Json(text) | Value::List { text, .. } => match self.out.is_terminal {
                true => push_text(line, &Escaped(text.as_bytes()).to_string()),
                false => push_text(line, text),
            },
            Value::Number(number) => line.push_str(&number.to_string()),
        }
    }
}

fn push_json(line: &mut String, value: Value<'_>) {
    match value {
        Value::Null => line.push_str("null"),
        Value::Text(text) => json::push_string(line, text),
        Value::Number(number) => line.push_str(&number.to_string()),
        Value::Json(json) | Value::List { json, .. } => line.push_str(json),
    }
}

pub(crate) fn push_csv(line: &mut String, text: &str) {
    if is_plain_csv(text.as_bytes()) {
        return line.push_str(text);
    }
    line.push('"');
    line.push_str(&text.replace('"', "\"\""));
    line.push('"');
}

pub(crate) fn push_tsv(line: &mut String, text: &str) {
    if is_plain_tsv(text.as_bytes()) {
        return line.push_str(text);
    }
    for character in text.chars() {
        match character {
            '\t' => line.push_str("\\t"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\\' => line.push_str("\\\\"),
            _ => line.push(character),
        }
    }
}

/// Returns whether a text stands for itself in a field of CSV.
pub(crate) fn is_plain_csv(text: &[u8]) -> bool {
    memchr3(b'"', b',', b'\n', text).is_none()
        && memchr(b'\r', text).is_none()
        && text.trim_ascii().len() == text.len()
}

/// Returns whether a text stands for itself in a field of TSV.
pub(crate) fn is_plain_tsv(text: &[u8]) -> bool {
    memchr3(b'\t', b'\r', b'\n', text).is_none() && memchr(b'\\', text).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(format: Format, is_terminal: bool, expected: &str) {
        let out = Output { writer: BufWriter::new(Box::new(io::sink())), is_terminal };
        let column = |name, shown| Column { name, shown };
        let columns = [
            column("line", Shown::InJson),
            column("url", Shown::NotInText),
            column("id", Shown::Always),
            column("n", Shown::Always),
        ];
        let rows = Rows::new(out, format, &columns).expect("a sink takes all");
        let mut line = String::new();
        let url = "a,\"b\"\tc\\d\r\n";
        rows.push_row(
            &mut line,
            &[Value::Number(7), Value::Text(url), Value::Null, Value::Text("\u{1b}[0m ")],
        );
        assert_eq!(line, expected);
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
