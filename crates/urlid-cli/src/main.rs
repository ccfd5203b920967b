//! The `urlid` program: identities for URLs, on the command line.
//!
//! The command line is parsed, a command of `commands` runs over its inputs, and its result becomes the exit
//! code. Small verbs of one subject share a file. The parts that all verbs share are in `args` (options),
//! `input` (sources, lines, columns, and in `line_run` one run over the inputs), `output` (files, `rows` in
//! every format, tables) and `report` (messages, rejected lines, exit codes). The work itself is in the
//! libraries.

#![forbid(unsafe_code)]

mod args;
mod cli;
mod clock;
mod commands;
mod input;
mod output;
mod report;

use std::process::ExitCode;

use crate::cli::Cli;
use crate::output::Output;
use crate::report::exit::{Exit, Failure};

fn main() -> ExitCode {
    if let Err(error) = report::signals::install() {
        report::message::print_error(&format!("ERR_IO: cannot handle signals: {error}"));
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
            report::message::print_error("stopped");
            Exit::Failed
        }
        Err(Failure::Reported { exit, message, hint }) => {
            report::message::print_error(&message);
            if let Some(hint) = hint {
                report::message::print_error(&hint);
            }
            exit
        }
    };
    // The code of a signal that stopped the command takes precedence over any other.
    match report::signals::exit_code() {
        Some(code) => ExitCode::from(code),
        None => exit.into(),
    }
}

/// Prints the help, or the error of the command line.
fn show(error: &clap::Error) -> Result<Exit, Failure> {
    let text = error.render();
    if error.use_stderr() {
        text.to_string().trim_end().lines().for_each(report::message::print_bare);
        return Ok(Exit::Usage);
    }
    let mut out = Output::stdout()?;
    out.write(output::color::for_stdout(text.ansi().to_string()).as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}
