//! Several datasets that are asked as one.
//!
//! Their pages overlap in the order of the rows, so that order is cut into ranges of keys: a thread reads the pages of a range, of
//! all datasets, and keeps its answers once.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;
use urlid_plan::{About, Candidates, Group, GroupBy, Lookup, Question, Row, Stats, Store, StoredUrl};

use super::dataset::Dataset;
use super::lookup;
use super::part::{PageNumber, places_of};
use super::questions::{self, Scan};
use super::scan::{TOGETHER, in_order};
use super::store::candidates;
use crate::key::key_of;
use crate::manifest::{Description, check_alike};

/// Datasets of one suffix list and canonical form that are open for questions. A URL that several have is one answer.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let [old, new] = ["old", "new"].map(|name| directory.path().join(name));
/// use urlid::suffix::SuffixList;
/// use urlid_dataset::{BuildOptions, Builder, Datasets, Store};
/// use urlid_plan::Question;
///
/// for (path, urls) in [(&old, ["https://a.com/1", "https://a.com/2"]), (&new, ["https://a.com/2", "https://a.com/3"])] {
///     let builder = Builder::begin(path, SuffixList::compiled(), BuildOptions::default())?;
///     let mut adder = builder.adder();
///     urls.into_iter().try_for_each(|url| adder.push(url).map(drop))?;
///     drop(adder);
///     builder.finish()?;
/// }
/// assert_eq!(Datasets::open(&[old, new])?.count(&Question::default())?.rows, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Datasets {
    members: Vec<Dataset>,
}

/// The pages that can hold keys of a range.
struct Piece<'d> {
    from: &'d [u8],
    behind: Option<&'d [u8]>,
    /// The number of the dataset, and its pages.
    pages: Vec<(usize, &'d [PageNumber])>,
}

impl Datasets {
    /// Opens datasets.
    ///
    /// # Errors
    /// As [`Dataset::open`], and if they differ in their suffix list, Unicode data or canonical form.
    pub fn open(folders: &[impl AsRef<Path>]) -> Result<Self, Error> {
        let members: Vec<_> =
            folders.iter().map(|folder| Dataset::open(folder.as_ref())).collect::<Result<_, _>>()?;
        for (dataset, folder) in members.iter().zip(folders) {
            let [ours, found] = [&members[0], dataset].map(|one| {
                let Description { snapshot, canonical_form, .. } = one.describe();
                (snapshot, canonical_form.as_deref())
            });
            check_alike(ours, found, folder.as_ref())?;
        }
        Ok(Self { members })
    }

    fn threads(&self) -> NonZeroUsize {
        self.members.first().map_or(NonZeroUsize::MIN, Dataset::threads)
    }

    fn first_key(&self, number: usize, (part, page): PageNumber) -> &[u8] {
        // The files of pages that can hold answers are open.
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
        // The URL is the end of the key.
        texts.sort_unstable();
        texts.dedup();
        (texts, damage)
    }
}

impl Scan for Datasets {
    fn answers<S: Send>(
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
        // Cuts are so many first keys apart, counted over all datasets: a piece has about `TOGETHER` pages of each.
        let together = TOGETHER * self.members.len();
        let mut bounds: Vec<&[u8]> = bounds.into_iter().skip(together).step_by(together).collect();
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
        let scanned = in_order(self.threads(), &pieces, &run, each);
        damage.map_or(scanned, Err)
    }
}

impl Store for Datasets {
    fn about(&self) -> Result<About, Error> {
        match self.members.first() {
            Some(first) => first.about(),
            None => Ok(About {
                snapshot: urlid::snapshot::Snapshot::of(urlid::suffix::SuffixList::compiled()),
                suffixes: urlid::suffix::SuffixList::compiled().clone(),
                canonical_form: None,
            }),
        }
    }

    fn rows(&self) -> Result<u64, Error> {
        match self.members.as_slice() {
            [only] => Ok(only.rows()),
            _ => questions::count(self, &Question::default()),
        }
    }

    fn pending_lines(&self) -> Result<u64, Error> {
        Ok(0)
    }

    fn plan(&self, question: &Question) -> Result<String, Error> {
        Ok(self.members.iter().map(|dataset| dataset.plan(question)).collect::<Vec<_>>().join(" + "))
    }

    fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        questions::find(self, question, with_ids, each).map(candidates)
    }

    fn count(&self, question: &Question) -> Result<Candidates, Error> {
        match self.members.as_slice() {
            [only] => only.count(question).map(candidates),
            _ => questions::count(self, question).map(candidates),
        }
    }

    fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        questions::group(self, question, part).map(|(groups, rows)| (groups, candidates(rows)))
    }

    fn stats(&self) -> Result<Stats, Error> {
        questions::stats(self)
    }

    fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error> {
        questions::of_id(self, id, each)
    }

    fn get_url(&self, url: &str, form: Option<&Form>) -> Result<Lookup, Error> {
        lookup::look_up(&self.members, url, form)
    }

    fn are_stored(&self, urls: &[&str], form: Option<&Form>) -> Result<Vec<Result<bool, Error>>, Error> {
        lookup::are_stored(&self.members, urls, form)
    }
}
