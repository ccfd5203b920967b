//! The verbs, a file each: its arguments, which are its help and its page of the manual, and one function that runs it.

mod canon;
mod cdx;
mod cdxj;
mod completions;
mod count;
mod decode;
mod detect;
mod diff;
mod explain;
mod expressions;
mod goto;
mod id;
mod index;
mod list;
mod man;
mod matches;
mod ord;
mod parse;
mod parts;
mod probe;
mod psl;
mod resolve;
mod split;
mod uniq;
mod vectors;
pub(crate) mod version;

use clap::Subcommand;

use crate::exit::{Exit, Failure};
use crate::globals::Globals;

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Id(id::IdArgs),
    Parts(parts::PartsArgs),
    Parse(parse::ParseArgs),
    Ord(ord::OrdArgs),
    Upto(ord::UptoArgs),
    Goto(goto::GotoArgs),
    Resolve(resolve::ResolveArgs),
    Canon(canon::CanonArgs),
    Explain(explain::ExplainArgs),
    Diff(diff::DiffArgs),
    Expressions(expressions::ExpressionsArgs),
    Detect(detect::DetectArgs),
    Decode(decode::DecodeArgs),
    Probe(probe::ProbeArgs),
    Split(split::SplitArgs),
    Match(matches::MatchArgs),
    Vectors(vectors::VectorsArgs),
    Uniq(uniq::UniqArgs),
    Count(count::CountArgs),
    Index(index::IndexVerb),
    Cdxj(cdxj::CdxjArgs),
    Cdx(cdx::CdxVerb),
    List(list::ListVerb),
    Psl(psl::PslVerb),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

impl Command {
    /// Runs the verb. `program` returns the whole command line, which some verbs describe.
    pub(crate) fn run(
        &self,
        globals: &Globals,
        program: impl FnOnce() -> clap::Command,
    ) -> Result<Exit, Failure> {
        if !self.splits_hosts() {
            globals.psl.check_default()?;
        }
        match self {
            Command::Id(args) => id::run(args, globals),
            Command::Parts(args) => parts::run(args, globals),
            Command::Parse(args) => parse::run(args),
            Command::Ord(args) => ord::run(args),
            Command::Upto(args) => ord::run_upto(args),
            Command::Goto(args) => goto::run(args),
            Command::Resolve(args) => resolve::run(args),
            Command::Canon(args) => canon::run(args),
            Command::Explain(args) => explain::run(args, globals),
            Command::Diff(args) => diff::run(args, globals),
            Command::Expressions(args) => expressions::run(args, globals),
            Command::Detect(args) => detect::run(args),
            Command::Decode(args) => decode::run(args),
            Command::Probe(args) => probe::run(args, globals),
            Command::Split(args) => split::run(args, globals),
            Command::Match(args) => matches::run(args),
            Command::Vectors(args) => vectors::run(args),
            Command::Uniq(args) => uniq::run(args),
            Command::Count(args) => count::run(args, globals),
            Command::Index(args) => index::run(args, globals),
            Command::Cdxj(args) => cdxj::run(args),
            Command::Cdx(args) => cdx::run(args),
            Command::List(args) => list::run(args, globals),
            Command::Psl(args) => psl::run(args, globals),
            Command::Completions(args) => completions::run(args, program()),
            Command::Man(args) => man::run(args, program()),
        }
    }

    /// Returns whether the verb splits hosts by the suffix list that was chosen.
    fn splits_hosts(&self) -> bool {
        match self {
            Command::Id(_)
            | Command::Parts(_)
            | Command::Explain(_)
            | Command::Diff(_)
            | Command::Expressions(_)
            | Command::Probe(_)
            | Command::Split(_)
            | Command::Count(_)
            | Command::Psl(_) => true,
            Command::Index(verb) => verb.splits_hosts(),
            Command::List(verb) => verb.splits_hosts(),
            _ => false,
        }
    }
}
