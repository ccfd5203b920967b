//! Inserting rows: the one statement that does, and the count that belongs to it.

use rusqlite::{Connection, Statement};

use crate::file::meta;
use crate::id::Id;

/// Inserts rows that are not there, within a transaction.
#[derive(Debug)]
pub(crate) struct Inserter<'c> {
    conn: &'c Connection,
    statement: Statement<'c>,
    new: u64,
}

impl<'c> Inserter<'c> {
    pub(crate) fn new(conn: &'c Connection) -> rusqlite::Result<Self> {
        let statement = conn.prepare("INSERT OR IGNORE INTO url(id, url) VALUES(?1, ?2)")?;
        Ok(Self { conn, statement, new: 0 })
    }

    /// Inserts a row and returns whether it was not there.
    pub(crate) fn insert(&mut self, id: &Id, url: &str) -> rusqlite::Result<bool> {
        let is_new = self.statement.execute((id.as_slice(), url))? > 0;
        self.new += u64::from(is_new);
        Ok(is_new)
    }

    /// Records the number of new rows in the index and returns it.
    pub(crate) fn finish(self) -> rusqlite::Result<u64> {
        meta::count(self.conn, i64::try_from(self.new).unwrap_or(i64::MAX))?;
        Ok(self.new)
    }
}
