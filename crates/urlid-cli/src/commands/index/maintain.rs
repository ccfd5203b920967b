//! `urlid index merge`, `delete`, `migrate`, `compact` and `seal`: changes to a whole index.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid_store::Urls;
use urlid_store::file::{Index, LoadOptions, Migrated};

use super::conditions::{Conditions, print_notes, report_dropped};
use crate::args::Globals;
use crate::commands::canon::form::{FormLists, index_failure};
use crate::input::parse_memory;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::ways::Needs;
use crate::report::{message, signals};

/// Add the URLs of other indexes to an index; create it if it does not exist
///
/// All indexes must have the same public suffix list and canonical form. `urlid index migrate` changes the list
/// of an index.
///
/// Example: urlid index merge all.db a.db b.db
#[derive(Debug, Args)]
pub(crate) struct IndexMergeArgs {
    /// The index to add to
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// The indexes to read
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,

    /// Use at most this much memory for sorting, in addition to SQLite's cache
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    memory: usize,

    #[command(flatten)]
    lists: FormLists,
}

/// Merges and prints the counts.
pub(crate) fn run_merge(args: &IndexMergeArgs) -> Result<Exit, Failure> {
    signals::stop_gracefully();
    let others: Vec<&Path> = args.others.iter().map(PathBuf::as_path).collect();
    // The command line has at least one OTHER, and the merge rejects others with a different form.
    let form = args.lists.form_of(&args.others[0])?;
    let options = LoadOptions { memory: args.memory, form, ..LoadOptions::default() };
    // If a count is missing, only the total is missing. The merge opens the indexes again and reports their
    // errors.
    let rows: Option<u64> = others.iter().map(|other| Index::open(other).ok()?.rows().ok()).sum();
    let mut progress = Progress::count(rows, "rows read");
    let mut is_reading = true;
    let merged = urlid_store::file::merge_with(&args.index, &others, options, &mut |now| {
        if is_reading && now.to_write > 0 {
            is_reading = false;
            progress.finish();
            progress = Progress::count(Some(now.to_write), "rows written");
        }
        progress.advance(if is_reading { now.lines } else { now.written })
    });
    progress.finish();
    let add_way = |failure: Failure, other: &PathBuf| failure.with_way_on(other, Needs::IndexFile);
    let merged = merged.map_err(|error| args.others.iter().fold(index_failure(error), add_way))?;
    let mut out = Output::stdout()?;
    out.line(&format!(
        "{}: {} read, {} new",
        Escaped::path(&args.index),
        message::count(merged.taken, "row"),
        merged.new
    ))?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Delete the URLs that meet all conditions
///
/// The conditions are those of `urlid index find`, which prints the URLs that would be deleted. The deletion is
/// one transaction: if it fails, the index is unchanged. Exits with 1 if no URL is found.
///
/// Example: urlid index delete urls.db --host tracker.example.com --dry-run
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    #[command(flatten)]
    conditions: Conditions,

    /// Delete every URL; required if no condition is given
    #[arg(long)]
    all: bool,

    /// Only count the URLs that would be deleted
    #[arg(long)]
    dry_run: bool,
}

/// Deletes the rows and prints their number.
pub(crate) fn run_delete(args: &DeleteArgs) -> Result<Exit, Failure> {
    let question = args.conditions.question()?;
    // A forgotten condition must not delete everything.
    if question.is_unconditional() != args.all {
        let message = if args.all {
            "--all cannot be used with conditions"
        } else {
            "expected a condition, or --all to delete everything"
        };
        return Err(Failure::usage(message));
    }
    let progress = Progress::work("searching");
    let (found, done) = if args.dry_run {
        (Index::open(&args.index)?.count(&question)?, "would be deleted")
    } else {
        (urlid_store::file::delete(&args.index, &question)?, "deleted")
    };
    progress.finish();
    let mut out = Output::stdout()?;
    out.line(&format!("{}: {} {done}", Escaped::path(&args.index), found.rows))?;
    out.flush()?;
    report_dropped(found.dropped);
    print_notes(&args.conditions, &Urls::open(&args.index, &[])?, found.rows > 0)?;
    Ok(if found.rows > 0 { Exit::Done } else { Exit::Nothing })
}

/// Migrate an index to the public suffix list of this program or of --psl
///
/// Only rows with a host that is split differently are rewritten. Each is printed with its old and its new
/// public suffix. The migration is one transaction: if it fails, the index is unchanged.
///
/// Example: urlid index migrate urls.db --psl new.dat
#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    #[command(flatten)]
    format: FormatArg,
}

/// Migrates and prints the rows that moved.
pub(crate) fn run_migrate(args: &MigrateArgs, globals: &Globals) -> Result<Exit, Failure> {
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
            // A failed output does not end the migration, which is one transaction. It is reported
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
            format!("{name}: snapshot is current, so the index is unchanged")
        }
        Migrated { rows, moved, from, to, .. } => {
            format!("{name}: {moved} of {} rewritten, from {from} to {to}", message::count(rows, "row"))
        }
    });
    Ok(Exit::Done)
}

/// Rewrite an index to free the space of deleted rows, and seal it
///
/// Needs temporary space for a second copy, in SQLite's directory for temporary files (the variable
/// SQLITE_TMPDIR). `urlid seen compact` is for seen-sets.
///
/// Example: urlid index compact urls.db
#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,
}

pub(crate) fn run_compact(args: &CompactArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("rewriting the index");
    let done = urlid_store::file::compact(&args.index);
    progress.finish();
    done?;
    Ok(Exit::Done)
}

/// Make an index a single file without a log, for read-only directories and file systems
///
/// The next `add` unseals it.
///
/// Example: urlid index seal urls.db
#[derive(Debug, Args)]
pub(crate) struct SealArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,
}

pub(crate) fn run_seal(args: &SealArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("sealing");
    let done = urlid_store::file::seal(&args.index);
    progress.finish();
    done?;
    Ok(Exit::Done)
}
