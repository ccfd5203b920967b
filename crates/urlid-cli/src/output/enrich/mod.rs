//! The rows of a table with new columns: the values that a verb makes of the texts of other columns.
//!
//! A text without values has nulls, and its row is refused. `text` writes tables of text, `parquet`
//! Parquet files; the columns and their names are for both.

mod parquet;
mod text;

use std::path::Path;

use urlid::web::assume_scheme;
use urlid_io::tables::Dialect;
use urlid_store::dataset::is_dataset;

use crate::input::InputOptions;
use crate::input::columns::{TableArgs, TableFormat, line_of};
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Format, Shown};
use crate::output::table::{self, MakeBoxedValues, ReadText, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

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
    let is_table = args.is_given()?;
    if is_table && format != Format::Text {
        return Err(Failure::usage("--format: a table is written in its own format"));
    }
    let mut run = LineRun::begin(inputs, files, args.out.path())?;
    if !is_table {
        return table::print_rows(run, format, name_of_text, make);
    }
    let [_] = &run.sources.0[..] else { return Err(not_one_table(&run.sources.0)) };
    run.each_source(&mut |run, source| match args.columns.format_of(source.path()) {
        Some(TableFormat::Parquet) => parquet::run(run, source, args, make),
        Some(TableFormat::Text(dialect)) => text::run(run, source, Some(dialect), args, make),
        None => text::run(run, source, None, args, make),
    })?;
    if run.has_unread() {
        // A table that ends too early is not written under its name.
        run.out = Output::stdout()?;
    }
    run.finish(Exit::Done)
}

/// Returns the error for several tables. The files of a dataset stay apart, because new columns are written
/// beside the bytes of a file.
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

/// How texts are taken, as lines are.
struct Texts {
    limit: usize,
    assumed_scheme: Option<String>,
}

/// A row whose text has no values.
struct RefusedRow {
    number: u64,
    text: Vec<u8>,
    refusal: Refusal,
}

impl Texts {
    /// Takes texts as a run takes lines.
    fn new(run: &LineRun) -> Self {
        Texts { limit: run.options.max_line, assumed_scheme: run.assumed_scheme.clone() }
    }

    /// Returns the text of a value.
    fn read<'t>(&self, value: &'t [u8]) -> ReadText<'t> {
        let text = line_of(0, value, self.limit).text?;
        Ok(match &self.assumed_scheme {
            Some(scheme) => assume_scheme(text, scheme),
            None => text.into(),
        })
    }

    /// Returns a row that is refused for its text.
    fn refused(&self, number: u64, text: Option<&[u8]>, refusal: Refusal) -> RefusedRow {
        let text = line_of(number, text.unwrap_or_default(), self.limit).bytes.to_vec();
        RefusedRow { number, text, refusal }
    }
}

/// Returns the columns that a table gets for each column that is read: those that all formats have, and in
/// ndjson those that are JSON.
fn added(maker: &dyn Values, dialect: Option<Dialect>) -> Vec<(usize, ValueColumn)> {
    let is_added = |column: &ValueColumn| dialect == Some(Dialect::Ndjson) || column.shown != Shown::InJson;
    maker.columns().into_iter().enumerate().filter(|(_, column)| is_added(column)).collect()
}

/// Returns the names of the new columns.
///
/// Those of a column in a group are beside the group, and many engines take a dot in a name for a step into
/// one.
fn names(args: &TableArgs, columns: &[String], added: &[(usize, ValueColumn)]) -> Vec<String> {
    let prefix = |column: &String| args.prefix.clone().unwrap_or_else(|| column.replace('.', "_"));
    let name =
        |column| added.iter().map(move |(_, value)| format!("{}_{}", prefix(column), value.name_in_tables()));
    columns.iter().flat_map(name).collect()
}
