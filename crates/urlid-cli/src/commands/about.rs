//! Information about the program: its version, its manual and its completions.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use urlid::snapshot::Snapshot;

use crate::args::Globals;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::json::Object;
use crate::report::exit::{Exit, Failure};

pub(crate) fn print_version(as_json: bool, globals: &Globals) -> Result<Exit, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let text = if as_json {
        // The command describes the list that the other options of this command line choose.
        let snapshot = Snapshot::new(&*globals.psl.list()?);
        Object::new().text("urlid", version).json("snapshot", &snapshot_json(&snapshot)).finish()
    } else {
        format!("urlid {version}")
    };
    let mut out = Output::stdout()?;
    out.line(&text)?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Returns a snapshot as a JSON object.
fn snapshot_json(snapshot: &Snapshot) -> String {
    snapshot.entries().iter().fold(Object::new(), |object, (key, value)| object.text(key, value)).finish()
}

/// Print a manual page in roff
///
/// Example: urlid man index find | man -l -
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The verb that the page is about; the default is urlid itself
    #[arg(value_name = "VERB", conflicts_with = "out")]
    verb: Vec<String>,

    /// Write the pages of all verbs to this directory
    #[arg(short, long, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
}

/// Prints or writes the pages, of `program` as its help shows it.
pub(crate) fn print_manual(args: &ManArgs, program: Command) -> Result<Exit, Failure> {
    let program = with_all_texts(program);
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

/// A page leaves out the text of an option that the short help does not have.
fn with_all_texts(command: Command) -> Command {
    command.mut_args(|arg| arg.hide_short_help(false)).mut_subcommands(with_all_texts)
}

fn unknown(verb: &[String]) -> Failure {
    Failure::usage(format!("there is no verb `{}`", Escaped(verb.join(" ").as_bytes())))
}

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
pub(crate) fn print_completions(args: &CompletionsArgs, mut program: Command) -> Result<Exit, Failure> {
    // Into memory, because `generate` panics if a write fails, as on a pipe that was closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "urlid", &mut script);
    let mut out = Output::stdout()?;
    out.write(&script)?;
    out.flush()?;
    Ok(Exit::Done)
}
