//! Finds every row that no loader would have written (docs/index-format.md, section 7).
//!
//! Each identifier and host key is computed again from its URL, because pages lack checksums: of 600 files with one flipped
//! bit, SQLite's own check passed 385 in which an identifier or URL had changed. Nothing is repaired.

use std::ops::ControlFlow;

use rusqlite::types::ValueRef;
use urlid::Error;
use urlid::sxurl::Components;
use urlid_plan::{OtherUrl, host_key, rewrite};

use super::finding::{Finding, RowNumber};
use crate::file::meta::{self, RowCounts};
use crate::file::open::View;
use crate::file::pending;
use crate::id::{Ids, id_of};
use crate::query::index::Index;

/// Rows between two calls of the caller's `tick`.
const ROWS_BETWEEN_LOOKS: u64 = 10_000;

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
            check.seen.is_stopped = !check.tables(tick);
            if !check.seen.is_stopped {
                check.count();
                check.pending();
                check.list();
                check.structure();
            }
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

    fn read_tables(
        &mut self,
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> rusqlite::Result<ControlFlow<()>> {
        let sql = "SELECT id, url FROM url ORDER BY id, url";
        let flow = self.read_rows(sql, tick, |check, key, text| {
            check.counted.sxurl += 1;
            check.url_row(RowNumber::Url(check.counted.sxurl), key, text)
        })?;
        if flow.is_break() || !self.view.description.has_other() {
            return Ok(flow);
        }
        self.read_rows("SELECT host_key, url FROM other ORDER BY host_key, url", tick, |check, key, text| {
            check.counted.other += 1;
            check.other_row(RowNumber::Other(check.counted.other), key, text)
        })
    }

    /// Checks the rows of one table by `check`, and that keys rise strictly: SQLite returns rows in the order of the tree,
    /// which damage can break.
    fn read_rows(
        &mut self,
        sql: &str,
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
        check: impl Fn(&mut Self, ValueRef<'_>, ValueRef<'_>) -> RowNumber,
    ) -> rusqlite::Result<ControlFlow<()>> {
        let mut statement = self.view.conn().prepare(sql)?;
        let mut rows = statement.query([])?;
        let mut before: Option<(Vec<u8>, Vec<u8>)> = None;
        while let Some(row) = rows.next()? {
            self.seen.rows += 1;
            let (key, text) = (row.get_ref(0)?, row.get_ref(1)?);
            let row = check(self, key, text);
            if let (ValueRef::Blob(key) | ValueRef::Text(key), ValueRef::Text(text)) = (key, text) {
                // No stored text is empty, so an empty one marks the first row.
                let last = before.get_or_insert_default();
                if !last.1.is_empty() && (key, text) <= (last.0.as_slice(), last.1.as_slice()) {
                    self.found(Finding::Order { row });
                }
                last.0.clear();
                last.0.extend_from_slice(key);
                last.1.clear();
                last.1.extend_from_slice(text);
            }
            if self.seen.rows.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(self.seen.rows).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn url_row(&mut self, row: RowNumber, key: ValueRef<'_>, text: ValueRef<'_>) -> RowNumber {
        let Some(id) = id_of(key) else { return self.found_in(row, Finding::Key { row }) };
        let Ok(url) = text.as_str() else { return self.found_in(row, Finding::Text { row }) };
        let components = match Components::parse(url, self.view.suffixes()) {
            Ok(components) => components,
            Err(source) => return self.found_in(row, Finding::Url { row, url: url.to_owned(), source }),
        };
        if components.to_normal_text() != url {
            return self.found_in(row, Finding::NotNormal { row, url: url.to_owned() });
        }
        match self.ids.of(&components) == *id {
            true => row,
            false => self.found_in(row, Finding::Id { row, url: url.to_owned() }),
        }
    }

    fn other_row(&mut self, row: RowNumber, key: ValueRef<'_>, text: ValueRef<'_>) -> RowNumber {
        let (Ok(key), Ok(url)) = (key.as_str(), text.as_str()) else {
            return self.found_in(row, Finding::Text { row });
        };
        let owned = || url.to_owned();
        let rewritten = match rewrite(url) {
            Ok(rewritten) => rewritten,
            Err(source) => return self.found_in(row, Finding::OtherUrl { row, url: owned(), source }),
        };
        if rewritten.text != url {
            return self.found_in(row, Finding::NotNormal { row, url: owned() });
        }
        let list = self.view.suffixes();
        if Components::parse(url, list).is_ok() {
            return self.found_in(row, Finding::OtherTable { row, url: owned() });
        }
        match OtherUrl::parse(url, list).is_some_and(|url| host_key(url.host) == key) {
            true => row,
            false => self.found_in(row, Finding::Id { row, url: owned() }),
        }
    }

    fn found_in(&mut self, row: RowNumber, finding: Finding) -> RowNumber {
        self.found(finding);
        row
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

    fn structure(&mut self) {
        // The check reads the whole file again, so it gets the steps of a pass of its own.
        self.view.renew_steps();
        let lines = || -> rusqlite::Result<Vec<String>> {
            let mut statement = self.view.conn().prepare("PRAGMA integrity_check(100)")?;
            let lines = statement.query_map([], |row| row.get(0))?;
            lines.collect()
        };
        match lines() {
            Ok(lines) if lines == ["ok"] => {}
            Ok(lines) => lines.into_iter().for_each(|line| self.found(Finding::Structure(line))),
            Err(error) => self.found(Finding::Structure(cause(&self.view.error(error)))),
        }
    }
}

/// Returns the message of the innermost source of an error.
fn cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), cause)
}
