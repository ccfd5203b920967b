//! Answers to questions: rows, counts and groups, of all threads together.

use std::ops::ControlFlow;

use crate::question::{
    About, Candidates, Group, GroupBy, Question, Row, Stats, StatsTally, StoredUrl, Tally,
};
use urlid::Error;
use urlid::sxurl::Sxurl;

use super::several::Datasets;

impl Datasets {
    /// Returns the properties that answers depend on.
    ///
    /// # Errors
    /// None today: the descriptions were read when the datasets were opened.
    pub fn about(&self) -> Result<About, Error> {
        let description = self.members[0].describe();
        Ok(About {
            snapshot: description.snapshot.clone(),
            suffixes: description.suffixes.clone(),
            canonical_form: description.canonical_form.clone(),
        })
    }

    /// Returns the number of rows.
    ///
    /// # Errors
    /// If several datasets are open, which are then read, and one of them is damaged.
    pub fn rows(&self) -> Result<u64, Error> {
        self.count(&Question::default()).map(|found| found.rows)
    }

    /// Returns one line about what is read to answer a question.
    #[must_use]
    pub fn plan(&self, question: &Question) -> String {
        self.members.iter().map(|dataset| dataset.plan(question)).collect::<Vec<_>>().join(" + ")
    }

    /// Calls `each` with every answer, in the order of the rows, until it returns `Break`. Identifiers are
    /// computed only if `with_ids` is set.
    ///
    /// # Errors
    /// At the end, if there were rows that cannot be read.
    pub fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        let mut found = Candidates::default();
        let step = |rows: &mut Rows, text: &str, url: &StoredUrl<'_>| {
            let id = match url {
                StoredUrl::Sxurl(components) if with_ids => Some(components.encode()),
                _ => None,
            };
            rows.push(Row { id, url: text });
        };
        self.answers(question, &Rows::default, &step, &mut |rows| {
            rows.each(&mut |row| {
                found.rows += 1;
                each(row)
            })
        })?;
        Ok(found)
    }

    /// Counts the answers to a question.
    ///
    /// # Errors
    /// If there are rows that cannot be read.
    pub fn count(&self, question: &Question) -> Result<Candidates, Error> {
        let mut found = Candidates::default();
        // Members may share rows, which count once, so only the number of a single dataset is known without
        // reading.
        match self.members.as_slice() {
            [only] if question.is_unconditional() => found.rows = only.rows(),
            _ => {
                let step = |rows: &mut u64, _: &str, _: &StoredUrl<'_>| *rows += 1;
                self.answers(question, &u64::default, &step, &mut |rows| {
                    found.rows += rows;
                    ControlFlow::Continue(())
                })?;
            }
        }
        Ok(found)
    }

    /// Counts the answers to a question by a part, the largest groups first, equal ones by name. Memory grows
    /// with the groups.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        let mut total = Tally::new(part);
        let step = |tally: &mut Tally, _: &str, url: &StoredUrl<'_>| tally.add(url);
        self.answers(question, &|| Tally::new(part), &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        })?;
        let groups = total.sorted();
        let rows = groups.iter().map(|group| group.rows).sum();
        Ok((groups, Candidates { rows, ..Candidates::default() }))
    }

    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn stats(&self) -> Result<Stats, Error> {
        let mut total = StatsTally::default();
        let step = |tally: &mut StatsTally, text: &str, url: &StoredUrl<'_>| tally.add(text, url);
        self.answers(&Question::default(), &StatsTally::default, &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        })?;
        Ok(total.finish())
    }

    /// Calls `each` with every URL of an identifier until it returns `Break`, and returns the number of
    /// calls. Every row is read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error> {
        let mut found = 0;
        self.find(&Question::default(), true, &mut |row| {
            if row.id.as_ref() != Some(id) {
                return ControlFlow::Continue(());
            }
            found += 1;
            each(row)
        })?;
        Ok(found)
    }
}

/// The rows of a piece, kept until the pieces before it are done: their texts, one after the other.
#[derive(Debug, Default)]
struct Rows {
    text: String,
    /// The end of each text, and the identifier.
    rows: Vec<(usize, Option<Sxurl>)>,
}

impl Rows {
    /// Appends a row.
    fn push(&mut self, row: Row<'_>) {
        self.text.push_str(row.url);
        self.rows.push((self.text.len(), row.id));
    }

    /// Calls `each` with every row until it returns `Break`.
    fn each(&self, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut start = 0;
        self.rows.iter().try_for_each(|&(end, id)| {
            let url = &self.text[start..end];
            start = end;
            each(Row { id, url })
        })
    }
}
