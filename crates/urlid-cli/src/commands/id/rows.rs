//! Rows of one kind of identifier, a batch at a time, as `table` would write them line by line.
//!
//! Not for terminals, where control characters are escaped. The numbers of ndjson are set when the rows are back in order,
//! for a worker doesn't know how many lines are before its own.

use std::io::Write;
use std::iter::Peekable;

use memchr::memchr_iter;
use urlid::ErrorCode;
use urlid::batch::{Batch, Kernels};
use urlid::url_hash::UrlHash;

use crate::json;
use crate::output::{Format, is_plain_csv, is_plain_tsv, push_csv, push_tsv};

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
    /// The digits of a batch, a line of them for each; a scratch of `write`.
    digits: Vec<[u8; 65]>,
    /// A text that has to be escaped; a scratch of `push_text`.
    escaped: String,
}

impl RowWriter {
    pub(super) fn new(format: Format, name: &'static str, form: Form, kernels: Kernels) -> Self {
        RowWriter { format, name, form, kernels, digits: Vec::new(), escaped: String::new() }
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
        let mut exceptions = batch.exceptions().peekable();
        for (index, line) in batch.lines().enumerate() {
            let exception = exceptions.next_if(|(other, _)| *other == index);
            let row = match (long.next_if_eq(&(before + index)), exception) {
                // A line over the cap is an empty line here.
                (Some(_), _) => Row { text: None, id: None, error: Some(ErrorCode::LineLen) },
                (None, None) => Row { text: Some(line), id: Some(index), error: None },
                (None, Some((_, error))) => {
                    Row { text: Some(line).filter(|line| str::from_utf8(line).is_ok()), id: None, error }
                }
            };
            self.push(&row, batch, out);
        }
    }

    fn push(&mut self, row: &Row<'_>, batch: &Batch<'_>, out: &mut Vec<u8>) {
        match self.format {
            Format::Text => self.push_id(row.id, batch, out),
            Format::Csv => self.push_plain(row, batch, b',', out, is_plain_csv, push_csv),
            Format::Tsv => self.push_plain(row, batch, b'\t', out, is_plain_tsv, push_tsv),
            Format::Ndjson => self.push_json(row, batch, out),
        }
        out.push(b'\n');
    }

    fn push_json(&mut self, row: &Row<'_>, batch: &Batch<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\"url\":");
        match row.text {
            None => out.extend_from_slice(b"null"),
            Some(text) if json::is_plain(text) => push_quoted(out, |out| out.extend_from_slice(text)),
            Some(text) => self.push_escaped(text, out, json::push_string),
        }
        out.extend_from_slice(b",\"");
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(b"\":");
        match row.id {
            Some(_) => push_quoted(out, |out| self.push_id(row.id, batch, out)),
            None => out.extend_from_slice(b"null"),
        }
        match row.error {
            None => out.extend_from_slice(b",\"error\":null}"),
            Some(code) => {
                out.extend_from_slice(b",\"error\":");
                push_quoted(out, |out| out.extend_from_slice(code.as_str().as_bytes()));
                out.push(b'}');
            }
        }
    }

    fn push_plain(
        &mut self,
        row: &Row<'_>,
        batch: &Batch<'_>,
        separator: u8,
        out: &mut Vec<u8>,
        is_plain: impl Fn(&[u8]) -> bool,
        push: impl Fn(&mut String, &str),
    ) {
        match row.text.unwrap_or_default() {
            text if is_plain(text) => out.extend_from_slice(text),
            text => self.push_escaped(text, out, push),
        }
        out.push(separator);
        self.push_id(row.id, batch, out);
        out.push(separator);
        out.extend_from_slice(row.error.map_or("", ErrorCode::as_str).as_bytes());
    }

    fn push_escaped(&mut self, text: &[u8], out: &mut Vec<u8>, push: impl Fn(&mut String, &str)) {
        self.escaped.clear();
        push(&mut self.escaped, str::from_utf8(text).unwrap_or_default());
        out.extend_from_slice(self.escaped.as_bytes());
    }

    fn push_id(&self, index: Option<usize>, batch: &Batch<'_>, out: &mut Vec<u8>) {
        let Some(index) = index else { return };
        match self.form {
            Form::Hex => out.extend_from_slice(&self.digits[index][..64]),
            Form::Words => {
                write!(out, "{}", UrlHash::from_bytes(batch.ids()[index]))
                    .expect("writing to a Vec does not fail");
            }
        }
    }
}

/// What a row says of a line.
struct Row<'a> {
    /// The line, where that is UTF-8: of a line with an identifier the encoder says so.
    text: Option<&'a [u8]>,
    /// The index of the identifier in its batch.
    id: Option<usize>,
    error: Option<ErrorCode>,
}

fn push_quoted(out: &mut Vec<u8>, push: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'"');
    push(out);
    out.push(b'"');
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
