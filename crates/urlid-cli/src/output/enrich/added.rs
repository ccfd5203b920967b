//! The new columns of a table, and their names.

use urlid_io::tables::Dialect;

use crate::input::columns::TableArgs;
use crate::output::rows::Shown;
use crate::output::table::{ValueColumn, Values};

/// Returns the columns that a table gets for each column that is read: those that all formats have, and in ndjson those
/// that are JSON.
pub(super) fn added(maker: &dyn Values, dialect: Option<Dialect>) -> Vec<(usize, ValueColumn)> {
    let is_added = |column: &ValueColumn| dialect == Some(Dialect::Ndjson) || column.shown != Shown::InJson;
    maker.columns().into_iter().enumerate().filter(|(_, column)| is_added(column)).collect()
}

/// Returns the names of the new columns.
///
/// Those of a column in a group are beside the group, and many engines take a dot in a name for a step into one.
pub(super) fn names(args: &TableArgs, columns: &[String], added: &[(usize, ValueColumn)]) -> Vec<String> {
    let prefix = |column: &String| args.prefix.clone().unwrap_or_else(|| column.replace('.', "_"));
    let name =
        |column| added.iter().map(move |(_, value)| format!("{}_{}", prefix(column), value.name_in_tables()));
    columns.iter().flat_map(name).collect()
}
