//! The index that `urlid cdx make --add` extends: its lines in their order, each of which is checked.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use urlid::Coded;
use urlid_archives::cdx::{CdxError, CdxLayout, key, key_text, push_key};
use urlid_archives::cdxj::IndexLayout;
use urlid_archives::error::UNSORTED;
use urlid_canonical::{Canonicalizer, Form};
use urlid_io::files::FileKey;
use urlid_io::lines::{Archives, Input, InputKind, LineOptions, LineReader};

use super::lines::OtherKey;
use super::payloads::by_digest;
use crate::output::escape::Escaped;
use crate::report::exit::{Exit, Failure};

/// What an index must be to be extended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected<'a> {
    pub(super) layout: IndexLayout,
    pub(super) form: &'a Form,
    /// Whether the keys may have requests.
    pub(super) has_requests: bool,
    /// Whether the keys are digests.
    pub(super) is_by_digest: bool,
}

/// An index that is extended. Another program that extends it waits until this one has published its own.
pub(super) struct OldIndex<'a> {
    path: PathBuf,
    lines: LineReader,
    layout: CdxLayout,
    expected: Expected<'a>,
    keys: Canonicalizer<'a>,
    /// The line that comes next, unless the end was reached.
    line: String,
    key: String,
    is_at_end: bool,
    _lock: File,
}

impl<'a> OldIndex<'a> {
    /// Opens an index that is a single file, and locks it; `None` if it is not there.
    pub(super) fn open(path: &Path, expected: Expected<'a>) -> Result<Option<Self>, Failure> {
        let lock = lock(path).map_err(|error| Failure::read(path, &error))?;
        lock.map(|lock| OldIndex::locked(path, lock, expected)).transpose()
    }

    /// Opens the file with the lines of an index that is locked.
    pub(super) fn locked(path: &Path, lock: File, expected: Expected<'a>) -> Result<Self, Failure> {
        let (input, layout) = recognised(path, expected.layout)?;
        let mut index = OldIndex {
            path: path.to_owned(),
            lines: input.lines(LineOptions { archives: Archives::Text, ..LineOptions::default() }),
            layout,
            expected,
            keys: expected.form.canonicalizer(),
            line: String::new(),
            key: String::new(),
            is_at_end: false,
            _lock: lock,
        };
        index.advance()?;
        Ok(index)
    }

    /// Returns the line that comes next, if it is not greater than `line`, or `line` is the end.
    pub(super) fn line_up_to(&self, line: Option<&str>) -> Option<&str> {
        let is_next = !self.is_at_end && line.is_none_or(|line| *self.line <= *line);
        is_next.then_some(&*self.line)
    }

    /// Reads a line.
    pub(super) fn advance(&mut self) -> Result<(), Failure> {
        let failed = |error: &dyn Coded| Failure::of_file(&self.path, error);
        loop {
            let Some(line) = self.lines.next_line().map_err(|error| failed(&error))? else {
                self.is_at_end = true;
                return Ok(());
            };
            let place = || format!("{}:{}", Escaped::path(&self.path), line.number);
            let rejected = |error: &dyn Coded| Failure::new(Exit::Failed, error).at(&place());
            let text = line.text.map_err(|error| rejected(&error))?;
            let Some(url) = key_text(self.layout, text).map_err(|error| rejected(&error))? else {
                // The header, which is written again.
                continue;
            };
            if *text < *self.line {
                let found = |line: &str| key(self.layout, line).into_owned();
                let error = UNSORTED.error().with_shown(found(text)).with_expected(found(&self.line));
                return Err(rejected(&error).with_hint("`urlid cdx merge` sorts an index"));
            }
            let found = key(self.layout, text);
            // Every key of SURT with a host has the parenthesis, and no digest has it.
            let is_own = !found.contains(')') && by_digest(text).is_some_and(|line| line == text);
            if self.expected.is_by_digest != is_own {
                let failure = Failure::usage(format!("{}: the key is `{found}`", place()));
                return Err(failure.with_hint("--by chooses the key: url or digest"));
            }
            if is_own {
                text.clone_into(&mut self.line);
                return Ok(());
            }
            if found.contains("__wb_method=") && !self.expected.has_requests {
                let failure = Failure::usage(format!("{}: the key has a request", place()));
                return Err(failure.with_hint("--post-append adds lines with such keys"));
            }
            self.key.clear();
            push_key(&mut self.keys, &url, &mut self.key);
            if self.key != *found {
                let form = self.expected.form.to_string();
                let error = OtherKey { form, found: found.into_owned(), expected: self.key.clone() };
                let hint = "`urlid cdx verify` finds the form of an index, and --as chooses it";
                return Err(rejected(&error).with_hint(hint));
            }
            text.clone_into(&mut self.line);
            return Ok(());
        }
    }
}

/// Opens an index that has the layout of the lines that are added.
pub(super) fn recognised(path: &Path, layout: IndexLayout) -> Result<(Input, CdxLayout), Failure> {
    let failed = |error: &dyn Coded| Failure::of_file(path, error);
    let mut input = Input::open(path).map_err(|error| failed(&error))?;
    let header = layout.header();
    let expected =
        header.and_then(|header| CdxLayout::recognise(header.as_bytes())).unwrap_or(CdxLayout::Cdxj);
    match input.kind().map_err(|error| failed(&error))? {
        InputKind::Empty => Ok((input, expected)),
        InputKind::Index(found, first)
            if found == expected && header.is_none_or(|it| it.as_bytes() == first) =>
        {
            Ok((input, found))
        }
        InputKind::Index(found, _) => {
            let path = Escaped::path(path);
            let failure = Failure::usage(format!("{path}: index is {found}, expected {expected}"));
            Err(failure.with_hint("--layout chooses the layout of the lines that are added"))
        }
        _ => Err(failed(&CdxError::NoIndex)),
    }
}

/// Opens the file of an index that is renamed over when the index changes, and waits for its lock; `None` if
/// it is not there.
pub(super) fn lock(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        file.lock()?;
        // Another program may have renamed its index over the file that it had locked.
        if FileKey::of_path(path).is_ok_and(|key| FileKey::of_file(&file).is_ok_and(|locked| locked == key)) {
            return Ok(Some(file));
        }
    }
}
