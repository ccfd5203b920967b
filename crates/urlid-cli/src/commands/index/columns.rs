//! The values of one column of Parquet and CSV files, given to a command as if each were a line (docs/spec/lines.md, "Columns").
//!
//! Tables are recognised here and read by `urlid-lines` and `urlid-tables`.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use urlid_lines::{Input, Line, LineError};
use urlid_tables::{ColumnError, ParquetColumn};

use crate::exit::Failure;
use crate::refusals::{Ended, Place};
use crate::session::{LineSink, Session};
use crate::signals;
use crate::sources::{Opened, Source};

/// The bytes that are shown of a value over the cap.
const HEAD: usize = 64;
/// Rows between two updates of the progress bar.
const ROWS_BETWEEN_UPDATES: u64 = 4_096;

/// Gives the values of a column of all sources to `sink`, or all lines if no column is named.
pub(super) fn each_value(
    session: &mut Session,
    column: Option<&str>,
    sink: &mut impl LineSink,
) -> Result<(), Failure> {
    let Some(column) = column else { return session.each_line(sink) };
    let sink = &mut session.completed(sink);
    session.each_source(|session, source| match source {
        Source::File(path) if is_parquet(path) => each_parquet_value(session, path, column, sink),
        _ => match source.open()? {
            Opened::Input(input) => each_csv_value(session, source.name(), input, column, sink),
            // Tables are files.
            Opened::Texts(_) => Ok(0),
        },
    })
}

fn each_csv_value(
    session: &mut Session,
    name: &Path,
    input: Input,
    column: &str,
    sink: &mut impl LineSink,
) -> Result<u64, Ended> {
    let read = input.bytes_read();
    let mut values = input.column(column, session.options())?;
    loop {
        if !values.has_line() {
            session.show_progress(read.get());
            sink.before_wait(session)?;
        }
        if signals::is_stopping() {
            return Err(Failure::Stopped.into());
        }
        let Some(line) = values.next_line()? else { return Ok(read.get()) };
        sink.line(session, Place::in_file(name, line.number), &line)?;
    }
}

fn each_parquet_value(
    session: &mut Session,
    path: &Path,
    column: &str,
    sink: &mut impl LineSink,
) -> Result<u64, Ended> {
    let file = File::open(path).map_err(ColumnError::from)?;
    let size = file.metadata().map_err(ColumnError::from)?.len();
    let values = ParquetColumn::open(file, column)?;
    let limit = session.options().max_line;
    let (rows, mut number, mut taken) = (values.rows().max(1), 0_u64, Ok(()));
    values.each_value(&mut |value| {
        number += 1;
        if number.is_multiple_of(ROWS_BETWEEN_UPDATES) {
            let share = u128::from(size) * u128::from(number.min(rows)) / u128::from(rows);
            session.show_progress(share as u64);
        }
        let line = line_of(number, value.unwrap_or_default(), limit);
        taken = match signals::is_stopping() {
            true => Err(Failure::Stopped),
            false => sink.line(session, Place::in_file(path, number), &line),
        };
        if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    taken?;
    Ok(size)
}

/// Makes a line of a value.
fn line_of(number: u64, value: &[u8], limit: usize) -> Line<'_> {
    if value.len() <= limit {
        return Line::of(number, value);
    }
    Line { number, bytes: &value[..value.len().min(HEAD)], text: Err(LineError::TooLong { limit }) }
}

/// Whether a file begins like Parquet. A file that cannot be read is reported where it is opened.
fn is_parquet(path: &Path) -> bool {
    // Opening a pipe here would take its first bytes from its reader.
    let mut head = [0; ParquetColumn::MAGIC.len()];
    path.metadata().is_ok_and(|data| data.is_file())
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == *ParquetColumn::MAGIC
}
