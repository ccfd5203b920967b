//! Whole lines of indexes, of which other verbs read only the URLs.

use std::path::PathBuf;

use clap::Args;
use urlid_archives::cdx::{CdxError, CdxLayout};
use urlid_io::lines::{Archives, LineOptions};

use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Sources};
use crate::input::{InputOptions, LineRules};
use crate::report::exit::Failure;
use crate::report::refusals::{OnRefusedArg, Place};
use crate::report::signals;

/// Inputs of a command that reads indexes.
#[derive(Debug, Args)]
pub(super) struct IndexInputs {
    /// CDX and CDXJ indexes, which may be compressed, ZipNum blocks included; `-` or no file is standard
    /// input
    #[arg(value_name = "INDEX")]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    refused: OnRefusedArg,
}

impl IndexInputs {
    /// Returns the indexes as sources of lines.
    pub(super) fn lines(&self) -> Result<InputOptions<'_>, Failure> {
        Ok(InputOptions::new(Sources::from_files(&self.files)?, &self.rules, &self.refused))
    }
}

/// Takes a line with the layout of its index.
type TakeLine<'t> = dyn FnMut(&mut LineRun, Place<'_>, CdxLayout, &str) -> Result<(), Failure> + 't;

/// Passes every line of the indexes that is text to `take`, with the layout of its index; of rows of JSON the
/// plain lines.
pub(super) fn each_line(run: &mut LineRun, take: &mut TakeLine<'_>) -> Result<(), Failure> {
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
