//! A dataset as a store: what the methods of [`Dataset`] answer, behind the trait that index files have too.

use std::ops::ControlFlow;

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;
use urlid_plan::{About, Candidates, Group, GroupBy, Lookup, Question, Row, Stats, Store};

use super::dataset::Dataset;
use super::questions;

impl Store for Dataset {
    fn about(&self) -> Result<About, Error> {
        let description = self.describe();
        Ok(About {
            snapshot: description.snapshot.clone(),
            suffixes: description.suffixes.clone(),
            canonical_form: description.canonical_form.clone(),
        })
    }

    fn rows(&self) -> Result<u64, Error> {
        Ok(self.rows())
    }

    fn pending_lines(&self) -> Result<u64, Error> {
        Ok(0)
    }

    fn plan(&self, question: &Question) -> Result<String, Error> {
        Ok(self.plan(question))
    }

    fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        self.find(question, with_ids, each).map(candidates)
    }

    fn count(&self, question: &Question) -> Result<Candidates, Error> {
        self.count(question).map(candidates)
    }

    fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        self.group(question, part).map(|(groups, rows)| (groups, candidates(rows)))
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.stats()
    }

    fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error> {
        questions::of_id(self, id, each)
    }

    fn get_url(&self, url: &str, form: Option<&Form>) -> Result<Lookup, Error> {
        self.get(url, form)
    }

    fn are_stored(&self, urls: &[&str], form: Option<&Form>) -> Result<Vec<Result<bool, Error>>, Error> {
        self.are_stored(urls, form)
    }
}

pub(super) fn candidates(rows: u64) -> Candidates {
    Candidates { rows, ..Candidates::default() }
}
