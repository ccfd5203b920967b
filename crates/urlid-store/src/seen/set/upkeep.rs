//! The sorted files of a set: made of the keys in memory, merged, and named by the description.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlid::Error;

use super::{MOST_RECENT, SeenSet};
use crate::seen::error::BROKEN;
use crate::seen::file::{Segment, is_needed};
use crate::seen::log::Log;
use crate::seen::manifest::{LogEntry, Manifest, Numbered, RunEntry};
use crate::seen::merge::{self, Merge, RATIO};
use crate::seen::run::{Run, RunWriter};

/// The bytes of a log before its keys become a sorted file: opening a set reads the log.
const MOST_LOG: u64 = 64 << 20;

impl SeenSet {
    /// Takes a finished merge, and makes a sorted file of the keys in memory if they are many.
    pub(super) fn tend(&mut self) -> Result<(), Error> {
        if self.merge.as_ref().is_some_and(Merge::is_finished) {
            self.finish_merge()?;
        }
        if self.state.recent_keys() >= MOST_RECENT || self.log.len() >= MOST_LOG {
            self.flush()?;
        }
        Ok(())
    }

    /// Makes a sorted file of the keys in memory, and begins a log.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        let keys = self.state.recent();
        let width = self.manifest.keys.width();
        let mut runs = self.state.runs();
        let mut made = Vec::new();
        // Sorted file, then log, then description. Each is synced before the next, and until the description
        // is replaced the old one names the old log, which has all these keys: a crash leaves only files that
        // the next writer removes.
        let mut make = |set: &mut Self| {
            if !keys.is_empty() {
                let path = set.next_path(Numbered::Run);
                made.push(path.clone());
                let mut writer = RunWriter::create(&path, width, keys.len() as u64)?;
                keys.iter().try_for_each(|key| writer.push(key))?;
                runs.push(Arc::new(writer.finish()?));
            }
            let path = set.next_path(Numbered::Log);
            made.push(path.clone());
            let mut log = Log::create(&path)?;
            let pending = set.delivery.pending();
            let first = set.sequence;
            if !pending.is_empty() {
                // Logs between those that are kept and this one are removed, and with them the records of
                // what was delivered.
                log.append(&set.record())?;
                // If the description cannot be written this number is lost, which is allowed: numbers only
                // have to increase.
                set.sequence += 1;
            }
            let mut logs: Vec<Segment> =
                set.logs.iter().filter(|log| is_needed(log, &pending)).cloned().collect();
            let (number, sequences) = (Numbered::number(&path), first..set.sequence);
            logs.push(Segment { number, bytes: log.len(), sequences });
            let before = std::mem::replace(&mut set.logs, logs);
            match set.publish(runs.clone()) {
                Ok(()) => Ok((log, before)),
                Err(error) => {
                    set.logs = before;
                    Err(error)
                }
            }
        };
        let result = make(self);
        let (log, before) = result.inspect_err(|_| {
            made.iter().for_each(|path| self.remove_unpublished(path));
        })?;
        self.state.replace(runs, true);
        self.log = log;
        // After the description that does not name them: before, a crash would leave one that names missing
        // files.
        for log in before {
            if !self.manifest.names(Numbered::Log, log.number) {
                // If this fails, the next writer removes the file.
                let _ = fs::remove_file(Numbered::Log.path(&self.folder, log.number));
            }
        }
        self.begin_merge()
    }

    fn next_path(&mut self, kind: Numbered) -> PathBuf {
        self.manifest.next += 1;
        kind.path(&self.folder, self.manifest.next - 1)
    }

    /// Removes a file that the description does not name. If it cannot be removed, or may be named, the next
    /// writer finds out.
    fn remove_unpublished(&self, path: &Path) {
        if !self.log.is_broken() {
            let _ = fs::remove_file(path);
        }
    }

    /// Writes the description of these files and the logs.
    pub(super) fn publish(&mut self, runs: Vec<Arc<Run>>) -> Result<(), Error> {
        if self.log.is_broken() {
            return Err(BROKEN.error().with_path(&self.folder));
        }
        let mut manifest = self.manifest.clone();
        manifest.count = self.state.keys();
        manifest.logs =
            self.logs.iter().map(|log| LogEntry { number: log.number, bytes: log.bytes }).collect();
        let entry = |run: &Arc<Run>| RunEntry {
            number: Numbered::number(run.path()),
            keys: run.keys(),
            checksum: run.checksum(),
        };
        manifest.runs = runs.iter().map(entry).collect();
        manifest.publish(&self.folder).inspect_err(|_| {
            // If it was renamed and its name could not be synced, a power cut decides which of the two is
            // there.
            let names = |manifest: &Manifest| (manifest.logs.clone(), manifest.runs.clone());
            let found = Manifest::read(&self.folder);
            if !found.is_ok_and(|found| names(&found) == names(&self.manifest)) {
                self.log.break_off();
            }
        })?;
        self.manifest = manifest;
        Ok(())
    }

    /// Begins a merge if enough files are alike. Waits for the one that is under way if they are too many.
    pub(super) fn begin_merge(&mut self) -> Result<(), Error> {
        let runs = self.state.runs();
        let Some(due) = merge::due(runs.iter().map(|run| run.keys()), MOST_RECENT as u64) else {
            return Ok(());
        };
        if self.merge.is_some() {
            // Otherwise adding could outrun merging, and each lookup would search ever more files.
            return if due.len() >= 2 * RATIO { self.finish_merge() } else { Ok(()) };
        }
        self.merge_of(due.into_iter().map(|index| Arc::clone(&runs[index])).collect())
    }

    pub(super) fn merge_of(&mut self, runs: Vec<Arc<Run>>) -> Result<(), Error> {
        let path = self.next_path(Numbered::Run);
        self.merge = Some(Merge::begin(runs, &path, self.manifest.keys.width())?);
        Ok(())
    }

    /// Waits for the merge that is under way, and for those that it makes necessary.
    pub(super) fn finish_merge(&mut self) -> Result<(), Error> {
        while let Some(merge) = self.merge.take() {
            let merged = merge.runs.clone();
            let run = Arc::new(merge.finish()?);
            let is_merged = |run: &Arc<Run>| merged.iter().any(|merged| Arc::ptr_eq(merged, run));
            // In front, because lookups begin at the back, with the newest.
            let mut runs = vec![Arc::clone(&run)];
            runs.extend(self.state.runs().into_iter().filter(|run| !is_merged(run)));
            if let Err(error) = self.publish(runs.clone()) {
                self.remove_unpublished(run.path());
                return Err(error);
            }
            self.state.replace(runs, false);
            // Readers that have them open can read on; others find the new description and begin again.
            merged.iter().for_each(|run| drop(fs::remove_file(run.path())));
            self.begin_merge()?;
        }
        Ok(())
    }
}
