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

use std::path::Path;

use clap::{Args, Subcommand};

pub(super) use self::counts::Counts;
pub(super) use self::verify::report_faults;
use crate::args::Globals;
use crate::report::exit::{Exit, Failure};
use crate::report::ways::Needs;

/// Store URLs in an index and find them by their parts
///
/// An index is one SQLite file with the text of every URL, and its SXURL if it has one. A row that is found by
/// its SXURL is checked against the conditions by its URL, so hash collisions are never returned. URLs without
/// an SXURL (IP addresses, names that end in a dot, other schemes) are stored and found by the same conditions.
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
    /// Returns the index or the dataset of the verb, and which of them it needs.
    fn store(&self) -> (&Path, Needs) {
        let (store, needs) = match &self.command {
            IndexCommand::Find(args) => (&args.store.index, Needs::Index),
            IndexCommand::Get(args) => (&args.store.index, Needs::Index),
            IndexCommand::Match(args) => (&args.store.index, Needs::Index),
            IndexCommand::Show(args) => (&args.store.index, Needs::Index),
            IndexCommand::Count(args) => (&args.store.index, Needs::Index),
            IndexCommand::Verify(args) => (&args.index, Needs::Index),
            IndexCommand::Export(args) => (&args.index, Needs::Index),
            IndexCommand::Build(args) => (&args.folder, Needs::Index),
            IndexCommand::Add(args) => (&args.index, Needs::IndexFile),
            IndexCommand::Seal(args) => (&args.index, Needs::IndexFile),
            IndexCommand::Compact(args) => (&args.index, Needs::IndexFile),
            IndexCommand::Migrate(args) => (&args.index, Needs::IndexFile),
            IndexCommand::Merge(args) => (&args.index, Needs::IndexFile),
            IndexCommand::Delete(args) => (&args.index, Needs::IndexFile),
        };
        (store, needs)
    }

    /// Returns whether the verb splits hosts by the chosen suffix list. The other verbs use the list of the
    /// index.
    pub(super) fn splits_hosts(&self) -> bool {
        matches!(self.command, IndexCommand::Add(_) | IndexCommand::Build(_) | IndexCommand::Migrate(_))
    }
}

/// Runs the verb.
pub(crate) fn run(args: &IndexVerb, globals: &Globals) -> Result<Exit, Failure> {
    let ran = match &args.command {
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
    };
    let (store, needs) = args.store();
    ran.map_err(|failure| failure.with_way_on(store, needs))
}
