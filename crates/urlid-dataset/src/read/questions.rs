//! Answers to questions: rows, counts, groups, and lookups of one URL.

use std::collections::HashMap;
use std::ops::ControlFlow;

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;
use urlid_plan::{GroupBy, Question, Row, StoredUrl};

use super::dataset::Dataset;
use crate::error::EMPTY_FORM;

/// The answer to a lookup of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text by which the URL is, or would be, stored.
    pub url: String,
    /// The identifier of the URL; `None` if it lacks an SXURL.
    pub id: Option<Sxurl>,
    /// Whether the URL is in the dataset.
    pub is_stored: bool,
}

/// One group of the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The text of the part that its rows share; empty if they lack it.
    pub name: String,
    /// The number of its rows.
    pub rows: u64,
}

/// Texts of a few pages, with their identifiers if they are wanted.
#[derive(Default)]
struct Texts {
    text: String,
    rows: Vec<(usize, Option<Sxurl>)>,
}

impl Dataset {
    /// Calls `each` with every answer until it returns `Break`, in the order of the dataset, and returns their number. Identifiers
    /// are computed only if `with_ids` is set.
    ///
    /// # Errors
    /// At the end, if there were pages that are damaged or cannot be read. The rows passed to `each` are valid even then.
    pub fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<u64, Error> {
        let (pages, damage) = self.pages_of(question);
        let mut found = 0;
        let step = |texts: &mut Texts, text: &str| {
            self.if_answer(question, text, |url| {
                texts.text.push_str(text);
                let id = match url {
                    StoredUrl::Sxurl(components) if with_ids => Some(components.encode()),
                    _ => None,
                };
                texts.rows.push((texts.text.len(), id));
            });
        };
        let scanned = self.scan(&pages, &Texts::default, &step, &mut |texts| {
            let mut start = 0;
            for (end, id) in texts.rows {
                found += 1;
                let url = &texts.text[start..end];
                start = end;
                if each(Row { id, url }).is_break() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        damage.map_or(scanned, Err).map(|()| found)
    }

    /// Counts the answers to a question.
    ///
    /// # Errors
    /// If there are pages that are damaged or cannot be read.
    pub fn count(&self, question: &Question) -> Result<u64, Error> {
        if question.is_unconditional() {
            return Ok(self.rows());
        }
        let (pages, damage) = self.pages_of(question);
        let mut found = 0;
        let step = |count: &mut u64, text: &str| self.if_answer(question, text, |_| *count += 1);
        let scanned = self.scan(&pages, &u64::default, &step, &mut |count| {
            found += count;
            ControlFlow::Continue(())
        });
        damage.map_or(scanned, Err).map(|()| found)
    }

    /// Counts the answers to a question by a part, the largest groups first, equal ones by name, and returns the number of all.
    ///
    /// Memory grows with the number of groups.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, u64), Error> {
        let (pages, damage) = self.pages_of(question);
        let mut total = Tally::default();
        let step = |tally: &mut Tally, text: &str| {
            self.if_answer(question, text, |url| tally.add(&part.name_of(url), 1));
        };
        let scanned = self.scan(&pages, &Tally::default, &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        });
        damage.map_or(scanned, Err)?;
        let groups = total.sorted();
        let rows = groups.iter().map(|group| group.rows).sum();
        Ok((groups, rows))
    }

    /// Looks up one URL, converted to the canonical form of the dataset. `form` is needed if that contains a list that is not part of
    /// the library.
    ///
    /// # Errors
    /// If the text is not an absolute URL or has no canonical form, or if the page cannot be read.
    pub fn get(&self, url: &str, form: Option<&Form>) -> Result<Answer, Error> {
        let canonical = match self.form(form)? {
            None => url.to_owned(),
            Some(form) => {
                let canonical = form.canonicalize(url)?;
                if canonical.is_empty() {
                    return Err(EMPTY_FORM.error());
                }
                canonical
            }
        };
        StoredUrl::read(&canonical, self.list(), |url, _| self.get_stored(url))?
    }

    fn get_stored(&self, url: &StoredUrl<'_>) -> Result<Answer, Error> {
        let text = url.to_text();
        let (pages, damage) = self.pages_of_url(url, &text);
        let mut is_stored = false;
        for (part, page) in pages {
            let part = self.part(part)?;
            part.each_text(&part.pages[page], &mut |found| {
                is_stored |= found == text;
                if is_stored { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        let id = match url {
            StoredUrl::Sxurl(components) => Some(components.encode()),
            StoredUrl::Other(_) => None,
        };
        match damage {
            Some(error) if !is_stored => Err(error),
            _ => Ok(Answer { url: text, id, is_stored }),
        }
    }

    /// Passes a URL to `then` if it is an answer.
    fn if_answer(&self, question: &Question, text: &str, then: impl FnOnce(&StoredUrl<'_>)) {
        if question.may_be_met_by(text)
            && let Some(url) = StoredUrl::of_text(text, self.list())
            && question.is_met(&url)
        {
            then(&url);
        }
    }
}

/// Counts of texts.
#[derive(Default)]
struct Tally {
    groups: HashMap<String, u64>,
    // Neighbours share their hosts, so runs of one name are counted without the map.
    name: String,
    run: u64,
}

impl Tally {
    fn add(&mut self, name: &str, rows: u64) {
        if name != self.name {
            self.close_run();
            name.clone_into(&mut self.name);
        }
        self.run += rows;
    }

    fn close_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        match self.groups.get_mut(&self.name) {
            _ if run == 0 => {}
            Some(rows) => *rows += run,
            None => drop(self.groups.insert(self.name.clone(), run)),
        }
    }

    fn merge(&mut self, mut other: Self) {
        other.close_run();
        for (name, rows) in other.groups {
            *self.groups.entry(name).or_default() += rows;
        }
    }

    fn sorted(mut self) -> Vec<Group> {
        self.close_run();
        let mut groups: Vec<Group> =
            self.groups.into_iter().map(|(name, rows)| Group { name, rows }).collect();
        groups.sort_unstable_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.name.cmp(&b.name)));
        groups
    }
}
