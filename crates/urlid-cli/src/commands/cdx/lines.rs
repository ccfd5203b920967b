//! Whole lines of indexes, of which other verbs read only the URLs.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use urlid::{Coded, ErrorCode};
use urlid_archives::cdx::{CdxError, CdxLayout};
use urlid_io::lines::{Archives, InputKind, LineOptions};

use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Sources};
use crate::input::{InputOptions, LineRules};
use crate::output::files::FilesInUse;
use crate::report::exit::Failure;
use crate::report::rejections::{InvalidArg, Place};
use crate::report::ways::Needs;

/// Inputs of a command that reads indexes.
#[derive(Debug, Args)]
pub(super) struct IndexInputs {
    /// CDX and CDXJ indexes, also compressed or as ZipNum blocks; `-` or no file is standard input
    #[arg(value_name = "INDEX")]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    invalid: InvalidArg,
}

impl IndexInputs {
    /// Starts a run over the lines of the indexes. `files` are the other files that the command uses.
    pub(super) fn run(&self, files: FilesInUse) -> Result<LineRun, Failure> {
        let inputs = InputOptions::new(Sources::from_files(&self.files)?, &self.rules, &self.invalid);
        let mut run = LineRun::begin(inputs, files, None)?;
        run.needs = Needs::CdxLines;
        Ok(run)
    }
}

/// The key of a line differs from the key of its URL.
#[derive(Debug)]
pub(super) struct OtherKey {
    pub(super) form: String,
    pub(super) found: String,
    pub(super) expected: String,
}

impl Coded for OtherKey {
    fn code(&self) -> ErrorCode {
        ErrorCode::Archive
    }
}

impl fmt::Display for OtherKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherKey { form, found, expected } = self;
        write!(out, "key is `{found}`, expected `{expected}` by {form}")
    }
}

impl std::error::Error for OtherKey {}

/// Receives a line with the layout of its index.
type TakeLine<'t> = dyn FnMut(&mut LineRun, Place<'_>, CdxLayout, &str) -> Result<(), Failure> + 't;

/// Passes every text line of the indexes to `take`, with the layout of its index. Rows of JSON are passed as
/// plain lines.
pub(super) fn each_line(run: &mut LineRun, take: &mut TakeLine<'_>) -> Result<(), Failure> {
    run.each_source(&mut |run, source| {
        // Sources of indexes are files, never texts of the command line.
        let Opened::Input(mut input) = run.open(source)? else { return Ok(0) };
        let layout = match input.kind()? {
            InputKind::Empty => return Ok(0),
            // A list of pages lacks keys.
            InputKind::Index(layout, _) if layout != CdxLayout::Pages => layout,
            _ => return Err(CdxError::NoIndex.into()),
        };
        // Read as text, because other verbs only read the URLs of these lines, and this one needs whole
        // lines.
        let options = LineOptions { archives: Archives::Text, ..run.options };
        let lines = run.lines_of(input, source.name(), options);
        run.drive_records(lines, &mut |run, line| {
            // The line is text, and so is the text made from a row, so the conversion is exact.
            let plain =
                layout.plain(line.text?.as_bytes()).map(|plain| String::from_utf8_lossy(&plain).into_owned());
            take(run, Place::in_file(source.name(), line.number), layout, &plain?)?;
            Ok(())
        })
    })
}
