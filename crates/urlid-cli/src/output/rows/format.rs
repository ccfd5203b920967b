//! The formats of rows: how each joins the values of a row, and how it writes and escapes a value.

use std::borrow::Cow;

use clap::ValueEnum;
use memchr::{memchr, memchr2, memchr3};
use urlid_io::tables::Separator;

use crate::output::escape::Escaped;
use crate::output::json;

/// The format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The values without a header, separated by tabs; LF in a value is \n, and in rows of several values tab
    /// is \t
    #[default]
    Text,
    // An array could not be printed before its last row, so `json` is the same.
    /// One JSON object per line
    #[value(alias = "json")]
    Ndjson,
    /// Comma-separated values with a header (RFC 4180, lines end with LF)
    Csv,
    /// Tab-separated values with a header; tab, LF, CR and backslash as \t \n \r \\
    Tsv,
}

/// The formats that show a column. A greater value stands for fewer formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shown {
    /// All of them.
    Always,
    /// All formats except `text`.
    NotInText,
    /// Only `ndjson`.
    InJson,
}

/// A value of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    /// An absent value: null in JSON, an empty field in other formats. An empty text is a field of two quotes
    /// in CSV.
    Null,
    /// A text, escaped by the rules of the format.
    Text(&'a str),
    /// A text that is more than one line of `text` if it has line ends.
    Lines(&'a str),
    /// A line of input, which is null if it is not UTF-8.
    Line(&'a [u8]),
    /// A whole number.
    Number(u64),
    /// A value that is already JSON. In other formats it is a text.
    Json(&'a str),
    /// Several values: a JSON list, and a text in other formats.
    List {
        /// The text for formats other than JSON.
        text: &'a str,
        /// The serialised list for JSON.
        json: &'a str,
    },
}

/// Whether control characters are written unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// Every byte is unchanged, for programs.
    Exact,
    /// Characters on which a terminal would act are escaped, in every format.
    Visible,
}

/// How a format puts rows together.
pub(super) struct RowLayout {
    /// The columns that it shows: these, and the columns that more formats show.
    pub(super) shown: Shown,
    /// Whether a table starts with the names of its columns.
    pub(super) has_header: bool,
    /// Whether the name of its column precedes each value, as in JSON.
    pub(super) has_names: bool,
    pub(super) begin: &'static str,
    pub(super) separator: u8,
    pub(super) end: &'static str,
    /// The text for an empty value. An absent value is written as an empty text, except in JSON.
    pub(super) empty: &'static str,
}

const TEXT: RowLayout = RowLayout {
    shown: Shown::Always,
    has_header: false,
    has_names: false,
    begin: "",
    separator: b'\t',
    end: "\n",
    empty: "",
};

const TSV: RowLayout = RowLayout { shown: Shown::NotInText, has_header: true, ..TEXT };

// Lines end with LF and not with the CRLF of RFC 4180, so that tools for lines read them.
const CSV: RowLayout = RowLayout { separator: b',', empty: "\"\"", ..TSV };

const NDJSON: RowLayout = RowLayout {
    shown: Shown::InJson,
    has_header: false,
    has_names: true,
    begin: "{",
    separator: b',',
    end: "}\n",
    empty: "\"\"",
};

impl Format {
    pub(super) const fn layout(self) -> &'static RowLayout {
        match self {
            Format::Text => &TEXT,
            Format::Ndjson => &NDJSON,
            Format::Csv => &CSV,
            Format::Tsv => &TSV,
        }
    }

    /// Appends a value. `is_only` states that it is the only one in its row.
    pub(super) fn push(self, row: &mut Vec<u8>, value: Value<'_>, is_only: bool, shows: Shows) {
        match self {
            Format::Ndjson => push_json(row, value),
            // A tab does not separate values if the row has only one, so it is kept.
            Format::Text if is_only => self.push_value(row, value, shows, push_line),
            Format::Text => self.push_value(row, value, shows, push_text),
            Format::Csv => {
                self.push_value(row, value, shows, |row, text| push_csv(row, text, Separator::COMMA));
            }
            Format::Tsv => self.push_value(row, value, shows, push_tsv),
        }
    }

    /// Returns whether every piece of a text of printable ASCII is certainly written unchanged.
    pub(super) fn is_unescaped(self, text: &[u8]) -> bool {
        match self {
            // Printable ASCII does not include tab and LF.
            Format::Text => true,
            Format::Tsv => memchr(b'\\', text).is_none(),
            // A space at an end of a piece needs quotes.
            Format::Csv => memchr3(b'"', b',', b' ', text).is_none(),
            // Texts have quotes, unlike numbers.
            Format::Ndjson => false,
        }
    }

    /// Appends a value in a format that is not JSON.
    fn push_value(
        self,
        row: &mut Vec<u8>,
        value: Value<'_>,
        shows: Shows,
        push: impl Fn(&mut Vec<u8>, &str),
    ) {
        let text = match value {
            Value::Null => return,
            Value::Number(number) => return push_number(row, number),
            // The common case. An empty value continues below, because CSV writes quotes for it.
            Value::Text(text) if is_plain(text.as_bytes()) => return push_short(row, text.as_bytes()),
            Value::Line(line) if is_plain(line) => return push_short(row, line),
            Value::Line(line) => match str::from_utf8(line) {
                Ok(text) => text,
                Err(_) => return,
            },
            Value::Lines(text) if self == Format::Text => return push_lines(row, text, shows),
            Value::Text(text) | Value::Lines(text) | Value::Json(text) | Value::List { text, .. } => text,
        };
        match shows {
            Shows::Visible => push(row, &Escaped(text.as_bytes()).to_string()),
            Shows::Exact => push(row, text),
        }
    }
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

/// Returns whether bytes are ASCII that every format writes unescaped, like most URLs. Examines all of them,
/// which is faster for the usual case.
fn is_plain(line: &[u8]) -> bool {
    let is_plain = |byte: u8| matches!(byte, b'!'..=b'~') & (byte != b'"') & (byte != b',') & (byte != b'\\');
    !line.is_empty() & line.iter().fold(true, |plain, &byte| plain & is_plain(byte))
}

/// Appends a text of several lines.
fn push_lines(row: &mut Vec<u8>, text: &str, shows: Shows) {
    match shows {
        Shows::Visible => {
            let lines = text.split('\n').map(|line| Escaped(line.as_bytes()).to_string());
            row.extend_from_slice(lines.collect::<Vec<_>>().join("\n").as_bytes());
        }
        Shows::Exact => row.extend_from_slice(text.as_bytes()),
    }
}

/// Appends the only value of a row of text as one line.
fn push_line(row: &mut Vec<u8>, text: &str) {
    row.extend_from_slice(one_line(text).as_bytes());
}

/// Returns a text as one line: LF as `\n`, CR as `\r`.
fn one_line(text: &str) -> Cow<'_, str> {
    match is_one_line(text.as_bytes()) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.replace('\n', "\\n").replace('\r', "\\r")),
    }
}

/// Appends one of several values of a row of text.
fn push_text(row: &mut Vec<u8>, text: &str) {
    if is_plain_text(text.as_bytes()) {
        row.extend_from_slice(text.as_bytes());
    } else {
        push_line(row, &text.replace('\t', "\\t"));
    }
}

fn is_one_line(text: &[u8]) -> bool {
    memchr2(b'\n', b'\r', text).is_none()
}

fn is_plain_text(text: &[u8]) -> bool {
    // Without an early exit, the loop compiles to vector instructions.
    text.iter().fold(true, |plain, byte| plain & !matches!(byte, b'\t' | b'\n' | b'\r'))
}

/// Appends a field of CSV. An empty text has quotes, which an absent value has not.
pub(crate) fn push_csv(row: &mut Vec<u8>, text: &str, separator: Separator) {
    if is_plain_csv(text.as_bytes(), separator) {
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

/// Returns whether a text can be a field of CSV without quotes.
fn is_plain_csv(text: &[u8], separator: Separator) -> bool {
    let [Some(first), Some(last)] = [text.first(), text.last()] else { return false };
    // Some readers remove spaces at the ends of a field without quotes.
    let ends_in_space = first.is_ascii_whitespace() || last.is_ascii_whitespace();
    !ends_in_space && memchr3(b'"', separator.byte(), b'\n', text).is_none() && memchr(b'\r', text).is_none()
}

/// Returns whether a text can be a field of TSV without escapes.
fn is_plain_tsv(text: &[u8]) -> bool {
    memchr3(b'\t', b'\r', b'\n', text).is_none() && memchr(b'\\', text).is_none()
}

/// Appends bytes, few of them without a call.
#[inline(always)]
pub(super) fn push_short(row: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        4..8 => push_halves::<4>(row, bytes),
        8..16 => push_halves::<8>(row, bytes),
        16..32 => push_halves::<16>(row, bytes),
        _ => row.extend_from_slice(bytes),
    }
}

/// Appends from `N` bytes to twice as many: the first `N` and the last `N`, which may overlap.
#[inline(always)]
fn push_halves<const N: usize>(row: &mut Vec<u8>, bytes: &[u8]) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) {
        // Copies of a constant size avoid a call. The first one ends after `end - N`, where the second
        // starts, so it is cut there.
        let end = row.len() + bytes.len();
        row.extend_from_slice(first);
        row.truncate(end - N);
        row.extend_from_slice(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_every_length_are_appended_whole() {
        let bytes: Vec<u8> = (0..70).collect();
        for len in 0..bytes.len() {
            let mut row = b"before".to_vec();
            push_short(&mut row, &bytes[..len]);
            assert_eq!(row, [b"before", &bytes[..len]].concat());
        }
    }
}
