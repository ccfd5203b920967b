//! `urlid psl`: the public suffix list that identifiers depend on.

mod diff;
mod show;

use clap::{Args, Subcommand};

use crate::args::Globals;
use crate::report::exit::{Exit, Failure};

/// Show the public suffix list or compare two lists
#[derive(Debug, Args)]
pub(crate) struct PslVerb {
    #[command(subcommand)]
    command: PslCommand,
}

#[derive(Debug, Subcommand)]
enum PslCommand {
    Show(show::ShowArgs),
    Diff(Box<diff::DiffArgs>),
}

/// Runs the verb.
pub(crate) fn run(args: &PslVerb, globals: &Globals) -> Result<Exit, Failure> {
    match &args.command {
        PslCommand::Show(args) => show::run(args, globals),
        PslCommand::Diff(args) => diff::run(args, globals),
    }
}
