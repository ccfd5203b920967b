//! Rows in every format.
//!
//! All commands use this writer, so escaping is in one place. A row has the same columns in each format
//! except `text`, which is for people and pipes and shows the columns that its command chose. On a terminal,
//! `text` may be upright, with each value on a separate line after its name.

mod format;

use clap::{Args, ValueEnum};

use crate::output::Output;
use crate::output::json;
use crate::report::exit::Failure;

use format::push_short;
pub(crate) use format::{Format, Shown, Shows, Value, push_csv, push_tsv};

/// The choice of the output format.
#[derive(Debug, Args)]
pub(crate) struct FormatArg {
    /// Print the rows in this format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// The formats of verbs whose answer is one value, not rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Text for people
    #[default]
    Text,
    /// One JSON object for each answer
    #[value(alias = "ndjson")]
    Json,
}

/// A column of a command's output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    /// The name in headers and objects.
    pub(crate) name: &'a str,
    /// The formats that show the column.
    pub(crate) shown: Shown,
}

/// Writes the rows of one table.
#[derive(Clone)]
pub(crate) struct Rows {
    format: Format,
    shows: Shows,
    /// The bytes before the values of each column, or `None` for a column that the format does not show.
    columns: Vec<Option<Vec<u8>>>,
    /// Whether one column is shown.
    has_one: bool,
    /// Whether rows are upright. Each then has a blank line before it.
    are_upright: bool,
    /// The row that is being written.
    buffer: Vec<u8>,
    /// Whether a row was written.
    is_begun: bool,
}

impl Rows {
    /// Returns a writer of rows with these columns.
    pub(crate) fn new(format: Format, columns: &[Column<'_>], shows: Shows) -> Self {
        let mut is_first = true;
        let mut before = |column: &Column<'_>| {
            (column.shown <= format.layout().shown)
                .then(|| before_value(format, std::mem::take(&mut is_first), column.name))
        };
        let columns: Vec<_> = columns.iter().map(&mut before).collect();
        let has_one = columns.iter().flatten().count() == 1;
        Rows { format, shows, columns, has_one, are_upright: false, buffer: Vec::new(), is_begun: false }
    }

    /// Starts a table like [`begin`](Self::begin). On a terminal, rows of several values in the format `text`
    /// are upright, and show the columns of all formats except `ndjson`.
    pub(crate) fn begin_for_people(
        out: &mut Output,
        format: Format,
        columns: &[Column<'_>],
    ) -> Result<Self, Failure> {
        let rows = Rows::new(format, columns, if out.is_terminal() { Shows::Visible } else { Shows::Exact });
        if format != Format::Text || rows.has_one || !out.is_terminal() {
            return Rows::begin_lines(out, format, columns);
        }
        let is_shown = |column: &&Column<'_>| column.shown <= Shown::NotInText;
        let width = columns.iter().filter(is_shown).map(|column| column.name.len()).max().unwrap_or(0);
        // Names are padded to the widest, so that the values are in one column.
        let name = |column| is_shown(&column).then(|| format!("{:width$}  ", column.name).into_bytes());
        let columns = columns.iter().map(name).collect();
        Ok(Rows { columns, are_upright: true, ..rows })
    }

    /// Returns whether rows are upright.
    pub(crate) fn are_upright(&self) -> bool {
        self.are_upright
    }

    /// Starts a table on `out`, with a header if the format has one. On a terminal, rows of several values in
    /// the format `text` are [aligned](Output::align).
    pub(crate) fn begin(out: &mut Output, format: Format, columns: &[Column<'_>]) -> Result<Self, Failure> {
        let rows = Rows::begin_lines(out, format, columns)?;
        if format == Format::Text && !rows.has_one {
            let is_shown = |column: &&Column<'_>| column.shown <= format.layout().shown;
            out.align(&columns.iter().filter(is_shown).map(|column| column.name).collect::<Vec<_>>())?;
        }
        Ok(rows)
    }

    /// Starts a table like [`begin`](Self::begin), but prints rows of several values as in a pipe, because
    /// identifiers are not broken.
    pub(crate) fn begin_lines(
        out: &mut Output,
        format: Format,
        columns: &[Column<'_>],
    ) -> Result<Self, Failure> {
        let rows = Rows::new(format, columns, if out.is_terminal() { Shows::Visible } else { Shows::Exact });
        if format.layout().has_header {
            let names: Vec<_> = columns.iter().map(|column| Value::Text(column.name)).collect();
            let mut header = Vec::new();
            rows.push(&mut header, &names);
            out.write(&header)?;
        }
        Ok(rows)
    }

    /// Writes a row, a value for each column.
    pub(crate) fn write(&mut self, out: &mut Output, values: &[Value<'_>]) -> Result<(), Failure> {
        // Moved out, because `push` borrows the whole writer.
        let mut row = std::mem::take(&mut self.buffer);
        row.clear();
        self.push(&mut row, values);
        self.buffer = row;
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        out.write(self.without_separator(&self.buffer, is_first))
    }

    /// Returns rows without the blank line before the very first row, if they start with that row.
    pub(crate) fn without_separator<'r>(&self, rows: &'r [u8], has_first: bool) -> &'r [u8] {
        rows.strip_prefix(b"\n").filter(|_| has_first && self.are_upright).unwrap_or(rows)
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

    /// Starts a row, which is appended to `out`.
    pub(crate) fn row<'r>(&'r self, out: &'r mut Vec<u8>) -> RowWriter<'r> {
        if self.are_upright {
            out.push(b'\n');
        }
        RowWriter { rows: self, out, column: 0 }
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
        if self.rows.are_upright() {
            if !matches!(value, Value::Null) {
                self.out.extend_from_slice(before);
                match value {
                    // An absent value is left out, so an empty one is shown as two quotes.
                    Value::Text("") => self.out.extend_from_slice(b"\"\""),
                    value => self.rows.format.push(self.out, value, false, self.rows.shows),
                }
                self.out.push(b'\n');
            }
            return;
        }
        match *before {
            // One byte precedes most values, so the call is avoided.
            [separator] => self.out.push(separator),
            _ => self.out.extend_from_slice(before),
        }
        self.rows.format.push(self.out, value, self.rows.has_one, self.rows.shows);
    }

    /// Returns whether pieces of `text`, which is printable ASCII, are certainly written unchanged.
    pub(crate) fn is_unescaped(&self, text: &str) -> bool {
        !self.rows.are_upright() && self.rows.format.is_unescaped(text.as_bytes())
    }

    /// Appends the values of the next columns, which all formats show, without escaping.
    pub(crate) fn push_unescaped(&mut self, values: &[Option<&str>]) {
        let layout = self.rows.format.layout();
        // Formats with names are never written like this, so only the separator precedes the other values.
        let before = self.rows.columns.get(self.column).and_then(Option::as_deref);
        self.column += values.len();
        self.out.extend_from_slice(before.unwrap_or_default());
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push(layout.separator);
            }
            match value {
                Some("") => self.out.extend_from_slice(layout.empty.as_bytes()),
                Some(value) => push_short(self.out, value.as_bytes()),
                None => {}
            }
        }
    }

    /// Appends the value of the last column. Columns without a value before it are null.
    pub(crate) fn push_last(&mut self, value: Value<'_>) {
        while self.column + 1 < self.rows.columns.len() {
            self.push(Value::Null);
        }
        self.push(value);
    }

    /// Ends the row. Columns without a value are null.
    pub(crate) fn end(mut self) {
        while self.column < self.rows.columns.len() {
            self.push(Value::Null);
        }
        if !self.rows.are_upright() {
            self.out.extend_from_slice(self.rows.format.layout().end.as_bytes());
        }
    }
}

/// Returns the bytes before a value: the separator, and in JSON the name of the column.
fn before_value(format: Format, is_first: bool, name: &str) -> Vec<u8> {
    let layout = format.layout();
    let mut before = if is_first { layout.begin.as_bytes().to_vec() } else { vec![layout.separator] };
    if layout.has_names {
        json::push_string(&mut before, name);
        before.push(b':');
    }
    before
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
    fn an_empty_text_is_not_null_if_the_format_has_both() {
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
