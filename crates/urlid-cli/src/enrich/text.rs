//! Tables of text: each row as it is written, with the new values at its end.

use std::sync::{Mutex, PoisonError};

use urlid_tables::{Cell, Dialect, Layout, RecordChunk, RecordReader, Row, TextTableError};

use super::added::{added, names};
use super::texts::{RefusedRow, Texts};
use crate::columns::{Destination, SeenColumns, TableArgs};
use crate::json;
use crate::pipeline::in_order;
use crate::refusals::{Ended, Place};
use crate::rows::{push_csv, push_tsv};
use crate::session::Session;
use crate::sources::{Opened, Source};
use crate::table::{Cells, Holds, ValueColumn, Values};

/// Writes the rows of a source.
pub(super) fn run<V: Values + Send>(
    session: &mut Session,
    source: &Source,
    dialect: Option<Dialect>,
    args: &TableArgs,
    destination: &mut Destination,
    make: &(impl Fn() -> V + Sync),
) -> Result<u64, Ended> {
    let Opened::Input(input) = source.open()? else { return Ok(0) };
    let read = input.bytes_read();
    let choices = args.columns.choices();
    let (reader, mut layout, first) = RecordReader::open(input, dialect, args.columns.header(), &choices)?;
    let added = added(&make(), Some(layout.dialect()));
    let new = names(args, layout.names(), &added);
    layout.add(&new)?;
    destination.write_text(&mut session.out, &header(&first, &new, layout.dialect()))?;

    let task = Task {
        layout: &layout,
        added: &added,
        new: &new,
        texts: Texts::of(session),
        leaves_refused_out: session.leaves_refused_out(),
    };
    let reader = Mutex::new((reader, 0_u64));
    let mut seen = SeenColumns::default();
    in_order(
        &|slot: &mut Slot| {
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            let (reader, next) = &mut *reader;
            let result = match reader.read(&mut slot.chunk) {
                Ok(false) => return None,
                read => read.map(|_| ()),
            };
            *next += 1;
            Some((*next - 1, result))
        },
        || Worker { task: &task, maker: make(), cells: Cells::default() },
        &|worker: &mut Worker<'_, V>, slot: &mut Slot| worker.chunk(slot),
        |slot| {
            destination.write_text(&mut session.out, &slot.out)?;
            session.out.flush()?;
            session.show_progress(read.get());
            for refused in slot.refused.drain(..) {
                let place = Place::in_file(source.name(), refused.number);
                session.refuse(place, &refused.text, &refused.refusal)?;
            }
            seen.take(&slot.seen);
            slot.error.take().map_or(Ok(()), |error| Err(error.into()))
        },
    )?;
    seen.check(&layout)?;
    Ok(read.get())
}

/// Returns the first record with the names of the new columns, if it names columns.
fn header(first: &[u8], new: &[String], dialect: Dialect) -> Vec<u8> {
    let text = first.strip_suffix(b"\n").map_or(first, |line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut header = text.to_vec();
    // Without a header there is a byte order mark or nothing.
    let names = if text.is_empty() || text == b"\xef\xbb\xbf" { &[] } else { new };
    names.iter().for_each(|name| push_field(&mut header, name, dialect));
    header.extend_from_slice(&first[text.len()..]);
    header
}

/// Appends a field with the separator before it.
fn push_field(record: &mut Vec<u8>, text: &str, dialect: Dialect) {
    match dialect {
        Dialect::Tsv => {
            record.push(b'\t');
            push_tsv(record, text);
        }
        Dialect::Csv | Dialect::Ndjson => {
            record.push(b',');
            push_csv(record, text);
        }
    }
}

/// What is done with each row.
struct Task<'a> {
    layout: &'a Layout,
    added: &'a [(usize, ValueColumn)],
    /// The names of the new columns, those of the first column that is read before those of the next.
    new: &'a [String],
    texts: Texts,
    leaves_refused_out: bool,
}

/// A chunk and what came of it; recycled.
#[derive(Default)]
struct Slot {
    chunk: RecordChunk,
    out: Vec<u8>,
    refused: Vec<RefusedRow>,
    seen: SeenColumns,
    error: Option<TextTableError>,
}

struct Worker<'a, V> {
    task: &'a Task<'a>,
    maker: V,
    cells: Cells,
}

impl<V: Values> Worker<'_, V> {
    fn chunk(&mut self, slot: &mut Slot) {
        let Slot { chunk, out, refused, seen, error } = slot;
        out.clear();
        refused.clear();
        *seen = SeenColumns::default();
        let rows = chunk.each_row(self.task.layout, |row| {
            seen.row(row.cells);
            let (start, before) = (out.len(), refused.len());
            self.row(row, out, refused);
            if refused.len() > before && self.task.leaves_refused_out {
                out.truncate(start);
            }
            Ok::<(), TextTableError>(())
        });
        *error = rows.err();
    }

    fn row(&mut self, row: &Row<'_>, out: &mut Vec<u8>, refused: &mut Vec<RefusedRow>) {
        let Task { layout, added, new, .. } = self.task;
        let is_object = layout.dialect() == Dialect::Ndjson;
        // What is added to an object stands before its last brace.
        let brace = row.text.iter().rposition(|&byte| byte == b'}').filter(|_| is_object && row.is_whole);
        let (before, after) = row.text.split_at(brace.unwrap_or(row.text.len()));
        out.extend_from_slice(before);
        let mut has_others = row.has_others;
        for (place, new) in (0..layout.names().len()).zip(new.chunks(added.len().max(1))) {
            let cell = row.cells.get(place).unwrap_or(&Cell::Null);
            refused.extend(self.values(row.line, cell));
            if !row.is_whole {
                break;
            }
            for ((index, column), name) in added.iter().zip(new) {
                let value = self.cells.get(*index);
                if is_object {
                    push_member(out, has_others, name, value, column);
                } else {
                    push_field(out, value.unwrap_or_default(), layout.dialect());
                }
                has_others = true;
            }
        }
        out.extend_from_slice(after);
        out.extend_from_slice(row.end);
    }

    /// Makes the values of a cell; returns why there are none.
    fn values(&mut self, line: u64, cell: &Cell<'_>) -> Option<RefusedRow> {
        self.cells.clear();
        match cell {
            Cell::Missing | Cell::Null => None,
            Cell::Bad(error) => {
                Some(RefusedRow { number: line, text: Vec::new(), refusal: error.clone().into() })
            }
            Cell::Text(text) => self.task.texts.values(&mut self.maker, line, text, &mut self.cells),
        }
    }
}

/// Appends a member of an object.
fn push_member(
    object: &mut Vec<u8>,
    has_others: bool,
    name: &str,
    value: Option<&str>,
    column: &ValueColumn,
) {
    if has_others {
        object.push(b',');
    }
    json::push_string(object, name);
    object.push(b':');
    match (value, column.holds) {
        (None, _) => object.extend_from_slice(b"null"),
        (Some(text), Holds::Text) => json::push_string(object, text),
        (Some(json), Holds::Number | Holds::Json) => object.extend_from_slice(json.as_bytes()),
    }
}
