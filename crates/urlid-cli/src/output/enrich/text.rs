//! Tables of text: each row unchanged, with the new values at its end.

use std::sync::{Mutex, PoisonError};

use urlid::Error;
use urlid_io::tables::{Cell, Dialect, RecordChunk, RecordReader, TableLayout, TableRow};
use urlid_io::threads::{SPARE, in_order};

use super::columns::{RefusedRow, Texts, added, names};
use crate::input::columns::{SeenColumns, TableArgs};
use crate::input::driver::{for_each_core, or_interrupt};
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Source};
use crate::output::json;
use crate::output::rows::{push_csv, push_tsv};
use crate::output::table::{BoxedValues, CellColumns, Holds, MakeBoxedValues, ValueColumn, shown};
use crate::report::refusals::{Ended, Place};

/// Rows of a table whose values are made together.
const TOGETHER: usize = 512;

/// Writes the rows of a source.
pub(super) fn run(
    run: &mut LineRun,
    source: &Source,
    dialect: Option<Dialect>,
    args: &TableArgs,
    make: &MakeBoxedValues<'_>,
) -> Result<u64, Ended> {
    let Opened::Input(input) = run.open(source)? else { return Ok(0) };
    let read = input.bytes_read();
    let choices = args.columns.choices();
    let (reader, mut layout, first) = RecordReader::open(input, dialect, args.columns.header(), &choices)?;
    let is_ndjson = layout.dialect() == Dialect::Ndjson;
    let make = || shown(make(), is_ndjson);
    let maker = make();
    let added = added(&*maker, Some(layout.dialect()));
    let new = names(args, layout.names(), &added);
    layout.add(&new)?;
    run.out.lines(&header(&first, &new, layout.dialect()))?;
    let width = maker.columns().len();

    let task = EnrichTask {
        layout: &layout,
        added: &added,
        keys: &new.iter().map(|name| key(name)).collect::<Vec<_>>(),
        texts: Texts::new(run),
        leaves_refused_out: run.leaves_refused_out(),
    };
    let reader = Mutex::new((reader, 0));
    let mut seen = SeenColumns::default();
    let make_worker = || EnrichWorker {
        task: &task,
        maker: make(),
        cells: vec![CellColumns::new(width); task.layout.names().len()],
    };
    in_order(
        for_each_core(&make_worker),
        SPARE,
        &|slot: &mut EnrichSlot| {
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            // Numbered under the lock of the reader, so that numbers are in the order of the chunks. After an
            // error others may read on: their chunks come after this one and are not taken.
            let (reader, next) = &mut *reader;
            slot.failed = match reader.read(&mut slot.chunk) {
                Ok(false) => return None,
                read => read.err(),
            };
            *next += 1;
            Some(*next - 1)
        },
        &|worker: &mut EnrichWorker<'_>, slot: &mut EnrichSlot| {
            if slot.failed.is_none() {
                worker.chunk(slot);
            }
        },
        &mut |slot| {
            or_interrupt(|| {
                slot.failed.take().map_or(Ok(()), Err)?;
                run.out.lines(&slot.out)?;
                run.out.flush()?;
                run.show_progress(read.get());
                for refused in slot.refused.drain(..) {
                    let place = Place::in_file(source.name(), refused.number);
                    run.refuse(place, &refused.text, &refused.refusal)?;
                }
                seen.take(&slot.seen);
                // After the rows before the error, which are in `out`.
                slot.error.take().map_or(Ok(()), |error| Err(error.into()))
            })
        },
    )?;
    seen.check(&layout)?;
    Ok(read.get())
}

/// Returns the first record with the names of the new columns, if it names columns.
fn header(first: &[u8], new: &[String], dialect: Dialect) -> Vec<u8> {
    let text = first.strip_suffix(b"\n").unwrap_or(first);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let mut header = text.to_vec();
    // Without a header there is a byte order mark or nothing.
    let names = if text.is_empty() || text == b"\xef\xbb\xbf" { &[] } else { new };
    names.iter().for_each(|name| push_field(&mut header, Some(name), dialect));
    header.extend_from_slice(&first[text.len()..]);
    header
}

/// Appends a field with the separator before it; an absent value is an empty field.
fn push_field(record: &mut Vec<u8>, text: Option<&str>, dialect: Dialect) {
    match dialect {
        Dialect::Csv(separator) => {
            record.push(separator.byte());
            text.into_iter().for_each(|text| push_csv(record, text, separator));
        }
        Dialect::Tsv | Dialect::Ndjson => {
            record.push(b'\t');
            text.into_iter().for_each(|text| push_tsv(record, text));
        }
    }
}

/// The work on each row.
struct EnrichTask<'a> {
    layout: &'a TableLayout,
    added: &'a [(usize, ValueColumn)],
    /// The names of the new columns as JSON names with their colon, those for the first column that is read
    /// before those for the next.
    keys: &'a [Vec<u8>],
    texts: Texts,
    leaves_refused_out: bool,
}

/// A chunk and its result; recycled.
#[derive(Default)]
struct EnrichSlot {
    chunk: RecordChunk,
    out: Vec<u8>,
    refused: Vec<RefusedRow>,
    seen: SeenColumns,
    /// Why the chunk could not be read.
    failed: Option<Error>,
    /// Why the rows of the chunk end early.
    error: Option<Error>,
}

struct EnrichWorker<'a> {
    task: &'a EnrichTask<'a>,
    maker: BoxedValues<'a>,
    /// The values of some rows, for each column that is read.
    cells: Vec<CellColumns>,
}

impl EnrichWorker<'_> {
    fn chunk(&mut self, slot: &mut EnrichSlot) {
        let EnrichSlot { chunk, out, refused, seen, error, .. } = slot;
        out.clear();
        refused.clear();
        *seen = SeenColumns::default();
        let (mut rows, mut columns) = (Vec::new(), vec![Vec::new(); self.cells.len()]);
        let read = chunk.each_row(self.task.layout, |row| {
            seen.row(row.cells);
            for (place, cells) in columns.iter_mut().enumerate() {
                // Of a row that is not whole, the first cell says why.
                let cell = row.cells.get(place).filter(|_| row.is_whole || place == 0);
                cells.push(cell.cloned().unwrap_or(Cell::Null));
            }
            rows.push(TableRow { cells: &[], ..*row });
            if rows.len() == TOGETHER {
                self.write(&rows, &columns, out, refused);
                rows.clear();
                columns.iter_mut().for_each(Vec::clear);
            }
            Ok::<(), Error>(())
        });
        self.write(&rows, &columns, out, refused);
        *error = read.err();
    }

    /// Writes rows, of which `columns` are the cells that are read.
    fn write(
        &mut self,
        rows: &[TableRow<'_, '_>],
        columns: &[Vec<Cell<'_>>],
        out: &mut Vec<u8>,
        refused: &mut Vec<RefusedRow>,
    ) {
        let mut found = self.make_values(rows, columns);
        // A stable sort: the refusals of a row stay in the order of its columns.
        found.sort_by_key(|(index, _)| *index);
        let mut found = found.into_iter().peekable();
        for (index, row) in rows.iter().enumerate() {
            let before = refused.len();
            while let Some((_, row)) = found.next_if(|(other, _)| *other == index) {
                refused.push(row);
            }
            if refused.len() == before || !self.task.leaves_refused_out {
                self.write_row(index, row, out);
            }
        }
    }

    /// Makes the values of all columns that are read; returns the refused rows, column by column.
    fn make_values(
        &mut self,
        rows: &[TableRow<'_, '_>],
        columns: &[Vec<Cell<'_>>],
    ) -> Vec<(usize, RefusedRow)> {
        let texts = &self.task.texts;
        let mut refused = Vec::new();
        for (made, cells) in self.cells.iter_mut().zip(columns) {
            made.clear();
            let read = cells.iter().zip(rows).map(|(cell, row)| match cell {
                Cell::Bad(error) | Cell::Number(_, error) if row.is_whole => Err(error.clone().into()),
                cell => texts.read(text_of(cell).unwrap_or_default()),
            });
            self.maker.rows(read.collect(), made, &mut |index, refusal| {
                let text = text_of(&cells[index]);
                refused.push((index, texts.refused(rows[index].line, text, refusal)));
            });
            // A row that is not whole is refused here, because it has no place for values, not even those for
            // an unreadable text.
            for (index, (cell, row)) in cells.iter().zip(rows).enumerate() {
                if let (Cell::Bad(error), false) = (cell, row.is_whole) {
                    let refusal = error.clone().into();
                    refused.push((index, texts.refused(row.line, None, refusal)));
                }
            }
        }
        refused
    }

    fn write_row(&self, index: usize, row: &TableRow<'_, '_>, out: &mut Vec<u8>) {
        let EnrichTask { layout, added, keys, .. } = self.task;
        let is_object = layout.dialect() == Dialect::Ndjson;
        // New members go before the last brace of an object.
        let brace = row.text.iter().rposition(|&byte| byte == b'}').filter(|_| is_object && row.is_whole);
        let (before, after) = row.text.split_at(brace.unwrap_or(row.text.len()));
        out.extend_from_slice(before);
        let mut has_others = row.has_others;
        // `chunks` panics at zero, the number of new columns of a verb that has some for ndjson alone.
        let columns = self.cells.iter().zip(keys.chunks(added.len().max(1))).filter(|_| row.is_whole);
        for (made, keys) in columns {
            for ((place, column), key) in added.iter().zip(keys) {
                let value = made.get(index, *place);
                if is_object {
                    push_member(out, has_others, key, value, column.holds);
                } else {
                    push_field(out, value, layout.dialect());
                }
                has_others = true;
            }
        }
        out.extend_from_slice(after);
        out.extend_from_slice(row.end);
    }
}

/// Returns the text of a cell, if it has one.
fn text_of<'c>(cell: &'c Cell<'_>) -> Option<&'c [u8]> {
    match cell {
        Cell::Text(text) => Some(text),
        Cell::Missing | Cell::Null | Cell::Number(..) | Cell::Bad(_) => None,
    }
}

/// Returns a name as that of a JSON member, with its colon.
fn key(name: &str) -> Vec<u8> {
    let mut key = Vec::new();
    json::push_string(&mut key, name);
    key.push(b':');
    key
}

/// Appends a member of an object.
fn push_member(object: &mut Vec<u8>, has_others: bool, key: &[u8], value: Option<&str>, holds: Holds) {
    if has_others {
        object.push(b',');
    }
    object.extend_from_slice(key);
    match (value, holds) {
        (None, _) => object.extend_from_slice(b"null"),
        (Some(text), Holds::Text | Holds::Lines) => json::push_string(object, text),
        (Some(json), Holds::Number | Holds::Json) => object.extend_from_slice(json.as_bytes()),
    }
}
