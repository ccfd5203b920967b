//! `urlid completions`: a script that lets a shell complete the command line.

use clap::{Args, Command};
use clap_complete::Shell;

use crate::output::Output;
use crate::report::exit::{Exit, Failure};

/// Print the completion script for a shell
///
/// Example: urlid completions bash > ~/.local/share/bash-completion/completions/urlid
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, mut program: Command) -> Result<Exit, Failure> {
    // Into memory, because `generate` panics if a write fails, as on a pipe that was closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "urlid", &mut script);
    let mut out = Output::stdout()?;
    out.write(&script)?;
    out.flush()?;
    Ok(Exit::Done)
}
