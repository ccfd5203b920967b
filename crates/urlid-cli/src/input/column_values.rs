//! The values of columns of tables, passed to a command as lines (docs/spec/lines.md, "Columns").

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use urlid_io::error;
use urlid_io::lines::Line;
use urlid_io::tables::{Cell, ColumnChoice, Dialect, ParquetColumn, RecordChunk, RecordReader};

use crate::input::columns::{ColumnArgs, SeenColumns, TableFormat, line_of};
use crate::input::session::{LineSink, Session};
use crate::input::sources::{Opened, Source};
use crate::report::exit::Failure;
use crate::report::refusals::{Ended, Place};
use crate::report::signals;

/// Rows between two updates of the progress bar.
const ROWS_BETWEEN_UPDATES: u64 = 4_096;

/// Passes the values of columns of all sources to `sink`, or all lines if no column is named.
pub(crate) fn each_value(
    session: &mut Session,
    columns: &ColumnArgs,
    sink: &mut dyn LineSink,
) -> Result<(), Failure> {
    if !columns.is_given() {
        return session.each_line(sink);
    }
    session.each_source(&mut |session, source| match (source, columns.format_of(source.path())) {
        (Source::File(path), Some(TableFormat::Parquet)) => {
            let choices = columns.choices();
            // Each column returns the size of the whole file, which is to count once.
            choices.iter().try_fold(0, |_, choice| each_parquet_value(session, path, choice, sink))
        }
        (_, Some(TableFormat::Text(dialect))) => {
            each_text_value(session, source, columns, Some(dialect), sink)
        }
        _ => each_text_value(session, source, columns, None, sink),
    })
}

fn each_text_value(
    session: &mut Session,
    source: &Source,
    columns: &ColumnArgs,
    dialect: Option<Dialect>,
    sink: &mut dyn LineSink,
) -> Result<u64, Ended> {
    // With --column, all arguments are files.
    let Opened::Input(input) = session.open(source)? else { return Ok(0) };
    let read = input.bytes_read();
    let limit = session.options().max_line;
    let (mut reader, layout, _) = RecordReader::open(input, dialect, columns.header(), &columns.choices())?;
    let (mut chunk, mut seen) = (RecordChunk::default(), SeenColumns::default());
    loop {
        session.show_progress(read.get());
        if !reader.is_ready() {
            sink.before_wait(session)?;
        }
        if !reader.read(&mut chunk)? {
            break;
        }
        chunk.each_row(&layout, |row| {
            let place = Place::in_file(source.name(), row.line);
            seen.row(row.cells);
            // An empty line counts as a blank one.
            let cells = if row.cells.is_empty() { &[Cell::Null][..] } else { row.cells };
            for cell in cells {
                if signals::is_stopping() {
                    return Err(Ended::from(Failure::Stopped));
                }
                match cell {
                    Cell::Text(text) => session.pass(sink, place, &line_of(row.line, text, limit))?,
                    Cell::Missing | Cell::Null => session.pass(sink, place, &Line::of(row.line, b""))?,
                    Cell::Bad(error) => session.refuse(place, row.text, &error.clone().into())?,
                }
            }
            Ok(())
        })?;
    }
    seen.check(&layout)?;
    Ok(read.get())
}

fn each_parquet_value(
    session: &mut Session,
    path: &Path,
    column: &ColumnChoice,
    sink: &mut dyn LineSink,
) -> Result<u64, Ended> {
    let file = File::open(path).map_err(error::file)?;
    let size = file.metadata().map_err(error::file)?.len();
    let values = ParquetColumn::open(file, column)?;
    let limit = session.options().max_line;
    let (rows, mut number, mut taken) = (values.rows().max(1), 0_u64, Ok(()));
    values.each_value(&mut |value| {
        number += 1;
        if number.is_multiple_of(ROWS_BETWEEN_UPDATES) {
            // The product may not fit in 64 bits. The share does: it is at most `size`, because `number` is at most `rows`
            // here.
            let share = u128::from(size) * u128::from(number.min(rows)) / u128::from(rows);
            session.show_progress(share as u64);
        }
        let line = line_of(number, value.unwrap_or_default(), limit);
        taken = if signals::is_stopping() {
            Err(Failure::Stopped)
        } else {
            session.pass(sink, Place::in_file(path, number), &line)
        };
        if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    taken?;
    Ok(size)
}
