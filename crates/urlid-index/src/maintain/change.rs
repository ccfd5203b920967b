//! Changing rows of an index in one transaction: deleting answers, and migrating to another suffix list.
//!
//! What is to change is first written to a file without a name, then changed: nothing is changed under a statement that
//! reads, and memory stays bounded. A crash leaves the state before.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, EncodeError};
use urlid::{Coded, ErrorCode};

use crate::file::create::directory_of;
use crate::file::meta;
use crate::file::open::{self, OpenError};
use crate::file::store::{Access, StoreError};
use crate::id::Ids;
use crate::load::batch::Rows;
use crate::load::external_sort::run::{Run, RunWriter};
use crate::load::external_sort::sorted::Merge;
use crate::load::writer::{INSERT_NEW, checkpoint, prepare_to_write, transaction};
use crate::query::find::{Found, Search, id_of};
use crate::query::index::Index;
use crate::query::question::{Ask, Question, QuestionError};

/// Bytes of rows that a migration sorts at once, and of its merge's buffers.
const MEMORY: usize = 64 << 20;

/// Why rows were not changed; the index is as it was.
#[non_exhaustive]
#[derive(Debug)]
pub enum ChangeError {
    /// The index cannot be opened or written.
    Open(OpenError),
    /// The question cannot be asked.
    Question(QuestionError),
    /// The rows to change cannot be kept aside.
    Sort {
        /// Where they are kept.
        directory: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// A stored URL has no identifier under the new snapshot.
    Refused {
        /// The URL.
        url: String,
        /// Why not.
        source: EncodeError,
    },
    /// A row is not as a loader wrote it; `verify` names all of them.
    Damaged,
    /// The caller said stop.
    Stopped,
}

impl Coded for ChangeError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Open(error) => error.code(),
            Self::Question(error) => error.code(),
            Self::Refused { source, .. } => source.code(),
            Self::Damaged => ErrorCode::IndexDamaged,
            Self::Sort { .. } | Self::Stopped => ErrorCode::Io,
        }
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Question(error) => error.fmt(f),
            Self::Sort { directory, source } => {
                write!(f, "rows cannot be kept aside: found `{source}` in {}", directory.display())
            }
            Self::Refused { url, source } => {
                write!(f, "stored URL has no id under the new snapshot: found `{url}`: {source}")
            }
            Self::Damaged => f.write_str("index is damaged: found a row that no loader wrote"),
            Self::Stopped => f.write_str("change was stopped: nothing is changed"),
        }
    }
}

impl std::error::Error for ChangeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open(error) => Some(error),
            Self::Question(error) => Some(error),
            Self::Sort { source, .. } => Some(source),
            Self::Refused { source, .. } => Some(source),
            Self::Damaged | Self::Stopped => None,
        }
    }
}

impl From<OpenError> for ChangeError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        Self::Open(OpenError::Store(error))
    }
}

/// One row that a migration rewrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved<'a> {
    /// Its URL.
    pub url: &'a str,
    /// Its public suffix under the list before.
    pub old_tld: &'a str,
    /// Its public suffix under the new list.
    pub new_tld: &'a str,
}

/// What a migration did.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Migrated {
    /// Rows read.
    pub rows: u64,
    /// Rows whose identifier changed.
    pub moved: u64,
}

/// Deletes every row that answers a question, all of them or, on any failure, none.
///
/// # Errors
/// Whatever keeps the rows from being read or deleted.
pub fn delete(path: &Path, ask: &Ask<'_>) -> Result<Found, ChangeError> {
    delete_with(path, ask, Ids::default())
}

pub(crate) fn delete_with(path: &Path, ask: &Ask<'_>, ids: Ids) -> Result<Found, ChangeError> {
    let index = writable(path)?;
    let question = Question::of(ask, index.list()).map_err(ChangeError::Question)?;
    let set_aside = SetAside { directory: directory_of(path).to_owned() };
    let found = transaction(&index.opened, |conn| -> Result<Found, ChangeError> {
        let mut doomed = set_aside.writer()?;
        let mut kept = Ok(());
        let found = Search { index: &index, question: &question, ids }.run(&mut |row, components| {
            kept = doomed.push(&ids.of(components), row.url);
            if kept.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        kept.map_err(|e| set_aside.failed(e))?;
        let count = set_aside.delete(&index, conn, doomed.finish().map_err(|e| set_aside.failed(e))?)?;
        // A row whose key is not its URL's identifier is found and not deleted.
        if count == found.rows { Ok(found) } else { Err(ChangeError::Damaged) }
    })?;
    checkpoint(&index.opened.store)?;
    index.opened.store.close()?;
    Ok(found)
}

/// Rewrites the rows whose host is split otherwise by a new list, and stores that list; all of it or, on any failure, nothing.
///
/// # Errors
/// Whatever keeps the rows from being rewritten; a stored URL that has no identifier any more is named.
pub fn migrate(
    path: &Path,
    new_list: &SuffixList,
    each: &mut dyn FnMut(Moved<'_>),
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Migrated, ChangeError> {
    let index = writable(path)?;
    let set_aside = SetAside { directory: directory_of(path).to_owned() };
    let migrated = transaction(&index.opened, |conn| -> Result<Migrated, ChangeError> {
        let mut migration = Migration {
            new_list,
            set_aside: &set_aside,
            old: set_aside.writer()?,
            new: Rows::default(),
            runs: Vec::new(),
            done: Migrated::default(),
        };
        migration.read(&index, conn, each, tick)?;
        let Migration { old, new, mut runs, done, .. } = migration;
        set_aside.delete(&index, conn, old.finish().map_err(|e| set_aside.failed(e))?)?;
        runs.push(set_aside.sorted(new)?);
        set_aside.insert(&index, conn, runs)?;
        meta::replace_list(conn, new_list).map_err(|e| ChangeError::from(index.error(e)))?;
        Ok(done)
    })?;
    checkpoint(&index.opened.store)?;
    index.opened.store.close()?;
    Ok(migrated)
}

/// Tells in which facts the snapshot of an index and that of a list differ; nothing if `migrate` has nothing to do.
#[must_use]
pub fn needs_migration(index: &Index, list: &SuffixList) -> Option<(Snapshot, Snapshot)> {
    let ours = meta::snapshot_of(list);
    (*index.snapshot() != ours).then(|| (index.snapshot().clone(), ours))
}

struct Migration<'m> {
    new_list: &'m SuffixList,
    set_aside: &'m SetAside,
    old: RunWriter,
    new: Rows,
    runs: Vec<Run>,
    done: Migrated,
}

impl Migration<'_> {
    /// Reads every row and sets aside those that move, under their old keys and under their new ones.
    fn read(
        &mut self,
        index: &Index,
        conn: &Connection,
        each: &mut dyn FnMut(Moved<'_>),
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), ChangeError> {
        let failed = |e| ChangeError::from(index.error(e));
        let mut statement = conn.prepare("SELECT id, url FROM url ORDER BY id, url").map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let (key, text) = (row.get_ref(0).map_err(failed)?, row.get_ref(1).map_err(failed)?);
            let (Some(id), Ok(url)) = (id_of(key), text.as_str()) else { return Err(ChangeError::Damaged) };
            self.done.rows += 1;
            if self.done.rows.is_multiple_of(10_000) && tick(self.done.rows).is_break() {
                return Err(ChangeError::Stopped);
            }
            let now = Components::parse(url, self.new_list)
                .map_err(|source| ChangeError::Refused { url: url.to_owned(), source })?;
            let new_id = now.encode().to_bytes();
            let new_url = now.to_normal_text();
            if (&new_id, new_url.as_str()) == (id, url) {
                continue;
            }
            let split = index.list().split(now.host());
            each(Moved { url, old_tld: split.tld, new_tld: now.tld() });
            self.done.moved += 1;
            self.old.push(id, url).map_err(|e| self.set_aside.failed(e))?;
            self.new.push(new_id, &new_url);
            if self.new.bytes() >= MEMORY {
                self.runs.push(self.set_aside.sorted(std::mem::take(&mut self.new))?);
            }
        }
        Ok(())
    }
}

/// Where rows wait that are to change.
struct SetAside {
    directory: PathBuf,
}

impl SetAside {
    fn failed(&self, source: io::Error) -> ChangeError {
        ChangeError::Sort { directory: self.directory.clone(), source }
    }

    fn writer(&self) -> Result<RunWriter, ChangeError> {
        RunWriter::new(&self.directory).map_err(|e| self.failed(e))
    }

    fn sorted(&self, mut rows: Rows) -> Result<Run, ChangeError> {
        rows.sort();
        Run::write(&self.directory, rows.iter()).map_err(|e| self.failed(e))
    }

    /// Deletes the rows of a run and returns how many there were.
    fn delete(&self, index: &Index, conn: &Connection, run: Run) -> Result<u64, ChangeError> {
        let failed = |e| ChangeError::from(index.error(e));
        let mut statement = conn.prepare("DELETE FROM url WHERE id = ?1 AND url = ?2").map_err(failed)?;
        let mut reader = run.read(1 << 20).map_err(|e| self.failed(e))?;
        let mut count = 0;
        while let Some((id, url)) = reader.row() {
            let url = std::str::from_utf8(url).map_err(|_| ChangeError::Damaged)?;
            count += statement.execute((id.as_slice(), url)).map_err(failed)? as u64;
            reader.advance().map_err(|e| self.failed(e))?;
        }
        meta::count(conn, -i64::try_from(count).unwrap_or(i64::MAX)).map_err(failed)?;
        Ok(count)
    }

    /// Inserts the rows of sorted runs that are not there.
    fn insert(&self, index: &Index, conn: &Connection, runs: Vec<Run>) -> Result<(), ChangeError> {
        let failed = |e| ChangeError::from(index.error(e));
        let mut statement = conn.prepare(INSERT_NEW).map_err(failed)?;
        let mut merge = Merge::new(runs, &self.directory, MEMORY).map_err(|e| self.failed(e))?;
        let mut count = 0;
        while let Some((id, url)) = merge.row() {
            let url = std::str::from_utf8(url).map_err(|_| ChangeError::Damaged)?;
            count += statement.execute((id.as_slice(), url)).map_err(failed)? as u64;
            merge.advance().map_err(|e| self.failed(e))?;
        }
        meta::count(conn, i64::try_from(count).unwrap_or(i64::MAX)).map_err(failed)
    }
}

fn writable(path: &Path) -> Result<Index, ChangeError> {
    let opened = open::open(path, Access::Write)?;
    prepare_to_write(&opened.store)?;
    Ok(Index { opened })
}
