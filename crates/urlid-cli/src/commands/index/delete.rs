//! `urlid index delete`: the answers to a question, out of the index.

use std::path::PathBuf;

use clap::Args;
use urlid_index::{ChangeError, Index};

use super::find::{Conditions, bad_question, question, say_dropped};
use super::{cannot_open, cannot_read, told};
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Delete the URLs that answer, all of them or, if anything fails, none
///
/// The conditions are those of `find`, which shows what would go. Exits with 1 if nothing was found.
/// For example: urlid index delete urls.urlid --host tracker.example.com --dry-run
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

/// Deletes and says how many.
pub(crate) fn run(args: &DeleteArgs) -> Result<Exit, Failure> {
    let index = Index::open(&args.index).map_err(|error| cannot_open(&error))?;
    let question = question(&args.conditions, &index)?;
    if question.is_unconditional() != args.all {
        let message = if args.all {
            "--all goes without conditions"
        } else {
            "no condition is given: --all deletes everything"
        };
        return Err(Failure::usage(message));
    }
    let (found, done) = if args.dry_run {
        (index.count(&question).map_err(|error| cannot_read(&error))?, "would be deleted")
    } else {
        drop(index);
        let found = urlid_index::delete(&args.index, &args.conditions.ask())
            .map_err(|error| cannot_change(&error))?;
        (found, "deleted")
    };
    let mut out = Output::stdout()?;
    out.line(&format!("{}: {} {done}", Escaped::path(&args.index), found.rows))?;
    out.flush()?;
    say_dropped(found.dropped);
    Ok(if found.rows > 0 { Exit::Done } else { Exit::Nothing })
}

/// Makes a failure of a change that was not made.
pub(super) fn cannot_change(error: &ChangeError) -> Failure {
    match error {
        ChangeError::Question(error) => bad_question(error),
        _ => told(error),
    }
}
