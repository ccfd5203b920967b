//! Refused lines: the first few are told one by one, all are counted by code, and a file takes all if asked for.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::escape::{Escaped, Reversible};
use crate::exit::{Exit, Failure};
use crate::message;
use crate::progress::Progress;
use urlid::{Coded, ErrorCode};

/// How many refusals are told one by one.
const TOLD: u64 = 10;

/// What happened to the lines that were not taken.
pub(crate) struct Refusals {
    count: u64,
    by_code: BTreeMap<ErrorCode, u64>,
    rejects: Option<Rejects>,
    progress: Progress,
}

struct Rejects {
    path: PathBuf,
    file: BufWriter<File>,
}

/// Why a line is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The stable name of the error.
    pub(crate) code: ErrorCode,
    /// The error, fit to be shown.
    pub(crate) message: String,
}

impl Refusal {
    /// Makes a refusal of an error.
    pub(crate) fn of(error: &dyn Coded) -> Self {
        Refusal { code: error.code(), message: Escaped(error.to_string().as_bytes()).to_string() }
    }
}

/// Where a line stood.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    /// The name of the input.
    pub(crate) input: &'a Path,
    /// The number of the line, from 1.
    pub(crate) line: u64,
}

impl Refusals {
    /// Begins to count; `rejects` names the file that takes every refused line.
    pub(crate) fn new(rejects: Option<&Path>, progress: Progress) -> Result<Self, Failure> {
        let open = |path: &Path| match File::create(path) {
            Ok(file) => Ok(Rejects { path: path.to_owned(), file: BufWriter::new(file) }),
            Err(error) => Err(cannot_write(path, &error)),
        };
        let rejects = rejects.map(open).transpose()?;
        Ok(Refusals { count: 0, by_code: BTreeMap::new(), rejects, progress })
    }

    /// Whether the next refusal is told or kept, so that its text and reason are needed.
    pub(crate) fn wants_text(&self) -> bool {
        self.count < TOLD || self.rejects.is_some()
    }

    /// Counts a refused line that is neither told nor kept.
    pub(crate) fn count(&mut self, code: ErrorCode) {
        self.count += 1;
        *self.by_code.entry(code).or_default() += 1;
    }

    /// Counts a refused line, of which `text` is what is known.
    pub(crate) fn refuse(
        &mut self,
        place: Place<'_>,
        code: ErrorCode,
        message: &str,
        text: &[u8],
    ) -> Result<(), Failure> {
        self.count(code);
        if self.count <= TOLD {
            let line = format!("{}:{}: {code}: {message}", Escaped::path(place.input), place.line);
            self.progress.suspend(|| message::say_plain(&line));
        }
        let Some(rejects) = &mut self.rejects else { return Ok(()) };
        let input = Reversible(place.input.as_os_str().as_encoded_bytes());
        writeln!(rejects.file, "{input}\t{}\t{code}\t{}", place.line, Reversible(text))
            .map_err(|error| cannot_write(&rejects.path, &error))
    }

    /// Tells the counts and returns the exit that they ask for.
    pub(crate) fn finish(self) -> Result<Exit, Failure> {
        if let Some(mut rejects) = self.rejects {
            rejects.file.flush().map_err(|error| cannot_write(&rejects.path, &error))?;
        }
        if self.count == 0 {
            return Ok(Exit::Done);
        }
        let by_code: Vec<_> = self.by_code.iter().map(|(code, count)| format!("{count} {code}")).collect();
        let lines = if self.count == 1 { "line" } else { "lines" };
        let told = if self.count > TOLD { format!(" (the first {TOLD} are shown)") } else { String::new() };
        message::say(&format!("{} {lines} refused{told}: {}", self.count, by_code.join(", ")));
        Ok(Exit::Refused)
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("{}: cannot write: {error}", Escaped::path(path)))
}
