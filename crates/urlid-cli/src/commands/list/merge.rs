//! `urlid list merge`: several lists as one.

use std::path::PathBuf;

use clap::Args;
use urlid_lists::{Date, HiddenList};

use super::{open, write};
use crate::exit::{Exit, Failure};
use crate::message;
use crate::output::Output;

/// Merge several lists that were made by the same rules, and print the result
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

    /// The date to write to the header, as 2026-01-31
    #[arg(long, value_name = "DATE")]
    date: Option<Date>,
}

/// Merges.
pub(crate) fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    open::check_stdin(&args.lists)?;
    let mut exit = Exit::Done;
    let mut lists = Vec::with_capacity(args.lists.len());
    for path in &args.lists {
        let (list, list_exit) = open::list(path)?;
        exit = exit.max(list_exit);
        lists.push(list);
    }
    let merged = HiddenList::merge(&lists).map_err(|error| Failure::of(Exit::Failed, &error))?;
    let merged = match args.date {
        Some(date) => merged.with_date(date),
        None => merged,
    };
    let mut out = Output::stdout()?;
    write::text(&merged, args.out.as_deref(), &mut out)?;
    out.flush()?;
    message::print(&format!("merged {} lists into one of {} entries", lists.len(), merged.len()));
    Ok(exit)
}
