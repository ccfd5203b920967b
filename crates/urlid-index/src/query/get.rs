//! What is stored under one identifier, or of one URL.
//!
//! Several URLs can have one identifier, so a lookup by identifier returns all of them and a lookup by URL counts the others.

use std::fmt;
use std::ops::ControlFlow;

use urlid::sxurl::{Components, EncodeError, Sxurl};
use urlid::{Coded, ErrorCode};

use super::find::Row;
use super::index::Index;
use crate::file::error::IndexError;
use crate::id::Ids;

/// Why a URL cannot be looked up.
#[non_exhaustive]
#[derive(Debug)]
pub enum GetError {
    /// The text is not a URL that has an identifier.
    Url(EncodeError),
    /// The index cannot be read.
    Index(IndexError),
}

impl Coded for GetError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Url(error) => error.code(),
            Self::Index(error) => error.code(),
        }
    }
}

impl fmt::Display for GetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::Index(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GetError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Url(error) => error.source(),
            Self::Index(error) => error.source(),
        }
    }
}

impl From<IndexError> for GetError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

/// What an index holds of one URL.
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
    /// Calls `each` with every row of an identifier, in the order of their texts, and returns how many it took.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn get_id(
        &self,
        id: &Sxurl,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<u64, IndexError> {
        self.file.read(|view| {
            let mut read = || -> rusqlite::Result<u64> {
                let mut statement =
                    view.conn().prepare_cached("SELECT url FROM url WHERE id = ?1 ORDER BY url")?;
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
            read().map_err(|e| view.error(e))
        })
    }

    /// Looks up one URL under its normal text.
    ///
    /// # Errors
    /// Fails when the text is no URL with an identifier, or when SQLite fails.
    pub fn get_url(&self, url: &str) -> Result<Lookup, GetError> {
        self.get_url_with(url, Ids::default())
    }

    pub(crate) fn get_url_with(&self, url: &str, ids: Ids) -> Result<Lookup, GetError> {
        self.file.read(|view| {
            let components = Components::parse(url, view.suffixes()).map_err(GetError::Url)?;
            let (key, text) = (ids.of(&components), components.to_normal_text());
            let read = || -> rusqlite::Result<(i64, i64)> {
                let mut statement = view.conn().prepare_cached(
                    "SELECT coalesce(sum(url = ?2), 0), coalesce(sum(url <> ?2), 0) FROM url WHERE id = ?1",
                )?;
                statement.query_row((key.as_slice(), &text), |row| Ok((row.get(0)?, row.get(1)?)))
            };
            let (same, others) = read().map_err(|e| view.error(e))?;
            let (is_stored, others) = (same > 0, others.unsigned_abs());
            Ok(Lookup { id: components.encode(), url: text, is_stored, others })
        })
    }
}
