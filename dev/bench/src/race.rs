//! The estimator: several works over the same slices of the same lines, in turn, and the best time of each
//! slice.
//!
//! On a shared machine a mean measures the other load rather than the work. The minimum of a short slice
//! over many rounds is the time of the undisturbed work. The works run in turn, so a slow moment affects all
//! of them. Figures of one race can be divided by each other, but figures of two races cannot.

use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Lines in a slice, as many as in an encoder's batch. A slice needs some microseconds to a millisecond.
const SLICE: usize = 1000;

/// Works that are measured together.
pub(crate) struct Race<'a> {
    items: usize,
    slice: usize,
    works: Vec<Work<'a>>,
}

struct Work<'a> {
    name: &'static str,
    /// Runs the work and returns its duration.
    run: Box<dyn FnMut(Range<usize>) -> Duration + 'a>,
    best: Vec<Duration>,
}

/// The time of one work.
#[derive(Clone, Debug)]
pub(crate) struct Time {
    /// The name under which the work was added.
    pub(crate) name: &'static str,
    /// Nanoseconds for each item.
    pub(crate) nanoseconds: f64,
}

impl<'a> Race<'a> {
    /// Prepares a race over `items` items.
    pub(crate) fn over(items: usize) -> Self {
        Race { items, slice: SLICE, works: Vec::new() }
    }

    /// Adds a work. It receives ranges of items and returns a number that depends on all its results.
    pub(crate) fn add(&mut self, name: &'static str, mut run: impl FnMut(Range<usize>) -> u64 + 'a) {
        self.add_timed(name, move |range| {
            let start = Instant::now();
            black_box(run(black_box(range)));
            start.elapsed()
        });
    }

    /// Adds a work that measures itself, such as a work in a different process.
    pub(crate) fn add_timed(&mut self, name: &'static str, run: impl FnMut(Range<usize>) -> Duration + 'a) {
        let slices = self.items.div_ceil(self.slice);
        self.works.push(Work { name, run: Box::new(run), best: vec![Duration::MAX; slices] });
    }

    /// Runs all works over all slices, `rounds` times.
    pub(crate) fn run(mut self, rounds: usize) -> Vec<Time> {
        for _ in 0..rounds {
            for work in &mut self.works {
                for (index, best) in work.best.iter_mut().enumerate() {
                    let range = index * self.slice..((index + 1) * self.slice).min(self.items);
                    *best = (work.run)(range).min(*best);
                }
            }
        }
        let items = self.items as f64;
        let time = |work: Work<'_>| Time {
            name: work.name,
            nanoseconds: work.best.iter().sum::<Duration>().as_nanos() as f64 / items,
        };
        self.works.into_iter().map(time).collect()
    }
}
