//! The rows of a chunk: their bytes as written, and the values of the columns that are read.

use std::ops::Range;

use memchr::memchr_iter;

use super::chunk::RecordChunk;
use super::fields::Dialect;
use super::fields::{Before, Cell, field};
use super::layout::TableLayout;
use super::log::LogFormat;
use super::object;
use crate::error;
use urlid::Error;

/// A row of a table, in the bytes of its chunk.
#[derive(Clone, Copy, Debug)]
pub struct TableRow<'c, 'r> {
    /// The number of the line where the row begins, from 1.
    pub line: u64,
    /// The row as written, without its line end.
    pub text: &'c [u8],
    /// Its line end: LF, CR LF, or at the end of the input nothing or CR.
    pub end: &'c [u8],
    /// The value of each column that is read; empty for an empty line.
    pub cells: &'r [Cell<'c>],
    /// Whether the row is a valid object or record, to which a member or field can be added.
    pub is_whole: bool,
    /// Whether it has members or fields, so that an added one needs a comma before it.
    pub has_others: bool,
}

impl RecordChunk {
    /// Calls `each` with every row, in order.
    ///
    /// # Errors
    /// A record with more or fewer fields than the first, after all rows before it, and errors of `each`.
    pub fn each_row<'c, E: From<Error>>(
        &'c self,
        layout: &TableLayout,
        mut each: impl FnMut(&TableRow<'c, '_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let bytes = &self.bytes[..];
        let (mut at, mut line) = (0, self.line);
        let (mut cells, mut fields) = (Vec::with_capacity(layout.names.len()), Vec::new());
        while at < bytes.len() {
            cells.clear();
            let start = at;
            let (row, next) = match layout.dialect {
                Dialect::Ndjson => object_at(bytes, start, layout, &mut cells),
                Dialect::Log(_) => log_at(bytes, start, layout, &mut fields, &mut cells),
                Dialect::Csv(_) | Dialect::Tsv => record_at(bytes, start, line, layout, &mut cells)?,
            };
            let RowAt { end, is_whole, has_others } = row;
            each(&TableRow {
                line,
                text: &bytes[start..end],
                end: &bytes[end..next],
                cells: &cells,
                is_whole,
                has_others,
            })?;
            line += memchr_iter(b'\n', &bytes[start..next]).count() as u64;
            at = next;
        }
        Ok(())
    }
}

/// The end of a row without its line end, and whether it can be extended.
struct RowAt {
    end: usize,
    is_whole: bool,
    has_others: bool,
}

fn record_at<'a>(
    bytes: &'a [u8],
    start: usize,
    line: u64,
    layout: &TableLayout,
    cells: &mut Vec<Cell<'a>>,
) -> Result<(RowAt, usize), Error> {
    cells.resize(layout.places.len(), Cell::Null);
    let (mut at, mut found) = (start, 0);
    loop {
        // Cannot fail: the reader puts only whole records into a chunk.
        let field = field(bytes, at, layout.dialect).map_err(|error| error.at(line, layout.dialect))?;
        if let Some(wanted) = layout.places.iter().position(|place| *place == found) {
            cells[wanted] = Cell::Text(field.value(layout.dialect));
        }
        found += 1;
        if field.before == Before::Field {
            at = field.next;
            continue;
        }
        let is_blank = found == 1 && field.text.is_empty() && !field.is_quoted;
        if found != layout.width && !is_blank {
            let fields = error::FIELDS.error().with_number(line).with_shown(found);
            return Err(fields.with_expected(layout.width.to_string()));
        }
        if is_blank {
            cells.clear();
        }
        // An empty line lacks fields, except in a table with one column, where it is an empty field.
        let row = RowAt { end: field.end, is_whole: !is_blank || layout.width == 1, has_others: true };
        return Ok((row, field.next));
    }
}

fn object_at<'a>(
    bytes: &'a [u8],
    start: usize,
    layout: &TableLayout,
    cells: &mut Vec<Cell<'a>>,
) -> (RowAt, usize) {
    let (line, next) = line_at(bytes, start);
    let end = start + line.len();
    if line.trim_ascii().is_empty() {
        return (RowAt { end, is_whole: false, has_others: false }, next);
    }
    let row = match object::cells(line, &layout.paths, &layout.others, cells) {
        Ok(members) => RowAt { end, is_whole: true, has_others: members > 0 },
        Err(error) => {
            cells.clear();
            cells.resize(layout.names.len(), Cell::Bad(error));
            RowAt { end, is_whole: false, has_others: false }
        }
    };
    (row, next)
}

/// Returns the line at `start` without its end, and the start of the next one.
fn line_at(bytes: &[u8], start: usize) -> (&[u8], usize) {
    let rest = &bytes[start..];
    match memchr::memchr(b'\n', rest) {
        Some(end) => (rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]), start + end + 1),
        None => (rest.strip_suffix(b"\r").unwrap_or(rest), bytes.len()),
    }
}

fn log_at<'a>(
    bytes: &'a [u8],
    start: usize,
    layout: &TableLayout,
    fields: &mut Vec<Range<usize>>,
    cells: &mut Vec<Cell<'a>>,
) -> (RowAt, usize) {
    let (line, next) = line_at(bytes, start);
    let end = start + line.len();
    // Zeek has a line with `#` at its end too.
    let is_blank = line.is_empty() || (line[0] == b'#' && layout.dialect == Dialect::Log(LogFormat::Zeek));
    let is_whole = !is_blank
        && layout.log.as_ref().is_some_and(|log| {
            log.values(line, &layout.places, fields, |value| cells.push(value.map_or(Cell::Null, Cell::Text)))
        });
    if !is_blank && !is_whole {
        cells.resize(layout.names.len(), Cell::Bad(error::LOG_LINE.error()));
    }
    (RowAt { end, is_whole, has_others: true }, next)
}
