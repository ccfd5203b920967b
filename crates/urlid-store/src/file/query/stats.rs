//! Statistics of an index: the number of rows, and the largest domains and public suffixes by name.

use std::ops::ControlFlow;

use crate::question::{Question, Stats, StatsTally};
use urlid::Error;

use super::find::find;
use super::index::Index;
use crate::file::id::Ids;

impl Index {
    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// Fails when SQLite does, and if there are rows that no loader wrote.
    pub fn stats(&self) -> Result<Stats, Error> {
        let mut tally = StatsTally::default();
        find(&self.file, &Question::default(), Ids::default(), &mut |row, url| {
            tally.add(row.url, url);
            ControlFlow::Continue(())
        })?;
        Ok(tally.finish())
    }
}
