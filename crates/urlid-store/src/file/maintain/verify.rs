//! Finds every row that a loader would not have written (docs/index-format.md, section 7).
//!
//! Each identifier and host key is computed again from its URL, because pages lack checksums. In a test with
//! 600 files with one flipped bit each, SQLite's own check passed 385 files in which an identifier or URL had
//! changed. Verification does not repair files.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, Scope, ScopedJoinHandle};

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;

use super::finding::{Finding, RowNumber, cause};
use crate::file::database::{Access, Brake, Database};
use crate::file::error;
use crate::file::meta;
use crate::file::open::View;
use crate::file::query::Index;
use crate::file::query::find::plan;
use crate::file::row::url_id;
use crate::question::{OtherUrl, Question, RowValue, Table, host_key, read_candidates, rewrite};

/// Rows between two calls of the caller's `tick`.
const ROWS_BETWEEN_LOOKS: u64 = 1 << 14;

/// The result of a verification.
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
    /// Whether `tick` stopped it early.
    pub is_stopped: bool,
}

impl Index {
    /// Checks every row and the rest of the file, and calls `report` with each finding.
    ///
    /// # Errors
    /// Fails only if SQLite cannot start a transaction. Damage is a finding.
    pub fn verify(&self, report: &mut dyn FnMut(Finding)) -> Result<Verified, Error> {
        self.verify_with(report, &mut |_| ControlFlow::Continue(()))
    }

    /// Does the same as [`verify`](Self::verify), and calls `tick` with the number of rows read. `tick`
    /// returns whether to continue.
    ///
    /// # Errors
    /// The same as `verify`.
    pub fn verify_with(
        &self,
        report: &mut dyn FnMut(Finding),
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Verified, Error> {
        // One state is read, so that the rows match their recorded number while others write.
        self.file.read(|view| {
            let mut check = Check { view, report, seen: Verified::default() };
            thread::scope(|scope| -> Result<(), Error> {
                // This check reads the whole file a second time. Every state of the file must pass it, so it
                // has its own connection and thread.
                let structure = Structure::begin(scope, view)?;
                let counted = check.tables(tick);
                if check.seen.is_stopped {
                    structure.stop();
                    return Ok(());
                }
                check.count(counted);
                check.list();
                structure.finish().into_iter().for_each(|line| check.found(Finding::Structure(line)));
                Ok(())
            })?;
            // The structure was read by path, so the result is valid only if the path still names this file.
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
    fn tables(&mut self, tick: &mut dyn FnMut(u64) -> ControlFlow<()>) -> [u64; 2] {
        let view = self.view;
        let mut rows = RowCheck::new(view.suffixes());
        let read = read_candidates(view, &plan(view, &Question::default()), &mut |table, row| {
            rows.check(table, row, &mut |finding| self.found(finding));
            self.seen.rows += 1;
            if self.seen.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) {
                self.seen.is_stopped = tick(self.seen.rows).is_break();
            }
            if self.seen.is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // Damage that ends the reading does not end the check, because the number of rows is still compared
        // with the recorded one.
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

/// Checks the rows of both tables. They must come in the order of their tables.
pub(super) struct RowCheck<'l> {
    list: &'l SuffixList,
    /// The number of rows read from `url` and from `other`.
    pub(super) counted: [u64; 2],
    /// The key and the text of the last row of each table.
    last: [Option<(Vec<u8>, Vec<u8>)>; 2],
}

impl<'l> RowCheck<'l> {
    pub(super) fn new(list: &'l SuffixList) -> Self {
        Self { list, counted: [0; 2], last: [None, None] }
    }

    /// Checks a row by itself, and that it comes after the previous row. SQLite returns rows in the order of
    /// the tree, which damage can break.
    pub(super) fn check(
        &mut self,
        table: Table,
        [key, text]: [RowValue<'_>; 2],
        found: &mut dyn FnMut(Finding),
    ) {
        let counted = &mut self.counted[table as usize];
        *counted += 1;
        let row = match table {
            Table::Url => RowNumber::Url(*counted),
            Table::Other => RowNumber::Other(*counted),
        };
        let finding = match table {
            Table::Url => self.url_row(row, key, text),
            Table::Other => self.other_row(row, key, text),
        };
        finding.into_iter().for_each(&mut *found);
        // A row with types that no loader writes has no place in the order.
        let (RowValue::Blob(key) | RowValue::Text(key), RowValue::Text(text)) = (key, text) else { return };
        match &mut self.last[table as usize] {
            Some((last_key, last_text)) => {
                if (key, text) <= (last_key.as_slice(), last_text.as_slice()) {
                    found(Finding::Order { row });
                }
                // `clone_into` reuses the buffers, because this runs for every row.
                key.clone_into(last_key);
                text.clone_into(last_text);
            }
            last @ None => *last = Some((key.to_vec(), text.to_vec())),
        }
    }

    fn url_row(&self, row: RowNumber, key: RowValue<'_>, text: RowValue<'_>) -> Option<Finding> {
        let Some(id) = key.as_id() else { return Some(Finding::Key { row }) };
        let Some(url) = text.as_str() else { return Some(Finding::Text { row }) };
        let components = match Components::parse(url, self.list) {
            Ok(components) => components,
            Err(source) => return Some(Finding::Url { row, url: url.to_owned(), source }),
        };
        if components.to_normal_text() != url {
            return Some(Finding::NotNormal { row, url: url.to_owned() });
        }
        let is_own = url_id(&components) == *id;
        (!is_own).then(|| Finding::Id { row, url: url.to_owned() })
    }

    fn other_row(&self, row: RowNumber, key: RowValue<'_>, text: RowValue<'_>) -> Option<Finding> {
        let (Some(key), Some(url)) = (key.as_str(), text.as_str()) else {
            return Some(Finding::Text { row });
        };
        let owned = || url.to_owned();
        let rewritten = match rewrite(url) {
            Ok(rewritten) => rewritten,
            Err(source) => return Some(Finding::OtherUrl { row, url: owned(), source }),
        };
        if rewritten.text != url {
            return Some(Finding::NotNormal { row, url: owned() });
        }
        if Components::parse(url, self.list).is_ok() {
            return Some(Finding::OtherTable { row, url: owned() });
        }
        let is_own = OtherUrl::parse(url, self.list).is_some_and(|url| host_key(url.host) == key);
        (!is_own).then(|| Finding::Id { row, url: owned() })
    }
}

/// A running check.
pub(super) struct Structure<'scope> {
    thread: ScopedJoinHandle<'scope, Vec<String>>,
    brake: Receiver<Brake>,
}

impl<'scope> Structure<'scope> {
    /// Starts to check the file of a view.
    pub(super) fn begin<'env>(scope: &'scope Scope<'scope, 'env>, view: &View<'_>) -> Result<Self, Error> {
        let (path, pages) = (view.store.path.clone(), view.pages());
        let (send, brake) = channel();
        let unstarted = error::UNUSABLE.error().with_path(&view.store.path);
        let thread = thread::Builder::new().spawn_scoped(scope, move || {
            let check = || -> Result<Vec<String>, Error> {
                let store = Database::open(&path, Access::Read)?;
                store.limit_steps(Some(pages));
                // The brake is used only if the check is stopped.
                let _ = send.send(store.brake());
                let lines = || -> rusqlite::Result<Vec<String>> {
                    // A damaged tree may give a line for each of its rows, so the number of lines is limited.
                    let mut statement = store.conn.prepare("PRAGMA integrity_check(100)")?;
                    let lines = statement.query_map([], |row| row.get(0))?;
                    lines.collect()
                };
                lines().map_err(|error| store.error(error))
            };
            check().unwrap_or_else(|error| vec![cause(&error)])
        });
        Ok(Self { thread: thread.map_err(|source| unstarted.with_source(source))?, brake })
    }

    /// Returns the faults that were found.
    pub(super) fn finish(self) -> Vec<String> {
        let lines = self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        if lines == ["ok"] { Vec::new() } else { lines }
    }

    /// Ends the check early.
    pub(super) fn stop(self) {
        // The brake is missing if the file could not be opened.
        if let Ok(brake) = self.brake.recv() {
            brake.pull();
        }
    }
}
