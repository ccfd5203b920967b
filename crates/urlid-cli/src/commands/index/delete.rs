//! `urlid index delete`: URLs out of the index.

use std::path::PathBuf;

use clap::Args;
use urlid_index::{ChangeError, Index};

use super::conditions::{Conditions, bad_question, report_dropped};
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Delete the URLs that meet all conditions, all of them or, if anything fails, none
///
/// The conditions are those of `find`, which shows what would go. Exits with 1 if nothing was found.
/// For example: urlid index delete urls.db --host tracker.example.com --dry-run
#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    conditions: Conditions,

    /// Delete every URL; needed where no condition is given
    #[arg(long)]
    all: bool,

    /// Count what would be deleted and delete nothing
    #[arg(long)]
    dry_run: bool,
}

/// Deletes and prints how many.
pub(crate) fn run(args: &DeleteArgs) -> Result<Exit, Failure> {
    let index = Index::open(&args.index)?;
    let question = args.conditions.question(&index)?;
    if question.is_unconditional() != args.all {
        let message = if args.all {
            "--all goes without conditions"
        } else {
            "no condition is given: --all deletes everything"
        };
        return Err(Failure::usage(message));
    }
    let (found, done) = if args.dry_run {
        (index.count(&question)?, "would be deleted")
    } else {
        drop(index);
        let deleted = urlid_index::delete(&args.index, &args.conditions.ask());
        let found = deleted.map_err(|error| match error {
            ChangeError::Question(error) => bad_question(&error),
            error => error.into(),
        })?;
        (found, "deleted")
    };
    let mut out = Output::stdout()?;
    out.line(&format!("{}: {} {done}", Escaped::path(&args.index), found.rows))?;
    out.flush()?;
    report_dropped(found.dropped);
    Ok(if found.rows > 0 { Exit::Done } else { Exit::Nothing })
}
