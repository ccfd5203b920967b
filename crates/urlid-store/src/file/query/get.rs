//! Lookup of an identifier or a URL.
//!
//! Several URLs can have the same identifier. A lookup by identifier returns all of them, and a lookup by URL
//! counts the others.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::question::{Row, StoredUrl, UrlLookup, host_key};
use rusqlite::types::Value;
use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;

use super::Index;
use crate::file::error::check_canonical;
use crate::file::open::View;
use crate::file::row::url_id;

impl Index {
    /// Calls `each` with every row of an identifier, in the order of their texts, and returns the number of
    /// calls.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error> {
        self.file.read(|view| {
            let mut read = || -> rusqlite::Result<u64> {
                let mut statement =
                    view.conn().prepare_cached("SELECT url FROM url WHERE id = ?1 ORDER BY url")?;
                let mut rows = statement.query([id.as_bytes().as_slice()])?;
                let mut count = 0;
                while let Some(row) = rows.next()? {
                    count += 1;
                    let url = row.get_ref(0)?.as_str()?;
                    if each(Row { id: Some(*id), url }).is_break() {
                        break;
                    }
                }
                Ok(count)
            };
            read().map_err(|e| view.error(e))
        })
    }

    /// Looks up one URL, converted to the canonical form of the index. `form` is needed if that form contains
    /// a list that is not part of the library.
    ///
    /// # Errors
    /// Fails if the text is not an absolute URL or has no canonical form, or if SQLite fails.
    pub fn get_url(&self, url: &str, form: Option<&Form>) -> Result<UrlLookup, Error> {
        self.file.read(|view| {
            let canonical = canonical(url, view.form(form)?.as_ref())?;
            StoredUrl::read(&canonical, view.suffixes(), |url, _| lookup(view, url))?
        })
    }

    /// Looks up many URLs like [`get_url`](Index::get_url), in the order of the file and in one state of it,
    /// and returns for each whether it is stored.
    ///
    /// # Errors
    /// Fails when SQLite does. An error of one URL is returned as the result of that URL only.
    pub fn are_stored(&self, urls: &[&str], form: Option<&Form>) -> Result<Vec<Result<bool, Error>>, Error> {
        self.file.read(|view| {
            let form = view.form(form)?;
            let read = |url: &&str| {
                let canonical = canonical(url, form.as_ref())?;
                StoredUrl::read(&canonical, view.suffixes(), |url, _| (key_of(url), url.to_text()))
            };
            let read: Vec<Result<(Value, String), Error>> = urls.iter().map(read).collect();
            let bytes = |number: &usize| match &read[*number] {
                Ok((Value::Blob(id), _)) => (0, id.as_slice()),
                Ok((Value::Text(host), _)) => (1, host.as_bytes()),
                _ => (2, &[][..]),
            };
            // Neighbouring keys are on the same pages, so in this order each page is read about once.
            let mut order: Vec<usize> = (0..read.len()).collect();
            order.sort_unstable_by(|a, b| bytes(a).cmp(&bytes(b)));
            let mut stored: Vec<Result<bool, Error>> = Vec::new();
            stored.resize_with(urls.len(), || Ok(false));
            for number in order {
                stored[number] = match &read[number] {
                    Err(error) => Err(error.clone()),
                    Ok((key, text)) => Ok(count(view, key, text)?.0 > 0),
                };
            }
            Ok(stored)
        })
    }
}

/// Returns a URL in a canonical form, if there is a form.
fn canonical<'u>(url: &'u str, form: Option<&Form>) -> Result<Cow<'u, str>, Error> {
    let Some(form) = form else { return Ok(Cow::Borrowed(url)) };
    let canonical = form.canonicalize(url)?;
    check_canonical(&canonical)?;
    Ok(Cow::Owned(canonical))
}

/// Returns the key of a URL in its table.
fn key_of(url: &StoredUrl<'_>) -> Value {
    match url {
        StoredUrl::Sxurl(components) => Value::Blob(url_id(components).to_vec()),
        StoredUrl::Other(other) => Value::Text(host_key(other.host)),
    }
}

/// Looks up a URL in its table.
fn lookup(view: &View<'_>, url: &StoredUrl<'_>) -> Result<UrlLookup, Error> {
    let text = url.to_text();
    let (same, others) = count(view, &key_of(url), &text)?;
    Ok(UrlLookup { id: url.id(), url: text, is_stored: same > 0, others })
}

/// Counts the rows of a key with a text, and the rows with a different text but the same identifier.
fn count(view: &View<'_>, key: &Value, text: &str) -> Result<(u64, u64), Error> {
    let sql = match key {
        // `sum` over zero rows is NULL.
        Value::Blob(_) => {
            "SELECT coalesce(sum(url = ?2), 0), coalesce(sum(url <> ?2), 0) FROM url WHERE id = ?1"
        }
        _ => "SELECT count(*), 0 FROM other WHERE host_key = ?1 AND url = ?2",
    };
    let read = || -> rusqlite::Result<(i64, i64)> {
        let mut statement = view.conn().prepare_cached(sql)?;
        statement.query_row((key, text), |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let (same, others) = read().map_err(|e| view.error(e))?;
    Ok((same.unsigned_abs(), others.unsigned_abs()))
}
