//! An index as a crawler's memory: which of these URLs are new?
//!
//! Each batch is one transaction. Lines are answered in the order they came, after the commit, so a line that was answered is kept.

use std::io;
use std::path::Path;

use urlid::suffix::List;
use urlid::sxurl::{Components, EncodeError};

use crate::ids::Ids;
use crate::load::LoadError;
use crate::meta;
use crate::new_file::NewFile;
use crate::open::{self, OpenError, Opened};
use crate::rows::Rows;
use crate::sink::{INSERT_NEW, checkpoint, prepare_to_write, transaction};

/// What became of one line of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The URL was not in the index, and is now.
    New,
    /// The URL was in the index, or earlier in the batch.
    Known,
    /// The line is empty.
    Blank,
    /// The line is no URL that has an identifier.
    Refused(EncodeError),
}

/// An index that is asked and filled in one step.
#[derive(Debug)]
pub struct SeenSet {
    opened: Opened,
    list: List,
    ids: Ids,
    rows: Rows,
    credentials: u64,
}

impl SeenSet {
    /// Opens an index, or makes an empty one if nothing has that name.
    ///
    /// # Errors
    /// Refuses what is not an index, and an index of another snapshot than that of `list`.
    pub fn open(path: &Path, list: &List) -> Result<Self, LoadError> {
        match std::fs::symlink_metadata(path) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                NewFile::create(path, list)?.publish()?
            }
            Err(error) => return Err(OpenError::io(path, error).into()),
        }
        let opened = open::open_to_write(path, list)?;
        prepare_to_write(&opened.store)?;
        let ids = Ids::default();
        Ok(Self { opened, list: list.clone(), ids, rows: Rows::default(), credentials: 0 })
    }

    /// Adds a batch of lines in one transaction and answers each, in order, once they are kept.
    ///
    /// Large batches are faster: they are sorted before they are inserted.
    ///
    /// # Errors
    /// On failure no line of the batch is kept and none is answered.
    pub fn add(&mut self, lines: &[&str], each: &mut dyn FnMut(usize, Seen)) -> Result<(), LoadError> {
        self.rows.clear();
        let mut answers = Vec::with_capacity(lines.len());
        for line in lines {
            answers.push(self.take(line));
        }
        let is_new = self.insert()?;
        let mut is_new = is_new.into_iter();
        for (index, answer) in answers.into_iter().enumerate() {
            let seen = match answer {
                Seen::New if is_new.next() == Some(false) => Seen::Known,
                answer => answer,
            };
            each(index, seen);
        }
        Ok(())
    }

    /// Returns how many URLs carried credentials, which were left out.
    #[must_use]
    pub fn credentials(&self) -> u64 {
        self.credentials
    }

    /// Empties the log into the file and closes it.
    ///
    /// # Errors
    /// Fails when SQLite does; what was answered is kept all the same.
    pub fn close(self) -> Result<(), LoadError> {
        checkpoint(&self.opened.store)?;
        Ok(self.opened.store.close()?)
    }

    /// Parses one line into the batch; a URL counts as new until the index says otherwise.
    fn take(&mut self, line: &str) -> Seen {
        if line.is_empty() {
            return Seen::Blank;
        }
        match Components::parse(line, &self.list) {
            Ok(components) => {
                self.credentials += u64::from(components.has_userinfo());
                self.rows.push(self.ids.of(&components), &components.to_normal_text());
                Seen::New
            }
            Err(error) => Seen::Refused(error),
        }
    }

    /// Inserts the batch in the order of its keys and tells for each row, as they came, whether it was new.
    fn insert(&self) -> Result<Vec<bool>, LoadError> {
        let Self { opened, rows, .. } = self;
        let mut is_new = vec![false; rows.len()];
        if rows.len() == 0 {
            return Ok(is_new);
        }
        transaction(opened, |conn| -> Result<(), OpenError> {
            let failed = |error| OpenError::Store(opened.store.error(error));
            let mut insert = conn.prepare_cached(INSERT_NEW).map_err(failed)?;
            let mut new = 0;
            for row in rows.order() {
                let (id, url) = rows.get(row);
                let inserted = insert.execute((id.as_slice(), url)).map_err(failed)?;
                is_new[row as usize] = inserted > 0;
                new += inserted as i64;
            }
            meta::count(conn, new).map_err(failed)
        })?;
        Ok(is_new)
    }
}
