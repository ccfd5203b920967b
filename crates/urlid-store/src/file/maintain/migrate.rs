//! Migration of an index to a new suffix list, in one transaction.

use std::ops::ControlFlow;
use std::path::Path;

use crate::description::Description;
use crate::question::StoredUrl;
use crate::sort::{KeyedRow, RowBatch, RunWriter};
use rusqlite::types::ValueRef;
use urlid::Error;
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;

use super::set_aside::SetAside;
use crate::file::database::Access;
use crate::file::open::{IndexFile, View};
use crate::file::row::{Id, NO_ID, RowKey, id_of, other_text, stored_row};
use crate::file::{error, meta};

/// The bytes of rows that are sorted in memory, and of the buffers for reading sorted rows.
const MEMORY: usize = 64 << 20;
/// Rows between two calls of the caller's `tick`.
const ROWS_BETWEEN_LOOKS: u64 = 10_000;

/// A row that a migration rewrote.
///
/// ```
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # use urlid_store::file::{Load, LoadOptions};
/// # let mut load = Load::begin(&path, SuffixList::compiled(), LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_store::file::{Moved, migrate};
///
/// let mut moved = Vec::new();
/// let each = &mut |row: Moved<'_>| moved.push((row.url.to_owned(), row.new_tld.to_owned()));
/// assert!(migrate(&path, SuffixList::compiled(), each)?.is_unchanged());
/// assert!(moved.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved<'a> {
    /// The stored URL.
    pub url: &'a str,
    /// The public suffix of its host under the old list.
    pub old_tld: &'a str,
    /// The public suffix of its host under the new list.
    pub new_tld: &'a str,
}

/// The result of a migration.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// Rows read.
    pub rows: u64,
    /// Rows whose identifier changed.
    pub moved: u64,
    /// The snapshot before.
    pub from: Snapshot,
    /// The snapshot now.
    pub to: Snapshot,
}

impl Migrated {
    /// Returns whether the index already had the list.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.from == self.to
    }
}

/// Rewrites the rows with hosts that a new list splits differently, and stores the list, all in one
/// transaction.
///
/// `each` is called with every rewritten row after the commit.
///
/// # Errors
/// If the rows cannot be read or rewritten. The index is then unchanged. The exception is
/// [`UNLISTED`](crate::file::error::UNLISTED).
pub fn migrate(
    path: &Path,
    new_list: &SuffixList,
    each: &mut dyn FnMut(Moved<'_>),
) -> Result<Migrated, Error> {
    migrate_with(path, new_list, each, &mut |_| ControlFlow::Continue(()))
}

/// Does the same as [`migrate`], and calls `tick` with the number of rows read. `tick` returns whether to
/// continue.
///
/// # Errors
/// The same as [`migrate`].
pub fn migrate_with(
    path: &Path,
    new_list: &SuffixList,
    each: &mut dyn FnMut(Moved<'_>),
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Migrated, Error> {
    let file = IndexFile::open(path, Access::Write)?;
    let to = Snapshot::new(new_list);
    let from = file.read(|view| Ok(view.state.description.snapshot.clone()))?;
    if from == to {
        return Ok(Migrated { rows: 0, moved: 0, from, to });
    }
    file.use_log()?;
    let aside = SetAside::beside(path);
    let (migrated, moved, old_list) = file.change(|view| {
        // The description is read again under the write lock, because a different process may have migrated
        // the index since.
        let before = &view.state.description;
        let mut migration = Migration {
            new_list,
            aside: &aside,
            old: aside.create()?,
            new: aside.create()?,
            batch: RowBatch::default(),
            done: Migrated { rows: 0, moved: 0, from: before.snapshot.clone(), to },
        };
        // In that case no row is set aside, and the steps below change nothing.
        if migration.done.from != migration.done.to {
            migration.read(view, tick)?;
        }
        migration.sort_batch()?;
        let Migration { old, new, done, .. } = migration;
        let old = aside.finish(old)?;
        // All rows are deleted before any is inserted. Otherwise a row that was inserted under a key still to
        // be deleted would be lost.
        aside.delete(view, &old)?;
        aside.insert(view, aside.finish(new)?, MEMORY)?;
        let description = Description { snapshot: done.to.clone(), ..before.clone() };
        meta::write_list(view.conn(), &description, new_list).map_err(|e| view.error(e))?;
        Ok((done, old, view.suffixes().clone()))
    })?;
    file.committed()?;
    // `each` may print and wait for a reader, so the file is closed and unlocked before.
    drop(file);
    let tld = |url: &str, list: &SuffixList| {
        StoredUrl::read(url, list, |url, _| url.tld().to_owned()).unwrap_or_default()
    };
    let listed = aside.each(&moved, &mut |id, text| {
        let url = RowKey::new(id, text).url();
        each(Moved { url, old_tld: &tld(url, &old_list), new_tld: &tld(url, new_list) });
        Ok(())
    });
    match listed {
        Err(error) if error.is(error::SET_ASIDE) => Err(error.with_kind(error::UNLISTED)),
        listed => listed.map(|()| migrated),
    }
}

struct Migration<'m> {
    new_list: &'m SuffixList,
    aside: &'m SetAside,
    /// The rows to rewrite, under their old keys in the order of the table.
    old: RunWriter<KeyedRow>,
    /// The same rows under their new keys, in sorted runs.
    new: RunWriter<KeyedRow>,
    /// The rows that are not yet in a run of `new`.
    batch: RowBatch,
    done: Migrated,
}

impl Migration<'_> {
    /// Reads every row and sets aside those to rewrite.
    fn read(&mut self, view: &View<'_>, tick: &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<(), Error> {
        let failed = |e| view.error(e);
        for sql in ["SELECT id, url FROM url ORDER BY id, url", OTHER_ROWS] {
            let mut statement = view.conn().prepare(sql).map_err(failed)?;
            let mut rows = statement.query([]).map_err(failed)?;
            while let Some(row) = rows.next().map_err(failed)? {
                let (id, text) = row_of(row).map_err(failed)?.ok_or(error::DAMAGED_ROW)?;
                self.done.rows += 1;
                if self.done.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(self.done.rows).is_break() {
                    return Err(error::CHANGE_STOPPED.error());
                }
                self.row(&id, &text)?;
            }
        }
        Ok(())
    }

    /// Sets a row aside if its key or text changes.
    fn row(&mut self, id: &Id, text: &str) -> Result<(), Error> {
        let url = RowKey::new(id, text).url();
        let read = StoredUrl::read(url, self.new_list, |url, _| stored_row(url));
        let (new_id, new_text) = read.map_err(|_| error::DAMAGED_ROW.error())?;
        if (&new_id, new_text.as_str()) == (id, text) {
            return Ok(());
        }
        self.done.moved += 1;
        self.old.push((id, text.as_bytes())).map_err(|e| self.aside.failed(e))?;
        self.batch.push(new_id, &new_text);
        if self.batch.bytes() >= MEMORY { self.sort_batch() } else { Ok(()) }
    }

    fn sort_batch(&mut self) -> Result<(), Error> {
        self.batch.sort();
        let rows = self.batch.iter().map(|(id, url)| (id, url.as_bytes()));
        self.new.push_run(rows).map_err(|e| self.aside.failed(e))?;
        self.batch.clear();
        Ok(())
    }
}

const OTHER_ROWS: &str = "SELECT host_key, url FROM other ORDER BY host_key, url";

/// Returns a row of either table in the form of batches, or `None` if its types are wrong.
fn row_of(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<(Id, String)>> {
    let (key, url) = (row.get_ref(0)?, row.get_ref(1)?);
    let Ok(url) = url.as_str() else { return Ok(None) };
    Ok(match (id_of(key), key) {
        (Some(id), _) => Some((*id, url.to_owned())),
        (None, ValueRef::Text(_)) => key.as_str().ok().map(|key| (NO_ID, other_text(key, url))),
        (None, _) => None,
    })
}
