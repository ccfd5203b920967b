//! Reads pages on all threads and passes the results on in order.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use urlid::Error;
use urlid_io::threads;

use super::Dataset;
use super::part::PageNumber;
use crate::question::{Question, StoredUrl};

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
