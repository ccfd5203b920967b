//! `urlid cdx`: indexes of web archives.

mod check;
mod find;
mod lines;
mod output;
mod rekey;

use clap::{Args, Subcommand};

use crate::exit::{Exit, Failure};

pub(crate) use output::IndexOutput;

/// Check, search and rekey the indexes of web archives: CDX, CDXJ and ZipNum
///
/// `urlid cdxj` makes an index. Every verb that reads URLs reads those of an index too.
#[derive(Debug, Args)]
pub(crate) struct CdxVerb {
    #[command(subcommand)]
    command: CdxCommand,
}

#[derive(Debug, Subcommand)]
enum CdxCommand {
    Check(check::CheckArgs),
    Rekey(rekey::RekeyArgs),
    Find(find::FindArgs),
}

/// Runs the verb.
pub(crate) fn run(args: &CdxVerb) -> Result<Exit, Failure> {
    match &args.command {
        CdxCommand::Check(args) => check::run(args),
        CdxCommand::Rekey(args) => rekey::run(args),
        CdxCommand::Find(args) => find::run(args),
    }
}
