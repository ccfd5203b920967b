//! `urlid templates`: the kinds of pages of sites, learned from their URLs.

mod learn;
mod show;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use urlid_canonical::Templates;

use crate::input::bounded::read_text_up_to;
use crate::input::columns::ColumnArgs;
use crate::input::{UrlInputs, parse_memory};
use crate::output::OutArg;
use crate::report::exit::{Exit, Failure};

/// Learn which kinds of pages sites have: a template such as /users/{int} for each
///
/// The file has the templates of each host, with the number of URLs and an example as comments. `parts`,
/// `count --by` and `uniq --per` read it with --templates as the part `template`. A template is a class of
/// pages and never an identity. A host needs 50 different URLs. The same URLs give the same file, in any
/// order. Exits with 1 if nothing was learned.
///
/// Example: urlid templates urls.txt.zst -o site.templates
///
/// Example: urlid templates --column url --status status --hits lines log.csv -o site.templates --traps traps.tsv
///
/// Example: urlid templates show site.templates
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct TemplatesVerb {
    #[command(subcommand)]
    command: Option<TemplatesCommand>,

    #[command(flatten)]
    learn: LearnTemplatesArgs,
}

#[derive(Debug, Subcommand)]
enum TemplatesCommand {
    Show(show::ShowArgs),
}

#[derive(Debug, Args)]
struct LearnTemplatesArgs {
    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    columns: ColumnArgs,

    /// Read only rows whose column of this name has a status of 200 to 399
    #[arg(long, value_name = "NAME", requires = "chosen_columns", help_heading = "Tables")]
    status: Option<String>,

    /// The URLs of a host that are read: those with the smallest SHA-256 digests
    #[arg(long, value_name = "COUNT", default_value = "2000", value_parser = clap::value_parser!(u32).range(50..=1_000_000))]
    per_host: u32,

    /// What counts as evidence that a set of names is closed: each line of a URL (`lines`), or the number in
    /// the column of this name; with `none`, repeated lines change nothing
    #[arg(long, value_name = "none|lines|NAME", default_value = "none")]
    hits: String,

    /// Write warnings to this file: kind, host, template, number of URLs and reason, tab-separated
    ///
    /// The kinds are repeat, calendar, facets and session. A warning filters nothing.
    #[arg(long, value_name = "FILE")]
    traps: Option<PathBuf>,

    /// Write the URLs that were read to this file; the samples of parts give the templates of the whole
    #[arg(long, value_name = "FILE")]
    write_sample: Option<PathBuf>,

    /// The memory for URLs, up to that of the machine; the suffixes K, M and G are powers of 1024. What does
    /// not fit goes to files that are deleted at the end
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = parse_memory)]
    memory: usize,

    #[command(flatten)]
    out: OutArg,
}

/// The option of verbs that have the part `template`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct TemplatesArg {
    /// The file of templates for the part `template`, which `urlid templates` makes
    #[arg(long, value_name = "FILE")]
    pub(crate) templates: Option<PathBuf>,
}

impl TemplatesArg {
    /// Returns the templates of the file, if one is given.
    pub(crate) fn read(&self) -> Result<Option<Templates>, Failure> {
        self.templates.as_deref().map(read).transpose()
    }
}

/// Reads a file of templates.
fn read(path: &Path) -> Result<Templates, Failure> {
    let text = read_text_up_to(path, Templates::MOST_BYTES)?;
    Templates::parse(&text).map_err(|error| Failure::of_file(path, &error))
}

/// Runs the verb.
pub(crate) fn run(verb: &TemplatesVerb) -> Result<Exit, Failure> {
    match &verb.command {
        Some(TemplatesCommand::Show(args)) => show::run(args),
        None => learn::run(&verb.learn),
    }
}
