//! An index as a store: what the methods of [`Index`] answer, behind the trait that datasets have too.

use std::ops::ControlFlow;

use crate::question::{About, Candidates, Group, GroupBy, Lookup, Question, Row, Stats, Store};
use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;

use super::index::Index;

impl Store for Index {
    fn about(&self) -> Result<About, Error> {
        let description = self.describe()?;
        Ok(About {
            snapshot: description.snapshot.clone(),
            suffixes: description.suffixes.clone(),
            canonical_form: description.canonical_form.clone(),
        })
    }

    fn rows(&self) -> Result<u64, Error> {
        self.rows()
    }

    fn plan(&self, question: &Question) -> Result<String, Error> {
        self.plan(question).map(|plan| plan.to_string())
    }

    fn find(
        &self,
        question: &Question,
        _with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        self.find(question, each)
    }

    fn count(&self, question: &Question) -> Result<Candidates, Error> {
        self.count(question)
    }

    fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        self.group(question, part)
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.stats()
    }

    fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error> {
        self.get_id(id, each)
    }

    fn get_url(&self, url: &str, form: Option<&Form>) -> Result<Lookup, Error> {
        self.get_url_as(url, form)
    }

    fn are_stored(&self, urls: &[&str], form: Option<&Form>) -> Result<Vec<Result<bool, Error>>, Error> {
        self.are_stored(urls, form)
    }
}
