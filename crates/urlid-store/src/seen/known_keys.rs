//! The keys of a set: those in memory, and those of sorted files.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use urlid::Error;

use crate::seen::key::SeenKey;
use crate::seen::run::{KeyRun, WantedKey};

/// The keys that are known, shared by the writer and by lookups of other threads. The lock is never held
/// while anything is written or synced.
#[derive(Debug, Default)]
pub(crate) struct KnownKeys(RwLock<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Keys that are in the log only.
    recent: HashSet<SeenKey>,
    runs: Vec<Arc<KeyRun>>,
}

impl KnownKeys {
    pub(crate) fn new(recent: HashSet<SeenKey>, runs: Vec<Arc<KeyRun>>) -> Self {
        Self(RwLock::new(Known { recent, runs }))
    }

    /// Removes the known keys from `wanted`, which is sorted.
    pub(crate) fn take_known(&self, wanted: &mut Vec<WantedKey>) -> Result<(), Error> {
        // Memory and list of files under one lock: a flush between the two would move keys to a file that is
        // not in the list. The files are read without the lock; one that is replaced meanwhile stays open.
        let runs = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            wanted.retain(|(key, _)| !known.recent.contains(key));
            known.runs.clone()
        };
        // The newest first: what was seen lately is met again soonest.
        for run in runs.iter().rev() {
            if wanted.is_empty() {
                break;
            }
            run.take_known(wanted)?;
        }
        Ok(())
    }

    /// Adds keys that are in the log now. Only the writer does.
    pub(crate) fn insert(&self, keys: impl ExactSizeIterator<Item = SeenKey>) {
        // A table that grows moves all its keys, which takes milliseconds. It grows beside the old one, so
        // that lookups go on.
        let grown = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let needed = known.recent.len() + keys.len();
            (needed > known.recent.capacity()).then(|| {
                let mut grown = HashSet::with_capacity(2 * needed);
                grown.extend(&known.recent);
                grown
            })
        };
        // Only the writer adds keys, so none are added between the two locks.
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let old = grown.map(|grown| std::mem::replace(&mut known.recent, grown));
        known.recent.extend(keys);
        drop(known);
        // Freeing a large table takes time too, so it is done after the lock.
        drop(old);
    }

    /// Returns the keys in memory, in order.
    pub(crate) fn recent(&self) -> Vec<SeenKey> {
        let mut keys: Vec<SeenKey> =
            self.0.read().unwrap_or_else(PoisonError::into_inner).recent.iter().copied().collect();
        keys.sort_unstable();
        keys
    }

    pub(crate) fn recent_keys(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).recent.len()
    }

    pub(crate) fn runs(&self) -> Vec<Arc<KeyRun>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).runs.clone()
    }

    /// Replaces the files, and forgets the keys in memory if `is_flushed`: they are in a file now.
    pub(crate) fn replace(&self, runs: Vec<Arc<KeyRun>>, is_flushed: bool) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.runs = runs;
        if is_flushed {
            // Their room is kept: the next keys need it.
            known.recent.clear();
        }
    }

    /// Returns the number of all keys.
    pub(crate) fn keys(&self) -> u64 {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.recent.len() as u64 + known.runs.iter().map(|run| run.keys()).sum::<u64>()
    }
}
