//! The index: loading, queries, and one large run.
//!
//! The verbs share generated URLs (`urls`) and the plain ways to do the same (`plain`). A load works on
//! two cores, so none of them stays on one.

pub(crate) mod big;
pub(crate) mod load;
mod plain;
pub(crate) mod queries;
pub(crate) mod urls;

use std::time::Instant;

/// Why a measurement ended early.
type Failure = Box<dyn std::error::Error>;

/// The seed of the URLs that are loaded.
const SEED: u64 = 1;

/// Runs a work `1 + repeats` times and returns its best time in milliseconds, and its last answer.
fn best<T, E>(repeats: usize, mut run: impl FnMut() -> Result<T, E>) -> Result<(f64, T), E> {
    let start = Instant::now();
    let mut last = run()?;
    let mut least = milliseconds(start);
    for _ in 0..repeats {
        let start = Instant::now();
        last = run()?;
        least = least.min(milliseconds(start));
    }
    Ok((least, last))
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
