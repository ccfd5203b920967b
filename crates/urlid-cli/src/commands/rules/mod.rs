//! `urlid rules`: files of rules, tested on crawls and compared.

mod answer;
mod diff;
mod page;
mod test;

use clap::{Args, Subcommand};

use crate::report::exit::{Exit, Failure};

/// Test files of rules on crawls, and compare them
///
/// Files of rules are made by `urlid learn` or written by people. `--as web+rules --rules FILE` applies one.
#[derive(Debug, Args)]
pub(crate) struct RulesVerb {
    #[command(subcommand)]
    command: RulesCommand,
}

#[derive(Debug, Subcommand)]
enum RulesCommand {
    Test(Box<test::TestArgs>),
    Diff(Box<diff::RulesDiffArgs>),
}

/// Runs the verb.
pub(crate) fn run(verb: &RulesVerb) -> Result<Exit, Failure> {
    match &verb.command {
        RulesCommand::Test(args) => test::run(args),
        RulesCommand::Diff(args) => diff::run(args),
    }
}
