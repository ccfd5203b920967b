//! `urlid index seal`: prepares an index for read-only directories and file systems.

use std::path::PathBuf;

use clap::Args;

use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};

/// Make an index a single file without a log, for read-only directories and file systems
///
/// The next `add` unseals it.
///
/// Example: urlid index seal urls.db
#[derive(Debug, Args)]
pub(crate) struct SealArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

/// Seals.
pub(crate) fn run(args: &SealArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("sealing");
    let done = urlid_store::file::seal(&args.index);
    progress.finish();
    done?;
    Ok(Exit::Done)
}
