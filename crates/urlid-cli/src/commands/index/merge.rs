//! `urlid index merge`: adds the URLs of other indexes to an index.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid_store::file::{Index, LoadOptions};

use crate::commands::canon::form::{FormLists, index_failure};
use crate::input::parse_memory;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::signals;

/// Add the URLs of other indexes to an index; create it if it does not exist
///
/// All indexes must have been made with the same public suffix list and canonical form; `urlid index migrate` changes
/// the list of an index.
///
/// Example: urlid index merge all.db a.db b.db
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The index to add to
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// The indexes to read
    #[arg(value_name = "OTHER", required = true)]
    others: Vec<PathBuf>,

    /// The memory for sorting, up to that of the machine, in addition to SQLite's cache; the suffixes K, M
    /// and G are powers of 1024
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    memory: usize,

    #[command(flatten)]
    lists: FormLists,
}

/// Merges and prints the counts.
pub(crate) fn run(args: &MergeArgs) -> Result<Exit, Failure> {
    signals::stop_gracefully();
    let others: Vec<&Path> = args.others.iter().map(PathBuf::as_path).collect();
    // The command line has at least one OTHER, and the merge rejects those of another form.
    let form = args.lists.form_of(&args.others[0])?;
    let options = LoadOptions { memory: args.memory, form, ..LoadOptions::default() };
    // Without a count there is only no total. Errors are those of the merge, which opens the indexes again.
    let rows: Option<u64> = others.iter().map(|other| Index::open(other).ok()?.rows().ok()).sum();
    let mut progress = Progress::count(rows, "rows read");
    let mut is_reading = true;
    let merged = urlid_store::file::merge_with(&args.index, &others, options, &mut |now| {
        if is_reading && now.to_write > 0 {
            is_reading = false;
            progress.finish();
            progress = Progress::count(Some(now.to_write), "rows written");
        }
        progress.advance(if is_reading { now.lines } else { now.written })
    });
    progress.finish();
    let merged = merged.map_err(index_failure)?;
    let mut out = Output::stdout()?;
    out.line(&format!(
        "{}: {} read, {} new",
        Escaped::path(&args.index),
        message::count(merged.taken, "row"),
        merged.new
    ))?;
    out.flush()?;
    Ok(Exit::Done)
}
