//! `urlid index verify`: checks every row against its own URL, or every file of a dataset against its hash.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid::{Error, ErrorCode};
use urlid_store::dataset::{Dataset, DatasetFault, is_dataset};
use urlid_store::file::Index;

use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::signals;

/// Check every row of an index, or the files of a dataset
///
/// For an index, recomputes the identifier of each row from its URL. This finds errors that SQLite's integrity
/// check cannot find, and that check runs as well. For a dataset, compares every file with its SHA-256, and the
/// description with the files; --rows also reads every row. Prints a line for each finding. Exits with 1 if
/// there are findings. `urlid seen verify` checks a seen-set.
///
/// Example: urlid index verify urls.db
#[derive(Debug, Args)]
pub(crate) struct IndexVerifyArgs {
    /// The index file, or the folder of a dataset
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// Read every row of a dataset, and check its text, its order and the first key of each page
    #[arg(long)]
    rows: bool,

    /// Print at most this many findings; all are counted
    #[arg(long, value_name = "COUNT", default_value = "100")]
    limit: u64,
}

/// Prints the findings and the number of rows read.
pub(crate) fn run(args: &IndexVerifyArgs) -> Result<Exit, Failure> {
    if is_dataset(&args.index) {
        return dataset(args);
    }
    let index = Index::open(&args.index)?;
    // A check that is stopped prints how far it came.
    signals::stop_gracefully();
    let mut out = Output::stdout()?;
    let progress = Progress::count(index.rows().ok(), "rows checked");
    let mut written = Ok(());
    let mut left = args.limit;
    let verified = index.verify_with(
        &mut |finding| {
            // All findings are counted, including those that are not printed.
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
        "{}: {} checked, {}{}",
        Escaped::path(&args.index),
        message::count(verified.rows, "row"),
        message::count(verified.findings, "finding"),
        if verified.is_stopped { ", stopped before the end" } else { "" }
    ))?;
    out.flush()?;
    // A finding is a result of the check and not its failure, which is exit code 4.
    Ok(if verified.findings > 0 { Exit::Nothing } else { Exit::Done })
}

/// Checks a dataset.
fn dataset(args: &IndexVerifyArgs) -> Result<Exit, Failure> {
    let dataset = Dataset::open(&args.index, &[])?;
    let progress = Progress::work("checking the dataset");
    let (thing, count, faults) = match args.rows {
        true => {
            let (rows, faults) = dataset.verify_rows();
            ("row", rows, faults)
        }
        false => ("file", dataset.files().count() as u64, dataset.verify()),
    };
    progress.finish();
    report_faults((&args.index, args.limit), thing, count, faults.iter().map(|DatasetFault(error)| error))
}

/// Prints the findings and the amount of data read. A part that could not be read may be intact, so it is the
/// error of the command instead of a finding.
pub(crate) fn report_faults<'e>(
    (path, limit): (&Path, u64),
    thing: &str,
    count: u64,
    faults: impl Iterator<Item = &'e Error>,
) -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    let (unread, faults): (Vec<_>, Vec<_>) = faults.partition(|error| error.code() == ErrorCode::Io);
    let findings = message::count(faults.len() as u64, "finding");
    for error in faults.iter().take(usize::try_from(limit).unwrap_or(usize::MAX)) {
        out.line(&Escaped(error.to_string().as_bytes()).to_string())?;
    }
    let counted = message::count(count, thing);
    out.line(&format!("{}: {counted} checked, {findings}", Escaped::path(path)))?;
    out.flush()?;
    match unread.first() {
        Some(&error) => Err(error.clone().into()),
        None if faults.is_empty() => Ok(Exit::Done),
        None => Ok(Exit::Nothing),
    }
}
