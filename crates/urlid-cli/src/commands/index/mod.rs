//! `urlid index`: an index of URLs in one file.
//!
//! A file for each verb; the work is done by `urlid-index`.

mod add;
mod care;
mod columns;
mod count;
mod delete;
mod export;
mod find;
mod get;
mod merge;
mod migrate;
mod only_new;
mod queries;
mod stats;
mod verify;

use clap::{Args, Subcommand};
use urlid_index::{OpenError, StoreError};

use crate::args::Globals;
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use urlid::Coded;

/// Keep URLs in an index and ask for them by their parts
///
/// An index is one SQLite file with the SXURL and the text of every URL. What is asked for is given in clear, and every
/// answer is compared with its own URL, so that a URL which happens to share a slice never answers.
#[derive(Debug, Args)]
pub(crate) struct IndexVerb {
    #[command(subcommand)]
    command: IndexCommand,
}

#[derive(Debug, Subcommand)]
enum IndexCommand {
    Add(add::AddArgs),
    Find(find::FindArgs),
    Get(get::GetArgs),
    Stats(stats::StatsArgs),
    Count(count::CountArgs),
    Verify(verify::VerifyArgs),
    Seal(care::SealArgs),
    Compact(care::CompactArgs),
    Migrate(migrate::MigrateArgs),
    Merge(merge::MergeArgs),
    Delete(delete::DeleteArgs),
    Export(export::ExportArgs),
}

/// Runs the verb.
pub(crate) fn run(args: &IndexVerb, globals: &Globals) -> Result<Exit, Failure> {
    match &args.command {
        IndexCommand::Add(args) => add::run(args, globals),
        IndexCommand::Find(args) => find::run(args),
        IndexCommand::Get(args) => get::run(args),
        IndexCommand::Stats(args) => stats::run(args),
        IndexCommand::Count(args) => count::run(args),
        IndexCommand::Verify(args) => verify::run(args),
        IndexCommand::Seal(args) => care::seal(args),
        IndexCommand::Compact(args) => care::compact(args),
        IndexCommand::Migrate(args) => migrate::run(args, globals),
        IndexCommand::Merge(args) => merge::run(args),
        IndexCommand::Delete(args) => delete::run(args),
        IndexCommand::Export(args) => export::run(args),
    }
}

/// Makes a failure of an index that cannot be opened.
fn cannot_open(error: &OpenError) -> Failure {
    told(error)
}

/// Makes a failure of an index that cannot be read.
fn cannot_read(error: &StoreError) -> Failure {
    told(error)
}

fn told(error: &dyn Coded) -> Failure {
    Failure::failed(format!("{}: {}", error.code(), Escaped(error.to_string().as_bytes())))
}

/// Returns an error if rows were met that no loader wrote.
fn check_damage(damaged: u64) -> Result<Exit, Failure> {
    match damaged {
        0 => Ok(Exit::Done),
        1 => Err(Failure::failed("ERR_INDEX_DAMAGED: 1 row is damaged and was passed over")),
        _ => Err(Failure::failed(format!(
            "ERR_INDEX_DAMAGED: {damaged} rows are damaged and were passed over"
        ))),
    }
}
