//! `urlid index verify`: every row checked against its own URL.

use std::path::PathBuf;

use clap::Args;
use urlid_index::Index;

use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::progress::Progress;
use crate::signals;

/// Check every row of an index: recompute its identifier from its URL
///
/// Finds errors that SQLite's integrity check cannot find, and runs that check too. Prints a line for each finding;
/// exits with 1 if there are any.
///
/// Example: urlid index verify urls.db
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// Print at most this many findings; all are counted
    #[arg(long, value_name = "COUNT", default_value = "100")]
    limit: u64,
}

/// Prints the findings and how many rows were read.
pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Failure> {
    let index = Index::open(&args.index)?;
    signals::stop_gracefully();
    let mut out = Output::stdout()?;
    let progress = Progress::count(index.rows().ok(), "rows checked");
    let mut written = Ok(());
    let mut left = args.limit;
    let verified = index.verify_with(
        &mut |finding| {
            if left > 0 && written.is_ok() {
                left -= 1;
                written = out.line(&Escaped(finding.to_string().as_bytes()).to_string());
            }
        },
        &mut |rows| progress.advance(rows),
    );
    progress.finish();
    written?;
    let verified = verified?;
    out.line(&format!(
        "{}: {} rows checked, {} findings{}",
        Escaped::path(&args.index),
        verified.rows,
        verified.findings,
        if verified.is_stopped { ", stopped before the end" } else { "" }
    ))?;
    out.flush()?;
    Ok(if verified.findings > 0 { Exit::Nothing } else { Exit::Done })
}
