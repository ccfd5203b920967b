//! Answers to questions: rows, counts and groups, from pages that all threads read.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_io::threads;

use super::Dataset;
use super::part::PageNumber;
use super::several::Datasets;
use crate::question::{
    About, Candidates, Group, GroupBy, Question, Row, Stats, StatsTally, StoredUrl, Tally,
};

/// Pages that one thread reads at a time.
pub(super) const TOGETHER: usize = 4;

impl Dataset {
    /// Makes a state for some neighbouring answers, passes it with each of them to `step` on all threads, and
    /// the states in order to `each`, until that returns `Break`. Pages that cannot be read are skipped, and
    /// the first error is returned at the end.
    pub(super) fn answers<S: Send>(
        &self,
        question: &Question,
        make: &(impl Fn() -> S + Sync),
        step: &(impl Fn(&mut S, &str, &StoredUrl<'_>) + Sync),
        each: &mut dyn FnMut(S) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (pages, damage) = self.pages_of(question);
        let pieces: Vec<&[PageNumber]> = pages.chunks(TOGETHER).collect();
        let run = |pages: &&[PageNumber]| {
            let mut state = make();
            let damage = self.read_pages(pages, question, &mut |text, url| step(&mut state, text, url));
            (state, damage)
        };
        let scanned = in_order(self.threads(), &pieces, &run, each);
        damage.map_or(scanned, Err)
    }

    /// Passes the answers in pages to `step`, and returns the first error.
    pub(super) fn read_pages(
        &self,
        pages: &[PageNumber],
        question: &Question,
        step: &mut dyn FnMut(&str, &StoredUrl<'_>),
    ) -> Option<Error> {
        let mut damage = None;
        for (part, page) in pages {
            let read = self.part(*part).and_then(|part| {
                // Tests raw bytes, so that most rows of a scan are neither validated nor parsed.
                let may_be_met = |text: &[u8]| question.may_be_met_by(text);
                part.each_text_of(&part.pages[*page], &may_be_met, &mut |text| {
                    if let Some(url) = StoredUrl::of_text(text, self.list())
                        && question.is_met(&url)
                    {
                        step(text, &url);
                    }
                    ControlFlow::Continue(())
                })
            });
            damage = damage.or(read.err());
        }
        damage
    }
}

/// Passes the states that `run` makes of pieces of work to `each`, in order, until it returns `Break`. The
/// first error is returned at the end.
pub(super) fn in_order<W: Sync, S: Send>(
    threads: NonZeroUsize,
    pieces: &[W],
    run: &(impl Fn(&W) -> (S, Option<Error>) + Sync),
    each: &mut dyn FnMut(S) -> ControlFlow<()>,
) -> Result<(), Error> {
    let mut damage = None;
    let mut take = |(state, failed)| {
        damage = damage.take().or(failed);
        // `Err` is not a failure here, but the only way to stop `numbers_in_order`.
        if each(state).is_break() { Err(()) } else { Ok(()) }
    };
    // The first piece alone: a question with a limit, or for one host, is often answered by it.
    let (first, rest) = pieces.split_at(pieces.len().min(1));
    if first.iter().map(run).try_for_each(&mut take).is_ok() {
        let work = |(): &mut (), number: usize| run(&rest[number]);
        // `Err` means that `each` wants no more, so there is nothing left to do.
        let _ = threads::numbers_in_order(vec![(); threads.get()], rest.len(), &work, &mut take);
    }
    damage.map_or(Ok(()), Err)
}

/// Returns the results of pieces of work, in their order.
pub(super) fn all_of<W: Sync, R: Send>(
    threads: NonZeroUsize,
    work: &[W],
    run: &(impl Fn(&W) -> R + Sync),
) -> Vec<R> {
    let mut results = Vec::with_capacity(work.len());
    let one = |(): &mut (), number: usize| run(&work[number]);
    let Ok(()) = threads::numbers_in_order(vec![(); threads.get()], work.len(), &one, &mut |result| {
        results.push(result);
        Ok::<(), Infallible>(())
    });
    results
}

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
        let step = |rows: &mut FoundRows, text: &str, url: &StoredUrl<'_>| {
            let id = if with_ids { url.id() } else { None };
            rows.push(Row { id, url: text });
        };
        self.answers(question, &FoundRows::default, &step, &mut |rows| {
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
struct FoundRows {
    text: String,
    /// The end of each text, and the identifier.
    rows: Vec<(usize, Option<Sxurl>)>,
}

impl FoundRows {
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
