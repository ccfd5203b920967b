//! `urlid index migrate`: changes the public suffix list of an index.

use std::path::PathBuf;

use clap::Args;
use urlid_store::file::{Index, Migrated};

use crate::args::Globals;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::signals;

/// Migrate an index to the public suffix list of this program or of --psl
///
/// Only rows whose host is split differently are rewritten; each is printed with its old and its new public suffix.
/// The migration is one transaction: if anything fails, nothing is changed.
///
/// Example: urlid index migrate urls.db --psl new.dat
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
    let name = Escaped::path(&args.index);
    let progress = Progress::count(Index::open(&args.index)?.rows().ok(), "rows read");
    signals::stop_gracefully();
    let columns = ["url", "old_tld", "new_tld"].map(|name| Column { name, shown: Shown::Always });
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
    let mut written = Ok(());
    let migrated = urlid_store::file::migrate_with(
        &args.index,
        &list,
        &mut |row| {
            // A failed output does not end the migration, which is one transaction; it is reported
            // afterwards.
            if written.is_ok() {
                let row = [Value::Text(row.url), Value::Text(row.old_tld), Value::Text(row.new_tld)];
                written = rows.write(&mut out, &row);
            }
        },
        &mut |read| progress.advance(read),
    );
    progress.finish();
    let migrated = migrated?;
    written?;
    out.flush()?;
    message::print(&match migrated {
        migrated if migrated.is_unchanged() => {
            format!("{name}: snapshot is the present one, there is nothing to do")
        }
        Migrated { rows, moved, from, to, .. } => {
            format!("{name}: {moved} of {} rewritten, from {from} to {to}", message::count(rows, "row"))
        }
    });
    Ok(Exit::Done)
}
