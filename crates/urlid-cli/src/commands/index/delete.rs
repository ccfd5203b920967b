//! `urlid index delete`: removes URLs from an index.

use std::path::PathBuf;

use clap::Args;
use urlid_store::file::Index;

use super::conditions::{Conditions, print_notes, report_dropped};
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use urlid_store::Urls;

/// Delete the URLs that meet all conditions
///
/// The conditions are those of `urlid index find`, which prints the URLs that would be deleted. The deletion is one
/// transaction: if anything fails, nothing is deleted. Exits with 1 if nothing was found.
///
/// Example: urlid index delete urls.db --host tracker.example.com --dry-run
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    conditions: Conditions,

    /// Delete every URL; required if no condition is given
    #[arg(long)]
    all: bool,

    /// Count what would be deleted and delete nothing
    #[arg(long)]
    dry_run: bool,
}

/// Deletes the rows and prints their number.
pub(crate) fn run(args: &DeleteArgs) -> Result<Exit, Failure> {
    let question = args.conditions.question()?;
    // A forgotten condition must not delete everything.
    if question.is_unconditional() != args.all {
        let message = if args.all {
            "--all goes without conditions"
        } else {
            "no condition is given: --all deletes everything"
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
