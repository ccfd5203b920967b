//! `urlid ref`: URLs and relative references by the Theory of URLs.

mod goto;
mod ord;
mod parse;

use clap::{Args, Subcommand};

use crate::report::exit::{Exit, Failure};

/// Take references apart and join them, by the Theory of URLs
///
/// A reference is a URL, or a text that is relative to one. An argument that is the name of a file is read as the file; the
/// lines of files and pipes are references.
#[derive(Debug, Args)]
pub(crate) struct ReferenceVerb {
    #[command(subcommand)]
    command: ReferenceCommand,
}

#[derive(Debug, Subcommand)]
enum ReferenceCommand {
    Parse(parse::ParseArgs),
    Ord(ord::OrdArgs),
    Upto(ord::UptoArgs),
    Goto(goto::GotoArgs),
}

/// Runs the verb.
pub(crate) fn run(args: &ReferenceVerb) -> Result<Exit, Failure> {
    match &args.command {
        ReferenceCommand::Parse(args) => parse::run(args),
        ReferenceCommand::Ord(args) => ord::run(args),
        ReferenceCommand::Upto(args) => ord::run_upto(args),
        ReferenceCommand::Goto(args) => goto::run(args),
    }
}
