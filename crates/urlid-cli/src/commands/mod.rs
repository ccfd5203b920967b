//! The verbs, by subject in files and folders. Each has its arguments, which are its help and its page of the
//! manual, and one function that runs it.

pub(crate) mod about;
mod canon;
mod captures;
mod cdx;
mod count;
mod diff;
mod explain;
mod id;
mod index;
mod learn;
mod list;
mod parts;
mod probe;
mod psl;
mod redact;
mod references;
mod resolve;
mod rules;
mod seen;
mod sitemap;
mod templates;
mod uniq;
mod vectors;

use clap::Subcommand;

use crate::args::Globals;
use crate::report::exit::{Exit, Failure};

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Explain(explain::ExplainArgs),
    Diff(diff::DiffArgs),
    Id(id::IdArgs),
    Parts(parts::PartsArgs),
    Canon(canon::CanonArgs),
    Redact(redact::RedactArgs),
    #[command(alias = "dedup")]
    Uniq(uniq::UniqArgs),
    Count(count::CountArgs),
    Index(index::IndexVerb),
    Seen(seen::SeenVerb),
    List(list::ListVerb),
    Cdx(cdx::CdxVerb),
    Sitemap(sitemap::SitemapArgs),
    Learn(Box<learn::LearnArgs>),
    Rules(rules::RulesVerb),
    Templates(Box<templates::TemplatesVerb>),
    Resolve(resolve::ResolveArgs),
    #[command(name = "ref")]
    Reference(references::ReferenceVerb),
    Psl(psl::PslVerb),
    Probe(probe::ProbeArgs),
    Vectors(vectors::VectorsArgs),
    Completions(about::CompletionsArgs),
    Man(about::ManArgs),
}

/// The verbs by purpose, in the order of the help.
pub(crate) const GROUPS: [(&str, &[&str]); 6] = [
    ("URLs", &["explain", "diff", "id", "parts", "canon", "redact", "resolve"]),
    ("Sets of URLs", &["uniq", "count", "index", "seen", "list"]),
    ("Archives", &["cdx", "sitemap"]),
    ("Sites", &["learn", "rules", "templates"]),
    ("Specifications", &["ref", "probe", "vectors"]),
    ("Tools", &["psl", "completions", "man"]),
];

/// The verbs that split hosts by the suffix list, at least with some of their options. The help of the others
/// lacks the options for it.
pub(crate) const SPLIT_HOSTS: [&str; 17] = [
    "",
    "explain",
    "id",
    "parts",
    "canon expressions",
    "uniq",
    "count",
    "index add",
    "index build",
    "index migrate",
    "list make",
    "list clean",
    "list shards",
    "psl",
    "psl show",
    "psl diff",
    "probe",
];

impl Command {
    /// Runs the verb. `program` returns the whole command line, which some verbs describe.
    pub(crate) fn run(
        &self,
        globals: &Globals,
        program: impl FnOnce() -> clap::Command,
    ) -> Result<Exit, Failure> {
        // An option without effect is an error, because the user may expect results by a different suffix
        // list.
        if !self.splits_hosts() {
            globals.psl.check_default()?;
        }
        match self {
            Command::Explain(args) => explain::run(args, globals),
            Command::Diff(args) => diff::run(args),
            Command::Id(args) => id::run(args, globals),
            Command::Parts(args) => parts::run(args, globals),
            Command::Canon(args) => canon::run(args, globals),
            Command::Redact(args) => redact::run(args),
            Command::Uniq(args) => uniq::run(args, globals),
            Command::Count(args) => count::run(args, globals),
            Command::Index(args) => index::run(args, globals),
            Command::Seen(args) => seen::run(args),
            Command::List(args) => list::run(args, globals),
            Command::Cdx(args) => cdx::run(args),
            Command::Sitemap(args) => sitemap::run(args),
            Command::Learn(args) => learn::run(args),
            Command::Rules(args) => rules::run(args),
            Command::Templates(args) => templates::run(args),
            Command::Resolve(args) => resolve::run(args),
            Command::Reference(args) => references::run(args),
            Command::Psl(args) => psl::run(args, globals),
            Command::Probe(args) => probe::run(args, globals),
            Command::Vectors(args) => vectors::run(args),
            Command::Completions(args) => about::print_completions(args, program()),
            Command::Man(args) => about::print_manual(args, program()),
        }
    }

    /// Returns whether the verb splits hosts by the suffix list that was chosen.
    fn splits_hosts(&self) -> bool {
        match self {
            Command::Psl(_) => true,
            Command::Explain(args) => args.splits_hosts(),
            Command::Id(args) => args.splits_hosts(),
            Command::Count(args) => args.splits_hosts(),
            Command::Probe(args) => args.splits_hosts(),
            Command::Parts(args) => args.splits_hosts(),
            Command::Uniq(args) => args.splits_hosts(),
            Command::Canon(args) => args.splits_hosts(),
            Command::Index(verb) => verb.splits_hosts(),
            Command::List(verb) => verb.splits_hosts(),
            _ => false,
        }
    }
}
