//! `urlid index verify`: every row checked against its own URL, or every file of a dataset against its hash.

use std::path::PathBuf;

use clap::Args;
use urlid::{Error, ErrorCode};
use urlid_store::dataset::{Dataset, DatasetFault, is_dataset};
use urlid_store::file::Index;
use urlid_store::seen::{SeenFile, is_seen_set};

use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::signals;

/// Check every row of an index: recompute its identifier from its URL
///
/// Finds errors that SQLite's integrity check cannot find, and runs that check as well. For a dataset, compares
/// every file with its SHA-256, and the description with the files; --rows reads every row. For a seen-set,
/// checks every page, filter and log. Prints a line for each finding; exits with 1 if there are any.
///
/// Example: urlid index verify urls.db
///
/// Example: urlid index verify seen
#[derive(Debug, Args)]
pub(crate) struct IndexVerifyArgs {
    /// The index, or the folder of a dataset or of a seen-set
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// Read every row of a dataset: check its text, its order and the first key of each page
    #[arg(long)]
    rows: bool,

    /// Print at most this many findings; all are counted
    #[arg(long, value_name = "COUNT", default_value = "100")]
    limit: u64,
}

/// Prints the findings and how many rows were read.
pub(crate) fn run(args: &IndexVerifyArgs) -> Result<Exit, Failure> {
    if is_dataset(&args.index) {
        return dataset(args);
    }
    if is_seen_set(&args.index) {
        return seen_set(args);
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
            // All findings are counted, also those that are not printed.
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
    report(args, thing, count, faults.iter().map(|DatasetFault(error)| error))
}

/// Checks a seen-set.
fn seen_set(args: &IndexVerifyArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("checking the seen-set");
    let verified = SeenFile::verify(&args.index);
    progress.finish();
    let verified = verified?;
    report(args, "key", verified.keys, verified.faults.iter().map(|fault| &fault.0))
}

/// Prints what was found, and how much was read. What could not be read may be whole, so it is no finding but
/// the error of the command.
fn report<'e>(
    args: &IndexVerifyArgs,
    thing: &str,
    count: u64,
    faults: impl Iterator<Item = &'e Error>,
) -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    let (unread, faults): (Vec<_>, Vec<_>) = faults.partition(|error| error.code() == ErrorCode::Io);
    let findings = message::count(faults.len() as u64, "finding");
    for error in faults.iter().take(usize::try_from(args.limit).unwrap_or(usize::MAX)) {
        out.line(&Escaped(error.to_string().as_bytes()).to_string())?;
    }
    let counted = message::count(count, thing);
    out.line(&format!("{}: {counted} checked, {findings}", Escaped::path(&args.index)))?;
    out.flush()?;
    match unread.first() {
        Some(&error) => Err(error.clone().into()),
        None if faults.is_empty() => Ok(Exit::Done),
        None => Ok(Exit::Nothing),
    }
}
