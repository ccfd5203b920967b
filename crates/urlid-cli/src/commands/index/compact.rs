//! `urlid index compact`: an index without unused space.

use std::path::PathBuf;

use clap::Args;

use crate::exit::{Exit, Failure};

/// Rewrite an index without the space that deleted rows left, and seal it
///
/// Needs space for a second copy meanwhile; SQLite keeps it where it keeps temporary files (the variable SQLITE_TMPDIR).
/// For example: urlid index compact urls.db
#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

/// Compacts.
pub(crate) fn run(args: &CompactArgs) -> Result<Exit, Failure> {
    urlid_index::compact(&args.index)?;
    Ok(Exit::Done)
}
