//! Where sorted batches of a load go: into runs for a new file, or into an index that exists.
//!
//! Works on the background thread of a load. Knows nothing of parsing.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc;

use rusqlite::{Connection, Statement};

use crate::file::create::{NewFile, directory_of};
use crate::file::meta;
use crate::file::open::{OpenError, Opened};
use crate::file::store::{Store, StoreError};
use crate::id::Id;
use crate::load::batch::Rows;
use crate::load::external_sort::run::{self, Run};
use crate::load::external_sort::sorted::Merge;
use crate::load::pipeline::LoadError;

/// Pages of the log before SQLite copies them into the file by itself, while loading.
const CHECKPOINT_PAGES: i64 = 131_072;
const LOG_LIMIT: i64 = 64 << 20;
/// Rows between two looks at whether the load is to stop.
const ROWS_BETWEEN_LOOKS: u64 = 100_000;
/// Bytes of merged rows that go from the merging to the inserting thread at once.
const BLOCK_LEN: usize = 1 << 18;
/// Inserts a row that is not there.
pub(crate) const INSERT_NEW: &str = "INSERT OR IGNORE INTO url(id, url) VALUES(?1, ?2)";
/// Blocks on their way between the two.
const BLOCKS: usize = 4;

/// The receiving end of a load.
#[derive(Debug)]
pub(crate) enum Sink {
    /// A new file: batches become runs, which are merged at the end.
    New(Box<NewSink>),
    /// An index that exists: each batch is a transaction.
    Present(Box<Opened>),
}

/// A new file and the runs that will fill it.
#[derive(Debug)]
pub(crate) struct NewSink {
    file: NewFile,
    runs: Vec<Run>,
    directory: PathBuf,
    memory: usize,
}

impl Sink {
    pub(crate) fn new(file: NewFile, target: &std::path::Path, memory: usize) -> Self {
        let directory = directory_of(target).to_owned();
        Self::New(Box::new(NewSink { file, runs: Vec::new(), directory, memory }))
    }

    pub(crate) fn present(opened: Opened) -> Result<Self, StoreError> {
        prepare_to_write(&opened.store)?;
        Ok(Self::Present(Box::new(opened)))
    }

    /// Takes one batch, which is sorted here; returns the rows that were new if they are in the index by now.
    pub(crate) fn take(&mut self, rows: &mut Rows) -> Result<Option<u64>, LoadError> {
        rows.sort();
        match self {
            Self::New(new) => {
                let run = Run::write(&new.directory, rows.iter()).map_err(|e| new.failed(e))?;
                new.runs.push(run);
                Ok(None)
            }
            Self::Present(opened) => insert_batch(opened, rows).map(Some),
        }
    }

    /// Takes the last batch and brings the index into its final state; returns the rows that were new in this step.
    pub(crate) fn finish(
        self,
        mut rows: Rows,
        tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<u64, LoadError> {
        match self {
            Self::New(new) if new.runs.is_empty() => {
                rows.sort();
                new.fill_from_memory(&rows, tick)
            }
            Self::New(mut new) => {
                rows.sort();
                if rows.len() > 0 {
                    let run = Run::write(&new.directory, rows.iter()).map_err(|e| new.failed(e))?;
                    new.runs.push(run);
                }
                drop(rows);
                new.fill_from_runs(tick)
            }
            Self::Present(opened) => {
                let new = insert_batch_sorted(&opened, &mut rows)?;
                checkpoint(&opened.store)?;
                opened.store.close()?;
                Ok(new)
            }
        }
    }
}

impl NewSink {
    fn failed(&self, error: std::io::Error) -> LoadError {
        LoadError::Sort { directory: self.directory.clone(), source: error }
    }

    fn fill_from_memory(
        self,
        rows: &Rows,
        tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<u64, LoadError> {
        let Self { file, .. } = self;
        let mut filler =
            Filler::begin(&file.store.conn, rows.len() as u64).map_err(|e| file.store.error(e))?;
        for (id, url) in rows.iter() {
            filler.push(id, url, tick).map_err(|e| e.at(&file.store))?;
        }
        let count = filler.commit().map_err(|e| file.store.error(e))?;
        file.publish()?;
        Ok(count)
    }

    /// Merges on a thread of its own while this one inserts.
    fn fill_from_runs(self, tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<u64, LoadError> {
        let Self { file, runs, directory, memory } = self;
        let total = runs.iter().map(Run::rows).sum();
        let (send_full, full) = mpsc::sync_channel::<Vec<u8>>(BLOCKS);
        let (send_empty, empty) = mpsc::channel::<Vec<u8>>();
        let sort_failed = |source| LoadError::Sort { directory: directory.clone(), source };
        let count = std::thread::scope(|scope| {
            let directory = &directory;
            let merger = scope.spawn(move || -> std::io::Result<()> {
                let mut merge = Merge::new(runs, directory, memory)?;
                let mut block = Vec::with_capacity(2 * BLOCK_LEN);
                while let Some((id, url)) = merge.row() {
                    let url = std::str::from_utf8(url).map_err(std::io::Error::other)?;
                    run::put(&mut block, id, url);
                    merge.advance()?;
                    if block.len() >= BLOCK_LEN {
                        let next = empty.try_recv().unwrap_or_else(|_| Vec::with_capacity(2 * BLOCK_LEN));
                        if send_full.send(std::mem::replace(&mut block, next)).is_err() {
                            return Ok(());
                        }
                        block.clear();
                    }
                }
                // A receiver that is gone has reported why.
                let _ = send_full.send(block);
                Ok(())
            });
            let inserted = fill_from_blocks(&file.store, total, full, &send_empty, tick);
            let merged = merger.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // An error of the merge comes first: without it the rows would be too few.
            merged.map_err(sort_failed)?;
            let filler = inserted?;
            filler.commit().map_err(|e| LoadError::from(file.store.error(e)))
        })?;
        file.publish()?;
        Ok(count)
    }
}

fn fill_from_blocks<'s>(
    store: &'s Store,
    total: u64,
    full: mpsc::Receiver<Vec<u8>>,
    send_empty: &mpsc::Sender<Vec<u8>>,
    tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Filler<'s>, LoadError> {
    let mut filler = Filler::begin(&store.conn, total).map_err(|e| store.error(e))?;
    for block in full {
        let mut rest = block.as_slice();
        while let Some((id, url, next)) = run::take(rest) {
            filler.push_bytes(id, url, tick).map_err(|e| e.at(store))?;
            rest = next;
        }
        // A merging thread that is done needs no more buffers.
        let _ = send_empty.send(block);
    }
    Ok(filler)
}

/// Why a fill stopped.
enum FillError {
    Sqlite(rusqlite::Error),
    Stopped,
}

impl FillError {
    fn at(self, store: &Store) -> LoadError {
        match self {
            Self::Sqlite(error) => store.error(error).into(),
            Self::Stopped => LoadError::Stopped,
        }
    }
}

/// Fills a new file with rows that come in order and once each.
struct Filler<'c> {
    conn: &'c Connection,
    insert: Statement<'c>,
    count: u64,
    total: u64,
}

impl<'c> Filler<'c> {
    fn begin(conn: &'c Connection, total: u64) -> rusqlite::Result<Self> {
        conn.execute_batch("BEGIN")?;
        let insert = conn.prepare("INSERT INTO url(id, url) VALUES(?1, ?2)")?;
        Ok(Self { conn, insert, count: 0, total })
    }

    fn push(
        &mut self,
        id: &Id,
        url: &str,
        tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), FillError> {
        self.insert.execute((id.as_slice(), url)).map_err(FillError::Sqlite)?;
        self.count += 1;
        if self.count.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(self.count, self.total).is_break() {
            return Err(FillError::Stopped);
        }
        Ok(())
    }

    fn push_bytes(
        &mut self,
        id: &Id,
        url: &[u8],
        tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), FillError> {
        let url = std::str::from_utf8(url).map_err(|e| FillError::Sqlite(e.into()))?;
        self.push(id, url, tick)
    }

    fn commit(self) -> rusqlite::Result<u64> {
        drop(self.insert);
        meta::count(self.conn, i64::try_from(self.count).unwrap_or(i64::MAX))?;
        // A cached statement would keep the connection from closing.
        self.conn.flush_prepared_statement_cache();
        self.conn.execute_batch("COMMIT")?;
        Ok(self.count)
    }
}

fn insert_batch_sorted(opened: &Opened, rows: &mut Rows) -> Result<u64, LoadError> {
    rows.sort();
    insert_batch(opened, rows)
}

/// Inserts sorted rows that are not there in one transaction and returns how many they were.
fn insert_batch(opened: &Opened, rows: &Rows) -> Result<u64, LoadError> {
    if rows.len() == 0 {
        return Ok(0);
    }
    transaction(opened, |conn| insert_rows(conn, rows).map_err(|e| opened.store.error(e).into()))
}

fn insert_rows(conn: &Connection, rows: &Rows) -> rusqlite::Result<u64> {
    let mut insert = conn.prepare_cached(INSERT_NEW)?;
    let mut new = 0;
    for (id, url) in rows.iter() {
        new += insert.execute((id.as_slice(), url))? as u64;
    }
    meta::count(conn, i64::try_from(new).unwrap_or(i64::MAX))?;
    Ok(new)
}

/// Runs `write` in a transaction of its own, after making sure that the snapshot is still the one that was checked.
pub(crate) fn transaction<T, E: From<OpenError>>(
    opened: &Opened,
    write: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    let store = &opened.store;
    let failed = |error| OpenError::Store(store.error(error));
    store.conn.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let transaction = Rollback { conn: &store.conn };
    let snapshot = meta::snapshot(&store.conn).map_err(|e| crate::file::open::meta_error(store, e))?;
    if snapshot != opened.meta.snapshot {
        let (index, ours) = (Box::new(snapshot), Box::new(opened.meta.snapshot.clone()));
        return Err(OpenError::Snapshot { path: store.path.clone(), index, ours }.into());
    }
    let value = write(&store.conn)?;
    store.conn.execute_batch("COMMIT").map_err(failed)?;
    std::mem::forget(transaction);
    Ok(value)
}

/// Rolls back unless the transaction was committed.
struct Rollback<'c> {
    conn: &'c Connection,
}

impl Drop for Rollback<'_> {
    fn drop(&mut self) {
        if !self.conn.is_autocommit() {
            // The failure that brought us here is the one to report; an unfinished transaction is undone on closing too.
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }
}

/// Sets what every write to an index that exists goes by.
pub(crate) fn prepare_to_write(store: &Store) -> Result<(), StoreError> {
    store.journal_mode("wal")?;
    store.synchronous(2)?;
    store.pragma("wal_autocheckpoint", CHECKPOINT_PAGES)?;
    store.pragma("journal_size_limit", LOG_LIMIT)
}

/// Copies the log into the file and empties it, as far as readers in other processes allow.
pub(crate) fn checkpoint(store: &Store) -> Result<(), StoreError> {
    store.conn.flush_prepared_statement_cache();
    store.conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).map_err(|e| store.error(e))
}
