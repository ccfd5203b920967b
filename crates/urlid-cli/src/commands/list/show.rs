//! `urlid list show` and `urlid list diff`: the text of a list, and the entries that only one of two lists
//! has.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use urlid_lists::Difference;

use super::open;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::report::exit::{Exit, Failure};

/// Print a list in the text form: its header, and one entry per line
///
/// For a list that keeps a part of its digests, prints the header and how often a URL that is not listed
/// matches by chance.
///
/// Example: urlid list show --header bad.compiled
#[derive(Debug, Args)]
pub(crate) struct ListShowArgs {
    /// The list, as text or compiled; `-` is standard input
    #[arg(value_name = "LIST")]
    pub(super) list: PathBuf,

    /// Print only the header
    #[arg(long)]
    header: bool,
}

/// Prints the list as text, or its header.
pub(crate) fn run_show(args: &ListShowArgs) -> Result<Exit, Failure> {
    let (list, exit) = open::list(&args.list)?;
    let mut out = Output::stdout()?;
    // The text form consists of hashed URIs, which parts of digests are not.
    let write = |mut out: &mut dyn Write| match args.header || !list.is_whole() {
        true => list.write_header(&mut out),
        false => list.write_text(&mut out),
    };
    match out.is_terminal() {
        // The name of a publisher may have characters that a terminal acts on.
        true => {
            let mut text = Vec::new();
            write(&mut text).map_err(|error| Failure::output(&error))?;
            let mut lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            lines.try_for_each(|line| out.line(&Escaped(line).to_string()))?;
        }
        false => write(out.writer()).map_err(|error| Failure::output(&error))?,
    }
    if !list.is_whole() {
        out.line(&format!("# a digest that is not listed matches: {}", list.certainty()))?;
    }
    out.flush()?;
    Ok(exit)
}

/// Compare two lists: removed entries are marked `-`, added entries `+`
///
/// Lists that keep a part of their digests can only be compared with each other, and show the prefixes of
/// entries. Exits with 0 if the entries are the same and with 1 if they differ, like diff. The headers are not
/// compared.
///
/// Example: urlid list diff old.list new.compiled
#[derive(Debug, Args)]
pub(crate) struct ListDiffArgs {
    /// The old list, as text or compiled
    #[arg(value_name = "OLD")]
    pub(super) old: PathBuf,

    /// The new list, as text or compiled
    #[arg(value_name = "NEW")]
    pub(super) new: PathBuf,
}

/// Compares.
pub(crate) fn run_diff(args: &ListDiffArgs) -> Result<Exit, Failure> {
    open::check_stdin([&args.old, &args.new])?;
    let (old, old_exit) = open::list(&args.old)?;
    let (new, new_exit) = open::list(&args.new)?;
    let mut out = Output::stdout()?;
    let mut found = Exit::Done;
    let differences = old.differences(&new).map_err(|error| Failure::new(Exit::Failed, &error))?;
    for difference in differences {
        // Like `diff` of POSIX, which exits with 1 if there are differences.
        found = Exit::Nothing;
        match difference {
            Difference::Removed(entry) => out.line(&format!("-{entry}"))?,
            Difference::Added(entry) => out.line(&format!("+{entry}"))?,
        }
    }
    out.flush()?;
    Ok(found.max(old_exit).max(new_exit))
}
