//! Statistics of an index: the number of rows, and the largest domains and public suffixes by name.

use std::ops::ControlFlow;

use urlid::Error;
use urlid_plan::{Question, Row, Stats, StatsTally, StoredUrl};

use super::find::scan;
use super::index::Index;
use crate::id::Ids;

impl Index {
    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// Fails when SQLite does, and if there are rows that no loader wrote.
    pub fn stats(&self) -> Result<Stats, Error> {
        let mut total = StatsTally::default();
        let step = |tally: &mut StatsTally, row: &Row<'_>, url: &StoredUrl<'_>| tally.add(row.url, url);
        scan(&self.file, &Question::default(), Ids::default(), &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        })?;
        Ok(total.finish())
    }
}
