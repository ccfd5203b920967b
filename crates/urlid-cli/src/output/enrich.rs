//! The rows of a table with new columns: the values that a verb makes from the texts of other columns.
//!
//! A text without values has nulls, and its row is rejected. A row of a table of text is kept unchanged and
//! gets the new values at its end. The row groups of a Parquet file are copied and get new column chunks. If
//! rejected rows are left out of a Parquet file, its other rows are then copied value by value.
//!
//! In a table of text, a worker collects up to `ROWS_TOGETHER` rows. For each column that is read, it makes
//! the values of all these rows at once, and then it writes row by row. Rejections are therefore found column
//! by column. They are sorted by row before the rows are written, so that messages follow the order of the
//! table and a rejected row can be left out. In a Parquet file, a worker makes all new columns of one row
//! group. The other columns are already in the copied bytes, so a rejected row cannot be left out at this
//! point. With `--invalid skip`, the complete table is therefore written to a temporary file first, and the
//! kept rows are copied from it.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::Path;
use std::{env, mem};

use urlid::Error;
use urlid::snapshot::Snapshot;
use urlid_io::error;
use urlid_io::tables::{
    Cell, ChosenRows, Dialect, LogFormat, MakeValues, NewColumn, NewGroup, NoRows, ParquetRows, ParquetTable,
    TableLayout, TableRow,
};
use urlid_store::dataset::is_dataset;

use crate::input::InputOptions;
use crate::input::batch::{Batch, BatchContent, Origin, RejectedRow, RowsMade};
use crate::input::columns::{TableArgs, TableFormat};
use crate::input::driver::{BatchSource, Work};
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::json;
use crate::output::rows::{Format, Shown, push_csv, push_tsv};
use crate::output::table::{
    self, BoxedValues, CellColumns, Holds, MakeBoxedValues, ValueColumn, Values, shown,
};
use crate::output::{Output, name_format};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Ended;
use crate::report::signals;

/// The number of rows of a table whose values are made together.
const ROWS_TOGETHER: usize = 512;

/// Writes the values of each text: a row for each line, or with `--column` the table with new columns.
/// `files` are the other files of the command, and `make` makes the maker of the values for each core.
pub(crate) fn run(
    inputs: InputOptions<'_>,
    files: FilesInUse,
    args: &TableArgs,
    format: Format,
    name_of_text: &str,
    make: &MakeBoxedValues<'_>,
) -> Result<Exit, Failure> {
    let is_table = args.columns.is_given();
    if is_table && format != Format::Text {
        return Err(Failure::usage(
            "--format cannot be used with --column, because a table keeps its format",
        ));
    }
    let mut run = LineRun::begin(inputs, files, args.out.path())?;
    if !is_table {
        return table::print_rows(run, format, name_of_text, make);
    }
    let [_] = &run.sources.0[..] else { return Err(not_one_table(&run.sources.0)) };
    run.each_source(&mut |run, source| match args.columns.format_of(source.path()) {
        Some(TableFormat::Parquet) => extend_parquet(run, source, args, make),
        Some(TableFormat::Text(dialect)) => extend_rows(run, source, Some(dialect), args, make),
        Some(TableFormat::Prose) | None => extend_rows(run, source, None, args, make),
    })?;
    if run.has_unread() {
        // A table that ends too early does not get its name.
        run.out = Output::stdout()?;
    }
    run.finish(Exit::Done)
}

/// Returns an error if the name of the output belongs to a format other than the table's. A missing dialect
/// stands for Parquet.
pub(crate) fn check_name(out: Option<&Path>, dialect: Option<Dialect>) -> Result<(), Failure> {
    let formats: &[&str] = match dialect {
        None => &["parquet"],
        Some(Dialect::Ndjson) => &["ndjson"],
        Some(Dialect::Tsv) => &["tsv"],
        Some(Dialect::Csv(separator)) if separator.byte() == b'\t' => &["csv", "tsv"],
        Some(Dialect::Csv(_)) => &["csv"],
        Some(Dialect::Log(_)) => &["log"],
    };
    let (named, is_compressed) = out.map(name_format).unwrap_or_default();
    let is_parquet = dialect.is_none();
    match (out, named) {
        (Some(out), Some(named)) if !formats.contains(&named) || is_parquet && is_compressed => {
            let (out, format) = (Escaped::path(out), formats[0]);
            Err(Failure::usage(format!("--out {out}: a table is written in its own format, {format}")))
        }
        (Some(out), None) if is_parquet && is_compressed => Err(Failure::usage(format!(
            "--out {}: a Parquet file cannot be compressed as a whole",
            Escaped::path(out)
        ))),
        _ => Ok(()),
    }
}

/// Returns the error for several tables. The files of a dataset stay separate, because new columns are
/// written next to the bytes of a file.
fn not_one_table(sources: &[Source]) -> Failure {
    let failure = Failure::usage(format!("--column: expected one table, found {}", sources.len()));
    match sources.first().and_then(Source::path).and_then(Path::parent).filter(|folder| is_dataset(folder)) {
        None => failure,
        Some(folder) => failure.with_hint(format!(
            "name the files of the dataset one by one, or read all as CSV: urlid index export {} --format csv, piped to `-`",
            Escaped::path(folder)
        )),
    }
}

/// Returns the columns that a table gets for each column that is read: the columns of all formats, and in
/// ndjson also the columns with JSON values.
fn added(maker: &dyn Values, dialect: Option<Dialect>) -> Vec<(usize, ValueColumn)> {
    let is_added = |column: &ValueColumn| dialect == Some(Dialect::Ndjson) || column.shown != Shown::InJson;
    maker.columns().into_iter().enumerate().filter(|(_, column)| is_added(column)).collect()
}

/// Returns the names of the new columns.
///
/// The new columns of a column in a group are placed next to the group. Many engines read a dot in a name as a
/// step into a group, so a dot becomes `_`.
fn names(args: &TableArgs, columns: &[String], added: &[(usize, ValueColumn)]) -> Vec<String> {
    let prefix = |column: &String| args.prefix.clone().unwrap_or_else(|| column.replace('.', "_"));
    let name =
        |column| added.iter().map(move |(_, value)| format!("{}_{}", prefix(column), value.name_in_tables()));
    columns.iter().flat_map(name).collect()
}

/// Writes the rows of a table of text, with the new values at their ends.
fn extend_rows(
    run: &mut LineRun,
    source: &Source,
    dialect: Option<Dialect>,
    args: &TableArgs,
    make: &MakeBoxedValues<'_>,
) -> Result<u64, Ended> {
    let (reader, read, mut layout, first) = run.open_rows(source, &args.columns, dialect)?;
    let is_ndjson = layout.dialect() == Dialect::Ndjson;
    check_name(run.out.path(), Some(layout.dialect()))?;
    let make = || shown(make(), is_ndjson);
    let maker = make();
    let added = added(&*maker, Some(layout.dialect()));
    let new = names(args, layout.names(), &added);
    layout.add(&new)?;
    run.out.lines(&header(&first, &new, layout.dialect()))?;
    let width = maker.columns().len();
    let rows = BatchSource::of_rows(run.origin(source.name()), reader, read);
    let task = ExtendTask {
        layout: &layout,
        added: &added,
        keys: &new.iter().map(|name| json_key(name)).collect::<Vec<_>>(),
        leaves_rejected_out: run.leaves_rejected_out(),
    };
    let make_work = || -> Work<'_, RowsMade<Vec<u8>>> {
        let cells = vec![CellColumns::new(width); task.layout.names().len()];
        let mut worker = RowWorker { task: &task, maker: make(), cells };
        Box::new(move |batch, made, _| worker.work(batch, made))
    };
    run.drive_rows(rows, &layout, &make_work, &mut |run, out| run.out.lines(out))
}

/// Returns the first record with the names of the new columns, if it names columns.
pub(crate) fn header(first: &[u8], new: &[String], dialect: Dialect) -> Vec<u8> {
    if dialect == Dialect::Log(LogFormat::Zeek) {
        return zeek_header(first, new);
    }
    let text = first.strip_suffix(b"\n").unwrap_or(first);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let mut header = text.to_vec();
    // If the header is missing, the text is empty or a byte order mark.
    let names = if text.is_empty() || text == b"\xef\xbb\xbf" { &[] } else { new };
    names.iter().for_each(|name| push_field(&mut header, Some(name), dialect));
    header.extend_from_slice(&first[text.len()..]);
    header
}

/// Returns the first lines of a log of Zeek with the names and the types of the new columns.
fn zeek_header(first: &[u8], new: &[String]) -> Vec<u8> {
    let mut header = Vec::with_capacity(first.len());
    for line in first.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        header.extend_from_slice(text);
        for name in new {
            match text {
                _ if text.starts_with(b"#fields\t") => header.extend([b"\t", name.as_bytes()].concat()),
                _ if text.starts_with(b"#types\t") => header.extend(b"\tstring"),
                _ => {}
            }
        }
        header.extend_from_slice(&line[text.len()..]);
    }
    header
}

/// Appends a field with the separator before it. An absent value is an empty field.
pub(crate) fn push_field(record: &mut Vec<u8>, text: Option<&str>, dialect: Dialect) {
    match dialect {
        Dialect::Csv(separator) => {
            record.push(separator.byte());
            text.into_iter().for_each(|text| push_csv(record, text, separator));
        }
        Dialect::Tsv | Dialect::Ndjson | Dialect::Log(_) => {
            record.push(b'\t');
            text.into_iter().for_each(|text| push_tsv(record, text));
        }
    }
}

/// The work on each row.
struct ExtendTask<'a> {
    layout: &'a TableLayout,
    added: &'a [(usize, ValueColumn)],
    /// The names of the new columns as JSON names with their colon. The names for the first column that is
    /// read come first.
    keys: &'a [Vec<u8>],
    leaves_rejected_out: bool,
}

struct RowWorker<'a> {
    task: &'a ExtendTask<'a>,
    maker: BoxedValues<'a>,
    /// The values of some rows, for each column that is read.
    cells: Vec<CellColumns>,
}

impl RowWorker<'_> {
    fn work(&mut self, batch: &Batch, made: &mut RowsMade<Vec<u8>>) {
        made.made.clear();
        let (mut rows, mut columns) = (Vec::new(), vec![Vec::new(); self.cells.len()]);
        made.each_row(batch, self.task.layout, |made, row| {
            made.seen.row(row.cells);
            for (place, cells) in columns.iter_mut().enumerate() {
                // The first cell of an incomplete row has the reason.
                let cell = row.cells.get(place).filter(|_| row.is_whole || place == 0);
                cells.push(cell.cloned().unwrap_or(Cell::Null));
            }
            rows.push(TableRow { cells: &[], ..*row });
            if rows.len() == ROWS_TOGETHER {
                self.write(&rows, &columns, &batch.origin, made);
                rows.clear();
                columns.iter_mut().for_each(Vec::clear);
            }
        });
        self.write(&rows, &columns, &batch.origin, made);
    }

    /// Writes rows. `columns` are the cells that are read.
    fn write(
        &mut self,
        rows: &[TableRow<'_, '_>],
        columns: &[Vec<Cell<'_>>],
        origin: &Origin,
        RowsMade { made: out, rejected, .. }: &mut RowsMade<Vec<u8>>,
    ) {
        let mut found = self.make_values(rows, columns, origin);
        // The stable sort keeps the rejections of a row in the order of its columns.
        found.sort_by_key(|(index, _)| *index);
        let mut found = found.into_iter().peekable();
        for (index, row) in rows.iter().enumerate() {
            let before = rejected.len();
            while let Some((_, row)) = found.next_if(|(other, _)| *other == index) {
                rejected.push(row);
            }
            if rejected.len() == before || !self.task.leaves_rejected_out {
                self.write_row(index, row, out);
            }
        }
    }

    /// Makes the values of all columns that are read. Returns the rejected rows, column by column.
    fn make_values(
        &mut self,
        rows: &[TableRow<'_, '_>],
        columns: &[Vec<Cell<'_>>],
        origin: &Origin,
    ) -> Vec<(usize, RejectedRow)> {
        let mut rejected = Vec::new();
        for (made, cells) in self.cells.iter_mut().zip(columns) {
            made.clear();
            let read = cells.iter().zip(rows).map(|(cell, row)| match cell {
                Cell::Bad(error) | Cell::Number(_, error) if row.is_whole => Err(error.clone().into()),
                cell => Ok(origin.read(text_of(cell).unwrap_or_default())?),
            });
            self.maker.rows(read.collect(), made, &mut |index, rejection| {
                let text = text_of(&cells[index]);
                let text = origin.shown(text.unwrap_or_default());
                rejected.push((index, RejectedRow::new(rows[index].line, text, rejection)));
            });
            // A row that is not whole is rejected here, because it does not have a place for values, not even
            // for the values of an unreadable text.
            for (index, (cell, row)) in cells.iter().zip(rows).enumerate() {
                if let (Cell::Bad(error), false) = (cell, row.is_whole) {
                    let rejection = error.clone().into();
                    rejected.push((index, RejectedRow::new(row.line, b"", rejection)));
                }
            }
        }
        rejected
    }

    fn write_row(&self, index: usize, row: &TableRow<'_, '_>, out: &mut Vec<u8>) {
        let ExtendTask { layout, added, keys, .. } = self.task;
        let is_object = layout.dialect() == Dialect::Ndjson;
        // New members go before the last brace of an object.
        let brace = row.text.iter().rposition(|&byte| byte == b'}').filter(|_| is_object && row.is_whole);
        let (before, after) = row.text.split_at(brace.unwrap_or(row.text.len()));
        out.extend_from_slice(before);
        let mut has_others = row.has_others;
        // `chunks` panics at zero, which is the number of new columns of a verb whose columns exist only in
        // ndjson.
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

/// Returns a name as the name of a JSON member, with its colon.
pub(crate) fn json_key(name: &str) -> Vec<u8> {
    let mut key = Vec::new();
    json::push_string(&mut key, name);
    key.push(b':');
    key
}

/// Appends a member of an object.
pub(crate) fn push_member(
    object: &mut Vec<u8>,
    has_others: bool,
    key: &[u8],
    value: Option<&str>,
    holds: Holds,
) {
    if has_others {
        object.push(b',');
    }
    object.extend_from_slice(key);
    match (value, holds) {
        (None, _) => object.extend_from_slice(b"null"),
        (Some(text), Holds::Text | Holds::Lines) => json::push_string(object, text),
        (Some(json), Holds::Number | Holds::Long | Holds::Json) => object.extend_from_slice(json.as_bytes()),
    }
}

/// Writes a file with its new columns.
fn extend_parquet(
    run: &mut LineRun,
    source: &Source,
    args: &TableArgs,
    make: &MakeBoxedValues<'_>,
) -> Result<u64, Ended> {
    let Source::File(path) = source else {
        return Err(Failure::usage(
            "--column: a Parquet file must be given by name, because its footer is at its end",
        )
        .into());
    };
    check_name(run.out.path(), None)?;
    let file = File::open(path).map_err(error::file)?;
    let size = file.metadata().map_err(error::file)?.len();
    let mut table = ParquetTable::open(file, &args.columns.choices())?;
    let make = || shown(make(), false);
    let maker = make();
    let added = added(&*maker, None);
    let new = names(args, &table.names(), &added);
    // Every column that is read has all the new columns, so their kinds repeat.
    let kinds = added.iter().cycle().map(|(_, column)| column.holds);
    let column = |(name, holds): (&String, Holds)| match holds {
        Holds::Number => NewColumn::Number(name.clone()),
        Holds::Long => NewColumn::Long(name.clone()),
        Holds::Text | Holds::Lines | Holds::Json => NewColumn::Text(name.clone()),
    };
    table.add(&new.iter().zip(kinds).map(column).collect::<Vec<_>>())?;

    if run.out.is_terminal() {
        let message = "a Parquet file cannot be written to a terminal; name a file with --out";
        return Err(Failure::usage(message).into());
    }
    let mut whole = run.leaves_rejected_out().then(WholeTable::create).transpose()?;
    let begun = table.extend(writer(&mut whole, &mut run.out));
    let mut extension = begun.map_err(|error| failure(&whole, &run.out, &error))?;
    let origin = run.origin(path);
    let make_work = || -> Work<'_, ExtendedGroup> {
        let mut maker = make();
        let (table, added) = (&table, &added);
        Box::new(move |batch, made, _| {
            if let BatchContent::Group(number) = batch.content {
                *made = make_group(table, number, &batch.origin, added, &mut *maker);
            }
        })
    };
    let groups = BatchSource::of_groups(origin, table.groups(), size);
    run.drive(groups, &make_work, &mut |run, batch, made| {
        if let Some(whole) = &mut whole {
            whole.left_out.extend(made.rejected.iter().map(|row| row.number - 1));
        }
        run.reject_rows(batch, &mut made.rejected)?;
        if let Some(group) = made.group.take() {
            let pushed = extension.push(group?, writer(&mut whole, &mut run.out));
            pushed.map_err(|error| failure(&whole, &run.out, &error))?;
        }
        Ok(())
    })?;
    let finished = extension.finish(&facts(&*maker, &new), writer(&mut whole, &mut run.out));
    finished.map_err(|error| failure(&whole, &run.out, &error))?;
    match whole.map(|whole| whole.copy(args, run.out.writer())) {
        Some(Err(NoRows::Read(error))) => return Err(error.into()),
        Some(Err(NoRows::Write(error))) => return Err(run.out.failure(&error).into()),
        Some(Ok(())) | None => {}
    }
    Ok(size)
}

/// A table with its new columns and all its rows. With `--invalid skip` it is written to a temporary file,
/// because the rejected rows are known only when all columns are made.
struct WholeTable {
    file: File,
    /// The indexes of the rows that are left out. An index is repeated if several columns of its row are
    /// rejected.
    left_out: Vec<u64>,
}

impl WholeTable {
    fn create() -> Result<Self, Failure> {
        // The file is unnamed, so that it does not have to be removed.
        let file = tempfile::tempfile_in(env::temp_dir());
        let file = file.map_err(|error| Failure::write(&env::temp_dir(), &error))?;
        Ok(WholeTable { file, left_out: Vec::new() })
    }

    /// Copies the rows that are kept.
    fn copy(mut self, args: &TableArgs, out: &mut (dyn Write + Send)) -> Result<(), NoRows> {
        if self.left_out.is_empty() {
            let copied = self.file.rewind().and_then(|()| io::copy(&mut self.file, out));
            return copied.map(drop).map_err(NoRows::Write);
        }
        self.left_out.sort_unstable();
        self.left_out.dedup();
        let mut left_out = self.left_out.iter().peekable();
        let table = ParquetTable::open(self.file, &args.columns.choices()).map_err(NoRows::Read)?;
        let mut rows = ParquetRows::begin(&table, out)?;
        for group in 0..table.groups() {
            if signals::is_stopping() {
                return Err(NoRows::Write(io::ErrorKind::Interrupted.into()));
            }
            let (start, end) = (table.rows_before(group), table.rows_before(group + 1));
            let kept = (start..end).filter(|row| left_out.next_if_eq(&row).is_none());
            let kept: Vec<u64> = kept.map(|row| row - start).collect();
            if !kept.is_empty() {
                rows.push(&table, ChosenRows { group, rows: &kept, counts: &[] })?;
            }
        }
        rows.finish().map_err(NoRows::Write)
    }
}

/// Returns the destination of a table with all its rows.
fn writer<'w>(whole: &'w mut Option<WholeTable>, out: &'w mut Output) -> &'w mut dyn Write {
    match whole {
        Some(whole) => &mut whole.file,
        None => out.writer(),
    }
}

/// Returns the failure to write it.
fn failure(whole: &Option<WholeTable>, out: &Output, error: &io::Error) -> Failure {
    match whole {
        Some(_) => Failure::write(&env::temp_dir(), error),
        None => out.failure(error),
    }
}

/// Returns the metadata of the new columns: the program that made them, and the data on which they depend.
fn facts(maker: &dyn Values, new: &[String]) -> Vec<(String, String)> {
    let Some(first) = new.first() else { return Vec::new() };
    let tool = (format!("urlid.tool.{first}"), concat!("urlid ", env!("CARGO_PKG_VERSION")).to_owned());
    let snapshot =
        maker.suffix_list().map(|list| (format!("urlid.snapshot.{first}"), Snapshot::new(list).to_string()));
    [tool].into_iter().chain(snapshot).collect()
}

/// The new columns of a row group.
#[derive(Default)]
struct ExtendedGroup {
    group: Option<Result<NewGroup, Error>>,
    rejected: Vec<RejectedRow>,
}

/// Makes the new columns, `added`, of a row group.
fn make_group(
    table: &ParquetTable,
    number: usize,
    origin: &Origin,
    added: &[(usize, ValueColumn)],
    maker: &mut dyn Values,
) -> ExtendedGroup {
    let mut rejected = Vec::new();
    let mut cells = CellColumns::new(maker.columns().len());
    let make: &mut MakeValues<'_> = &mut |before, values, columns| {
        cells.clear();
        let read = values.iter().map(|value| Ok(origin.read(value.unwrap_or_default())?)).collect();
        maker.rows(read, &mut cells, &mut |index, rejection| {
            let text = origin.shown(values[index].unwrap_or_default());
            rejected.push(RejectedRow::new(before + 1 + index as u64, text, rejection));
        });
        for ((index, _), column) in added.iter().zip(columns) {
            // Swapped, so that texts are not copied. The returned column is cleared before it is used.
            mem::swap(column, &mut cells.columns()[*index]);
        }
    };
    let group = Some(table.make_group(number, make));
    ExtendedGroup { group, rejected }
}
