//! Parquet files: all columns unchanged, then the new ones.

use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};

use urlid::Error;
use urlid::snapshot::Snapshot;
use urlid_io::error;
use urlid_io::tables::{MakeValues, NewColumn, NewGroup, ParquetTable};

use super::added::{added, names};
use super::texts::{RefusedRow, Texts};
use crate::columns::TableArgs;
use crate::exit::Failure;
use crate::pipeline::in_order;
use crate::refusals::{Ended, Place};
use crate::session::Session;
use crate::sources::Source;
use crate::table::{CellColumns, Holds, ValueColumn, Values, shown};

/// Writes a file with its new columns.
pub(super) fn run<V: Values + Send>(
    session: &mut Session,
    source: &Source,
    args: &TableArgs,
    make: &(impl Fn() -> V + Sync),
) -> Result<u64, Ended> {
    let Source::File(path) = source else {
        return Err(Failure::usage(
            "--column: a Parquet file must be named, because its footer is at its end",
        )
        .into());
    };
    if session.leaves_refused_out() {
        let message =
            "--on-refused skip: a Parquet file keeps all its rows; report leaves their new columns null";
        return Err(Failure::usage(message).into());
    }
    let file = File::open(path).map_err(error::file)?;
    let size = file.metadata().map_err(error::file)?.len();
    let mut table = ParquetTable::open(file, &args.columns.choices())?;
    let make = || shown(make(), false);
    let maker = make();
    let added = added(&maker, None);
    let new = names(args, &table.names(), &added);
    let kinds = added.iter().cycle().map(|(_, column)| column.holds);
    let column = |(name, holds): (&String, Holds)| match holds {
        Holds::Number => NewColumn::Number(name.clone()),
        Holds::Text | Holds::Lines | Holds::Json => NewColumn::Text(name.clone()),
    };
    table.add(&new.iter().zip(kinds).map(column).collect::<Vec<_>>())?;

    if session.out.is_terminal() {
        let message = "a Parquet file is not written to a terminal: --out names a file";
        return Err(Failure::usage(message).into());
    }
    let begun = table.extend(session.out.writer());
    let mut extension = begun.map_err(|error| session.out.failure(&error))?;
    let texts = Texts::of(session);
    let next = AtomicUsize::new(0);
    let mut done = 0;
    in_order(
        &|slot: &mut Slot| {
            slot.number = next.fetch_add(1, Ordering::Relaxed);
            (slot.number < table.groups()).then_some((slot.number as u64, Ok::<(), Error>(())))
        },
        make,
        &|maker: &mut V, slot: &mut Slot| slot.make(&table, &texts, &added, maker),
        |slot| {
            for refused in slot.refused.drain(..) {
                let place = Place::in_file(path, refused.number);
                session.refuse(place, &refused.text, &refused.refusal)?;
            }
            if let Some(group) = slot.group.take().transpose()? {
                let pushed = extension.push(group, session.out.writer());
                pushed.map_err(|error| session.out.failure(&error))?;
            }
            done += 1;
            session.show_progress((u128::from(size) * done / table.groups().max(1) as u128) as u64);
            Ok(())
        },
    )?;
    let finished = extension.finish(&facts(&maker, &new), session.out.writer());
    finished.map_err(|error| session.out.failure(&error))?;
    Ok(size)
}

/// Returns the metadata of the new columns: the program that made them, and the data that they depend on.
fn facts(maker: &impl Values, new: &[String]) -> Vec<(String, String)> {
    let Some(first) = new.first() else { return Vec::new() };
    let tool = (format!("urlid.tool.{first}"), concat!("urlid ", env!("CARGO_PKG_VERSION")).to_owned());
    let snapshot =
        maker.suffix_list().map(|list| (format!("urlid.snapshot.{first}"), Snapshot::of(list).to_string()));
    [tool].into_iter().chain(snapshot).collect()
}

/// A row group and its new columns.
#[derive(Default)]
struct Slot {
    number: usize,
    group: Option<Result<NewGroup, Error>>,
    refused: Vec<RefusedRow>,
}

impl Slot {
    /// Makes the new columns, `added`, of the row group.
    fn make(
        &mut self,
        table: &ParquetTable,
        texts: &Texts,
        added: &[(usize, ValueColumn)],
        maker: &mut impl Values,
    ) {
        let before = table.rows_before(self.number);
        let (mut row, mut column) = (before, 0);
        let mut cells = CellColumns::new(maker.columns().len());
        let make: &mut MakeValues<'_> = &mut |place, values, columns| {
            if place != column {
                (row, column) = (before, place);
            }
            cells.clear();
            let read = values.iter().map(|value| Ok(value.unwrap_or_default()));
            for (index, refusal) in texts.rows(maker, read, &mut cells) {
                self.refused.push(texts.refused(row + 1 + index as u64, values[index], refusal));
            }
            row += values.len() as u64;
            for ((index, _), column) in added.iter().zip(columns) {
                std::mem::swap(column, &mut cells.columns()[*index]);
            }
        };
        self.group = Some(table.make_group(self.number, make));
    }
}
