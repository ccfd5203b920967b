//! The `urlid` program: identities for URLs, on the command line.
//!
//! The command line is parsed, a command of `commands` runs over its inputs, and its result becomes the exit code. Each verb is
//! one file there; the modules that verbs share are beside this file: `session` is one run over the inputs, `rows` the writer
//! of every format, `refusals` the treatment of refused lines. The work itself is in the libraries.

#![forbid(unsafe_code)]

mod arguments;
mod assume;
mod bounded;
mod choice;
mod cli;
mod clock;
mod color;
mod column_values;
mod columns;
mod commands;
mod cpu;
mod doubt;
mod enrich;
mod escape;
mod exit;
mod globals;
mod hashed;
mod hints;
mod input;
mod json;
mod key;
mod lost;
mod message;
mod output;
mod pipeline;
mod progress;
mod psl;
mod refusals;
mod replace;
mod rows;
mod session;
mod signals;
mod sources;
mod table;
mod theory;

use std::process::ExitCode;

use anstream::ColorChoice;

use crate::cli::Cli;
use crate::exit::{Exit, Failure};
use crate::output::Output;

fn main() -> ExitCode {
    if let Err(error) = signals::install() {
        message::print_error(&format!("cannot handle signals: {error}"));
        return Exit::Failed.into();
    }
    let result = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli.run(),
        Err(error) => show(&error),
    };
    let exit = match result {
        Ok(exit) => exit,
        Err(Failure::ClosedPipe) => Exit::Done,
        Err(Failure::Stopped) => {
            message::print_error("stopped");
            Exit::Failed
        }
        Err(Failure::Reported { exit, message, hint }) => {
            message::print_error(&message);
            if let Some(hint) = hint {
                message::print_error(&hint);
            }
            exit
        }
    };
    match signals::exit_code() {
        Some(code) => ExitCode::from(code),
        None => exit.into(),
    }
}

/// Prints the help, or the error of the command line.
fn show(error: &clap::Error) -> Result<Exit, Failure> {
    let text = error.render();
    if error.use_stderr() {
        text.to_string().trim_end().lines().for_each(message::print_bare);
        return Ok(Exit::Usage);
    }
    let mut out = Output::stdout()?;
    out.write(color::for_stdout(ColorChoice::Auto, text.ansi().to_string()).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}
