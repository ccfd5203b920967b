//! `urlid index compact`: rewrites an index without unused space.

use std::path::PathBuf;

use clap::Args;

use crate::exit::{Exit, Failure};
use crate::progress::Progress;

/// Rewrite an index without the space of deleted rows, and seal it
///
/// Temporarily needs space for a second copy, in SQLite's directory for temporary files (the variable SQLITE_TMPDIR).
///
/// Example: urlid index compact urls.db
#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

/// Compacts.
pub(crate) fn run(args: &CompactArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("rewriting the index");
    let done = urlid_index::compact(&args.index);
    progress.finish();
    done?;
    Ok(Exit::Done)
}
