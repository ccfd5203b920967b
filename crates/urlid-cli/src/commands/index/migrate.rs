//! `urlid index migrate`: an index from one public suffix list to another.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use urlid_index::{Index, needs_migration};

use super::cannot_open;
use super::delete::cannot_change;
use crate::args::Globals;
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::output::{Column, Output, Rows, Shown, Value};
use crate::progress::Progress;
use crate::signals;
use crate::table::FormatArg;

/// Bring an index to the public suffix list of this program, or to that of --psl
///
/// Only the rows whose host is split otherwise are rewritten; each is printed with its old and its new public suffix.
/// All of it is done or, if anything fails, nothing. For example: urlid index migrate urls.urlid --psl new.dat
#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    format: FormatArg,
}

/// Migrates and prints the rows that moved.
pub(crate) fn run(args: &MigrateArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let index = Index::open(&args.index).map_err(|error| cannot_open(&error))?;
    let Some((from, to)) = needs_migration(&index, &list) else {
        message::say(&format!(
            "{}: the snapshots are equal, nothing is to be done",
            Escaped::path(&args.index)
        ));
        return Ok(Exit::Done);
    };
    let progress = Progress::count(index.rows().ok(), "rows read");
    drop(index);
    signals::stop_gracefully();
    let columns = ["url", "old_tld", "new_tld"].map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::new(Output::stdout()?, args.format.format, &columns)?;
    let mut written = Ok(());
    let migrated = urlid_index::migrate(
        &args.index,
        &list,
        &mut |row| {
            if written.is_ok() {
                written =
                    rows.row(&[Value::Text(row.url), Value::Text(row.old_tld), Value::Text(row.new_tld)]);
            }
        },
        &mut |read| {
            progress.set(read);
            if signals::is_stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    );
    progress.finish();
    let migrated = migrated.map_err(|error| cannot_change(&error))?;
    written?;
    rows.flush()?;
    message::say(&format!(
        "{}: {} of {} rows rewritten, from {from} to {to}",
        Escaped::path(&args.index),
        migrated.moved,
        migrated.rows
    ));
    Ok(Exit::Done)
}
