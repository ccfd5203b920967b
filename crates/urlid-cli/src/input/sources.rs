//! Where lines come from: arguments, files and standard input, in the order in which they were given.

use std::ffi::{OsStr, OsString};
use std::fs::Metadata;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid_io::lines::{Input, Line};
use urlid_stdio::Standard;
use urlid_store::dataset::{Dataset, is_dataset};

use crate::output::progress::Progress;
use crate::report::exit::Failure;
use crate::report::message;
use crate::report::refusals::Place;
use crate::report::signals;

/// What an argument is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A text, as it is.
    Text,
    /// The name of a file.
    File,
    /// A text without a scheme, and the URL that it is read as.
    Url(OsString),
}

/// One origin of lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The command line: each argument is a line.
    Arguments(Vec<OsString>),
    /// A file, whose lines are read decompressed.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// A source that is open.
pub(crate) enum Opened<'s> {
    /// Texts of the command line, each a line.
    Texts(&'s [OsString]),
    /// A file or stream of lines.
    Input(Input),
}

impl Source {
    /// Returns the name of the source in messages.
    pub(crate) fn name(&self) -> &Path {
        match self {
            Source::Arguments(_) => Path::new("argument"),
            Source::File(path) => path,
            Source::Stdin => Path::new("-"),
        }
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Source::File(path) => Some(path),
            Source::Arguments(_) | Source::Stdin => None,
        }
    }

    /// Returns the path of a file or of standard input, which is `-`.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(self.name()).filter(|_| !matches!(self, Source::Arguments(_)))
    }

    /// Opens the source.
    pub(crate) fn open(&self) -> Result<Opened<'_>, Error> {
        match self {
            Source::Arguments(texts) => Ok(Opened::Texts(texts)),
            Source::File(path) => {
                Input::open_interruptible(path, signals::read_interrupt()).map(Opened::Input)
            }
            Source::Stdin => {
                note_closed_stdin();
                Input::stdin_interruptible(signals::read_interrupt()).map(Opened::Input)
            }
        }
    }

    /// Returns the texts of the command line as lines, each with its place.
    pub(crate) fn lines_of<'s>(
        &'s self,
        texts: &'s [OsString],
    ) -> impl Iterator<Item = (Place<'s>, Line<'s>)> {
        (1..).zip(texts).map(|(number, text)| {
            (Place::of_argument(self.name(), number), Line::of(number, text.as_encoded_bytes()))
        })
    }

    /// Returns whether the source is a regular file, all of which is there already.
    pub(crate) fn is_regular_file(&self) -> bool {
        matches!(self, Source::File(path) if path.metadata().is_ok_and(|data| data.is_file()))
    }

    /// Returns the number of bytes in the source, if that is known before it is read.
    fn size(&self) -> Option<u64> {
        match self {
            Source::Arguments(_) => Some(0),
            Source::File(path) => path.metadata().ok().filter(Metadata::is_file).map(|data| data.len()),
            Source::Stdin => None,
        }
    }
}

/// Prints a note if standard input was closed when the program started: it is read as empty.
pub(crate) fn note_closed_stdin() {
    if Standard::Input.was_closed() {
        message::print("standard input is closed, and read as empty");
    }
}

/// The sources of a command.
#[derive(Debug, Default)]
pub(crate) struct Sources(pub(crate) Vec<Source>);

impl Sources {
    /// Sorts arguments into texts, files and `-`; other files follow. Standard input is read where nothing is given.
    pub(crate) fn new(
        arguments: &[OsString],
        sort: impl Fn(&OsStr) -> Argument,
        files: &[PathBuf],
    ) -> Result<Self, Failure> {
        let mut sources = Vec::new();
        for argument in arguments {
            if argument == "-" {
                sources.push(Source::Stdin);
                continue;
            }
            let text = match sort(argument) {
                Argument::File => {
                    sources.push(Source::File(argument.into()));
                    continue;
                }
                Argument::Text => argument.clone(),
                Argument::Url(url) => url,
            };
            match sources.last_mut() {
                Some(Source::Arguments(texts)) => texts.push(text),
                _ => sources.push(Source::Arguments(vec![text])),
            }
        }
        sources.extend(files.iter().cloned().map(Source::File));
        if sources.is_empty() {
            if std::io::stdin().is_terminal() {
                return Err(Failure::usage(
                    "nothing to read: give an argument, a file or a pipe (`-` reads the terminal)",
                ));
            }
            sources.push(Source::Stdin);
        }
        Ok(Sources(sources))
    }

    /// Returns files and `-`, or standard input where there is none.
    pub(crate) fn of_files(files: &[PathBuf]) -> Result<Self, Failure> {
        let names: Vec<_> = files.iter().map(|file| file.clone().into_os_string()).collect();
        Sources::new(&names, |_| Argument::File, &[])
    }

    /// Returns the files of tables, and `-`. The folder of a dataset stands for its files, in their order.
    pub(crate) fn of_tables(arguments: &[OsString], files: &[PathBuf]) -> Result<Self, Failure> {
        let mut tables = Vec::new();
        for source in Sources::new(arguments, |_| Argument::File, files)?.0 {
            match source.path().filter(|path| is_dataset(path)) {
                Some(folder) => tables.extend(Dataset::open(folder)?.files().map(Source::File)),
                None => tables.push(source),
            }
        }
        Ok(Sources(tables))
    }

    /// Begins to show how much of all sources was read.
    pub(crate) fn progress(&self) -> Progress {
        match self.0.iter().map(Source::size).sum::<Option<u64>>() {
            Some(0) => Progress::hidden(),
            total => Progress::bytes(total),
        }
    }
}
