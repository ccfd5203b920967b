//! `urlid cdx`: indexes of web archives.

mod extend;
mod find;
mod held;
mod lines;
mod make;
mod merge;
mod output;
mod payloads;
mod rekey;
mod verify;

use clap::{Args, Subcommand};

use crate::report::exit::{Exit, Failure};
use crate::report::ways::Needs;

/// Make, search and verify indexes of web archives: CDX, CDXJ and ZipNum
///
/// Every verb that reads URLs also reads the URLs of an index.
#[derive(Debug, Args)]
pub(crate) struct CdxVerb {
    #[command(subcommand)]
    command: CdxCommand,
}

#[derive(Debug, Subcommand)]
enum CdxCommand {
    Make(make::CdxMakeArgs),
    Find(find::CdxFindArgs),
    Held(held::CdxHeldArgs),
    Merge(merge::CdxMergeArgs),
    Verify(verify::CdxVerifyArgs),
    Rekey(rekey::RekeyArgs),
}

/// Runs the verb.
pub(crate) fn run(args: &CdxVerb) -> Result<Exit, Failure> {
    match &args.command {
        CdxCommand::Make(args) => make::run(args),
        CdxCommand::Find(args) => {
            find::run(args).map_err(|failure| failure.with_way_on(&args.index, Needs::CdxIndex))
        }
        CdxCommand::Held(args) => held::run(args),
        CdxCommand::Merge(args) => merge::run(args),
        CdxCommand::Verify(args) => verify::run(args),
        CdxCommand::Rekey(args) => rekey::run(args),
    }
}
