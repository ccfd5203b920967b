//! `urlid index`: an index of URLs in one file, or a dataset of URLs in a folder.
//!
//! The work is done by `urlid-store`.

mod add;
mod build;
mod conditions;
mod counts;
mod export;
mod find;
mod get;
mod maintain;
mod matches;
mod verify;

use clap::{Args, Subcommand};

use crate::args::Globals;
use crate::report::exit::{Exit, Failure};

/// Store URLs in an index and find them by their parts
///
/// An index is one SQLite file with the text of every URL, and its SXURL if it has one. Each row found by its
/// SXURL is checked against the conditions by its URL, so a hash collision is never returned. URLs without an
/// SXURL (IP addresses, names that end in a dot, other schemes) are kept and found by the same conditions.
#[derive(Debug, Args)]
pub(crate) struct IndexVerb {
    #[command(subcommand)]
    command: IndexCommand,
}

#[derive(Debug, Subcommand)]
enum IndexCommand {
    Add(add::AddArgs),
    Build(build::BuildArgs),
    Find(find::IndexFindArgs),
    Count(counts::IndexCountArgs),
    Get(get::GetArgs),
    Match(matches::IndexMatchArgs),
    Show(counts::IndexShowArgs),
    Verify(verify::IndexVerifyArgs),
    Seal(maintain::SealArgs),
    Compact(maintain::CompactArgs),
    Migrate(maintain::MigrateArgs),
    Merge(maintain::IndexMergeArgs),
    Delete(maintain::DeleteArgs),
    Export(export::ExportArgs),
}

impl IndexVerb {
    /// Returns whether the verb splits hosts by the suffix list that was chosen; the others do by that of the
    /// index.
    pub(super) fn splits_hosts(&self) -> bool {
        matches!(self.command, IndexCommand::Add(_) | IndexCommand::Build(_) | IndexCommand::Migrate(_))
    }
}

/// Runs the verb.
pub(crate) fn run(args: &IndexVerb, globals: &Globals) -> Result<Exit, Failure> {
    match &args.command {
        IndexCommand::Add(args) => add::run(args, globals),
        IndexCommand::Build(args) => build::run(args, globals),
        IndexCommand::Find(args) => find::run(args),
        IndexCommand::Get(args) => get::run(args),
        IndexCommand::Match(args) => matches::run(args),
        IndexCommand::Show(args) => counts::run_show(args),
        IndexCommand::Count(args) => counts::run_count(args),
        IndexCommand::Verify(args) => verify::run(args),
        IndexCommand::Seal(args) => maintain::run_seal(args),
        IndexCommand::Compact(args) => maintain::run_compact(args),
        IndexCommand::Migrate(args) => maintain::run_migrate(args, globals),
        IndexCommand::Merge(args) => maintain::run_merge(args),
        IndexCommand::Delete(args) => maintain::run_delete(args),
        IndexCommand::Export(args) => export::run(args),
    }
}
