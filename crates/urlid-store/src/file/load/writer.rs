//! Writes batches, to a new file all at once, or to an existing index transaction by transaction.
//!
//! It runs on the background thread of a load and does not depend on parsing.

use std::ops::ControlFlow;
use std::path::Path;

use rusqlite::{Connection, Statement, Transaction, TransactionBehavior};
use urlid::Error;

use super::sorted_batches::SortedBatches;
use crate::file::create::NewFile;
use crate::file::database::Database;
use crate::file::error;
use crate::file::meta::{self, Basis, RowCounts};
use crate::file::open::IndexFile;
use crate::file::row::{Id, RowKey};
use crate::sort::RowBatch;

/// Rows between two calls of `tick`, which may stop the load.
const ROWS_BETWEEN_LOOKS: u64 = 100_000;

/// Called with the numbers of rows written and to write. Returns whether to continue.
pub(crate) type Tick<'t> = dyn FnMut(u64, u64) -> ControlFlow<()> + 't;

/// The target of a load, and the sorted batches that are not yet stored in it.
#[derive(Debug)]
pub(crate) struct Writer {
    target: Target,
    waiting: SortedBatches,
}

#[derive(Debug)]
enum Target {
    /// A new file, filled in one transaction at the end.
    New(Box<NewFile>),
    /// An index that exists.
    Present(Box<PresentIndex>),
}

/// An existing index and the basis of its rows.
#[derive(Debug)]
struct PresentIndex {
    file: IndexFile,
    basis: Basis,
    /// The number of lines after which a transaction is committed.
    transaction: usize,
    /// The number of lines in waiting batches.
    lines: usize,
}

impl Writer {
    /// Makes a writer for a new file. Waiting batches are merged with `memory` bytes of buffers.
    pub(crate) fn new(file: NewFile, target: &Path, memory: usize) -> Self {
        Self { target: Target::New(Box::new(file)), waiting: SortedBatches::beside(target, memory) }
    }

    /// Makes a writer for an existing index, with transactions of at least `transaction` lines.
    pub(crate) fn present(
        file: IndexFile,
        basis: &Basis,
        target: &Path,
        memory: usize,
        transaction: usize,
    ) -> Self {
        let present = PresentIndex { file, basis: basis.clone(), transaction, lines: 0 };
        Self { target: Target::Present(Box::new(present)), waiting: SortedBatches::beside(target, memory) }
    }

    /// Sorts one batch, and stores it or keeps it waiting. A commit covers all batches so far, and then the
    /// number of new rows is returned.
    pub(crate) fn take(&mut self, batch: &mut RowBatch, tick: &mut Tick<'_>) -> Result<Option<u64>, Error> {
        let lines = batch.len();
        batch.sort();
        if let Target::Present(present) = &mut self.target {
            present.lines += lines;
            if present.lines >= present.transaction {
                present.lines = 0;
                return present.insert(&mut self.waiting, batch, tick).map(Some);
            }
        }
        self.waiting.push(batch).map(|()| None)
    }

    /// Stores the last batch and all waiting ones, and publishes a new file. Returns the number of rows that
    /// were new in this step.
    pub(crate) fn finish(mut self, mut batch: RowBatch, tick: &mut Tick<'_>) -> Result<u64, Error> {
        batch.sort();
        match self.target {
            Target::New(file) => {
                let count = fill(&file.store, &mut self.waiting, &mut batch, tick)?;
                file.publish()?;
                Ok(count)
            }
            Target::Present(present) => {
                let new = present.insert(&mut self.waiting, &mut batch, tick)?;
                present.file.committed()?;
                Ok(new)
            }
        }
    }
}

impl PresentIndex {
    /// Inserts rows in one transaction and returns how many were new.
    fn insert(
        &self,
        waiting: &mut SortedBatches,
        last: &mut RowBatch,
        tick: &mut Tick<'_>,
    ) -> Result<u64, Error> {
        if waiting.rows() == 0 && last.is_empty() {
            // An empty load does not acquire the write lock.
            return Ok(0);
        }
        self.file.add(&self.basis, |view| insert(view.store, waiting, last, tick))
    }
}

/// Fills a new file in one transaction and returns the number of rows.
fn fill(
    store: &Database,
    waiting: &mut SortedBatches,
    last: &mut RowBatch,
    tick: &mut Tick<'_>,
) -> Result<u64, Error> {
    let failed = |error| store.error(error);
    // The transaction is not immediate as in `IndexFile::change`. No other process has this file, so a lock
    // is not needed first.
    let begun = Transaction::new_unchecked(&store.conn, TransactionBehavior::Deferred);
    let transaction = begun.map_err(failed)?;
    let count = insert(store, waiting, last, tick)?;
    transaction.commit().map_err(failed)?;
    Ok(count)
}

/// Inserts rows, within a transaction, and returns how many were new.
fn insert(
    store: &Database,
    waiting: &mut SortedBatches,
    last: &mut RowBatch,
    tick: &mut Tick<'_>,
) -> Result<u64, Error> {
    let failed = |error| store.error(error);
    let mut inserter = RowChanger::inserter(&store.conn).map_err(failed)?;
    let (mut written, total) = (0, waiting.rows() + last.len() as u64);
    waiting.drain(last, &mut |id, url| {
        inserter.change(id, url).map_err(failed)?;
        written += 1;
        if u64::is_multiple_of(written, ROWS_BETWEEN_LOOKS) && tick(written, total).is_break() {
            return Err(error::load_stopped(None));
        }
        Ok(())
    })?;
    inserter.finish().map_err(failed)
}

/// Inserts or deletes rows, within a transaction.
#[derive(Debug)]
pub(crate) struct RowChanger<'c> {
    conn: &'c Connection,
    url: Statement<'c>,
    other: Statement<'c>,
    changed: RowCounts<i64>,
    /// The change of a table's recorded number of rows for each changed row: 1 or -1.
    sign: i64,
}

impl<'c> RowChanger<'c> {
    /// Makes an inserter of rows that do not exist.
    pub(crate) fn inserter(conn: &'c Connection) -> rusqlite::Result<Self> {
        let url = conn.prepare("INSERT OR IGNORE INTO url(id, url) VALUES(?1, ?2)")?;
        // This is one descent of the tree, whether the row is known or new. A filter or a lookup before it
        // did not save time.
        let other = conn.prepare("INSERT OR IGNORE INTO other(host_key, url) VALUES(?1, ?2)")?;
        Ok(Self { conn, url, other, changed: RowCounts::default(), sign: 1 })
    }

    /// Makes a deleter of rows that exist.
    pub(crate) fn deleter(conn: &'c Connection) -> rusqlite::Result<Self> {
        let url = conn.prepare("DELETE FROM url WHERE id = ?1 AND url = ?2")?;
        let other = conn.prepare("DELETE FROM other WHERE host_key = ?1 AND url = ?2")?;
        Ok(Self { conn, url, other, changed: RowCounts::default(), sign: -1 })
    }

    /// Inserts or deletes a row.
    pub(crate) fn change(&mut self, id: &Id, text: &str) -> rusqlite::Result<()> {
        let (changed, count) = match RowKey::new(id, text) {
            RowKey::Sxurl { id, url } => (self.url.execute((id.as_slice(), url))?, &mut self.changed.sxurl),
            RowKey::Other { host_key, url } => {
                (self.other.execute((host_key, url))?, &mut self.changed.other)
            }
        };
        // The table is unchanged if a row to insert exists already, or a row to delete does not exist.
        *count += i64::from(changed > 0);
        Ok(())
    }

    /// Records the new numbers of rows in the index, and returns how many rows changed.
    pub(crate) fn finish(self) -> rusqlite::Result<u64> {
        let RowCounts { sxurl, other } = self.changed;
        meta::count(self.conn, RowCounts { sxurl: self.sign * sxurl, other: self.sign * other })?;
        Ok((sxurl + other).unsigned_abs())
    }
}
