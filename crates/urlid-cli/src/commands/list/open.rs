//! Lists and keys from files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::Coded;
use urlid::hashed_uri::Key;
use urlid::list::{HiddenList, KeyError, MAGIC, ReadError, Reader};
use urlid::snapshot::Snapshot;
use urlid::suffix;
use urlid_lines::{Input, Options};

use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::progress::Progress;
use crate::refusals::{Place, Refusals};

/// The choice of a key.
#[derive(Debug, Args)]
pub(super) struct KeyArg {
    /// The file with the key of a keyed list: 32 bytes or more, all of which count
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

impl KeyArg {
    /// Reads the key, if one was named.
    pub(super) fn read(&self) -> Result<Option<Key>, Failure> {
        let Some(path) = &self.key else { return Ok(None) };
        let bytes = std::fs::read(path).map_err(|error| cannot_read(path, &error))?;
        let key = Key::new(&bytes).map_err(|error| told(path, &error))?;
        Ok(Some(key))
    }
}

/// Reads a list in either form; lines that are refused are told, and make the exit that is returned too.
pub(super) fn list(path: &Path) -> Result<(HiddenList, Exit), Failure> {
    if begins_with_magic(path)? {
        let bytes = std::fs::read(path).map_err(|error| cannot_read(path, &error))?;
        let list = HiddenList::from_compiled(bytes).map_err(|error| told(path, &error))?;
        say_not_checkable(path, &list);
        return Ok((list, Exit::Done));
    }
    let mut reader = Reader::new();
    let mut refusals = Refusals::new(None, Progress::hidden())?;
    let input = Input::open(path).map_err(|error| cannot_read(path, &error))?;
    let mut lines = input.lines(Options::default());
    while let Some(line) = lines.next_line().map_err(|error| cannot_read(path, &error))? {
        let place = Place { input: path, line: line.number };
        let text = match line.text {
            Ok(text) => text,
            Err(error) => {
                reader.skip_line().map_err(|error| told(path, &error))?;
                refusals.refuse(place, error.code(), &error.to_string(), line.bytes)?;
                continue;
            }
        };
        match reader.line(text) {
            Ok(()) => {}
            Err(ReadError::Line(error)) => {
                let message = Escaped(error.to_string().as_bytes()).to_string();
                refusals.refuse(place, error.code(), &message, line.bytes)?;
            }
            Err(error) => return Err(told(path, &error)),
        }
    }
    let list = reader.finish().map_err(|error| told(path, &error))?;
    let exit = refusals.finish()?;
    say_not_checkable(path, &list);
    Ok((list, exit))
}

/// Says that the list was made with another public suffix list, where that can change what it matches.
pub(super) fn say_other_snapshot(path: &Path, list: &HiddenList, suffixes: &suffix::SuffixList) {
    let Some(theirs) = list.header().snapshot() else { return };
    let ours = Snapshot::of(suffixes);
    for (key, ours, theirs) in ours.differences(theirs) {
        let line = format!(
            "{}: made with {key} {theirs}, checked with {ours}: some hosts may climb to other domains",
            Escaped::path(path)
        );
        message::say(&Escaped(line.as_bytes()).to_string());
    }
}

/// Makes a failure of a list and a key that do not go together.
pub(super) fn bad_key(path: &Path, error: &KeyError) -> Failure {
    let hint = match error {
        KeyError::Missing => " (--key names the file with the key)",
        _ => "",
    };
    Failure::failed(format!("{}: {}: {error}{hint}", Escaped::path(path), error.code()))
}

/// Makes a failure of a file that cannot be read.
pub(super) fn cannot_read(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::failed(format!("{}: cannot read: {error}", Escaped::path(path)))
}

fn told(path: &Path, error: &dyn Coded) -> Failure {
    Failure::failed(format!(
        "{}: {}: {}",
        Escaped::path(path),
        error.code(),
        Escaped(error.to_string().as_bytes())
    ))
}

fn say_not_checkable(path: &Path, list: &HiddenList) {
    let unknown = list.not_checkable();
    let Some(first) = unknown.first() else { return };
    let entries = if unknown.len() == 1 { "1 entry" } else { &format!("{} entries", unknown.len()) };
    let path = Escaped::path(path);
    message::say(&format!(
        "{path}: {entries} by unknown algorithms cannot be checked, the first by {}",
        first.algorithm()
    ));
}

/// Whether a regular file begins like a compiled list; anything else is read as text.
fn begins_with_magic(path: &Path) -> Result<bool, Failure> {
    let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    let is_file = file.metadata().map_err(|error| cannot_read(path, &error))?.is_file();
    let mut head = Vec::new();
    if is_file {
        file.take(MAGIC.len() as u64).read_to_end(&mut head).map_err(|error| cannot_read(path, &error))?;
    }
    Ok(head == MAGIC)
}
