//! Finding every row that is not as a loader wrote it (docs/index-format.md, section 7).
//!
//! Each identifier is computed again from its URL, because pages carry no checksums: SQLite's own check misses two thirds of
//! all flipped bits. Repairs nothing.

use std::fmt;
use std::ops::ControlFlow;

use rusqlite::types::ValueRef;
use urlid::sxurl::{Components, EncodeError};
use urlid::{Coded, ErrorCode};

use crate::file::error::IndexError;
use crate::file::meta;
use crate::file::open::View;
use crate::id::{Id, Ids, id_of};
use crate::query::index::Index;

/// Rows between two looks at whether to stop.
const ROWS_BETWEEN_LOOKS: u64 = 10_000;

/// One thing that is wrong with an index.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A key is not 32 bytes.
    Key {
        /// The row's number in the order of the table, from 1.
        row: u64,
    },
    /// A text is not UTF-8.
    Text {
        /// The row's number.
        row: u64,
    },
    /// A text is no URL that has an identifier.
    Url {
        /// The row's number.
        row: u64,
        /// The text.
        url: String,
        /// Why not.
        source: EncodeError,
    },
    /// A text is a URL, but not written as its normal text.
    NotNormal {
        /// The row's number.
        row: u64,
        /// The text.
        url: String,
    },
    /// An identifier is not that of its URL.
    Id {
        /// The row's number.
        row: u64,
        /// The text.
        url: String,
    },
    /// A row does not come after the one before it.
    Order {
        /// The row's number.
        row: u64,
    },
    /// The rows are not as many as the last writer recorded.
    Rows {
        /// Rows counted.
        found: u64,
        /// Rows recorded.
        recorded: u64,
    },
    /// The stored suffix list is not the one that the snapshot names.
    List,
    /// SQLite's own check of the file's structure says this.
    Structure(String),
    /// Reading had to end here.
    Unreadable(String),
}

impl std::error::Error for Finding {}

impl Coded for Finding {
    fn code(&self) -> ErrorCode {
        ErrorCode::IndexDamaged
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { row } => write!(f, "row {row} has a bad key: found no 32 bytes"),
            Self::Text { row } => write!(f, "row {row} has a bad text: found no UTF-8"),
            Self::Url { row, url, source } => write!(f, "row {row} has no URL: found `{url}`: {source}"),
            Self::NotNormal { row, url } => write!(f, "row {row} is not in normal form: found `{url}`"),
            Self::Id { row, url } => write!(f, "row {row} has the id of another URL than `{url}`"),
            Self::Order { row } => write!(f, "row {row} is out of order: found a key that does not rise"),
            Self::Rows { found, recorded } => {
                write!(f, "rows came or went outside the program: found {found}, expected {recorded}")
            }
            Self::List => f.write_str("suffix list is not the one of the snapshot"),
            Self::Structure(text) => write!(f, "file structure is damaged: {text}"),
            Self::Unreadable(text) => write!(f, "rows cannot be read to the end: {text}"),
        }
    }
}

/// What a verification saw.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Rows read.
    pub rows: u64,
    /// Findings reported.
    pub findings: u64,
    /// Whether it was stopped before the end.
    pub is_stopped: bool,
}

impl Index {
    /// Checks every row and the file around it, and calls `report` with each finding; `tick` is called with the rows read.
    ///
    /// # Errors
    /// Fails only when SQLite cannot begin; damage is a finding.
    pub fn verify(
        &self,
        report: &mut dyn FnMut(Finding),
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Verified, IndexError> {
        self.verify_with(Ids::default(), report, tick)
    }

    pub(crate) fn verify_with(
        &self,
        ids: Ids,
        report: &mut dyn FnMut(Finding),
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Verified, IndexError> {
        // Rows and their recorded number belong to one state, whatever another process writes meanwhile.
        self.file.read(|view| {
            let mut check = Check { view, ids, report, seen: Verified::default() };
            check.seen.is_stopped = !check.rows(tick);
            if !check.seen.is_stopped {
                check.count();
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
}

impl Check<'_, '_> {
    fn found(&mut self, finding: Finding) {
        self.seen.findings += 1;
        (self.report)(finding);
    }

    /// Checks the rows; returns whether it came to the end or to damage, and was not stopped.
    fn rows(&mut self, tick: &mut dyn FnMut(u64) -> ControlFlow<()>) -> bool {
        match self.read_rows(tick) {
            Ok(flow) => flow.is_continue(),
            Err(error) => {
                self.found(Finding::Unreadable(cause(&self.view.error(error))));
                true
            }
        }
    }

    fn read_rows(
        &mut self,
        tick: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> rusqlite::Result<ControlFlow<()>> {
        let mut statement = self.view.conn().prepare("SELECT id, url FROM url ORDER BY id, url")?;
        let mut rows = statement.query([])?;
        let mut before: (Id, Vec<u8>) = ([0; 32], Vec::new());
        while let Some(row) = rows.next()? {
            self.seen.rows += 1;
            let number = self.seen.rows;
            let (key, text) = (row.get_ref(0)?, row.get_ref(1)?);
            self.row(number, key, text);
            if let (Some(id), ValueRef::Text(text)) = (id_of(key), text) {
                if number > 1 && (id, text) <= (&before.0, before.1.as_slice()) {
                    self.found(Finding::Order { row: number });
                }
                before.0 = *id;
                before.1.clear();
                before.1.extend_from_slice(text);
            }
            if number.is_multiple_of(ROWS_BETWEEN_LOOKS) && tick(number).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn row(&mut self, row: u64, key: ValueRef<'_>, text: ValueRef<'_>) {
        let Some(id) = id_of(key) else { return self.found(Finding::Key { row }) };
        let Ok(url) = text.as_str() else { return self.found(Finding::Text { row }) };
        let components = match Components::parse(url, self.view.suffixes()) {
            Ok(components) => components,
            Err(source) => return self.found(Finding::Url { row, url: url.to_owned(), source }),
        };
        if components.to_normal_text() != url {
            self.found(Finding::NotNormal { row, url: url.to_owned() });
        } else if self.ids.of(&components) != *id {
            self.found(Finding::Id { row, url: url.to_owned() });
        }
    }

    fn count(&mut self) {
        let found = self.seen.rows;
        match meta::rows(self.view.store) {
            Ok(recorded) if recorded == found => {}
            Ok(recorded) => self.found(Finding::Rows { found, recorded }),
            Err(error) => self.found(Finding::Unreadable(cause(&error))),
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

/// Returns what is at the bottom of an error.
fn cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), cause)
}
