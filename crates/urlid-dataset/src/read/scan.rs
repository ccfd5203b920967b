//! Pages through all threads, and back in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use urlid::Error;

use super::dataset::Dataset;
use super::part::PageNumber;

/// Pages that one thread reads at a time.
const TOGETHER: usize = 4;
/// Pieces of work for each thread before their results are passed on: memory is bounded, and threads seldom wait.
const ROUND: usize = 4;

impl Dataset {
    /// Makes a state for a few pages, passes it with each of their texts to `step`, and the states in order to `each`, until that
    /// returns `Break`. Pages that cannot be read are passed over, and the first error is returned at the end.
    pub(super) fn scan<S: Send>(
        &self,
        pages: &[PageNumber],
        make: &(impl Fn() -> S + Sync),
        step: &(impl Fn(&mut S, &str) + Sync),
        each: &mut dyn FnMut(S) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut damage = None;
        let mut rest = pages;
        // Few pages first: a question with a limit, or for one host, is often answered by one.
        let mut round = 1;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(round * TOGETHER));
            rest = later;
            let work: Vec<&[PageNumber]> = now.chunks(TOGETHER).collect();
            for (state, failed) in
                in_parallel(self.threads(), &work, &|pages| self.read_pages(pages, make, step))
            {
                damage = damage.or(failed);
                if each(state).is_break() {
                    return damage.map_or(Ok(()), Err);
                }
            }
            round = (round * 2).min(self.threads().get() * ROUND);
        }
        damage.map_or(Ok(()), Err)
    }

    fn read_pages<S>(
        &self,
        pages: &[PageNumber],
        make: &impl Fn() -> S,
        step: &impl Fn(&mut S, &str),
    ) -> (S, Option<Error>) {
        let mut state = make();
        let mut damage = None;
        for (part, page) in pages {
            let read = self.part(*part).and_then(|part| {
                part.each_text(&part.pages[*page], &mut |text| {
                    step(&mut state, text);
                    ControlFlow::Continue(())
                })
            });
            damage = damage.or(read.err());
        }
        (state, damage)
    }
}

/// Returns the results of pieces of work, in their order.
pub(super) fn in_parallel<W: Sync, R: Send>(
    threads: NonZeroUsize,
    work: &[W],
    run: &(impl Fn(&W) -> R + Sync),
) -> Vec<R> {
    let threads = threads.get().min(work.len());
    if threads <= 1 {
        return work.iter().map(run).collect();
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(piece) = work.get(number) else { return };
                    let result = run(piece);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(number, result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_values().collect()
}
