//! The verbs, a file each: its arguments, which are its help and its page of the manual, and one function that runs it.

pub(crate) mod canon;
pub(crate) mod completions;
pub(crate) mod detect;
pub(crate) mod explain;
pub(crate) mod id;
pub(crate) mod index;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod parse;
pub(crate) mod psl;
pub(crate) mod resolve;
pub(crate) mod split;
pub(crate) mod vectors;
mod version;

use clap::CommandFactory;

use crate::args::{Cli, Command};
use crate::exit::{Exit, Failure};
use crate::output::Output;

/// Runs what the command line says.
pub(crate) fn run(cli: Cli) -> Result<Exit, Failure> {
    let globals = &cli.globals;
    if cli.version {
        return version::run(cli.json, globals);
    }
    match cli.command {
        Some(Command::Id(args)) => id::run(&args, globals),
        Some(Command::Parse(args)) => parse::run(&args),
        Some(Command::Resolve(args)) => resolve::run(&args),
        Some(Command::Canon(args)) => canon::run(&args, globals),
        Some(Command::Explain(args)) => explain::run(&args, globals),
        Some(Command::Detect(args)) => detect::run(&args),
        Some(Command::Split(args)) => split::run(&args, globals),
        Some(Command::Vectors(args)) => vectors::run(&args),
        Some(Command::Index(args)) => index::run(&args, globals),
        Some(Command::List(args)) => list::run(&args, globals),
        Some(Command::Psl(args)) => psl::run(&args, globals),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => man::run(&args),
        None => help(),
    }
}

/// Shows the short help where no verb was given.
fn help() -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    out.write(Cli::command().render_help().to_string().as_bytes())?;
    out.flush()?;
    Ok(Exit::Usage)
}
