//! `urlid man`: the manual, made from the same texts as the help.

use std::path::PathBuf;

use clap::{Args, Command};

use crate::output::Output;
use crate::output::escape::Escaped;
use crate::report::exit::{Exit, Failure};

/// Print a manual page in roff
///
/// Example: urlid man index find | man -l -
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The verb to print the page of; without one, the page of urlid itself
    #[arg(value_name = "VERB", conflicts_with = "out")]
    verb: Vec<String>,

    /// Write all pages to this directory instead
    #[arg(short, long, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
}

/// Prints or writes the pages.
pub(crate) fn run(args: &ManArgs, mut program: Command) -> Result<Exit, Failure> {
    // The verb `help` needs no page.
    program = without_help(program);
    program.build();
    if let Some(directory) = &args.out {
        clap_mangen::generate_to(program, directory).map_err(|error| Failure::write(directory, &error))?;
        return Ok(Exit::Done);
    }
    let verb = args.verb.iter().try_fold(&program, |command, verb| command.find_subcommand(verb));
    let command = verb.ok_or_else(|| unknown(&args.verb))?;
    let name = command.get_display_name().unwrap_or("urlid").to_owned();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .title(name)
        .render(&mut page)
        .expect("writing to a Vec does not fail");
    let mut out = Output::stdout()?;
    out.write(&page)?;
    out.flush()?;
    Ok(Exit::Done)
}

fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn unknown(verb: &[String]) -> Failure {
    Failure::usage(format!("there is no verb `{}`", Escaped(verb.join(" ").as_bytes())))
}
