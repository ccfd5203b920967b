//! `urlid list`: hidden lists, to publish URLs that can be recognised but not read.
//!
//! `open` reads lists for all of these verbs. The work is done by `urlid_lists`.

mod audit;
mod clean;
mod compile;
mod deltas;
mod hashed;
mod make;
mod matches;
mod matching;
mod open;
mod shards;
mod show;
mod sign;
mod sources;
mod trust;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::args::Globals;
use crate::report::exit::{Exit, Failure};
use crate::report::ways::Needs;

/// Make hashed lists of URLs and match URLs with them
///
/// A list is a header with its rules, followed by one hashed URI of draft 03 per line. It can be published
/// without its URLs. Hashing protects only URLs that cannot be guessed: `urlid list audit` reports how many
/// entries a dictionary reveals. A list made with a key (--key) can only be used with the key.
#[derive(Debug, Args)]
pub(crate) struct ListVerb {
    #[command(subcommand)]
    command: ListCommand,
}

#[derive(Debug, Subcommand)]
enum ListCommand {
    Make(make::ListMakeArgs),
    Clean(clean::ListCleanArgs),
    Match(matches::ListMatchArgs),
    Compile(compile::CompileArgs),
    Audit(audit::AuditArgs),
    Show(show::ListShowArgs),
    Diff(show::ListDiffArgs),
    Merge(make::ListMergeArgs),
    Delta(deltas::DeltaArgs),
    Apply(deltas::ApplyArgs),
    Update(deltas::UpdateArgs),
    Shards(shards::ShardsArgs),
    Key(sign::KeyArgs),
}

impl ListVerb {
    /// Returns the lists that the verb reads by default.
    fn lists(&self) -> Vec<&Path> {
        match &self.command {
            ListCommand::Match(args) => args.list.iter().map(Path::new).collect(),
            ListCommand::Audit(args) => args.list.iter().map(PathBuf::as_path).collect(),
            ListCommand::Compile(args) => vec![&args.list],
            ListCommand::Show(args) => vec![&args.list],
            ListCommand::Diff(args) => vec![&args.old, &args.new],
            ListCommand::Merge(args) => args.lists.iter().map(PathBuf::as_path).collect(),
            ListCommand::Delta(args) => vec![&args.old, &args.new],
            ListCommand::Apply(args) => vec![&args.list],
            ListCommand::Update(args) => vec![&args.list],
            ListCommand::Shards(args) => vec![&args.list],
            ListCommand::Make(_) | ListCommand::Clean(_) | ListCommand::Key(_) => Vec::new(),
        }
    }

    /// Returns whether the verb splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        // `make` and `clean` leave out public suffixes, and the routes of a list, which `shards` reads, depend on the suffix
        // list.
        match &self.command {
            ListCommand::Make(_) | ListCommand::Clean(_) => true,
            ListCommand::Shards(args) => args.splits_hosts(),
            _ => false,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(args: &ListVerb, globals: &Globals) -> Result<Exit, Failure> {
    let ran = match &args.command {
        ListCommand::Make(args) => make::run_make(args, globals),
        ListCommand::Clean(args) => clean::run(args, globals),
        ListCommand::Compile(args) => compile::run(args),
        ListCommand::Match(args) => matches::run(args),
        ListCommand::Audit(args) => audit::run(args),
        ListCommand::Show(args) => show::run_show(args),
        ListCommand::Diff(args) => show::run_diff(args),
        ListCommand::Merge(args) => make::run_merge(args),
        ListCommand::Delta(args) => deltas::run_delta(args),
        ListCommand::Apply(args) => deltas::run_apply(args),
        ListCommand::Update(args) => deltas::run_update(args),
        ListCommand::Shards(args) => shards::run(args, globals),
        ListCommand::Key(args) => sign::run_key(args),
    };
    let add_way = |failure: Failure, path: &&Path| failure.with_way_on(path, Needs::List);
    ran.map_err(|failure| args.lists().iter().fold(failure, add_way))
}
