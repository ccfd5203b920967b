//! `urlid seen`: the seen-sets of `urlid uniq --seen`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use urlid_store::seen::{SeenFile, SeenSet};

use super::index;
use crate::output::Output;
use crate::output::progress::Progress;
use crate::output::rows::FormatArg;
use crate::report::exit::{Exit, Failure};
use crate::report::ways::Needs;

/// Show, verify and compact seen-sets, the memory of `uniq --seen`
///
/// A seen-set is a folder with a key of 16 bytes for each URL. It cannot be searched. Only the newest keys, at
/// most half a million, are stored with their lines, so the folder contains text of URLs.
#[derive(Debug, Args)]
pub(crate) struct SeenVerb {
    #[command(subcommand)]
    command: SeenCommand,
}

#[derive(Debug, Subcommand)]
enum SeenCommand {
    Show(SeenShowArgs),
    Verify(SeenVerifyArgs),
    Compact(SeenCompactArgs),
}

/// Runs the verb.
pub(super) fn run(args: &SeenVerb) -> Result<Exit, Failure> {
    let (ran, folder) = match &args.command {
        SeenCommand::Show(args) => (show(args), &args.folder),
        SeenCommand::Verify(args) => (verify(args), &args.folder),
        SeenCommand::Compact(args) => (compact(args), &args.folder),
    };
    ran.map_err(|failure| failure.with_way_on(folder, Needs::SeenSet))
}

/// Show how many URLs a seen-set has, their canonical form, and its snapshot
///
/// `pending` is the number of lines that `uniq --seen` stored but did not deliver; --resume prints them.
///
/// Example: urlid seen show seen
#[derive(Debug, Args)]
struct SeenShowArgs {
    /// The folder of the seen-set
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    format: FormatArg,
}

fn show(args: &SeenShowArgs) -> Result<Exit, Failure> {
    let set = SeenFile::open(&args.folder)?;
    let mut out = Output::stdout()?;
    let mut counts = index::Counts::begin(&mut out, args.format.format)?;
    let keys = set.keys();
    counts.row("keys", "", set.len())?;
    counts.row("key_bytes", "", keys.width() as u64)?;
    counts.row("files", "", set.files() as u64)?;
    counts.row(&keys.of().replace(' ', "_"), keys.name(), set.len())?;
    counts.row("snapshot", &keys.snapshot().to_string(), set.len())?;
    if set.pending_lines() > 0 {
        counts.row("pending", "", set.pending_lines())?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

/// Check every page, filter and log of a seen-set
///
/// Prints a line for each finding. Exits with 1 if there are findings.
///
/// Example: urlid seen verify seen
#[derive(Debug, Args)]
struct SeenVerifyArgs {
    /// The folder of the seen-set
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Print at most this many findings; all are counted
    #[arg(long, value_name = "COUNT", default_value = "100")]
    limit: u64,
}

fn verify(args: &SeenVerifyArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("checking the seen-set");
    let verified = SeenFile::verify(&args.folder);
    progress.finish();
    let verified = verified?;
    let faults = verified.faults.iter().map(|fault| &fault.0);
    index::report_faults((&args.folder, args.limit), "key", verified.keys, faults)
}

/// Merge the sorted files of a seen-set into one
///
/// Needs temporary space for a second copy, in the folder.
///
/// Example: urlid seen compact seen
#[derive(Debug, Args)]
struct SeenCompactArgs {
    /// The folder of the seen-set
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

fn compact(args: &SeenCompactArgs) -> Result<Exit, Failure> {
    let progress = Progress::work("rewriting the seen-set");
    // A set opens only for the keys that it holds, which the command line does not name.
    let compacted = SeenFile::open(&args.folder).and_then(|file| {
        let mut set = SeenSet::open(&args.folder, &file.keys().clone())?;
        set.compact()?;
        set.close()
    });
    progress.finish();
    compacted?;
    Ok(Exit::Done)
}
