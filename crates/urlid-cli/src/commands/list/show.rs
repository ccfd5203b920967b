//! `urlid list show`: the text form of a list.

use std::path::PathBuf;

use clap::Args;

use super::open;
use crate::output::Output;
use crate::report::exit::{Exit, Failure};

/// Print a list in the text form: its header, and one entry per line
///
/// Of a list that keeps a part of its digests, the header is printed, and how often a URL that is not listed matches by
/// chance.
///
/// Example: urlid list show --header bad.compiled
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The list, in either form; `-` is standard input
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// Print only the header
    #[arg(long)]
    header: bool,
}

/// Prints the list as text, or its header.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let (list, exit) = open::list(&args.list)?;
    let mut out = Output::stdout()?;
    // The text form consists of hashed URIs, which parts of digests are not.
    let written = match args.header || !list.is_whole() {
        true => list.write_header(out.writer()),
        false => list.write_text(out.writer()),
    };
    written.map_err(|error| Failure::output(&error))?;
    if !list.is_whole() {
        out.line(&format!("# a digest that is not listed matches: {}", list.certainty()))?;
    }
    out.flush()?;
    Ok(exit)
}
