//! `urlid list merge`: several lists as one.

use std::path::PathBuf;

use clap::Args;
use urlid_lists::HiddenList;

use super::edition::EditionArgs;
use super::sign::write_file;
use super::{open, write};
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Merge several lists that were made by the same rules, and print the result
///
/// Lists that keep a part of their digests are merged with such lists, into a compiled list (--out).
///
/// Example: urlid list merge monday.list tuesday.compiled -o both.list
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The lists, in either form
    #[arg(value_name = "LIST", required = true)]
    lists: Vec<PathBuf>,

    /// Write the list to this file instead of standard output; it appears when it is complete
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    edition: EditionArgs,
}

/// Merges.
pub(crate) fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    open::check_stdin(&args.lists)?;
    FilesInUse::reading(&args.lists).write("--out", args.out.as_deref())?;
    let mut exit = Exit::Done;
    let mut lists = Vec::with_capacity(args.lists.len());
    for path in &args.lists {
        let (list, list_exit) = open::list(path)?;
        exit = exit.max(list_exit);
        lists.push(list);
    }
    let merged = HiddenList::merge(&lists).map_err(|error| Failure::new(Exit::Failed, &error))?;
    let merged = merged.with_edition(args.edition.edition());
    let mut out = Output::stdout()?;
    match (merged.is_whole(), &args.out) {
        (true, out_path) => write::text(&merged, out_path.as_deref(), &mut out)?,
        // A text is not made of parts of digests.
        (false, Some(path)) => write_file(path, &open::compiled(&merged)?)?,
        (false, None) => {
            return Err(Failure::usage("lists with parts of digests are merged into a file: expected --out"));
        }
    }
    out.flush()?;
    message::print(&format!(
        "merged {} into one of {}",
        message::count(lists.len() as u64, "list"),
        message::count(merged.len(), "entry")
    ));
    Ok(exit)
}
