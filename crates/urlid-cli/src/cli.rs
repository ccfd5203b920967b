//! The command line as a whole. Each verb's own options are in its file.

use clap::{CommandFactory, Parser};

use crate::commands::{Command, version};
use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::message;
use crate::output::Output;

/// Stable identifiers for URLs
///
/// urlid parses URLs, prints their canonical forms, computes identifiers from them and keeps them in an index that
/// can be searched by the parts of a URL. A URL has the same identifiers on every machine with the same public
/// suffix list and Unicode data; `urlid --version --json` prints the versions of both.
#[derive(Debug, Parser)]
#[command(
    name = "urlid",
    disable_version_flag = true,
    max_term_width = 100,
    after_long_help = EXIT_CODES
)]
pub(crate) struct Cli {
    /// Print the version; with --json, also the versions of the data that identifiers depend on
    #[arg(short = 'V', long, exclusive = false)]
    pub(crate) version: bool,

    /// Print the version as JSON, with the snapshot of the public suffix list and the Unicode data
    #[arg(long, requires = "version")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) globals: Globals,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  nothing found, no match, or a check failed
  2  the command line is wrong
  3  some lines were refused; all others were processed (0 with --on-refused report or skip)
  4  an input or output failed, or a file is damaged or not in the expected format
  If several apply, the first of 4, 2, 3, 1 is returned. A closed output pipe is not an
  error: the exit code is 0. SIGHUP exits with 129, SIGINT with 130, SIGTERM with 143.

Environment:
  NO_COLOR   if set, output is not coloured
  URLID_CPU  the instruction set to use: portable; avx2, sha-ni or avx512 on x86-64;
             neon or sha2 on 64-bit ARM";

impl Cli {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        if self.globals.quiet {
            message::be_quiet();
        }
        if self.version {
            return version::run(self.json, &self.globals);
        }
        match self.command {
            Some(command) => command.run(&self.globals, Cli::command),
            None => help(),
        }
    }
}

/// Shows the short help where no verb was given.
fn help() -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    out.write(Cli::command().render_help().to_string().as_bytes())?;
    out.flush()?;
    Ok(Exit::Usage)
}
