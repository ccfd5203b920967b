//! Finds every row that no loader would have written (docs/index-format.md, section 7).
//!
//! Each identifier and host key is computed again from its URL, because pages lack checksums: of 600 files
//! with one flipped bit, SQLite's own check passed 385 in which an identifier or URL had changed. Nothing is
//! repaired.

use std::ops::ControlFlow;
use std::thread;

use crate::question::{Question, read_candidates};
use urlid::Error;

use super::finding::{Finding, cause};
use super::rows::Rows;
use super::structure::Structure;
use crate::file::meta;
use crate::file::open::View;
use crate::file::query::find::plan;
use crate::file::query::index::Index;
use crate::file::row::Ids;

/// Rows between two calls of the caller's `tick`.
const ROWS_BETWEEN_LOOKS: u64 = 1 << 14;

/// The result of a verification.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_store::file::Load::begin(&path, SuffixList::compiled(), urlid_store::file::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_store::file::Index;
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

    /// Does what [`verify`](Self::verify) does, and calls `tick` with the number of rows read, which returns
    /// whether to continue.
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
        // One state, so that the rows and their recorded number belong together while others write.
        self.file.read(|view| {
            let mut check = Check { view, report, seen: Verified::default() };
            thread::scope(|scope| {
                // It reads the whole file once more, which any state of it must pass, so it has a connection
                // and a thread of its own.
                let structure = Structure::begin(scope, view);
                let counted = check.tables(ids, tick);
                if check.seen.is_stopped {
                    structure.stop();
                    return;
                }
                check.count(counted);
                check.list();
                structure.finish().into_iter().for_each(|line| check.found(Finding::Structure(line)));
            });
            // The structure was read by path, so it was that of this file only if the path still names it.
            self.file.held.check_name(&view.store.path)?;
            Ok(check.seen)
        })
    }
}

struct Check<'i, 'r> {
    view: &'i View<'i>,
    report: &'r mut dyn FnMut(Finding),
    seen: Verified,
}

impl Check<'_, '_> {
    fn found(&mut self, finding: Finding) {
        self.seen.findings += 1;
        (self.report)(finding);
    }

    /// Checks every row until `tick` stops it, and returns the numbers of rows of both tables.
    fn tables(&mut self, ids: Ids, tick: &mut dyn FnMut(u64) -> ControlFlow<()>) -> [u64; 2] {
        let view = self.view;
        let mut rows = Rows::new(view.suffixes(), ids);
        let read = read_candidates(view, &plan(view, &Question::default(), ids), &mut |table, row| {
            rows.check(table, row, &mut |finding| self.found(finding));
            self.seen.rows += 1;
            if self.seen.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) {
                self.seen.is_stopped = tick(self.seen.rows).is_break();
            }
            if self.seen.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // Damage that ends the reading does not end the check: the number of rows is compared with the
        // recorded one.
        if let Err(error) = read {
            self.found(Finding::Unreadable(cause(&view.error(error))));
        }
        rows.counted
    }

    fn count(&mut self, [sxurl, other]: [u64; 2]) {
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

    fn list(&mut self) {
        match meta::stored_list_is(self.view.store, self.view.suffixes()) {
            Ok(true) => {}
            Ok(false) => self.found(Finding::List),
            Err(error) => self.found(Finding::Unreadable(cause(&error))),
        }
        if let Err(error) = self.view.rules() {
            self.found(Finding::Unreadable(cause(&error)));
        }
    }
}
