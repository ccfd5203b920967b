//! `urlid templates`: the kinds of pages of sites, learned from their URLs.

mod learn;
mod show;

use clap::{Args, Subcommand};

use crate::report::exit::{Exit, Failure};

/// Learn which kinds of pages sites have: a template such as /users/{int} for each
///
/// The file has the templates of each host, with the number of URLs and an example as comments. `parts`, `count
/// --by` and `uniq --per` read it with --templates as the part `template`. A template is a class of pages, not
/// an identity. A host needs 50 different URLs. The same URLs give the same file, in any order. Exits with 1 if
/// no template was learned.
///
/// Example: urlid templates urls.txt.zst -o site.templates
///
/// Example: urlid templates --column url --status status --hits lines log.csv -o site.templates --traps
/// traps.tsv
///
/// Example: urlid templates show site.templates
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct TemplatesVerb {
    #[command(subcommand)]
    command: Option<TemplatesCommand>,

    #[command(flatten)]
    learn: learn::LearnTemplatesArgs,
}

#[derive(Debug, Subcommand)]
enum TemplatesCommand {
    Show(show::ShowArgs),
}

/// Runs the verb.
pub(crate) fn run(verb: &TemplatesVerb) -> Result<Exit, Failure> {
    match &verb.command {
        Some(TemplatesCommand::Show(args)) => show::run(args),
        None => learn::run(&verb.learn),
    }
}
