//! Rows of tables of text: the inputs that are read as rows, and the rows that have a URL with its digest.

use std::fs::File;
use std::path::Path;

use urlid_io::error;
use urlid_io::lines::Line;
use urlid_io::tables::{Cell, Dialect, ParquetTable, TableLayout, TableRow};

use super::digests::{DigestMaker, Digests};
use crate::input::batch::{Origin, RejectedRow, RowsMade, TextError};
use crate::input::columns::{ColumnArgs, TableFormat};
use crate::input::driver::{BatchSource, Work};
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Source};
use crate::output::enrich::{check_name, header, json_key};
use crate::output::escape::Escaped;
use crate::report::exit::Failure;
use crate::report::message;
use crate::report::rejections::{Ended, Rejection};

/// The kind of output for the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// Lines, or values of columns.
    Texts,
    /// Rows of tables of text.
    Rows,
    /// Rows of Parquet files.
    ParquetRows,
}

impl Content {
    /// Returns the kind of output for tables: rows if one column is read and all tables have equal columns.
    pub(super) fn of_tables(columns: &ColumnArgs, sources: &[Source]) -> Self {
        let [_] = columns.choices()[..] else { return Content::Texts };
        let is_parquet = |source: &&Source| columns.format_of(source.path()) == Some(TableFormat::Parquet);
        // Files that do not exist are reported when they are read.
        let sources: Vec<&Source> =
            sources.iter().filter(|source| source.path().is_none_or(Path::exists)).collect();
        let content = match sources.first() {
            Some(source) if is_parquet(source) => Content::ParquetRows,
            _ => Content::Rows,
        };
        if sources.len() < 2 {
            return content;
        }
        let are_equal = match content {
            Content::ParquetRows => sources.iter().all(is_parquet) && have_equal_schemas(&sources, columns),
            _ => have_equal_layouts(&sources, columns),
        };
        if are_equal {
            return content;
        }
        message::print("the tables differ in kind or columns, so URLs are printed, as with --values");
        Content::Texts
    }
}

/// Returns whether all files that can be read have the same columns. The others are reported when they are
/// read. Returns `false` for a pipe, because it can be read only once.
fn have_equal_layouts(sources: &[&Source], columns: &ColumnArgs) -> bool {
    let mut first: Option<TableLayout> = None;
    sources.iter().all(|source| {
        if !source.is_regular_file() {
            return false;
        }
        let dialect = match columns.format_of(source.path()) {
            Some(TableFormat::Parquet) => return false,
            Some(TableFormat::Text(dialect)) => Some(dialect),
            Some(TableFormat::Prose) | None => None,
        };
        let Ok(Opened::Input(input)) = source.open() else { return true };
        let read = urlid_io::tables::RecordReader::open(input, dialect, columns.header(), &columns.choices());
        let Ok((_, layout, _)) = read else { return true };
        first.get_or_insert_with(|| layout.clone()).has_same_columns(&layout)
    })
}

/// Returns whether all Parquet files that can be read have the same columns.
fn have_equal_schemas(sources: &[&Source], columns: &ColumnArgs) -> bool {
    let mut first: Option<ParquetTable> = None;
    sources.iter().filter_map(|source| source.path()).all(|path| {
        let table = File::open(path).map_err(error::file);
        let Ok(table) = table.and_then(|file| ParquetTable::open(file, &columns.choices())) else {
            return true;
        };
        match &first {
            Some(first) => first.has_same_columns(&table),
            None => {
                first = Some(table);
                true
            }
        }
    })
}

/// Reads rows of tables of text that have the same columns.
pub(super) struct RowReader {
    columns: ColumnArgs,
    has_counts: bool,
    /// Whether rows have to be text.
    needs_text: bool,
    /// The columns of the first table that could be opened.
    layout: Option<TableLayout>,
}

/// The header of tables, which is written once.
pub(super) struct RowHeader {
    pub(super) dialect: Dialect,
    /// The first record with its line end, or a byte order mark.
    pub(super) bytes: Vec<u8>,
    /// The name of the column of counts, in the form of a JSON member with its colon.
    pub(super) key: Vec<u8>,
}

impl RowReader {
    pub(super) fn new(columns: &ColumnArgs, has_counts: bool, needs_text: bool) -> Self {
        RowReader { columns: columns.clone(), has_counts, needs_text, layout: None }
    }

    /// Passes the rows of a table to `take`, after its header if it is the first table.
    pub(super) fn read<'w>(
        &mut self,
        run: &mut LineRun,
        source: &Source,
        make: &dyn Fn() -> DigestMaker<'w>,
        begin: &mut dyn FnMut(&mut LineRun, RowHeader) -> Result<(), Failure>,
        take: &mut dyn FnMut(&mut LineRun, &mut Digests) -> Result<(), Failure>,
    ) -> Result<u64, Ended> {
        let dialect = match self.columns.format_of(source.path()) {
            Some(TableFormat::Text(dialect)) => Some(dialect),
            _ => None,
        };
        let (reader, read, mut layout, first) = run.open_rows(source, &self.columns, dialect)?;
        if self.layout.as_ref().is_some_and(|first| !first.has_same_columns(&layout)) {
            let name = Escaped::path(source.name());
            return Err(Failure::failed(format!(
                "{name}: ERR_TABLE: columns of the table differ from the first table"
            ))
            .into());
        }
        let name = layout.names().first().map(|name| format!("{}_rows", name.replace('.', "_")));
        let new: Vec<String> = name.into_iter().filter(|_| self.has_counts).collect();
        let is_first = self.layout.is_none();
        self.layout.get_or_insert_with(|| layout.clone());
        layout.add(&new)?;
        if is_first {
            check_name(run.out.path(), Some(layout.dialect()))?;
            let mut bytes = header(&first, &new, layout.dialect());
            if !bytes.is_empty() && !bytes.ends_with(b"\n") && bytes != b"\xef\xbb\xbf" {
                bytes.push(b'\n');
            }
            let key = new.first().map(|name| json_key(name)).unwrap_or_default();
            begin(run, RowHeader { dialect: layout.dialect(), bytes, key })?;
        }
        let rows = BatchSource::of_rows(run.origin(source.name()), reader, read);
        let (layout, needs_text) = (&layout, self.needs_text);
        let make_work = || -> Work<'_, RowsMade<Digests>> {
            let mut maker = make();
            Box::new(move |batch, rows, _| {
                rows.made.clear();
                rows.each_row(batch, layout, |rows, row| {
                    rows.seen.row(row.cells);
                    if let Err(rejected) =
                        push_row(&mut maker, &mut rows.made, &batch.origin, row, needs_text)
                    {
                        rows.rejected.push(rejected);
                    }
                });
            })
        };
        run.drive_rows(rows, layout, &make_work, take)
    }
}

/// Appends a row, unless it lacks a URL.
fn push_row(
    maker: &mut DigestMaker<'_>,
    made: &mut Digests,
    origin: &Origin,
    row: &TableRow<'_, '_>,
    needs_text: bool,
) -> Result<(), RejectedRow> {
    let value = match row.cells.first() {
        Some(Cell::Text(value)) => value,
        Some(Cell::Bad(error) | Cell::Number(_, error)) => {
            return Err(RejectedRow::new(row.line, row.text, error.clone().into()));
        }
        Some(Cell::Missing | Cell::Null) | None => return Ok(()),
    };
    let reject = |rejection: Rejection| RejectedRow::new(row.line, origin.shown(value), rejection);
    let text = origin.read(value).map_err(|error| reject(error.into()))?;
    if needs_text {
        Line::new(row.line, row.text).text.map_err(|error| reject(TextError::Line(error).into()))?;
    }
    if maker.push(&text, made).map_err(reject)? {
        // The last row of a table may lack its line end, and others may follow it.
        let end: &[u8] = if row.end.ends_with(b"\n") { b"" } else { b"\n" };
        made.push_bytes(&[row.text, row.end, end]);
    }
    Ok(())
}
