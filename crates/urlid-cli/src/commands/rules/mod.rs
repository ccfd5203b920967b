//! `urlid rules`: files of rules, tested on crawls and compared.

mod diff;
mod page;
mod test;

use std::path::Path;

use clap::{Args, Subcommand};
use urlid_canonical::Rules;

use crate::bounded::read_text;
use crate::exit::{Exit, Failure};

/// Test files of rules on crawls, and compare them
///
/// `urlid learn` makes such files, and people write them; `--as web+rules --rules FILE` applies one.
#[derive(Debug, Args)]
pub(crate) struct RulesVerb {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    Test(Box<test::TestArgs>),
    Diff(Box<diff::DiffArgs>),
}

/// Runs the verb.
pub(crate) fn run(verb: &RulesVerb) -> Result<Exit, Failure> {
    match &verb.command {
        RulesCommand::Test(args) => test::run(args),
        RulesCommand::Diff(args) => diff::run(args),
    }
}

/// Reads a file of rules.
fn read(path: &Path) -> Result<Rules, Failure> {
    Rules::parse(&read_text(path)?).map_err(|error| Failure::of_file(path, &error))
}
