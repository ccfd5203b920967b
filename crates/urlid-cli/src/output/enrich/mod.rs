//! The rows of a table with new columns: the values that a verb makes of the texts of other columns.
//!
//! A text without values has nulls, and its row is refused. `text` writes tables of text, `parquet`
//! Parquet files, and `columns` is for both.

mod columns;
mod parquet;
mod text;

use std::path::Path;

use urlid_store::dataset::is_dataset;

use crate::input::InputOptions;
use crate::input::columns::{TableArgs, TableFormat};
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::Format;
use crate::output::table::{self, MakeBoxedValues};
use crate::report::exit::{Exit, Failure};

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
