//! What is stored under one identifier, or of one URL.
//!
//! Several URLs can have one identifier, so asking by identifier hands on all of them and asking by URL says how many
//! others there are.

use std::fmt;
use std::ops::ControlFlow;

use urlid::sxurl::{Components, EncodeError, Sxurl};
use urlid::{Coded, ErrorCode};

use crate::file::store::StoreError;
use crate::id::Ids;
use crate::query::find::Row;
use crate::query::index::Index;

/// Why a URL cannot be looked up.
#[non_exhaustive]
#[derive(Debug)]
pub enum GetError {
    /// The text is no URL that has an identifier.
    Url(EncodeError),
    /// SQLite failed.
    Store(StoreError),
}

impl Coded for GetError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Url(error) => error.code(),
            Self::Store(error) => error.code(),
        }
    }
}

impl fmt::Display for GetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Url(error) => Some(error),
            Self::Store(error) => Some(error),
        }
    }
}

/// What an index knows of one URL.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The identifier of the URL.
    pub id: Sxurl,
    /// The normal text of the URL, under which it would be stored.
    pub url: String,
    /// Whether it is in the index.
    pub is_stored: bool,
    /// Other URLs in the index that have the same identifier.
    pub others: u64,
}

impl Index {
    /// Hands every row of an identifier to `each`, in the order of their texts, and returns how many it took.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn get_id(
        &self,
        id: &Sxurl,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<u64, StoreError> {
        let mut read = || -> rusqlite::Result<u64> {
            let conn = &self.opened.store.conn;
            let mut statement = conn.prepare_cached("SELECT url FROM url WHERE id = ?1 ORDER BY url")?;
            let mut rows = statement.query([id.as_bytes().as_slice()])?;
            let mut count = 0;
            while let Some(row) = rows.next()? {
                count += 1;
                let url = row.get_ref(0)?.as_str()?;
                if each(Row { id: *id, url }).is_break() {
                    break;
                }
            }
            Ok(count)
        };
        read().map_err(|e| self.error(e))
    }

    /// Looks up one URL under its normal text.
    ///
    /// # Errors
    /// Fails when the text is no URL with an identifier, or when SQLite fails.
    pub fn get_url(&self, url: &str) -> Result<Lookup, GetError> {
        self.get_url_with(url, Ids::default())
    }

    pub(crate) fn get_url_with(&self, url: &str, ids: Ids) -> Result<Lookup, GetError> {
        let components = Components::parse(url, self.list()).map_err(GetError::Url)?;
        let (key, text) = (ids.of(&components), components.to_normal_text());
        let read = || -> rusqlite::Result<(i64, i64)> {
            let conn = &self.opened.store.conn;
            let mut statement = conn.prepare_cached(
                "SELECT coalesce(sum(url = ?2), 0), coalesce(sum(url <> ?2), 0) FROM url WHERE id = ?1",
            )?;
            statement.query_row((key.as_slice(), &text), |row| Ok((row.get(0)?, row.get(1)?)))
        };
        let (same, others) = read().map_err(|e| GetError::Store(self.error(e)))?;
        Ok(Lookup { id: components.encode(), url: text, is_stored: same > 0, others: others.unsigned_abs() })
    }
}
