//! Rows of one kind of identifier, a batch at a time, as `table` would write them line by line.
//!
//! Not for terminals, where control characters are escaped. The numbers of ndjson are set when the rows are back in order,
//! for a worker doesn't know how many lines are before its own.

use std::fmt::Write;
use std::iter::Peekable;

use memchr::memchr_iter;
use urlid::batch::{Batch, Kernels};
use urlid::url_hash::UrlHash;

use crate::json;
use crate::output::{Format, push_csv, push_tsv};

/// How an identifier is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// 64 hexadecimal digits.
    Hex,
    /// The decimal words of a url-hash.
    Words,
}

/// Writes rows.
pub(super) struct RowWriter {
    format: Format,
    /// The name of the kind.
    name: &'static str,
    form: Form,
    kernels: Kernels,
    /// The digits of a batch; a scratch of `write`.
    digits: Vec<[u8; 65]>,
    /// The rows of a batch; a scratch of `write`.
    rows: String,
}

impl RowWriter {
    pub(super) fn new(format: Format, name: &'static str, form: Form, kernels: Kernels) -> Self {
        RowWriter { format, name, form, kernels, digits: Vec::new(), rows: String::new() }
    }

    /// Returns the header line, if the format has one.
    pub(super) fn header(format: Format, name: &str) -> String {
        match format {
            Format::Csv => format!("url,{name},error\n"),
            Format::Tsv => format!("url\t{name}\terror\n"),
            Format::Text | Format::Ndjson => String::new(),
        }
    }

    /// Appends a row for each line of the batch, whose first line is line `before` of its chunk.
    pub(super) fn write(
        &mut self,
        batch: &Batch<'_>,
        before: usize,
        long: &mut Peekable<impl Iterator<Item = usize>>,
        out: &mut Vec<u8>,
    ) {
        if (self.format, self.form) == (Format::Text, Form::Hex) {
            return batch.write_hex_lines(out);
        }
        self.digits.resize(batch.len(), [0; 65]);
        self.kernels.hex_lines(batch.ids(), &mut self.digits);
        self.rows.clear();
        let mut exceptions = batch.exceptions().peekable();
        for (index, bytes) in batch.lines().enumerate() {
            let exception = exceptions.next_if(|(other, _)| *other == index);
            let row = match (long.next_if_eq(&(before + index)), exception) {
                // A line over the cap is an empty line here.
                (Some(_), _) => Row { text: None, id: None, error: Some("ERR_LINE_LEN") },
                (None, None) => Row { text: str::from_utf8(bytes).ok(), id: Some(index), error: None },
                (None, Some((_, error))) => Row { text: str::from_utf8(bytes).ok(), id: None, error },
            };
            self.push(&row, batch);
        }
        out.extend_from_slice(self.rows.as_bytes());
    }

    fn push(&mut self, row: &Row<'_>, batch: &Batch<'_>) {
        match self.format {
            Format::Text => self.push_id(row.id, batch),
            Format::Csv => self.push_plain(row, batch, ',', push_csv),
            Format::Tsv => self.push_plain(row, batch, '\t', push_tsv),
            Format::Ndjson => {
                self.rows.push_str(",\"url\":");
                push_json(&mut self.rows, row.text);
                self.rows.push_str(",\"");
                self.rows.push_str(self.name);
                self.rows.push_str("\":");
                match row.id {
                    Some(_) => {
                        self.rows.push('"');
                        self.push_id(row.id, batch);
                        self.rows.push('"');
                    }
                    None => self.rows.push_str("null"),
                }
                self.rows.push_str(",\"error\":");
                push_json(&mut self.rows, row.error);
                self.rows.push('}');
            }
        }
        self.rows.push('\n');
    }

    fn push_plain(
        &mut self,
        row: &Row<'_>,
        batch: &Batch<'_>,
        separator: char,
        push_text: impl Fn(&mut String, &str),
    ) {
        push_text(&mut self.rows, row.text.unwrap_or_default());
        self.rows.push(separator);
        self.push_id(row.id, batch);
        self.rows.push(separator);
        self.rows.push_str(row.error.unwrap_or_default());
    }

    fn push_id(&mut self, index: Option<usize>, batch: &Batch<'_>) {
        let Some(index) = index else { return };
        match self.form {
            Form::Hex => {
                let digits = str::from_utf8(&self.digits[index][..64]).expect("hexadecimal digits are ASCII");
                self.rows.push_str(digits);
            }
            Form::Words => write!(self.rows, "{}", UrlHash::from_bytes(batch.ids()[index]))
                .expect("writing to a String does not fail"),
        }
    }
}

/// What a row says of a line.
struct Row<'a> {
    text: Option<&'a str>,
    /// The index of the identifier in its batch.
    id: Option<usize>,
    error: Option<&'static str>,
}

fn push_json(out: &mut String, text: Option<&str>) {
    match text {
        Some(text) => json::push_string(out, text),
        None => out.push_str("null"),
    }
}

/// Appends rows of ndjson that have no number yet, the first one with the number `first`.
pub(super) fn number_rows(rows: &[u8], first: u64, out: &mut Vec<u8>) {
    let mut digits = first.to_string().into_bytes();
    let mut start = 0;
    for end in memchr_iter(b'\n', rows) {
        out.extend_from_slice(b"{\"line\":");
        out.extend_from_slice(&digits);
        out.extend_from_slice(&rows[start..=end]);
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

    #[test]
    fn rows_are_numbered_without_gaps() {
        let mut out = Vec::new();
        number_rows(b",\"a\":1}\n,\"a\":2}\n", 99, &mut out);
        assert_eq!(str::from_utf8(&out), Ok("{\"line\":99,\"a\":1}\n{\"line\":100,\"a\":2}\n"));
        let mut digits = b"0".to_vec();
        for number in 1..2000 {
            increment(&mut digits);
            assert_eq!(digits, number.to_string().into_bytes());
        }
    }
}
