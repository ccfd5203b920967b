//! Migrating an index to another suffix list, in one transaction.

use std::ops::ControlFlow;
use std::path::Path;

use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_sort::{Batch, RunWriter};

use super::error::ChangeError;
use super::set_aside::SetAside;
use crate::file::meta;
use crate::file::open::{IndexFile, View};
use crate::file::store::Access;
use crate::id::id_of;

/// Bytes of rows that a migration sorts at once, and of the buffers that sorted rows are read with.
const MEMORY: usize = 64 << 20;
/// Rows between two looks at whether to stop.
const ROWS_BETWEEN_LOOKS: u64 = 10_000;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Migrated {
    /// Rows read.
    pub rows: u64,
    /// Rows whose identifier changed.
    pub moved: u64,
    /// The snapshot before.
    pub from: Snapshot,
    /// The snapshot now; if it is that before, nothing was to be done.
    pub to: Snapshot,
}

/// Rewrites the rows whose host is split otherwise by a new list, and stores that list; all of it or, on any failure, nothing.
///
/// `tick` is called with the rows read, and `each` with every row that was rewritten, once all of them are.
///
/// # Errors
/// Whatever keeps the rows from being rewritten; a stored URL that has no identifier any more is named.
pub fn migrate(
    path: &Path,
    new_list: &SuffixList,
    each: &mut dyn FnMut(Moved<'_>),
    tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Migrated, ChangeError> {
    let file = IndexFile::open(path, Access::Write)?;
    let to = meta::snapshot_of(new_list);
    let before = file.read(|view| Ok::<_, ChangeError>(view.description.snapshot.clone()))?;
    if before == to {
        return Ok(Migrated { rows: 0, moved: 0, from: before, to });
    }
    file.use_log()?;
    let aside = SetAside::beside(path);
    let (migrated, moved, old_list) = file.change(|view| -> Result<_, ChangeError> {
        let from = view.description.snapshot.clone();
        let mut migration = Migration {
            new_list,
            aside: &aside,
            old: aside.create()?,
            new: aside.create()?,
            batch: Batch::default(),
            done: Migrated { rows: 0, moved: 0, from, to },
        };
        migration.read(view, tick)?;
        migration.sort_batch()?;
        let Migration { old, new, done, .. } = migration;
        let old = aside.finish(old)?;
        aside.delete(view, &old)?;
        aside.insert(view, aside.finish(new)?, MEMORY)?;
        meta::replace_list(view.conn(), new_list).map_err(|e| view.error(e))?;
        Ok((done, old, view.suffixes().clone()))
    })?;
    file.checkpoint()?;
    // Whoever prints them may wait for a reader, so no lock is held by now.
    drop(file);
    let listed = aside.each(&moved, &mut |_, url| {
        if let Ok(now) = Components::parse(url, new_list) {
            each(Moved { url, old_tld: old_list.split(now.host()).tld, new_tld: now.tld() });
        }
        Ok(())
    });
    match listed {
        Err(ChangeError::SetAside { directory, source }) => Err(ChangeError::Unlisted { directory, source }),
        listed => listed.map(|()| migrated),
    }
}

struct Migration<'m> {
    new_list: &'m SuffixList,
    aside: &'m SetAside,
    /// The rows that move under their old keys, and in sorted runs under their new ones.
    old: RunWriter,
    new: RunWriter,
    /// Rows that are in no run of `new` yet.
    batch: Batch,
    done: Migrated,
}

impl Migration<'_> {
    /// Reads every row and sets aside those that move.
    fn read(
        &mut self,
        view: &View<'_>,
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), ChangeError> {
        let failed = |e| ChangeError::from(view.error(e));
        let mut statement =
            view.conn().prepare("SELECT id, url FROM url ORDER BY id, url").map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let (key, text) = (row.get_ref(0).map_err(failed)?, row.get_ref(1).map_err(failed)?);
            let (Some(id), Ok(url)) = (id_of(key), text.as_str()) else { return Err(ChangeError::Damaged) };
            self.done.rows += 1;
            if self.done.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(self.done.rows).is_break() {
                return Err(ChangeError::Stopped);
            }
            let now = Components::parse(url, self.new_list)
                .map_err(|source| ChangeError::Refused { url: url.to_owned(), source })?;
            let (new_id, new_url) = (now.encode().to_bytes(), now.to_normal_text());
            if (&new_id, new_url.as_str()) == (id, url) {
                continue;
            }
            self.done.moved += 1;
            self.old.push(id, url).map_err(|e| self.aside.failed(e))?;
            self.batch.push(new_id, &new_url);
            if self.batch.bytes() >= MEMORY {
                self.sort_batch()?;
            }
        }
        Ok(())
    }

    fn sort_batch(&mut self) -> Result<(), ChangeError> {
        self.batch.sort();
        self.new.push_run(self.batch.iter()).map_err(|e| self.aside.failed(e))?;
        self.batch.clear();
        Ok(())
    }
}
