//! Counts of the answers to a question, in total or by one of their parts.
//!
//! Groups are the parts' own texts, never their slices: two public suffixes can share a slice.

use std::ops::ControlFlow;

use urlid::Error;
use urlid_plan::{Candidates, Group, GroupBy, Question, Row, StoredUrl, Tally};

use super::find::scan;
use super::index::Index;
use crate::id::Ids;

impl Index {
    /// Counts the answers to a question.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn count(&self, question: &Question) -> Result<Candidates, Error> {
        let step = |(): &mut (), _: &Row<'_>, _: &StoredUrl<'_>| {};
        scan(&self.file, question, Ids::default(), &step, &mut |()| ControlFlow::Continue(()))
    }

    /// Counts the answers to a question by a part, the largest groups first, equal ones by name.
    ///
    /// Memory grows with the number of groups.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        let mut total = Tally::new(part);
        let step = |tally: &mut Option<Tally>, _: &Row<'_>, url: &StoredUrl<'_>| {
            tally.get_or_insert_with(|| Tally::new(part)).add(url);
        };
        let found = scan(&self.file, question, Ids::default(), &step, &mut |tally: Option<Tally>| {
            tally.into_iter().for_each(|tally| total.merge(tally));
            ControlFlow::Continue(())
        })?;
        Ok((total.sorted(), found))
    }
}
