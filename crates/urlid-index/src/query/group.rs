//! Counts of the answers to a question, in total or by one of their parts.
//!
//! Groups are the parts' own texts, never their slices: two public suffixes can share a slice.

use std::collections::HashMap;
use std::ops::ControlFlow;

use urlid::Error;
use urlid_plan::{GroupBy, Question, StoredUrl};

use super::find::{Candidates, search};
use super::index::Index;
use crate::id::Ids;

/// One group of the answers.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// # let mut load = urlid_index::Load::begin(&path, SuffixList::compiled(), urlid_index::LoadOptions::default())?;
/// # load.push("https://docs.rs/serde?all#top")?;
/// # load.push("http://192.0.2.1/")?;
/// # load.finish()?;
/// use urlid_index::{GroupBy, Index, Question};
///
/// let (groups, _) = Index::open(&path)?.group(&Question::default(), GroupBy::Scheme)?;
/// assert_eq!((groups[0].name.as_str(), groups[0].rows), ("http", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The text of the part that its rows share; empty if they lack it.
    pub name: String,
    /// The number of its rows.
    pub rows: u64,
}

impl Index {
    /// Counts the answers to a question.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn count(&self, question: &Question) -> Result<Candidates, Error> {
        self.find(question, &mut |_| ControlFlow::Continue(()))
    }

    /// Counts the answers to a question by a part, the largest groups first, equal ones by name.
    ///
    /// Memory grows with the number of groups.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        let mut tally = Tally::new(part);
        let found = self.file.read(|view| {
            search(view, question, Ids::default(), &mut |_, url| {
                tally.add(url);
                ControlFlow::Continue(())
            })
        })?;
        Ok((tally.sorted(), found))
    }
}

/// Counts URLs by one part.
#[derive(Debug)]
pub(crate) struct Tally {
    part: GroupBy,
    groups: HashMap<String, u64>,
    // Rows in the order of identifiers repeat their parts, so runs of one name are counted without the map.
    name: String,
    run: u64,
}

impl Tally {
    pub(crate) fn new(part: GroupBy) -> Self {
        Self { part, groups: HashMap::new(), name: String::new(), run: 0 }
    }

    pub(crate) fn add(&mut self, url: &StoredUrl<'_>) {
        let name = self.part.name_of(url);
        if *name != self.name {
            self.close_run();
            name.as_ref().clone_into(&mut self.name);
        }
        self.run += 1;
    }

    fn close_run(&mut self) {
        if self.run == 0 {
            return;
        }
        match self.groups.get_mut(&self.name) {
            Some(rows) => *rows += self.run,
            None => {
                self.groups.insert(self.name.clone(), self.run);
            }
        }
        self.run = 0;
    }

    pub(crate) fn sorted(mut self) -> Vec<Group> {
        self.close_run();
        let mut groups: Vec<Group> =
            self.groups.into_iter().map(|(name, rows)| Group { name, rows }).collect();
        groups.sort_unstable_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.name.cmp(&b.name)));
        groups
    }
}
