//! Rows of Parquet files: chosen by their numbers, then read again and written to a new file.

use std::fs::File;

use urlid::Error;
use urlid_io::error;
use urlid_io::tables::{ChosenRows, NewColumn, NoRows, ParquetRows, ParquetTable};
use urlid_store::sort::RowsInOrder;

use super::arguments::UniqArgs;
use super::kept::check_stopping;
use crate::commands::count::sort_failure;
use crate::input::columns::ColumnArgs;
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::report::exit::Failure;

/// Opens a table again.
fn open(source: &Source, columns: &ColumnArgs) -> Result<ParquetTable, Error> {
    ParquetTable::open(File::open(source.name()).map_err(error::file)?, &columns.choices())
}

/// Returns the number of rows of a table.
pub(super) fn count(source: &Source, columns: &ColumnArgs) -> Result<u64, Error> {
    let table = open(source, columns)?;
    Ok(table.rows_before(table.groups()))
}

/// Returns the number of a row among the rows of all files, from its number in its file, which starts at 1,
/// and the number of rows of the files before.
pub(super) fn number(of_file: &[u8], before: u64) -> [u8; 8] {
    let of_file = of_file.try_into().map_or(0, u64::from_be_bytes);
    (before + of_file.saturating_sub(1)).to_be_bytes()
}

/// Numbers of rows in order, each with its count.
struct Numbers {
    numbers: RowsInOrder,
    next: Option<(u64, u64)>,
}

impl Numbers {
    fn advance(&mut self) -> Result<(), Failure> {
        let row = self.numbers.next_row().map_err(|error| sort_failure(&error))?;
        let number = |key: &[u8; 32], at: usize| key[at..at + 8].try_into().map_or(0, u64::from_be_bytes);
        self.next = row.map(|(key, _)| (number(key, 0), number(key, 8)));
        Ok(())
    }

    /// Removes the numbers before `end` and returns them less `start`, with their counts.
    fn take(&mut self, start: u64, end: u64) -> Result<(Vec<u64>, Vec<u64>), Failure> {
        let mut taken = (Vec::new(), Vec::new());
        while let Some((number, count)) = self.next.filter(|(number, _)| *number < end) {
            taken.0.push(number.saturating_sub(start));
            taken.1.push(count);
            self.advance()?;
        }
        Ok(taken)
    }
}

/// Writes the rows with these numbers. `row_counts` are the numbers of rows of the files.
pub(super) fn write(
    run: &mut LineRun,
    args: &UniqArgs,
    row_counts: &[u64],
    numbers: RowsInOrder,
) -> Result<(), Failure> {
    let mut numbers = Numbers { numbers, next: None };
    numbers.advance()?;
    let tables = || run.sources.0.iter().zip(row_counts).filter(|(_, rows)| **rows > 0);
    let of_source = |source: &Source, error: &Error| Failure::of_file(source.name(), error);
    // Even a table without rows has columns.
    let first = tables().next().map(|(source, _)| source);
    let first = first.or_else(|| run.sources.0.iter().find(|source| open(source, &args.columns).is_ok()));
    // If none of the tables could be read, the output is left out.
    let Some(first) = first else { return run.leave_out() };
    let mut table = open(first, &args.columns).map_err(|error| of_source(first, &error))?;
    if args.counts {
        let name = table.names().concat().replace('.', "_");
        table.add(&[NewColumn::Number(format!("{name}_rows"))]).map_err(|error| of_source(first, &error))?;
    }
    let path = run.out.path().map(ToOwned::to_owned);
    let unwritten = |error: &std::io::Error| match &path {
        None => Failure::output(error),
        Some(path) => Failure::write(path, error),
    };
    let failed = |source: &Source, error| match error {
        NoRows::Read(error) => of_source(source, &error),
        NoRows::Write(error) => unwritten(&error),
    };
    let sources: Vec<(&Source, u64)> = tables().map(|(source, rows)| (source, *rows)).collect();
    let mut rows = ParquetRows::begin(&table, run.out.writer()).map_err(|error| failed(first, error))?;
    let mut before = 0;
    for (source, count) in sources {
        let table = open(source, &args.columns).map_err(|error| of_source(source, &error))?;
        for group in 0..table.groups() {
            check_stopping()?;
            let start = before + table.rows_before(group);
            let (chosen, counts) = numbers.take(start, before + table.rows_before(group + 1))?;
            if !chosen.is_empty() {
                let chosen = ChosenRows { group, rows: &chosen, counts: &counts };
                rows.push(&table, chosen).map_err(|error| failed(source, error))?;
            }
        }
        before += count;
    }
    rows.finish().map_err(|error| unwritten(&error))
}
