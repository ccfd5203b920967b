//! Several datasets, queried as one: rows, counts and groups.
//!
//! The pages of several datasets overlap in the order of the rows, so that order is cut into ranges of keys:
//! a thread reads the pages of a range, of all datasets, and keeps each answer once.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::Rules;

use super::Dataset;
use super::part::{PageNumber, places_of};
use super::scan::{TOGETHER, in_order};
use crate::dataset::key::key_of;
use crate::dataset::manifest::check_alike;
use crate::question::{
    About, Candidates, Group, GroupBy, Question, Row, Stats, StatsTally, StoredUrl, Tally,
};

/// One dataset, or several of one suffix list and canonical form, that are open for questions. A URL that
/// several have is one answer.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let [old, new] = ["old", "new"].map(|name| directory.path().join(name));
/// use urlid::suffix::SuffixList;
/// use urlid_store::dataset::{BuildOptions, Builder, Datasets};
/// use urlid_store::question::Question;
///
/// for (path, urls) in [(&old, ["http://a/1", "http://a/2"]), (&new, ["http://a/2", "http://a/3"])] {
///     let builder = Builder::begin(path, SuffixList::compiled(), BuildOptions::default())?;
///     let mut adder = builder.adder();
///     urls.into_iter().try_for_each(|url| adder.push(url).map(drop))?;
///     drop(adder);
///     builder.finish()?;
/// }
/// assert_eq!(Datasets::open(&old, &[])?.count(&Question::default())?.rows, 2);
/// assert_eq!(Datasets::open(&old, &[new])?.count(&Question::default())?.rows, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Datasets {
    /// At least one.
    pub(super) members: Vec<Dataset>,
}

/// The pages that can hold keys of a range.
struct Piece<'d> {
    from: &'d [u8],
    behind: Option<&'d [u8]>,
    /// The number of the dataset, and its pages.
    pages: Vec<(usize, &'d [PageNumber])>,
}

impl Datasets {
    /// Opens a dataset, and others that answer with it.
    ///
    /// # Errors
    /// As [`Dataset::open`], and if they differ in their suffix list, Unicode data or canonical form.
    pub fn open(folder: &Path, also: &[PathBuf]) -> Result<Self, Error> {
        let mut all = Self::from(Dataset::open(folder)?);
        for folder in also {
            let other = Dataset::open(folder)?;
            let [ours, found] = [&all.members[0], &other].map(|one| {
                let description = one.describe();
                (&description.snapshot, description.form())
            });
            check_alike(ours, found, folder)?;
            all.members.push(other);
        }
        Ok(all)
    }

    /// Returns the rules of sites that the canonical form names; none if it names none.
    ///
    /// # Errors
    /// If they are damaged or cannot be read.
    pub fn site_rules(&self) -> Result<Option<Rules>, Error> {
        self.members[0].site_rules()
    }

    fn first_key(&self, number: usize, (part, page): PageNumber) -> &[u8] {
        // Cannot fail: `pages_of` returns only pages of files that could be opened.
        self.members[number].part(part).map_or(&[], |part| &part.pages[page].first)
    }

    /// Returns the answers in a piece, in order and each once.
    fn texts_of(&self, piece: &Piece<'_>, question: &Question) -> (Vec<(Vec<u8>, String)>, Option<Error>) {
        let (mut texts, mut damage) = (Vec::new(), None);
        for (number, pages) in &piece.pages {
            let dataset = &self.members[*number];
            let mut step = |text: &str, url: &StoredUrl<'_>| {
                let key = key_of(url, text);
                // A page at the edge of a piece has keys of the next one too, which reads the page again.
                if key.as_slice() >= piece.from && piece.behind.is_none_or(|behind| key.as_slice() < behind) {
                    texts.push((key, text.to_owned()));
                }
            };
            damage = damage.or(dataset.read_pages(pages, question, &mut step));
        }
        // The key ends with the URL, so equal keys are equal URLs, and one of them is kept.
        texts.sort_unstable();
        texts.dedup();
        (texts, damage)
    }
}

impl From<Dataset> for Datasets {
    fn from(dataset: Dataset) -> Self {
        Self { members: vec![dataset] }
    }
}

impl Datasets {
    /// As [`Dataset::answers`], of all members.
    pub(super) fn answers<S: Send>(
        &self,
        question: &Question,
        make: &(impl Fn() -> S + Sync),
        step: &(impl Fn(&mut S, &str, &StoredUrl<'_>) + Sync),
        each: &mut dyn FnMut(S) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        if let [only] = self.members.as_slice() {
            return only.answers(question, make, step, each);
        }
        let (mut damage, mut pages) = (None, Vec::new());
        for dataset in &self.members {
            let (found, failed) = dataset.pages_of(question);
            damage = damage.or(failed);
            pages.push(found);
        }
        let keys = pages
            .iter()
            .enumerate()
            .flat_map(|(number, pages)| pages.iter().map(move |page| self.first_key(number, *page)));
        let mut bounds: Vec<&[u8]> = keys.collect();
        bounds.sort_unstable();
        // Cuts are so many first keys apart, counted over all datasets: a piece has about `TOGETHER` pages of
        // each.
        let together = TOGETHER * self.members.len().max(1);
        let mut bounds: Vec<&[u8]> = bounds.into_iter().skip(together).step_by(together).collect();
        // Between two equal bounds lies an empty range, whose page would be read for nothing.
        bounds.dedup();
        let froms = std::iter::once(&[][..]).chain(bounds.iter().copied());
        let behinds = bounds.iter().copied().map(Some).chain([None]);
        let pieces: Vec<Piece<'_>> = froms
            .zip(behinds)
            .map(|(from, behind)| {
                let of_dataset = |(number, pages): (usize, &'_ Vec<PageNumber>)| {
                    let range =
                        places_of(pages, |page, key| self.first_key(number, *page) < key, from, behind);
                    (number, range)
                };
                let ranges = pages.iter().enumerate().map(of_dataset);
                let pages = ranges.map(|(number, range)| (number, &pages[number][range])).collect();
                Piece { from, behind, pages }
            })
            .collect();
        let run = |piece: &Piece<'_>| {
            let (texts, damage) = self.texts_of(piece, question);
            let mut state = make();
            for (_, text) in &texts {
                // Parsed again: a URL borrows its text, and only a copy of that outlasts the page.
                if let Some(url) = StoredUrl::of_text(text, self.members[0].list()) {
                    step(&mut state, text, &url);
                }
            }
            (state, damage)
        };
        let scanned = in_order(self.members[0].threads(), &pieces, &run, each);
        damage.map_or(scanned, Err)
    }
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
