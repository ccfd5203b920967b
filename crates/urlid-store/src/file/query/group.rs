//! Counts of the answers to a question, in total or by one of their parts.
//!
//! Groups are the parts' own texts, never their slices: two public suffixes can share a slice.

use std::ops::ControlFlow;

use urlid::Error;

use super::find::find;
use super::index::Index;
use crate::file::row::Ids;
use crate::question::{Candidates, Group, GroupBy, Question, Stats, StatsTally, Tally};

impl Index {
    /// Counts the answers to a question.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn count(&self, question: &Question) -> Result<Candidates, Error> {
        find(&self.file, question, Ids::default(), &mut |_, _| ControlFlow::Continue(()))
    }

    /// Counts the answers to a question by a part, the largest groups first, equal ones by name.
    ///
    /// Memory grows with the number of groups.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        let mut tally = Tally::new(part);
        let found = find(&self.file, question, Ids::default(), &mut |_, url| {
            tally.add(url);
            ControlFlow::Continue(())
        })?;
        Ok((tally.sorted(), found))
    }
}

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
