//! `urlid index seal` and `urlid index compact`: the file itself, not its rows.

use std::path::PathBuf;

use clap::Args;

use super::cannot_open;
use crate::exit::{Exit, Failure};

/// Close an index for places where nothing can be written: one file, no log beside it
///
/// The next `add` opens it again. For example: urlid index seal urls.urlid
#[derive(Debug, Args)]
pub(crate) struct SealArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

/// Rewrite an index without the space that deleted rows left, and seal it
///
/// Needs space for a second copy meanwhile; SQLite keeps it where it keeps temporary files (SQLITE_TMPDIR says where).
/// For example: urlid index compact urls.urlid
#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

/// Seals.
pub(crate) fn seal(args: &SealArgs) -> Result<Exit, Failure> {
    urlid_index::seal(&args.index).map_err(|error| cannot_open(&error))?;
    Ok(Exit::Done)
}

/// Compacts.
pub(crate) fn compact(args: &CompactArgs) -> Result<Exit, Failure> {
    urlid_index::compact(&args.index).map_err(|error| cannot_open(&error))?;
    Ok(Exit::Done)
}
