//! Compares two threads with one, in memory: the same lines twice, one half for each thread, or all for one.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use urlid::Sxurl;
use urlid::batch::{Encoder, HostCacheKey, Kernels};
use urlid::suffix::SuffixList;

use crate::corpus::Corpus;
use crate::machine;

const ROUNDS: usize = 40;

/// Returns the ratio of the speed of two threads on two cores to one. Best rounds are compared.
pub(crate) fn ratio(corpus: &Corpus) -> f64 {
    let text = corpus.text.as_bytes();
    // One thread each, so that neither measurement includes starting threads or filling host caches.
    let one = best(text, 1);
    let two = best(text, 2);
    // Two threads do twice the work.
    2.0 * one.as_secs_f64() / two.as_secs_f64()
}

/// Returns the time in which `threads` threads each encode all of the text.
fn best(text: &[u8], threads: usize) -> Duration {
    let barrier = &Barrier::new(threads);
    thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|core| scope.spawn(move || worker(text, core, barrier))).collect();
        let rounds: Vec<Vec<Duration>> =
            workers.into_iter().map(|worker| worker.join().unwrap_or_default()).collect();
        // A round needs as long as its slowest thread.
        (0..ROUNDS)
            .filter_map(|round| rounds.iter().map(|worker| worker.get(round).copied()).max().flatten())
            .min()
            .unwrap_or(Duration::MAX)
    })
}

fn worker(text: &[u8], core: usize, barrier: &Barrier) -> Vec<Duration> {
    // If pinning is not allowed, the scheduler decides.
    let _ = machine::pin(core);
    let mut encoder = Encoder::<Sxurl>::with_kernels(
        SuffixList::compiled(),
        HostCacheKey([1, core as u64]),
        Kernels::detect(),
    );
    let mut hex = Vec::new();
    let mut round = || {
        barrier.wait();
        let start = Instant::now();
        hex.clear();
        encoder.encode_lines(text, |batch| batch.write_hex_lines(&mut hex));
        start.elapsed()
    };
    (0..ROUNDS).map(|_| round()).collect()
}
