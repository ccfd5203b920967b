//! Merges several sorted files into one, in a separate thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::{mem, process};

use urlid::Error;

use crate::seen::error::SEEN_SET;
use crate::seen::key::SeenKey;
use crate::seen::run::{KeyRun, KeyRunWriter, RunKeys};

/// The number of files of similar size that are merged into one.
pub(crate) const RATIO: usize = 4;

/// Returns the indexes of the files that should become one: `RATIO` or more of one class. A class holds files
/// with up to four times as many keys as the class before it, and the first class starts at `least`.
pub(crate) fn due(keys: impl IntoIterator<Item = u64>, least: u64) -> Option<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for (number, keys) in keys.into_iter().enumerate() {
        // A file with fewer keys than `least` gives 0, which has no logarithm. It belongs to the first class.
        let class = (keys / least.max(1)).checked_ilog(RATIO as u64).unwrap_or(0) as usize;
        classes.resize(classes.len().max(class + 1), Vec::new());
        classes[class].push(number);
    }
    classes.into_iter().find(|class| class.len() >= RATIO)
}

/// A merge that is under way.
#[derive(Debug)]
pub(crate) struct Merge {
    pub(crate) runs: Vec<Arc<KeyRun>>,
    stop: Arc<AtomicBool>,
    path: PathBuf,
    /// The process that the thread is in.
    process: u32,
    /// `None` after the result was returned.
    thread: Option<JoinHandle<Result<KeyRun, Error>>>,
}

impl Merge {
    /// Starts to write the keys of all files to a new one.
    pub(crate) fn begin(runs: Vec<Arc<KeyRun>>, path: &Path, width: usize) -> Result<Self, Error> {
        let stop = Arc::new(AtomicBool::new(false));
        let (is_stopping, from, to) = (Arc::clone(&stop), runs.clone(), path.to_owned());
        #[cfg(test)]
        let faults = crate::seen::fault::Faults::of_thread();
        let thread = thread::Builder::new()
            .name("urlid-merge".to_owned())
            .spawn(move || {
                #[cfg(test)]
                crate::seen::fault::inherit(faults);
                write(&from, &to, width, &is_stopping)
            })
            .map_err(|error| SEEN_SET.unwritten(path, error))?;
        Ok(Self { runs, stop, path: path.to_owned(), process: process::id(), thread: Some(thread) })
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Waits for the new file.
    pub(crate) fn finish(mut self) -> Result<KeyRun, Error> {
        let stopped = || SEEN_SET.unwritten(&self.path, std::io::Error::other("the merge ended early"));
        let thread = self.thread.take().ok_or_else(stopped)?;
        let result = thread.join().unwrap_or_else(|_| Err(stopped()));
        if result.is_err() {
            // The description does not name this file. If it cannot be removed here, the next writer removes
            // it.
            let _ = std::fs::remove_file(&self.path);
        }
        result
    }
}

impl Drop for Merge {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            if self.process != process::id() {
                // After a fork the thread continues in the other process, which owns the file.
                return mem::forget(thread);
            }
            // Relaxed is enough, because the flag only shortens the work and `join` orders the rest. The file
            // is removed after the thread has stopped writing.
            self.stop.store(true, Ordering::Relaxed);
            let _ = thread.join();
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn write(runs: &[Arc<KeyRun>], path: &Path, width: usize, is_stopping: &AtomicBool) -> Result<KeyRun, Error> {
    let most = runs.iter().map(|run| run.keys()).sum();
    let mut writer = KeyRunWriter::create(path, width, most)?;
    let mut keys: Vec<RunKeys<'_>> = runs.iter().map(|run| RunKeys::new(run)).collect();
    let mut heads: Vec<Option<SeenKey>> = keys.iter_mut().map(RunKeys::next).collect::<Result<_, _>>()?;
    let mut count = 0_u64;
    // `key` is the least key of all heads, and `bound` the least of the other heads. As long as the file has
    // keys up to `bound`, the heads are not compared again.
    while let Some((least, key)) = least(&heads, usize::MAX) {
        let bound = self::least(&heads, least).map(|(_, key)| key);
        let mut next = Some(key);
        while let Some(key) = next.filter(|key| bound.is_none_or(|bound| *key <= bound)) {
            // A key is in one file only, unless files were put together by hand.
            if bound != Some(key) {
                writer.push(&key)?;
            }
            next = keys[least].next()?;
            count += 1;
            if count & 0xffff == 0 && is_stopping.load(Ordering::Relaxed) {
                return Err(SEEN_SET.unwritten(path, std::io::ErrorKind::Interrupted.into()));
            }
        }
        heads[least] = next;
    }
    writer.finish()
}

/// Returns the index and the key of the least head, ignoring the head of `not`.
fn least(heads: &[Option<SeenKey>], not: usize) -> Option<(usize, SeenKey)> {
    let heads = heads.iter().enumerate().filter(|(index, _)| *index != not);
    heads.filter_map(|(index, key)| key.map(|key| (index, key))).min_by_key(|(_, key)| *key)
}
