//! The new columns of a table and their names, the texts that their values are made of, and the rows that are
//! refused.

use urlid::web::assume_scheme;
use urlid_io::tables::Dialect;

use crate::input::columns::{TableArgs, line_of};
use crate::input::line_run::LineRun;
use crate::output::rows::Shown;
use crate::output::table::{ReadText, ValueColumn, Values};
use crate::report::refusals::Refusal;

/// How texts are taken, as lines are.
pub(super) struct Texts {
    limit: usize,
    assumed_scheme: Option<String>,
}

/// A row whose text has no values.
pub(super) struct RefusedRow {
    pub(super) number: u64,
    pub(super) text: Vec<u8>,
    pub(super) refusal: Refusal,
}

impl Texts {
    /// Takes texts as a run takes lines.
    pub(super) fn new(run: &LineRun) -> Self {
        Texts { limit: run.options.max_line, assumed_scheme: run.assumed_scheme.clone() }
    }

    /// Returns the text of a value.
    pub(super) fn read<'t>(&self, value: &'t [u8]) -> ReadText<'t> {
        let text = line_of(0, value, self.limit).text?;
        Ok(match &self.assumed_scheme {
            Some(scheme) => assume_scheme(text, scheme),
            None => text.into(),
        })
    }

    /// Returns a row that is refused for its text.
    pub(super) fn refused(&self, number: u64, text: Option<&[u8]>, refusal: Refusal) -> RefusedRow {
        let text = line_of(number, text.unwrap_or_default(), self.limit).bytes.to_vec();
        RefusedRow { number, text, refusal }
    }
}

/// Returns the columns that a table gets for each column that is read: those that all formats have, and in
/// ndjson those that are JSON.
pub(super) fn added(maker: &dyn Values, dialect: Option<Dialect>) -> Vec<(usize, ValueColumn)> {
    let is_added = |column: &ValueColumn| dialect == Some(Dialect::Ndjson) || column.shown != Shown::InJson;
    maker.columns().into_iter().enumerate().filter(|(_, column)| is_added(column)).collect()
}

/// Returns the names of the new columns.
///
/// Those of a column in a group are beside the group, and many engines take a dot in a name for a step into
/// one.
pub(super) fn names(args: &TableArgs, columns: &[String], added: &[(usize, ValueColumn)]) -> Vec<String> {
    let prefix = |column: &String| args.prefix.clone().unwrap_or_else(|| column.replace('.', "_"));
    let name =
        |column| added.iter().map(move |(_, value)| format!("{}_{}", prefix(column), value.name_in_tables()));
    columns.iter().flat_map(name).collect()
}
