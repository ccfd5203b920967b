//! `urlid cdx`: indexes of web archives, and their lines as the verbs read them.

mod find;
mod make;
mod output;
mod rekey;
mod verify;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use urlid_archives::cdx::{CdxError, CdxLayout};
use urlid_io::lines::{Archives, LineOptions};

use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Sources};
use crate::input::{InputOptions, LineRules};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::{OnRefusedArg, Place};
use crate::report::signals;

/// Make, search and verify indexes of web archives: CDX, CDXJ and ZipNum
///
/// Every verb that reads URLs reads those of an index too.
#[derive(Debug, Args)]
pub(crate) struct CdxVerb {
    #[command(subcommand)]
    command: CdxCommand,
}

#[derive(Debug, Subcommand)]
enum CdxCommand {
    Make(make::CdxMakeArgs),
    Find(find::CdxFindArgs),
    Verify(verify::CdxVerifyArgs),
    Rekey(rekey::RekeyArgs),
}

/// Runs the verb.
pub(crate) fn run(args: &CdxVerb) -> Result<Exit, Failure> {
    match &args.command {
        CdxCommand::Make(args) => make::run(args),
        CdxCommand::Find(args) => find::run(args),
        CdxCommand::Verify(args) => verify::run(args),
        CdxCommand::Rekey(args) => rekey::run(args),
    }
}

/// Inputs of a command that reads indexes.
#[derive(Debug, Args)]
struct IndexInputs {
    /// CDX and CDXJ indexes, which may be compressed, ZipNum blocks included; `-` or no file is standard
    /// input
    #[arg(value_name = "INDEX")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    refused: OnRefusedArg,
}

impl IndexInputs {
    /// Returns the indexes as sources of lines.
    fn lines(&self) -> Result<InputOptions<'_>, Failure> {
        Ok(InputOptions::new(Sources::from_files(&self.files)?, &self.rules, &self.refused))
    }
}

/// Takes a line with the layout of its index.
type TakeLine<'t> = dyn FnMut(&mut LineRun, Place<'_>, CdxLayout, &str) -> Result<(), Failure> + 't;

/// Passes every line of the indexes that is text to `take`, with the layout of its index; of rows of JSON the
/// plain lines.
fn each_line(run: &mut LineRun, take: &mut TakeLine<'_>) -> Result<(), Failure> {
    run.each_source(&mut |run, source| {
        // Sources of indexes are files, never texts of the command line.
        let Opened::Input(mut input) = run.open(source)? else { return Ok(0) };
        input.split_rows()?;
        let read = input.bytes_read();
        // As text: other verbs read only the URLs of these lines, and here whole lines are needed.
        let mut lines = input.lines(LineOptions { archives: Archives::Text, ..run.options });
        let mut layout = None;
        loop {
            // Once for each block that is read.
            if !lines.has_line() {
                run.show_progress(read.get());
            }
            if signals::is_stopping() {
                return Err(Failure::Stopped.into());
            }
            let Some(line) = lines.next_line()? else { return Ok(read.get()) };
            let place = Place::in_file(source.name(), line.number);
            match line.text {
                Ok(text) => {
                    // The first line decides for the whole file. A list of pages has no keys.
                    let recognised = layout.or_else(|| CdxLayout::recognise(text.as_bytes()));
                    let of_file =
                        recognised.filter(|found| *found != CdxLayout::Pages).ok_or(CdxError::NoIndex)?;
                    layout = Some(of_file);
                    match of_file.plain(text.as_bytes()) {
                        // The line is text, and so is what is made of a row, so nothing is replaced here.
                        Ok(plain) => take(run, place, of_file, &String::from_utf8_lossy(&plain))?,
                        Err(error) => run.refuse(place, line.bytes, &error.into())?,
                    }
                }
                Err(error) => run.refuse(place, line.bytes, &error.into())?,
            }
        }
    })
}
