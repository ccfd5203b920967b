//! Finds every row that no loader would have written (docs/index-format.md, section 7).
//!
//! Each identifier and host key is computed again from its URL, because pages lack checksums: of 600 files with one flipped
//! bit, SQLite's own check passed 385 in which an identifier or URL had changed. Nothing is repaired.

use std::ops::ControlFlow;
use std::thread;

use urlid::Error;
use urlid_plan::{EachCandidate, Reader, Statement, Table};

use super::finding::{Finding, cause};
use super::rows::{Rows, number_of, place_of};
use super::structure::Structure;
use crate::file::meta::{self, RowCounts};
use crate::file::open::View;
use crate::file::pending;
use crate::id::Ids;
use crate::query::batches::{Batch, in_batches};
use crate::query::index::Index;

/// The result of a verification.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, SuffixList::compiled(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_index::Index;
///
/// let verified = Index::open(&path)?.verify(&mut |finding| eprintln!("{finding}"))?;
/// assert_eq!((verified.rows, verified.findings), (2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Rows read.
    pub rows: u64,
    /// Findings reported.
    pub findings: u64,
    /// Whether `tick` ended it early.
    pub is_stopped: bool,
}

impl Index {
    /// Checks every row and the rest of the file, and calls `report` with each finding.
    ///
    /// # Errors
    /// Fails only when SQLite cannot begin a transaction; damage is a finding.
    pub fn verify(&self, report: &mut dyn FnMut(Finding)) -> Result<Verified, Error> {
        self.verify_with(report, &mut |_| ControlFlow::Continue(()))
    }

    /// Does what [`verify`](Self::verify) does, and calls `tick` with the number of rows read, which returns whether to continue.
    ///
    /// # Errors
    /// As `verify`.
    pub fn verify_with(
        &self,
        report: &mut dyn FnMut(Finding),
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Verified, Error> {
        self.verify_ids(Ids::default(), report, tick)
    }

    pub(crate) fn verify_ids(
        &self,
        ids: Ids,
        report: &mut dyn FnMut(Finding),
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Verified, Error> {
        // One transaction, so that the rows and their recorded number belong to one state while others write.
        self.file.read(|view| {
            let mut check =
                Check { view, ids, report, seen: Verified::default(), counted: RowCounts::default() };
            thread::scope(|scope| {
                // It reads the whole file once more, which any state of it must pass, so it has a connection and a thread of its own.
                let structure = Structure::begin(scope, view);
                check.seen.is_stopped = !check.tables(tick);
                if check.seen.is_stopped {
                    structure.stop();
                    return;
                }
                check.count();
                check.pending();
                check.list();
                structure.finish().into_iter().for_each(|line| check.found(Finding::Structure(line)));
            });
            // What was checked beside the transaction was this file, if it still has its name.
            self.file.held.check_name(&view.store.path)?;
            Ok(check.seen)
        })
    }
}

struct Check<'i, 'r> {
    view: &'i View<'i>,
    ids: Ids,
    report: &'r mut dyn FnMut(Finding),
    seen: Verified,
    counted: RowCounts<u64>,
}

impl Check<'_, '_> {
    fn found(&mut self, finding: Finding) {
        self.seen.findings += 1;
        (self.report)(finding);
    }

    /// Checks the rows. Returns false if `tick` stopped it; damage that ends the reading does not count as that.
    fn tables(&mut self, tick: &mut dyn FnMut(u64) -> ControlFlow<()>) -> bool {
        match self.read_tables(tick) {
            Ok(flow) => flow.is_continue(),
            Err(error) => {
                self.found(Finding::Unreadable(cause(&self.view.error(error))));
                true
            }
        }
    }

    /// Checks every row by itself on all cores, and here that keys rise strictly: SQLite returns rows in the order of the tree,
    /// which damage can break.
    fn read_tables(
        &mut self,
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> rusqlite::Result<ControlFlow<()>> {
        let view = self.view;
        let tables: &[(Table, &str)] = &[
            (Table::Url, "SELECT id, url FROM url ORDER BY id, url"),
            (Table::Other, "SELECT host_key, url FROM other ORDER BY host_key, url"),
        ];
        let tables = if view.description.has_other() { tables } else { &tables[..1] };
        let read = |each: &mut EachCandidate<'_>| {
            tables
                .iter()
                .try_for_each(|(table, sql)| view.prepare(sql)?.read(&[], &mut |row| each(*table, row)))
        };
        let rows = Rows { list: view.suffixes(), ids: self.ids };
        let mut flow = ControlFlow::Continue(());
        let mut last: Option<(Table, Vec<u8>, Vec<u8>)> = None;
        let mut take = |batch: &Batch, findings: Vec<Finding>| {
            // The order within the batch was checked with its rows.
            let first = (0..batch.len()).find_map(|row| Some((row, place_of(batch.row(row))?)));
            if let (Some((table, key, text)), Some((row, place))) = (&last, first)
                && *table == batch.table()
                && place <= (key, text)
            {
                self.found(Finding::Order { row: number_of(batch, row) });
            }
            findings.into_iter().for_each(|finding| self.found(finding));
            let end = (0..batch.len()).rev().find_map(|row| place_of(batch.row(row)));
            if let Some((key, text)) = end {
                last = Some((batch.table(), key.to_vec(), text.to_vec()));
            }
            let rows = batch.len() as u64;
            match batch.table() {
                Table::Url => self.counted.sxurl += rows,
                Table::Other => self.counted.other += rows,
            }
            self.seen.rows += rows;
            flow = tick(self.seen.rows);
            flow
        };
        in_batches(read, &|batch| rows.check(batch), &mut take)?;
        Ok(flow)
    }

    fn count(&mut self) {
        let RowCounts { sxurl, other } = self.counted;
        match self.view.rows() {
            Ok(recorded) => {
                for (found, recorded) in [(sxurl, recorded.sxurl), (other, recorded.other)] {
                    if found != recorded {
                        self.found(Finding::Rows { found, recorded });
                    }
                }
            }
            Err(error) => self.found(Finding::Unreadable(cause(&error))),
        }
    }

    fn pending(&mut self) {
        let view = self.view;
        if let Err(error) = pending::verify(view, &mut |key| self.found(Finding::Pending { key })) {
            self.found(Finding::Unreadable(cause(&error)));
        }
    }

    fn list(&mut self) {
        match meta::stored_list_is(self.view.store, self.view.suffixes()) {
            Ok(true) => {}
            Ok(false) => self.found(Finding::List),
            Err(error) => self.found(Finding::Unreadable(cause(&error))),
        }
    }
}
