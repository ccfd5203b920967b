//! `urlid index compact`: rewrites an index without unused space.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid::Error;
use urlid_store::seen::{SeenFile, SeenSet, is_seen_set};

use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};

/// Rewrite an index without the space of deleted rows, and seal it
///
/// Temporarily needs space for a second copy, in SQLite's directory for temporary files (the variable SQLITE_TMPDIR). The
/// sorted files of a seen-set become one, beside them.
///
/// Example: urlid index compact urls.db
#[derive(Debug, Args)]
pub(crate) struct CompactArgs {
    /// The index, or the folder of a seen-set
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

/// Compacts.
pub(crate) fn run(args: &CompactArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("rewriting the index");
    let done = match is_seen_set(&args.index) {
        true => compact(&args.index),
        false => urlid_store::file::compact(&args.index),
    };
    progress.finish();
    done?;
    Ok(Exit::Done)
}

/// Compacts a seen-set.
fn compact(path: &Path) -> Result<(), Error> {
    // A set opens only for the keys that it holds, which the command line does not name.
    let keys = SeenFile::open(path)?.keys().clone();
    let mut set = SeenSet::open(path, &keys)?;
    set.compact()?;
    set.close()
}
