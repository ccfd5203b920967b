//! The lines of a session, passed to the command: one by one, or a chunk at a time to the workers of `pipeline`.
//!
//! The lines of a table are the values of its columns (docs/spec/lines.md, "Columns").

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use urlid::web::assume_scheme;
use urlid_io::error;
use urlid_io::lines::Line;
use urlid_io::tables::{Cell, ColumnChoice, Dialect, ParquetColumn, RecordChunk, RecordReader};

use crate::input::columns::{ColumnArgs, SeenColumns, TableFormat, line_of};
use crate::input::pipeline::{self, MakeWorker, TakeMade, Taken, Worker};
use crate::input::session::Session;
use crate::input::sources::{Opened, Source};
use crate::output::Output;
use crate::report::doubt::FIRST_LINES;
use crate::report::exit::Failure;
use crate::report::refusals::{Ended, Place};
use crate::report::signals;

/// Rows between two updates of the progress bar.
const ROWS_BETWEEN_UPDATES: u64 = 4_096;

/// Takes the lines of a session.
pub(crate) trait LineSink {
    /// Takes a line, which may not be readable as text.
    fn line(&mut self, session: &mut Session, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure>;

    /// Is called before a read that may wait for the next line.
    fn before_wait(&mut self, session: &mut Session) -> Result<(), Failure> {
        // A program that writes a line and waits for its answer would otherwise wait forever.
        session.out.flush()
    }
}

impl<F> LineSink for F
where
    F: FnMut(&mut Session, Place<'_>, &Line<'_>) -> Result<(), Failure>,
{
    fn line(&mut self, session: &mut Session, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        self(session, place, line)
    }
}

impl Session {
    /// Passes a line to `sink`, with the assumed scheme if it lacks one.
    pub(crate) fn pass(
        &mut self,
        sink: &mut dyn LineSink,
        place: Place<'_>,
        line: &Line<'_>,
    ) -> Result<(), Failure> {
        match (&self.assumed_scheme, line.text) {
            (Some(scheme), Ok(text)) => {
                let text = assume_scheme(text, scheme);
                sink.line(self, place, &Line { text: Ok(&text), ..*line })
            }
            _ => sink.line(self, place, line),
        }
    }

    /// Passes every line of the sources to `sink`.
    pub(crate) fn each_line(&mut self, sink: &mut dyn LineSink) -> Result<(), Failure> {
        self.each_source(&mut |session, source| session.read_lines(source, sink))
    }

    /// Passes every line of a source to `sink`; returns its size in bytes.
    fn read_lines(&mut self, source: &Source, sink: &mut dyn LineSink) -> Result<u64, Ended> {
        if let Some(columns) = self.columns.clone() {
            return each_value(self, source, &columns, sink);
        }
        let input = match self.open(source)? {
            Opened::Input(input) => input,
            Opened::Texts(texts) => {
                source.lines_of(texts).try_for_each(|(place, line)| {
                    self.examine(source, [line]);
                    self.pass(sink, place, &line)
                })?;
                return Ok(0);
            }
        };
        let read = input.bytes_read();
        let mut lines = input.lines(self.options);
        loop {
            if !lines.has_line() {
                self.show_progress(read.get());
                sink.before_wait(self)?;
            }
            if signals::is_stopping() {
                return Err(Failure::Stopped.into());
            }
            let Some(line) = lines.next_line()? else { return Ok(read.get()) };
            self.examine(source, [line]);
            self.pass(sink, Place::in_file(source.name(), line.number), &line)?;
        }
    }

    /// Passes the text of every line that is not blank to `take`, and refuses the line if that returns a refusal.
    pub(crate) fn each_text(
        &mut self,
        take: &mut dyn FnMut(&mut Output, &str) -> Result<(), Ended>,
    ) -> Result<(), Failure> {
        self.each_text_or_blank(&mut |out, text| if text.is_empty() { Ok(()) } else { take(out, text) })
    }

    /// As [`each_text`](Self::each_text), with the empty text of blank lines: a URL of the Theory without tokens.
    pub(crate) fn each_text_or_blank(
        &mut self,
        take: &mut dyn FnMut(&mut Output, &str) -> Result<(), Ended>,
    ) -> Result<(), Failure> {
        self.each_line(&mut |session: &mut Session, place: Place<'_>, line: &Line<'_>| {
            let result = match line.text {
                Ok(text) => take(&mut session.out, text),
                Err(error) => Err(error.into()),
            };
            match result {
                Ok(()) => Ok(()),
                Err(Ended::Failed(failure)) => Err(failure),
                Err(Ended::Refused(refusal)) => session.refuse(place, line.bytes, &refusal),
            }
        })
    }

    /// Passes the lines of the sources to workers, of which `make` makes one for each core, a chunk at a time. The results are
    /// printed in the order of the lines.
    pub(crate) fn each_chunk(&mut self, make: &MakeWorker<'_>) -> Result<(), Failure> {
        self.each_made(make, &mut |out, made, _| out.write(made))
    }

    /// As [`each_chunk`](Self::each_chunk), but passes what a worker made of lines to `take`, with the lines.
    pub(crate) fn each_made(
        &mut self,
        make: &MakeWorker<'_>,
        take: &mut TakeMade<'_>,
    ) -> Result<(), Failure> {
        let (mut own, mut made) = (make(), Vec::new());
        self.each_source(&mut |session, source| {
            // A worker receives the bytes of a chunk as they are in a file. Values of tables, arguments, and texts that get a scheme
            // are not there.
            if session.is_by_line || matches!(source, Source::Arguments(_)) {
                let mut each = |session: &mut Session, place: Place<'_>, line: &Line<'_>| {
                    session.take_line(&mut *own, &mut made, place, line, take)
                };
                return session.read_lines(source, &mut each);
            }
            let Opened::Input(input) = session.open(source)? else { return Ok(0) };
            let read = input.bytes_read();
            pipeline::run(input, session.options, make, &mut |slot| {
                take(&mut session.out, &slot.made.out, &Taken::Chunk(&slot.chunk))?;
                // A chunk of a pipe may be short because its writer waits for the results.
                session.out.flush()?;
                session.show_progress(read.get());
                if slot.first <= FIRST_LINES {
                    session.examine(source, slot.chunk.lines(slot.first));
                }
                session.refuse_lines(source, slot)
            })?;
            Ok(read.get())
        })
    }

    /// Passes the result of one line to `take`; `made` is a reused buffer.
    fn take_line(
        &mut self,
        worker: &mut dyn Worker,
        made: &mut Vec<u8>,
        place: Place<'_>,
        line: &Line<'_>,
        take: &mut TakeMade<'_>,
    ) -> Result<(), Failure> {
        made.clear();
        let is_blank = line.text == Ok("") && !place.is_argument;
        let result = worker.line(line, is_blank, made);
        take(&mut self.out, made, &Taken::Line(*line))?;
        match result {
            Ok(()) => Ok(()),
            Err(refusal) => self.refuse(place, line.bytes, &refusal),
        }
    }
}

/// Passes the values of columns of a table to `sink`; returns its size in bytes.
fn each_value(
    session: &mut Session,
    source: &Source,
    columns: &ColumnArgs,
    sink: &mut dyn LineSink,
) -> Result<u64, Ended> {
    match (source, columns.format_of(source.path())) {
        (Source::File(path), Some(TableFormat::Parquet)) => {
            let choices = columns.choices();
            // Each column returns the size of the whole file, which is to count once.
            choices.iter().try_fold(0, |_, choice| each_parquet_value(session, path, choice, sink))
        }
        (_, Some(TableFormat::Text(dialect))) => {
            each_text_value(session, source, columns, Some(dialect), sink)
        }
        _ => each_text_value(session, source, columns, None, sink),
    }
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
    let limit = session.options.max_line;
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
    let limit = session.options.max_line;
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
