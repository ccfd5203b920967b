//! The command line as a whole: the global options and the list of verbs. Each verb's own options are in its file.

use clap::{Args, Parser, Subcommand};

use crate::color::When;
use crate::commands;
use crate::psl::PslArgs;

/// Identities for URLs that do not move
///
/// urlid takes URLs apart, brings them into named canonical forms, makes identifiers of them and keeps an index that can
/// be asked by the parts of a URL. The same URL has the same identifiers everywhere, for the same public suffix list and
/// Unicode data; `urlid --version --json` says which ones.
#[derive(Debug, Parser)]
#[command(
    name = "urlid",
    disable_version_flag = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_long_help = EXIT_CODES
)]
pub(crate) struct Cli {
    /// Print the version; with --json also what identifiers depend on
    #[arg(short = 'V', long, exclusive = false)]
    pub(crate) version: bool,

    /// Print the version as JSON, with the snapshot of the public suffix list and the Unicode data
    #[arg(long, requires = "version")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) globals: Globals,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  nothing found, no match, or a check failed
  2  the command line makes no sense
  3  some lines were refused; the others are done
  4  an input or output failed, or a file is foreign or damaged
  Of several the first in the order 4, 2, 3, 1. A closed pipe ends quietly with 0,
  SIGINT with 130, SIGTERM with 143.

Environment:
  NO_COLOR   if set, there is no colour
  URLID_CPU  portable, avx2, sha-ni or avx512: which instructions the fast paths use";

/// Options of every verb.
#[derive(Debug, Args)]
pub(crate) struct Globals {
    #[command(flatten)]
    pub(crate) psl: PslArgs,

    /// When to use colour
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Global options"
    )]
    pub(crate) color: When,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Id(commands::id::IdArgs),
    Parse(commands::parse::ParseArgs),
    Resolve(commands::resolve::ResolveArgs),
    Canon(commands::canon::CanonArgs),
    Explain(commands::explain::ExplainArgs),
    Detect(commands::detect::DetectArgs),
    Split(commands::split::SplitArgs),
    Vectors(commands::vectors::VectorsArgs),
    Index(commands::index::IndexVerb),
    List(commands::list::ListVerb),
    Psl(commands::psl::PslVerb),
    Completions(commands::completions::CompletionsArgs),
    Man(commands::man::ManArgs),
}
