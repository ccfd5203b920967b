//! Finds every row that no loader would have written (docs/index-format.md, section 7).
//!
//! Each identifier and host key is computed again from its URL, because pages lack checksums: of 600 files with one flipped
//! bit, SQLite's own check passed 385 in which an identifier or URL had changed. Nothing is repaired.

use std::ops::ControlFlow;
use std::thread;

use urlid::Error;
use urlid_plan::{Plan, Question, Table, Value};

use super::finding::{Finding, cause};
use super::rows::{Checked, Place, Rows, number};
use super::structure::Structure;
use crate::error;
use crate::file::meta;
use crate::file::open::{IndexFile, View};
use crate::file::pending;
use crate::file::siblings::Sibling;
use crate::id::Ids;
use crate::query::index::Index;
use crate::query::parts::{each_part, with_connections};

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
        // One state, so that the rows and their recorded number belong together while others write.
        let prepare = |view: &View<'_>| with_connections(view, plan(view));
        self.file.read_with_siblings(prepare, |view, plan, siblings| {
            let mut check = Check { view, ids, report, seen: Verified::default(), counted: [0; 2] };
            thread::scope(|scope| {
                // It reads the whole file once more, which any state of it must pass, so it has a connection and a thread of its own.
                let structure = Structure::begin(scope, view);
                check.seen.is_stopped = !check.tables(&self.file, &plan, siblings, tick);
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

/// Returns the plan that reads every row.
fn plan(view: &View<'_>) -> Plan {
    Plan::of(&Question::default(), &view.description.layout(), Ids::default().slice_hash())
}

struct Check<'i, 'r> {
    view: &'i View<'i>,
    ids: Ids,
    report: &'r mut dyn FnMut(Finding),
    seen: Verified,
    /// The rows of the tables `url` and `other`.
    counted: [u64; 2],
}

impl Check<'_, '_> {
    fn found(&mut self, finding: Finding) {
        self.seen.findings += 1;
        (self.report)(finding);
    }

    /// Checks the rows, each by itself on all cores, and here that keys rise strictly from part to part: SQLite returns rows in the
    /// order of the tree, which damage can break. Returns false if `tick` stopped it; damage that ends the reading does not count as
    /// that.
    fn tables(
        &mut self,
        file: &IndexFile,
        plan: &Plan,
        siblings: Vec<Sibling>,
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> bool {
        let (view, ids) = (self.view, self.ids);
        let step = |view: &View<'_>, _: &Plan, checked: &mut Checked, table, row: [Value<'_>; 2]| {
            checked.row(Rows { list: view.suffixes(), ids }, table, row);
        };
        let mut flow = ControlFlow::Continue(());
        let mut last: [Option<Place>; 2] = [None, None];
        let read = each_part(file, view, siblings, plan, &step, &mut |checked| {
            let Checked { of, findings } = checked;
            for (table, of) in [Table::Url, Table::Other].into_iter().zip(&of) {
                if let (Some(last), Some((row, first))) = (&last[table as usize], &of.first)
                    && first <= last
                {
                    let row = number(table, self.counted[table as usize] + row);
                    self.found(Finding::Order { row });
                }
            }
            let before = self.counted;
            findings.into_iter().for_each(|finding| self.found(finding.behind(before)));
            for (number, of) in of.into_iter().enumerate() {
                self.counted[number] += of.rows;
                self.seen.rows += of.rows;
                last[number] = of.last.or(last[number].take());
            }
            flow = tick(self.seen.rows);
            flow
        });
        match read {
            // The number of rows is compared with the recorded one below.
            Err(error) if !error.is(error::DAMAGED) || std::error::Error::source(&error).is_some() => {
                self.found(Finding::Unreadable(cause(&error)));
                true
            }
            _ => flow.is_continue(),
        }
    }

    fn count(&mut self) {
        let [sxurl, other] = self.counted;
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
