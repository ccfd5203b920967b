//! The `urlid` program: identities for URLs, on the command line.
//!
//! Top to bottom: the command line is parsed, a command of `commands` runs over its inputs, and what it returns becomes
//! the exit code. Each verb is one file there; what they share lies beside this file. The work itself is in the libraries:
//! nothing here knows how an identifier is made.

#![forbid(unsafe_code)]

mod args;
mod color;
mod commands;
mod cpu;
mod escape;
mod exit;
mod input;
mod json;
mod message;
mod output;
mod pipeline;
mod progress;
mod psl;
mod refusals;
mod signals;
mod table;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::color::{Paint, When};
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};

fn main() -> ExitCode {
    if let Err(error) = signals::install() {
        message::say(&format!("cannot take signals: {error}"));
        return Exit::Failed.into();
    }
    let result = match Cli::try_parse() {
        Ok(cli) => commands::run(cli),
        Err(error) => show(&error),
    };
    let exit = match result {
        Ok(exit) => exit,
        Err(Failure::ClosedPipe) => Exit::Done,
        Err(Failure::Told(exit, message)) => {
            message::say(&message);
            exit
        }
    };
    match signals::exit_code() {
        Some(code) => ExitCode::from(code),
        None => exit.into(),
    }
}

/// Shows the help that was asked for, or what is wrong with the command line.
fn show(error: &clap::Error) -> Result<Exit, Failure> {
    if !error.use_stderr() {
        let help = match When::default().on(&std::io::stdout()) {
            Paint::Colored => error.render().ansi().to_string(),
            Paint::Plain => error.render().to_string(),
        };
        let mut out = output::Output::stdout()?;
        out.write(help.as_bytes())?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    let text = error.render().to_string();
    for line in text.trim_end().lines() {
        message::say_plain(&Escaped(line.as_bytes()).to_string());
    }
    Ok(Exit::Usage)
}
