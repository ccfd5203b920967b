//! Reads pages on all threads and passes the results on in order.
//!
//! The pages of several folders overlap in the order of the rows. The key space is therefore cut into ranges.
//! A thread reads the pages of one range from all folders, and keeps each answer once.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use urlid::Error;
use urlid_io::threads;

use super::Dataset;
use super::part::{PageNumber, places_of};
use crate::dataset::key::key_of;
use crate::question::{Question, StoredUrl};

/// The pages of a folder that one thread reads at a time.
const PAGES_TOGETHER: usize = 4;

/// The pages that can hold keys of a range.
struct Piece<'d> {
    from: &'d [u8],
    behind: Option<&'d [u8]>,
    /// The number of the folder, and its pages.
    pages: Vec<(usize, &'d [PageNumber])>,
}

impl Dataset {
    /// Makes a state for each piece of neighbouring answers, and passes it with each answer to `step`, on all
    /// threads. Passes the states in order to `each` until it returns `Break`. Pages that cannot be read are
    /// skipped, and the first error is returned at the end.
    pub(super) fn answers<S: Send>(
        &self,
        question: &Question,
        make: &(impl Fn() -> S + Sync),
        step: &(impl Fn(&mut S, &str, &StoredUrl<'_>) + Sync),
        each: &mut dyn FnMut(S) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let (mut damage, mut pages) = (None, Vec::new());
        for folder in &self.folders {
            let (found, failed) = folder.pages_of(question);
            damage = damage.or(failed);
            pages.push(found);
        }
        let run = |piece: &Piece<'_>| {
            let mut state = make();
            if let ([only], [(_, pages)]) = (self.folders.as_slice(), piece.pages.as_slice()) {
                let damage = only.read_pages(pages, question, &mut |text, url| step(&mut state, text, url));
                return (state, damage);
            }
            let (texts, damage) = self.texts_of(piece, question);
            for (_, text) in &texts {
                // The text is parsed again, because a URL borrows its text, and only a copy of the text
                // outlives the page.
                if let Some(url) = StoredUrl::of_text(text, self.list()) {
                    step(&mut state, text, &url);
                }
            }
            (state, damage)
        };
        let scanned = in_order(self.threads, &self.pieces(&pages), &run, each);
        damage.map_or(scanned, Err)
    }

    /// Divides the pages of each folder.
    fn pieces<'d>(&'d self, pages: &'d [Vec<PageNumber>]) -> Vec<Piece<'d>> {
        if let [pages] = pages {
            let whole = |pages| Piece { from: &[], behind: None, pages: vec![(0, pages)] };
            return pages.chunks(PAGES_TOGETHER).map(whole).collect();
        }
        let keys = pages
            .iter()
            .enumerate()
            .flat_map(|(number, pages)| pages.iter().map(move |page| self.first_key(number, *page)));
        let mut bounds: Vec<&[u8]> = keys.collect();
        bounds.sort_unstable();
        // The bounds are `together` first keys apart, counted over all folders, so a piece has about
        // `PAGES_TOGETHER` pages of each folder.
        let together = PAGES_TOGETHER * self.folders.len();
        let mut bounds: Vec<&[u8]> = bounds.into_iter().skip(together).step_by(together).collect();
        // The range between two equal bounds is empty, and its page would be read in vain.
        bounds.dedup();
        let froms = std::iter::once(&[][..]).chain(bounds.iter().copied());
        let behinds = bounds.iter().copied().map(Some).chain([None]);
        let piece = |(from, behind)| {
            let of_folder = |(number, pages): (usize, &'d Vec<PageNumber>)| {
                let range = places_of(pages, |page, key| self.first_key(number, *page) < key, from, behind);
                (number, &pages[range])
            };
            Piece { from, behind, pages: pages.iter().enumerate().map(of_folder).collect() }
        };
        froms.zip(behinds).map(piece).collect()
    }

    fn first_key(&self, number: usize, (part, page): PageNumber) -> &[u8] {
        // This cannot fail, because `pages_of` returns only pages of files that could be opened.
        self.folders[number].part(part).map_or(&[], |part| &part.pages[page].first)
    }

    /// Returns the answers in a piece, in order and each once.
    fn texts_of(&self, piece: &Piece<'_>, question: &Question) -> (Vec<(Vec<u8>, String)>, Option<Error>) {
        let (mut texts, mut damage) = (Vec::new(), None);
        for (number, pages) in &piece.pages {
            let folder = &self.folders[*number];
            let mut step = |text: &str, url: &StoredUrl<'_>| {
                let key = key_of(url, text);
                // A page at the edge of a piece also has keys of the next piece, which reads the page again.
                if key.as_slice() >= piece.from && piece.behind.is_none_or(|behind| key.as_slice() < behind) {
                    texts.push((key, text.to_owned()));
                }
            };
            damage = damage.or(folder.read_pages(pages, question, &mut step));
        }
        // The key ends with the URL, so equal keys are equal URLs, and one of them is kept.
        texts.sort_unstable();
        texts.dedup();
        (texts, damage)
    }
}

/// Passes the states that `run` makes from pieces of work to `each`, in order, until it returns `Break`. The
/// first error is returned at the end.
fn in_order<W: Sync, S: Send>(
    threads: NonZeroUsize,
    pieces: &[W],
    run: &(impl Fn(&W) -> (S, Option<Error>) + Sync),
    each: &mut dyn FnMut(S) -> ControlFlow<()>,
) -> Result<(), Error> {
    let mut damage = None;
    let mut take = |(state, failed)| {
        damage = damage.take().or(failed);
        // `Err` is not a failure here. It is the only way to stop `numbers_in_order`.
        if each(state).is_break() { Err(()) } else { Ok(()) }
    };
    // The first piece is read before the others, because it often answers a question with a limit, or for one
    // host.
    let (first, rest) = pieces.split_at(pieces.len().min(1));
    if first.iter().map(run).try_for_each(&mut take).is_ok() {
        let work = |(): &mut (), number: usize| run(&rest[number]);
        // `Err` means that `each` returned `Break`, so the work is finished.
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
