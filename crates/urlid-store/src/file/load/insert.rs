//! Statements that insert and delete rows, and the recorded numbers of rows.

use rusqlite::{Connection, Statement};

use crate::file::meta::{self, RowCounts};
use crate::file::row::{Id, RowKey};

/// Inserts rows unless they exist, within a transaction.
#[derive(Debug)]
pub(crate) struct Inserter<'c> {
    conn: &'c Connection,
    url: Statement<'c>,
    other: Statement<'c>,
    new: RowCounts<i64>,
}

impl<'c> Inserter<'c> {
    pub(crate) fn new(conn: &'c Connection) -> rusqlite::Result<Self> {
        let url = conn.prepare("INSERT OR IGNORE INTO url(id, url) VALUES(?1, ?2)")?;
        // One descent of the tree, whether the row is known or new: a filter or a lookup before it saved
        // nothing.
        let other = conn.prepare("INSERT OR IGNORE INTO other(host_key, url) VALUES(?1, ?2)")?;
        Ok(Self { conn, url, other, new: RowCounts::default() })
    }

    /// Inserts a row unless it is there.
    pub(crate) fn insert(&mut self, id: &Id, text: &str) -> rusqlite::Result<()> {
        let (changed, count) = match RowKey::new(id, text) {
            RowKey::Sxurl { id, url } => (self.url.execute((id.as_slice(), url))?, &mut self.new.sxurl),
            RowKey::Other { host_key, url } => (self.other.execute((host_key, url))?, &mut self.new.other),
        };
        *count += i64::from(changed > 0);
        Ok(())
    }

    /// Records the number of new rows in the index and returns it.
    pub(crate) fn finish(self) -> rusqlite::Result<u64> {
        meta::count(self.conn, self.new)?;
        Ok((self.new.sxurl + self.new.other).unsigned_abs())
    }
}

/// Deletes rows, within a transaction.
#[derive(Debug)]
pub(crate) struct Deleter<'c> {
    conn: &'c Connection,
    url: Statement<'c>,
    other: Statement<'c>,
    gone: RowCounts<i64>,
}

impl<'c> Deleter<'c> {
    pub(crate) fn new(conn: &'c Connection) -> rusqlite::Result<Self> {
        let url = conn.prepare("DELETE FROM url WHERE id = ?1 AND url = ?2")?;
        let other = conn.prepare("DELETE FROM other WHERE host_key = ?1 AND url = ?2")?;
        Ok(Self { conn, url, other, gone: RowCounts::default() })
    }

    /// Deletes a row if it is there.
    pub(crate) fn delete(&mut self, id: &Id, text: &str) -> rusqlite::Result<()> {
        let (changed, count) = match RowKey::new(id, text) {
            RowKey::Sxurl { id, url } => (self.url.execute((id.as_slice(), url))?, &mut self.gone.sxurl),
            RowKey::Other { host_key, url } => (self.other.execute((host_key, url))?, &mut self.gone.other),
        };
        *count += i64::from(changed > 0);
        Ok(())
    }

    /// Records the number of deleted rows in the index and returns it.
    pub(crate) fn finish(self) -> rusqlite::Result<u64> {
        let RowCounts { sxurl, other } = self.gone;
        meta::count(self.conn, RowCounts { sxurl: -sxurl, other: -other })?;
        Ok((sxurl + other).unsigned_abs())
    }
}
