//! `urlid index seal`: an index for places where nothing can be written.

use std::path::PathBuf;

use clap::Args;

use crate::exit::{Exit, Failure};

/// Close an index for places where nothing can be written: one file, no log beside it
///
/// The next `add` opens it again. For example: urlid index seal urls.db
#[derive(Debug, Args)]
pub(crate) struct SealArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

/// Seals.
pub(crate) fn run(args: &SealArgs) -> Result<Exit, Failure> {
    urlid_index::seal(&args.index)?;
    Ok(Exit::Done)
}
