//! Refused lines: the first few are printed, all are counted by code, and `--refused` names a file that takes
//! them all.

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

/// How many refusals are printed.
pub(crate) const PRINTED: u64 = 10;

/// The choice of what is done about refused lines.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct OnRefusedArg {
    /// What to do about lines that are refused
    #[arg(long, value_enum, default_value_t, value_name = "HOW", hide_short_help = true)]
    pub(crate) on_refused: OnRefused,
}

/// The treatment of refused lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnRefused {
    /// Report them; their rows are empty, and the exit code is 3
    #[default]
    Fail,
    /// Report them; their rows are empty, and the exit code is 0
    Report,
    /// Leave their rows out and count them; the exit code is 0
    Skip,
}

/// Why a line is refused.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The error.
    Reason(Box<dyn Coded + Send>),
    /// The code of an error of a batch that is not printed.
    Code(ErrorCode),
}

impl Refusal {
    /// Returns the code of the error.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Refusal::Reason(error) => error.code(),
            Refusal::Code(code) => *code,
        }
    }

    /// Returns whether the line has text beside its URL.
    pub(crate) fn is_text_beside(&self) -> bool {
        let Refusal::Reason(error) = self else { return false };
        let error: &(dyn Error + 'static) = &**error;
        matches!(error.downcast_ref(), Some(LineError::TextBeside { .. }))
    }

    /// Returns the error as one line, fit to be printed; nothing if only its code is known.
    pub(crate) fn message(&self) -> String {
        match self {
            Refusal::Reason(error) => Escaped(describe_without_code(&**error).as_bytes()).to_string(),
            Refusal::Code(_) => String::new(),
        }
    }
}

impl<E: Coded + Send + 'static> From<E> for Refusal {
    fn from(error: E) -> Self {
        Refusal::Reason(Box::new(error))
    }
}

/// Prints that a source, or a part of it, cannot be read.
pub(crate) fn print_failed(progress: &Progress, name: &Path, error: &Refusal, hint: &str) {
    let name = Escaped::path(name).to_string();
    let name = if name.is_empty() { "''".to_owned() } else { name };
    let (code, message) = (error.code(), error.message());
    progress.suspend(|| message::print_error(&format!("{name}: {code}: {message}{hint}")));
}

/// Why the work on a source or a line ended early.
pub(crate) enum Ended {
    /// It cannot be used; the work continues with the next one.
    Refused(Refusal),
    /// The command ends.
    Failed(Failure),
}

impl From<Failure> for Ended {
    fn from(failure: Failure) -> Self {
        Ended::Failed(failure)
    }
}

impl From<Refusal> for Ended {
    fn from(refusal: Refusal) -> Self {
        Ended::Refused(refusal)
    }
}

impl<E: Coded + Send + 'static> From<E> for Ended {
    fn from(error: E) -> Self {
        Ended::Refused(error.into())
    }
}

/// Where a line is.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The name of the input.
    pub(crate) input: &'a Path,
    /// The number of the line, from 1.
    pub(crate) line: u64,
    /// Whether the line is an argument of the command line.
    pub(crate) is_argument: bool,
}

impl<'a> Place<'a> {
    /// Returns the place of a line of a file or stream.
    pub(crate) fn in_file(input: &'a Path, line: u64) -> Self {
        Place { input, line, is_argument: false }
    }
}

/// The lines of a run that were refused.
pub(crate) struct Refusals {
    on_refused: OnRefused,
    count: u64,
    by_code: BTreeMap<ErrorCode, u64>,
    refused_file: Option<RefusedFile>,
    progress: Progress,
}

/// The file that takes every refused line.
struct RefusedFile {
    path: PathBuf,
    file: BufWriter<NewFile>,
    files: FilesInUse,
}

impl Refusals {
    /// Begins to count. `refused_file` names the file that takes every refused line; it is an error if it is
    /// one of `files`.
    pub(crate) fn new(
        on_refused: OnRefused,
        refused_file: Option<&Path>,
        files: FilesInUse,
        progress: Progress,
    ) -> Result<Self, Failure> {
        let refused_file = refused_file.map(|path| RefusedFile::create(path, files)).transpose()?;
        Ok(Refusals { on_refused, count: 0, by_code: BTreeMap::new(), refused_file, progress })
    }

    /// Returns whether the rows of refused lines are left out.
    pub(crate) fn are_left_out(&self) -> bool {
        self.on_refused == OnRefused::Skip
    }

    /// Returns whether the next refusal is printed or kept, so that its text is needed.
    pub(crate) fn needs_text(&self) -> bool {
        self.is_next_printed() || self.refused_file.is_some()
    }

    /// Returns whether the reason of the next refusal is printed.
    pub(crate) fn is_next_printed(&self) -> bool {
        self.count < PRINTED && !self.are_left_out()
    }

    /// Counts a refused line that is neither printed nor kept.
    pub(crate) fn count(&mut self, code: ErrorCode) {
        self.count += 1;
        *self.by_code.entry(code).or_default() += 1;
    }

    /// Counts a refused line with the bytes `text`; prints its reason and keeps the line, if needed.
    pub(crate) fn refuse(&mut self, place: Place<'_>, text: &[u8], refusal: &Refusal) -> Result<(), Failure> {
        let is_printed = self.is_next_printed();
        self.count(refusal.code());
        if is_printed {
            let (input, code, message) = (Escaped::path(place.input), refusal.code(), refusal.message());
            let line = format!("{input}:{}: {code}: {message}", place.line);
            self.progress.suspend(|| message::print_bare(&line));
        }
        match &mut self.refused_file {
            Some(refused_file) => refused_file.write(place, text, refusal.code()),
            None => Ok(()),
        }
    }

    /// Prints the counts and returns the exit code for them.
    pub(crate) fn finish(self) -> Result<Exit, Failure> {
        // Without refusals too: the empty file replaces that of an earlier run.
        if let Some(refused_file) = self.refused_file {
            refused_file.publish()?;
        }
        if self.count == 0 {
            return Ok(Exit::Done);
        }
        // In the order of the codes, so that equal inputs give equal messages.
        let by_code: Vec<_> = self.by_code.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let done = match self.on_refused {
            OnRefused::Skip => "skipped".to_owned(),
            _ if self.count > PRINTED => format!("refused (the first {PRINTED} are shown)"),
            _ => "refused".to_owned(),
        };
        message::print(&format!("{} {done}: {}", message::count(self.count, "line"), by_code.join(", ")));
        Ok(match self.on_refused {
            OnRefused::Fail => Exit::Refused,
            OnRefused::Report | OnRefused::Skip => Exit::Done,
        })
    }
}

impl RefusedFile {
    fn create(path: &Path, files: FilesInUse) -> Result<Self, Failure> {
        // Created at the start: a path that cannot be written is an error before anything is read.
        files.check("--refused", path)?;
        Ok(RefusedFile { path: path.to_owned(), file: BufWriter::new(files::create(path)?), files })
    }

    fn write(&mut self, place: Place<'_>, text: &[u8], code: ErrorCode) -> Result<(), Failure> {
        // Tabs separate the fields, and the bytes of name and line can be restored.
        let input = Reversible(place.input.as_os_str().as_encoded_bytes());
        writeln!(self.file, "{input}\t{}\t{code}\t{}", place.line, Reversible(text))
            .map_err(|error| Failure::write(&self.path, &error))
    }

    fn publish(self) -> Result<(), Failure> {
        let RefusedFile { path, file, files } = self;
        let file = file.into_inner().map_err(|error| Failure::write(&path, &error.into_error()))?;
        // Once more: a file in use that did not exist at the start may exist now, under this name.
        files.check("--refused", &path)?;
        file.publish().map_err(|error| Failure::write(&path, &error))
    }
}
