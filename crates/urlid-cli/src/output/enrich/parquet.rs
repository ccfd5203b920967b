//! Parquet files: all columns unchanged, then the new ones.

use std::fs::File;

use urlid::Error;
use urlid::snapshot::Snapshot;
use urlid_io::error;
use urlid_io::tables::{MakeValues, NewColumn, NewGroup, ParquetTable};
use urlid_io::threads::numbers_in_order;

use super::columns::{RefusedRow, Texts, added, names};
use crate::input::columns::TableArgs;
use crate::input::driver::{for_each_core, or_interrupt};
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::output::table::{BoxedValues, CellColumns, Holds, MakeBoxedValues, ValueColumn, Values, shown};
use crate::report::exit::Failure;
use crate::report::refusals::{Ended, Place};

/// Writes a file with its new columns.
pub(super) fn run(
    run: &mut LineRun,
    source: &Source,
    args: &TableArgs,
    make: &MakeBoxedValues<'_>,
) -> Result<u64, Ended> {
    let Source::File(path) = source else {
        return Err(Failure::usage(
            "--column: a Parquet file must be named, because its footer is at its end",
        )
        .into());
    };
    if run.leaves_refused_out() {
        let message =
            "--on-refused skip: a Parquet file keeps all its rows; report leaves their new columns null";
        return Err(Failure::usage(message).into());
    }
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
        Holds::Text | Holds::Lines | Holds::Json => NewColumn::Text(name.clone()),
    };
    table.add(&new.iter().zip(kinds).map(column).collect::<Vec<_>>())?;

    if run.out.is_terminal() {
        let message = "a Parquet file is not written to a terminal: --out names a file";
        return Err(Failure::usage(message).into());
    }
    let begun = table.extend(run.out.writer());
    let mut extension = begun.map_err(|error| run.out.failure(&error))?;
    let texts = Texts::new(run);
    let mut done = 0;
    let work =
        |maker: &mut BoxedValues<'_>, number: usize| make_group(&table, number, &texts, &added, &mut **maker);
    numbers_in_order(for_each_core(&make), table.groups(), &work, &mut |(group, refused)| {
        or_interrupt(|| {
            for refused in refused {
                let place = Place::in_file(path, refused.number);
                run.refuse(place, &refused.text, &refused.refusal)?;
            }
            let pushed = extension.push(group?, run.out.writer());
            pushed.map_err(|error| run.out.failure(&error))?;
            done += 1;
            run.show_progress((u128::from(size) * done / table.groups().max(1) as u128) as u64);
            Ok(())
        })
    })?;
    let finished = extension.finish(&facts(&*maker, &new), run.out.writer());
    finished.map_err(|error| run.out.failure(&error))?;
    Ok(size)
}

/// Returns the metadata of the new columns: the program that made them, and the data that they depend on.
fn facts(maker: &dyn Values, new: &[String]) -> Vec<(String, String)> {
    let Some(first) = new.first() else { return Vec::new() };
    let tool = (format!("urlid.tool.{first}"), concat!("urlid ", env!("CARGO_PKG_VERSION")).to_owned());
    let snapshot =
        maker.suffix_list().map(|list| (format!("urlid.snapshot.{first}"), Snapshot::new(list).to_string()));
    [tool].into_iter().chain(snapshot).collect()
}

/// Makes the new columns, `added`, of a row group; returns the refused rows too.
fn make_group(
    table: &ParquetTable,
    number: usize,
    texts: &Texts,
    added: &[(usize, ValueColumn)],
    maker: &mut dyn Values,
) -> (Result<NewGroup, Error>, Vec<RefusedRow>) {
    let mut refused = Vec::new();
    let mut cells = CellColumns::new(maker.columns().len());
    let make: &mut MakeValues<'_> = &mut |before, values, columns| {
        cells.clear();
        let read = values.iter().map(|value| texts.read(value.unwrap_or_default())).collect();
        maker.rows(read, &mut cells, &mut |index, refusal| {
            refused.push(texts.refused(before + 1 + index as u64, values[index], refusal));
        });
        for ((index, _), column) in added.iter().zip(columns) {
            // Swapped, so that no text is copied. What comes back is cleared before it is used.
            std::mem::swap(column, &mut cells.columns()[*index]);
        }
    };
    let group = table.make_group(number, make);
    (group, refused)
}
