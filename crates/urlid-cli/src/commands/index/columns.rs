//! The values of one column of Parquet and CSV files, given to a command as if each were a line (docs/spec/lines.md, "Columns").
//!
//! Knows how a table is told from another; how tables are read is known by `urlid-lines` and `urlid-index`.

use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use urlid_index::{ColumnError, ParquetColumn};
use urlid_lines::{CsvError, Input, Line, LineError, Options};

use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::input::{LineSink, Opened, Source, Sources};
use crate::message;
use crate::progress::Progress;
use crate::refusals::Place;
use urlid::{Coded, ErrorCode};

/// The bytes that are shown of a value over the cap.
const HEAD: usize = 64;
/// Rows between two looks at the progress bar.
const ROWS_BETWEEN_LOOKS: u64 = 4_096;

/// Gives the values of the column of all sources to `sink`. A source that cannot be read is told about, and the next one is read.
pub(super) fn each_value(
    sources: &Sources,
    column: &str,
    options: Options,
    progress: &Progress,
    sink: &mut impl LineSink,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut reading = Reading { column, options, progress, before: 0 };
    for source in &sources.0 {
        match reading.source(source, sink) {
            Ok(()) => {}
            Err(End::Failure(failure)) => return Err(failure),
            Err(End::Table { code, message }) => {
                let name = Escaped::path(source.name());
                let message = Escaped(message.as_bytes());
                progress.suspend(|| message::say(&format!("{name}: {code}: {message}")));
                exit = exit.max(Exit::Failed);
            }
        }
    }
    Ok(exit)
}

/// Why a table ends early.
enum End {
    /// The command ends with it.
    Failure(Failure),
    /// The next table is read.
    Table { code: ErrorCode, message: String },
}

impl From<Failure> for End {
    fn from(failure: Failure) -> Self {
        End::Failure(failure)
    }
}

impl From<CsvError> for End {
    fn from(error: CsvError) -> Self {
        End::Table { code: error.code(), message: error.to_string() }
    }
}

impl From<ColumnError> for End {
    fn from(error: ColumnError) -> Self {
        End::Table { code: error.code(), message: error.to_string() }
    }
}

struct Reading<'a> {
    column: &'a str,
    options: Options,
    progress: &'a Progress,
    /// Bytes of the sources before this one.
    before: u64,
}

impl Reading<'_> {
    fn source(&mut self, source: &Source, sink: &mut impl LineSink) -> Result<(), End> {
        match source {
            Source::File(path) if is_parquet(path) => self.parquet(path, sink),
            _ => match source.open().map_err(CsvError::from)? {
                Opened::Input(input) => self.csv(source.name(), input, sink),
                // Tables are files.
                Opened::Texts(_) => Ok(()),
            },
        }
    }

    fn csv(&mut self, name: &Path, input: Input, sink: &mut impl LineSink) -> Result<(), End> {
        let read = input.bytes_read();
        let mut values = input.column(self.column, self.options)?;
        loop {
            if !values.has_line() {
                self.progress.set(self.before + read.get());
                sink.pause()?;
            }
            let Some(line) = values.next_line()? else { break };
            sink.line(Place { input: name, line: line.number }, &line)?;
        }
        self.before += read.get();
        Ok(())
    }

    fn parquet(&mut self, path: &Path, sink: &mut impl LineSink) -> Result<(), End> {
        let file = File::open(path).map_err(ColumnError::from)?;
        let size = file.metadata().map_err(ColumnError::from)?.len();
        let values = ParquetColumn::open(file, self.column)?;
        let (rows, mut number, mut taken) = (values.rows().max(1), 0_u64, Ok(()));
        values.each_value(&mut |value| {
            number += 1;
            if number.is_multiple_of(ROWS_BETWEEN_LOOKS) {
                let share = u128::from(size) * u128::from(number.min(rows)) / u128::from(rows);
                self.progress.set(self.before + share as u64);
            }
            let line = line_of(number, value.unwrap_or_default(), self.options.max_line);
            taken = sink.line(Place { input: path, line: number }, &line);
            if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        self.before += size;
        Ok(taken?)
    }
}

/// Makes a line of a value.
fn line_of(number: u64, value: &[u8], limit: usize) -> Line<'_> {
    if value.len() <= limit {
        return Line::of(number, value);
    }
    Line { number, bytes: &value[..value.len().min(HEAD)], text: Err(LineError::TooLong { limit }) }
}

/// Whether a file says that it is Parquet. What cannot be read is left to be told by whoever reads it.
fn is_parquet(path: &Path) -> bool {
    // Opening a pipe to look at it would take its first bytes from whoever reads it.
    let mut head = [0; ParquetColumn::MAGIC.len()];
    path.metadata().is_ok_and(|data| data.is_file())
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok())
        && head == *ParquetColumn::MAGIC
}
