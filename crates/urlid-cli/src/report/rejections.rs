//! Rejected lines. The first few are printed, all are counted by code, and `--rejects` names a file that
//! receives all of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use urlid::{Coded, ErrorCode};
use urlid_io::files::NewFile;
use urlid_io::lines::LineError;

use crate::output::escape::{Escaped, Reversible};
use crate::output::files::{self, FilesInUse};
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::message::{self, describe_without_code};

/// How many rejections are printed.
pub(crate) const PRINTED: u64 = 10;

/// The choice of what is done about rejected lines.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct InvalidArg {
    /// How to handle rejected lines
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_short_help = true)]
    pub(crate) invalid: Invalid,
}

/// The treatment of rejected lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Invalid {
    /// Report them; their rows are empty, and the exit code is 3
    #[default]
    Report,
    /// Report them; their rows are empty, and the exit code is 0
    Ignore,
    /// Leave out their rows and count them; the exit code is 0
    Skip,
}

/// Why a line is rejected.
#[derive(Debug)]
pub(crate) enum Rejection {
    /// The error.
    Reason(Box<dyn Coded + Send>),
    /// The code of an error of a batch that is not printed.
    Code(ErrorCode),
}

impl Rejection {
    /// Returns the code of the error.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Rejection::Reason(error) => error.code(),
            Rejection::Code(code) => *code,
        }
    }

    /// Returns the error of the reader of lines, if it is the reason.
    pub(crate) fn line_error(&self) -> Option<&LineError> {
        let Rejection::Reason(error) = self else { return None };
        let error: &(dyn Error + 'static) = &**error;
        error.downcast_ref()
    }

    /// Returns the error as one printable line, which is empty if only its code is known.
    pub(crate) fn message(&self) -> String {
        match self {
            Rejection::Reason(error) => Escaped(describe_without_code(&**error).as_bytes()).to_string(),
            Rejection::Code(_) => String::new(),
        }
    }
}

impl<E: Coded + Send + 'static> From<E> for Rejection {
    fn from(error: E) -> Self {
        Rejection::Reason(Box::new(error))
    }
}

/// Prints that a source, or a part of it, cannot be read.
pub(crate) fn print_failed(progress: &Progress, name: &Path, error: &Rejection, hint: &str) {
    let name = Escaped::path(name).to_string();
    let name = if name.is_empty() { "''".to_owned() } else { name };
    let (code, message) = (error.code(), error.message());
    progress.suspend(|| message::print_error(&format!("{name}: {code}: {message}{hint}")));
}

/// Why the work on a source or a line ended early.
pub(crate) enum Ended {
    /// It cannot be used, and the work continues with the next one.
    Rejected(Rejection),
    /// The command ends.
    Failed(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Ended::Failed(failure)
    }
}

impl From<Rejection> for Ended {
    fn from(rejection: Rejection) -> Self {
        Ended::Rejected(rejection)
    }
}

impl<E: Coded + Send + 'static> From<E> for Ended {
    fn from(error: E) -> Self {
        Ended::Rejected(error.into())
    }
}

/// The place of a line.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The name of the input.
    pub(crate) input: &'a Path,
    /// The number of the line, from 1.
    pub(crate) line: u64,
    /// The position of a URL in its line, in bytes from 1, if the source is text. Otherwise 0.
    pub(crate) column: u64,
    /// Whether the line is an argument of the command line.
    pub(crate) is_argument: bool,
}

impl<'a> Place<'a> {
    /// Returns the place of a line of a file or stream.
    pub(crate) fn in_file(input: &'a Path, line: u64) -> Self {
        Place { input, line, column: 0, is_argument: false }
    }
}

/// The lines of a run that were rejected.
pub(crate) struct Rejections {
    invalid: Invalid,
    count: u64,
    by_code: BTreeMap<ErrorCode, u64>,
    rejects_file: Option<RejectsFile>,
    progress: Progress,
}

/// The file that receives every rejected line.
struct RejectsFile {
    path: PathBuf,
    file: BufWriter<NewFile>,
    files: FilesInUse,
}

impl Rejections {
    /// Starts to count. `rejects_file` names the file that receives every rejected line, which must not be
    /// one of `files`.
    pub(crate) fn new(
        invalid: Invalid,
        rejects_file: Option<&Path>,
        files: FilesInUse,
        progress: Progress,
    ) -> Result<Self, Failure> {
        let rejects_file = rejects_file.map(|path| RejectsFile::create(path, files)).transpose()?;
        Ok(Rejections { invalid, count: 0, by_code: BTreeMap::new(), rejects_file, progress })
    }

    /// Returns whether the rows of rejected lines are left out.
    pub(crate) fn are_left_out(&self) -> bool {
        self.invalid == Invalid::Skip
    }

    /// Returns whether the next rejection is printed or kept, so that its text is needed.
    pub(crate) fn needs_text(&self) -> bool {
        self.is_next_printed() || self.rejects_file.is_some()
    }

    /// Returns whether the reason of the next rejection is printed.
    pub(crate) fn is_next_printed(&self) -> bool {
        self.count < PRINTED && !self.are_left_out()
    }

    /// Counts a rejected line that is neither printed nor kept.
    pub(crate) fn count(&mut self, code: ErrorCode) {
        self.count += 1;
        *self.by_code.entry(code).or_default() += 1;
    }

    /// Counts a rejected line with the bytes `text`. Prints its reason and keeps the line, if needed.
    pub(crate) fn reject(
        &mut self,
        place: Place<'_>,
        text: &[u8],
        rejection: &Rejection,
    ) -> Result<(), Failure> {
        let is_printed = self.is_next_printed();
        self.count(rejection.code());
        if is_printed {
            let (input, code, message) = (Escaped::path(place.input), rejection.code(), rejection.message());
            let column = if place.column > 0 { format!("{}:", place.column) } else { String::new() };
            let line = format!("{input}:{}:{column} {code}: {message}", place.line);
            self.progress.suspend(|| message::print_bare(&line));
        }
        self.keep(place, text, rejection.code())
    }

    /// Writes a text to the file for rejected lines, if the file is given.
    pub(crate) fn keep(&mut self, place: Place<'_>, text: &[u8], code: ErrorCode) -> Result<(), Failure> {
        self.rejects_file.as_mut().map_or(Ok(()), |file| file.write(place, text, code))
    }

    /// Prints the counts and returns the exit code for them.
    pub(crate) fn finish(self) -> Result<Exit, Failure> {
        // Published even without rejections, because the empty file replaces the file of an earlier run.
        if let Some(rejects_file) = self.rejects_file {
            rejects_file.publish()?;
        }
        if self.count == 0 {
            return Ok(Exit::Done);
        }
        // In the order of the codes, so that equal inputs give equal messages.
        let by_code: Vec<_> = self.by_code.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let done = match self.invalid {
            Invalid::Skip => "skipped".to_owned(),
            _ if self.count > PRINTED => format!("rejected (the first {PRINTED} are shown)"),
            _ => "rejected".to_owned(),
        };
        let summary = format!("{} {done}: {}", message::count(self.count, "line"), by_code.join(", "));
        Ok(match self.invalid {
            Invalid::Report => {
                // Printed even with --quiet, because it is the reason of the exit code.
                message::print_error(&summary);
                Exit::Rejected
            }
            Invalid::Ignore | Invalid::Skip => {
                message::print(&summary);
                Exit::Done
            }
        })
    }
}

impl RejectsFile {
    fn create(path: &Path, files: FilesInUse) -> Result<Self, Failure> {
        // Created at the start, so that a path that cannot be written is an error before the first read.
        files.check("--rejects", path)?;
        Ok(RejectsFile { path: path.to_owned(), file: BufWriter::new(files::create(path)?), files })
    }

    fn write(&mut self, place: Place<'_>, text: &[u8], code: ErrorCode) -> Result<(), Failure> {
        // Tabs separate the fields, and the bytes of name and line can be restored.
        let input = Reversible(place.input.as_os_str().as_encoded_bytes());
        writeln!(self.file, "{input}\t{}\t{code}\t{}", place.line, Reversible(text))
            .map_err(|error| Failure::write(&self.path, &error))
    }

    fn publish(self) -> Result<(), Failure> {
        let RejectsFile { path, file, files } = self;
        let file = file.into_inner().map_err(|error| Failure::write(&path, &error.into_error()))?;
        // Checked again, because a file in use that did not exist at the start may exist now under this name.
        files.check("--rejects", &path)?;
        file.publish().map_err(|error| Failure::write(&path, &error))
    }
}
