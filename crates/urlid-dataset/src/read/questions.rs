//! Answers to questions: rows, counts, groups, and lookups of one URL.

use std::ops::ControlFlow;

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;
use urlid_plan::{Group, GroupBy, Lookup, Question, Row, Stats, StatsTally, StoredUrl, Tally};

use super::dataset::Dataset;
use crate::error::EMPTY_FORM;

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

    /// Returns one line about what is read to answer a question.
    #[must_use]
    pub fn plan(&self, question: &Question) -> String {
        let (pages, _) = self.pages_of(question);
        let ranges = question.host_keys(self.list()).map(|ranges| ranges.len());
        let what = match ranges {
            None => "scan of every page".to_owned(),
            Some(1) => "1 range of hosts".to_owned(),
            Some(ranges) => format!("{ranges} ranges of hosts"),
        };
        let pages = if pages.len() == 1 { "1 page".to_owned() } else { format!("{} pages", pages.len()) };
        format!("{what}, {pages}; every candidate is compared with its own URL")
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
        let mut total = Tally::new(part);
        let step = |tally: &mut Tally, text: &str| self.if_answer(question, text, |url| tally.add(url));
        let scanned = self.scan(&pages, &|| Tally::new(part), &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        });
        damage.map_or(scanned, Err)?;
        let groups = total.sorted();
        let rows = groups.iter().map(|group| group.rows).sum();
        Ok((groups, rows))
    }

    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    pub fn stats(&self) -> Result<Stats, Error> {
        let (pages, damage) = self.pages_between(&[], None);
        let mut total = StatsTally::default();
        let step = |tally: &mut StatsTally, text: &str| {
            if let Some(url) = StoredUrl::of_text(text, self.list()) {
                tally.add(text, &url);
            }
        };
        let scanned = self.scan(&pages, &StatsTally::default, &step, &mut |tally| {
            total.merge(tally);
            ControlFlow::Continue(())
        });
        damage.map_or(scanned, Err)?;
        Ok(total.finish())
    }

    /// Looks up one URL, converted to the canonical form of the dataset. `form` is needed if that contains a list that is not part of
    /// the library.
    ///
    /// # Errors
    /// If the text is not an absolute URL or has no canonical form, or if the page cannot be read.
    pub fn get(&self, url: &str, form: Option<&Form>) -> Result<Lookup, Error> {
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

    fn get_stored(&self, url: &StoredUrl<'_>) -> Result<Lookup, Error> {
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
            _ => Ok(Lookup { url: text, id, is_stored, others: 0 }),
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
