//! An index as a crawler's memory: which of these URLs are new?
//!
//! Each batch is one transaction. Lines are answered in the order they came, after the commit, so a line that was answered is kept.

use std::io;
use std::path::Path;

use urlid::suffix::SuffixList;
use urlid::sxurl::EncodeError;

use crate::file::create::NewFile;
use crate::file::meta;
use crate::file::open::{self, OpenError, Opened};
use crate::id::Ids;
use crate::load::batch::Rows;
use crate::load::parse::{EncoderOptions, Intake, Line};
use crate::load::pipeline::LoadError;
use crate::load::writer::{INSERT_NEW, checkpoint, prepare_to_write, transaction};

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
    intake: Intake,
}

impl SeenSet {
    /// Opens an index, or makes an empty one if nothing has that name.
    ///
    /// # Errors
    /// Refuses what is not an index, and an index of another snapshot than that of `list`.
    pub fn open(path: &Path, list: &SuffixList, encoder: EncoderOptions) -> Result<Self, LoadError> {
        match std::fs::symlink_metadata(path) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                NewFile::create(path, list)?.publish()?
            }
            Err(error) => return Err(OpenError::io(path, error).into()),
        }
        let opened = open::open_to_write(path, list)?;
        prepare_to_write(&opened.store)?;
        Ok(Self { opened, intake: Intake::new(list, Ids::default(), encoder) })
    }

    /// Adds a batch of lines in one transaction and answers each, in order, once they are kept.
    ///
    /// Large batches are faster: they are sorted before they are inserted.
    ///
    /// # Errors
    /// On failure no line of the batch is kept and none is answered.
    pub fn add(&mut self, lines: &[&str], each: &mut dyn FnMut(usize, Seen)) -> Result<(), LoadError> {
        let answers: Vec<Line> = lines.iter().map(|line| self.intake.push(line)).collect();
        let mut rows = self.intake.take();
        let mut is_new = self.insert(&rows)?.into_iter();
        for (index, answer) in answers.into_iter().enumerate() {
            let seen = match answer {
                Line::Taken if is_new.next() == Some(true) => Seen::New,
                Line::Taken => Seen::Known,
                Line::Blank => Seen::Blank,
                Line::Refused(error) => Seen::Refused(error),
            };
            each(index, seen);
        }
        rows.clear();
        self.intake.reuse(rows);
        Ok(())
    }

    /// Returns how many URLs carried credentials, which were left out.
    #[must_use]
    pub fn credentials(&self) -> u64 {
        self.intake.counts.credentials
    }

    /// Empties the log into the file and closes it.
    ///
    /// # Errors
    /// Fails when SQLite does; what was answered is kept all the same.
    pub fn close(self) -> Result<(), LoadError> {
        checkpoint(&self.opened.store)?;
        Ok(self.opened.store.close()?)
    }

    /// Inserts the batch in the order of its keys and tells for each row, as they came, whether it was new.
    fn insert(&self, rows: &Rows) -> Result<Vec<bool>, LoadError> {
        let opened = &self.opened;
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
