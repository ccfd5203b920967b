//! The rows of a table with new columns: the values that a verb makes of the texts of other columns.
//!
//! A text without values has nulls, and its row is refused. `added` names the new columns,
//! `text` writes tables of text, `parquet` Parquet files, and `texts` makes the values of both.

mod added;
mod parquet;
mod text;
mod texts;

use std::path::Path;

use crate::columns::{Destination, TableArgs, TableFormat};
use crate::exit::{Exit, Failure};
use crate::input::Inputs;
use crate::rows::Format;
use crate::session::Session;
use crate::table::Values;

/// Writes the table of `inputs` with new columns, which `make` makes on every core. `others` are the other files that the
/// command reads.
pub(crate) fn run<V: Values + Send>(
    args: &TableArgs,
    format: Format,
    inputs: &impl Inputs,
    others: &[&Path],
    make: impl Fn() -> V + Sync,
) -> Result<Exit, Failure> {
    if format != Format::Text {
        return Err(Failure::usage("--format: a table is written in its own format"));
    }
    let in_use: Vec<&Path> = others.iter().copied().chain(args.out.as_deref()).collect();
    let mut session = Session::begin_with_files(inputs, &in_use)?;
    let [source] = session.sources() else {
        return Err(Failure::usage("--column: expected one table"));
    };
    let read: Vec<&Path> = others.iter().copied().chain(source.path()).collect();
    let mut destination = Destination::create(args.out.as_deref(), &read)?;
    session.each_source(|session, source| match args.columns.format_of(source.path()) {
        Some(TableFormat::Parquet) => parquet::run(session, source, args, &mut destination, &make),
        Some(TableFormat::Text(dialect)) => {
            text::run(session, source, Some(dialect), args, &mut destination, &make)
        }
        None => text::run(session, source, None, args, &mut destination, &make),
    })?;
    if !session.has_unread() {
        destination.publish()?;
    }
    session.finish(Exit::Done)
}
