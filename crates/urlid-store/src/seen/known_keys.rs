//! The keys of a set, in memory and in sorted files.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use urlid::Error;

use crate::seen::key::SeenKey;
use crate::seen::run::{KeyRun, WantedKey};

/// The known keys, shared by the writer and by lookups of other threads. The lock is never held during a
/// write or a sync.
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
        // Memory and the list of files are read under one lock. A flush in between would move keys to a file
        // that is missing from the list. The files are searched without the lock. A file that is replaced
        // meanwhile stays open.
        let runs = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            wanted.retain(|(key, _)| !known.recent.contains(key));
            known.runs.clone()
        };
        // The newest file first, because recent URLs are the most likely to be seen again.
        for run in runs.iter().rev() {
            if wanted.is_empty() {
                break;
            }
            run.take_known(wanted)?;
        }
        Ok(())
    }

    /// Adds keys that are now in the log. Only the writer calls this.
    pub(crate) fn insert(&self, keys: impl ExactSizeIterator<Item = SeenKey>) {
        // A table that grows moves all its keys, which costs milliseconds. The new table is filled next to
        // the old one, so that lookups continue.
        let grown = {
            let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let needed = known.recent.len() + keys.len();
            (needed > known.recent.capacity()).then(|| {
                let mut grown = HashSet::with_capacity(2 * needed);
                grown.extend(&known.recent);
                grown
            })
        };
        // Only the writer adds keys, so no key is added between the two locks.
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let old = grown.map(|grown| std::mem::replace(&mut known.recent, grown));
        known.recent.extend(keys);
        drop(known);
        // Freeing a large table is slow as well, so it happens after the lock is released.
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

    /// Replaces the files. If `is_flushed` is set, also forgets the keys in memory, which are in a file now.
    pub(crate) fn replace(&self, runs: Vec<Arc<KeyRun>>, is_flushed: bool) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.runs = runs;
        if is_flushed {
            // The table keeps its capacity for the next keys.
            known.recent.clear();
        }
    }

    /// Returns the number of all keys.
    pub(crate) fn keys(&self) -> u64 {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.recent.len() as u64 + known.runs.iter().map(|run| run.keys()).sum::<u64>()
    }
}
