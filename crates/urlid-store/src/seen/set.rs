//! The writer of a set, which adds keys and reports which of them are new.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;

use urlid::Error;

use crate::seen::delivery::Delivery;
use crate::seen::error::{BROKEN, IN_USE};
use crate::seen::file::{SeenFile, Segment, contains, each_line, is_needed};
use crate::seen::key::{Keys, SeenKey};
use crate::seen::known_keys::KnownKeys;
use crate::seen::log::{Log, Record};
use crate::seen::manifest::{LogEntry, Manifest, Numbered, RunEntry, open_folder, remove_unnamed};
use crate::seen::merge::{self, Merge, RATIO};
use crate::seen::run::{KeyRun, KeyRunWriter, WantedKey};

/// Keys in memory before they become a sorted file. Tests use a small number, so that files are written.
const MOST_RECENT: usize = if cfg!(test) { 64 } else { 1 << 19 };
/// The keys and bytes of lines of one record, at most.
const MOST_KEYS: usize = MOST_RECENT;
const MOST_LINES: usize = 64 << 20;

/// The only writer of a set.
///
/// It writes only in the process that opened it. A fork shares its files and its lock, so two processes would
/// write to one log.
///
/// A key is answered after it is safely stored. With [`at_least_once`](Self::at_least_once) the text of a new
/// key is kept until it is acknowledged:
///
/// ```
/// use urlid_store::seen::{SeenKey, Keys, SeenSet};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("seen");
/// let keys = Keys::of_form(&"web".parse()?);
/// let mut set = SeenSet::open(&path, &keys)?.at_least_once();
/// set.add(&[SeenKey::from(1), SeenKey::from(1)], |_| "https://docs.rs/", &mut |_, _| {})?;
/// drop(set); // It is killed before it can act on the answer.
///
/// let mut set = SeenSet::open(&path, &keys)?.at_least_once();
/// let mut lines = Vec::new();
/// set.pending(&mut |line| lines.push(line.to_owned()))?;
/// assert_eq!(lines, ["https://docs.rs/"]);
/// set.acknowledge();
/// set.close()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SeenSet {
    folder: PathBuf,
    manifest: Manifest,
    state: Arc<KnownKeys>,
    logs: Vec<Segment>,
    log: Log,
    sequence: u64,
    delivery: Delivery,
    keeps_lines: bool,
    merge: Option<Merge>,
    process: u32,
    /// The lock lasts as long as this file is open. The file is dropped last, so that a merge removes its
    /// file before the next writer can start one.
    _lock: File,
}

/// Looks up keys in a set while another thread adds some.
#[derive(Clone, Debug)]
pub struct SeenLookup(Arc<KnownKeys>);

impl SeenLookup {
    /// Returns for each key whether the set has it.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn contains(&self, keys: &[SeenKey]) -> Result<Vec<bool>, Error> {
        contains(&self.0, keys)
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.keys()
    }

    /// Returns whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl SeenSet {
    /// Opens a set, or makes an empty one if the path does not exist.
    ///
    /// # Errors
    /// If a different writer has the set open, it holds other keys, it is damaged, or the folder is not a set
    /// or cannot be written.
    pub fn open(folder: &Path, keys: &Keys) -> Result<Self, Error> {
        let (lock, manifest) = open_folder(folder, keys)?;
        let file = SeenFile::read(folder, manifest)?;
        // Unnamed files are removed only after the set was read. In a damaged set they may be all that is
        // left.
        remove_unnamed(folder, &file.manifest)?;
        let last = file.logs.last().map_or((0, 0), |log| (log.number, log.bytes));
        let log = Log::open(&Numbered::Log.path(folder, last.0), last.1)?;
        let SeenFile { manifest, state, logs, pending, sequence, .. } = file;
        let mut set = Self {
            folder: folder.to_owned(),
            manifest,
            state: Arc::new(state),
            logs,
            log,
            sequence,
            delivery: Delivery::new(pending),
            keeps_lines: false,
            merge: None,
            process: process::id(),
            _lock: lock,
        };
        // A merge that a killed writer had started is due again.
        set.begin_merge()?;
        Ok(set)
    }

    /// Keeps the text of every new key until it is acknowledged.
    #[must_use]
    pub fn at_least_once(mut self) -> Self {
        self.keeps_lines = true;
        self
    }

    /// Returns a handle for lookups from other threads.
    #[must_use]
    pub fn lookup(&self) -> SeenLookup {
        SeenLookup(Arc::clone(&self.state))
    }

    /// Returns the number of keys.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.state.keys()
    }

    /// Returns whether there are no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds keys. When they are safely stored, calls `each` in order with the index of each key and whether
    /// it was new. `text` returns the text of a key. It is called only [at least once](Self::at_least_once),
    /// and then for known keys as well.
    ///
    /// # Errors
    /// In a process other than the one that opened the set, or if a file is damaged, or cannot be read or
    /// written. Unanswered keys are not stored then. The exception is a failed sync: the keys may be stored,
    /// and their lines stay pending.
    pub fn add<'t>(
        &mut self,
        keys: &[SeenKey],
        text: impl Fn(usize) -> &'t str,
        each: &mut dyn FnMut(usize, bool),
    ) -> Result<(), Error> {
        let mut start = 0;
        while start < keys.len() {
            let (mut end, mut bytes) = (start, 0);
            // The text that reaches the limit is included, so that each record has a key.
            while end < keys.len() && end - start < MOST_KEYS && bytes < MOST_LINES {
                bytes += if self.keeps_lines { text(end).len() } else { 0 };
                end += 1;
            }
            let new = self.add_together(&keys[start..end], |index| text(start + index))?;
            // The new keys are in the order of their indexes, so a single pass over the keys finds each of
            // them.
            let mut new = new.into_iter().map(|(_, index)| start + index as usize).peekable();
            (start..end).for_each(|index| each(index, new.next_if_eq(&index).is_some()));
            start = end;
        }
        Ok(())
    }

    /// Adds keys in one record, and returns the new ones with their indexes, in the order in which they came.
    fn add_together<'t>(
        &mut self,
        keys: &[SeenKey],
        text: impl Fn(usize) -> &'t str,
    ) -> Result<Vec<WantedKey>, Error> {
        self.check_process()?;
        self.tend()?;
        let mut new: Vec<WantedKey> = keys.iter().copied().zip(0..).collect();
        new.sort_unstable();
        // The first of several equal keys has the least index.
        new.dedup_by_key(|(key, _)| *key);
        self.state.take_known(&mut new)?;
        new.sort_unstable_by_key(|(_, index)| *index);
        if new.is_empty() {
            return Ok(new);
        }
        let mut record = self.record();
        new.iter().for_each(|(key, _)| record.push_key(key));
        if self.keeps_lines {
            new.iter().for_each(|(_, index)| record.push_line(text(*index as usize)));
        }
        // The log is written first, so that other threads find only keys that would survive a crash.
        self.append(&record, self.keeps_lines)?;
        self.state.insert(new.iter().map(|(key, _)| *key));
        Ok(new)
    }

    fn record(&self) -> Record {
        Record::new(self.sequence, &self.delivery.pending(), self.manifest.keys.width())
    }

    fn append(&mut self, record: &Record, has_lines: bool) -> Result<(), Error> {
        self.log.append(record)?;
        self.delivery.wrote(self.sequence, has_lines);
        self.sequence += 1;
        if let Some(log) = self.logs.last_mut() {
            log.bytes = self.log.len();
            log.sequences.end = self.sequence;
        }
        Ok(())
    }

    /// Calls `each` with every line that is not acknowledged, and returns their number. These are the set's
    /// own lines and the lines of earlier sets, which it takes over.
    ///
    /// # Errors
    /// If a log is damaged or cannot be read.
    pub fn pending(&mut self, each: &mut dyn FnMut(&str)) -> Result<u64, Error> {
        self.delivery.take();
        each_line(&self.folder, &self.logs, self.manifest.keys.width(), self.delivery.due(), each)
    }

    /// Calls `each` with every line of earlier sets, which [`pending`](Self::pending) would take over, and
    /// returns their number.
    ///
    /// # Errors
    /// If a log is damaged or cannot be read.
    pub fn undelivered(&self, each: &mut dyn FnMut(&str)) -> Result<u64, Error> {
        each_line(&self.folder, &self.logs, self.manifest.keys.width(), self.delivery.left(), each)
    }

    /// Marks all lines as delivered that were answered as new, or returned by [`pending`](Self::pending),
    /// until now.
    ///
    /// The next batch records this, or else [`close`](Self::close). If the set is killed before, the lines
    /// are delivered again.
    pub fn acknowledge(&mut self) {
        self.delivery.acknowledge();
    }

    /// Merges all keys into one sorted file. Until it is finished, this needs disk space for a second copy of
    /// them.
    ///
    /// # Errors
    /// In a process other than the one that opened the set, or if a file is damaged, or cannot be read or
    /// written. Nothing is lost then.
    pub fn compact(&mut self) -> Result<(), Error> {
        self.check_process()?;
        self.finish_merge()?;
        if self.state.recent_keys() > 0 {
            self.flush()?;
            self.finish_merge()?;
        }
        let runs = self.state.runs();
        if runs.len() > 1 {
            self.merge_of(runs)?;
            self.finish_merge()?;
        }
        Ok(())
    }

    /// Records acknowledged lines, waits for a running merge, and closes the set. In a process other than the
    /// one that opened the set, it only forgets the set.
    ///
    /// # Errors
    /// If a file cannot be written. All answered keys are stored even then.
    pub fn close(mut self) -> Result<(), Error> {
        if self.check_process().is_err() {
            return Ok(());
        }
        if self.delivery.is_behind() {
            let record = self.record();
            self.append(&record, false)?;
        }
        self.finish_merge()?;
        // The description includes the length of the log. A log that is shorter at the next opening was cut.
        self.publish(self.state.runs())
    }
}

/// The bytes of a log before its keys become a sorted file. The limit exists because opening a set reads the
/// log.
const MOST_LOG: u64 = 64 << 20;

impl SeenSet {
    fn check_process(&self) -> Result<(), Error> {
        let is_own = self.process == process::id();
        if is_own { Ok(()) } else { Err(IN_USE.error().with_path(&self.folder)) }
    }

    /// Publishes a finished merge, and makes a sorted file of the keys in memory if there are many.
    fn tend(&mut self) -> Result<(), Error> {
        if self.merge.as_ref().is_some_and(Merge::is_finished) {
            self.finish_merge()?;
        }
        if self.state.recent_keys() >= MOST_RECENT || self.log.len() >= MOST_LOG {
            self.flush()?;
        }
        Ok(())
    }

    /// Makes a sorted file of the keys in memory, and starts a new log.
    ///
    /// The new files appear in the order sorted file, log, description, and each is synced before the next
    /// one. The description is the commit point. Until it is replaced, the old one names the old log, which
    /// contains all of these keys. A crash before that moment leaves only unnamed files, which the next
    /// writer removes. A crash after it leaves the old logs, which the next writer also removes. If a step
    /// fails, the set still uses the old log and the old files, and removes the new ones unless the
    /// description on the disk may name them.
    fn flush(&mut self) -> Result<(), Error> {
        let keys = self.state.recent();
        let width = self.manifest.keys.width();
        let mut runs = self.state.runs();
        let mut made = Vec::new();
        let mut make = |set: &mut Self| {
            if !keys.is_empty() {
                let path = set.next_path(Numbered::Run);
                made.push(path.clone());
                let mut writer = KeyRunWriter::create(&path, width, keys.len() as u64)?;
                keys.iter().try_for_each(|key| writer.push(key))?;
                runs.push(Arc::new(writer.finish()?));
            }
            let path = set.next_path(Numbered::Log);
            made.push(path.clone());
            let mut log = Log::create(&path)?;
            let pending = set.delivery.pending();
            let first = set.sequence;
            if !pending.is_empty() {
                // The logs between the kept ones and this one are removed, and the records of deliveries with
                // them. This record lists the pending ones again.
                log.append(&set.record())?;
                // If the description cannot be written, this number is lost. This is allowed, because numbers
                // only have to increase.
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
        // The logs are removed only now that the description no longer names them. Earlier, a crash would
        // leave a description that names missing files.
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

    /// Removes a file that the description does not name. If it cannot be removed, or the description on the
    /// disk may name it, the next writer decides.
    fn remove_unpublished(&self, path: &Path) {
        if !self.log.is_broken() {
            let _ = fs::remove_file(path);
        }
    }

    /// Writes a description with these files and the current logs.
    fn publish(&mut self, runs: Vec<Arc<KeyRun>>) -> Result<(), Error> {
        if self.log.is_broken() {
            return Err(BROKEN.error().with_path(&self.folder));
        }
        let mut manifest = self.manifest.clone();
        manifest.count = self.state.keys();
        manifest.logs =
            self.logs.iter().map(|log| LogEntry { number: log.number, bytes: log.bytes }).collect();
        let entry = |run: &Arc<KeyRun>| RunEntry {
            number: Numbered::number(run.path()),
            keys: run.keys(),
            checksum: run.checksum(),
        };
        manifest.runs = runs.iter().map(entry).collect();
        manifest.publish(&self.folder).inspect_err(|_| {
            // If the new description was renamed but its name could not be synced, a power cut decides which
            // of the two is on the disk.
            let names = |manifest: &Manifest| (manifest.logs.clone(), manifest.runs.clone());
            let found = Manifest::read(&self.folder);
            if !found.is_ok_and(|found| names(&found) == names(&self.manifest)) {
                self.log.break_off();
            }
        })?;
        self.manifest = manifest;
        Ok(())
    }

    /// Starts a merge if enough files are of similar size. If too many are waiting, finishes the running
    /// merge first.
    fn begin_merge(&mut self) -> Result<(), Error> {
        let runs = self.state.runs();
        let Some(due) = merge::due(runs.iter().map(|run| run.keys()), MOST_RECENT as u64) else {
            return Ok(());
        };
        if self.merge.is_some() {
            // Otherwise adding could outrun merging, and each lookup would search more and more files.
            return if due.len() >= 2 * RATIO { self.finish_merge() } else { Ok(()) };
        }
        self.merge_of(due.into_iter().map(|index| Arc::clone(&runs[index])).collect())
    }

    fn merge_of(&mut self, runs: Vec<Arc<KeyRun>>) -> Result<(), Error> {
        let path = self.next_path(Numbered::Run);
        self.merge = Some(Merge::begin(runs, &path, self.manifest.keys.width())?);
        Ok(())
    }

    /// Waits for the running merge, and for the merges that become due because of it.
    fn finish_merge(&mut self) -> Result<(), Error> {
        while let Some(merge) = self.merge.take() {
            let merged = merge.runs.clone();
            let run = Arc::new(merge.finish()?);
            let is_merged = |run: &Arc<KeyRun>| merged.iter().any(|merged| Arc::ptr_eq(merged, run));
            // The merged file goes to the front, because lookups start at the back, with the newest.
            let mut runs = vec![Arc::clone(&run)];
            runs.extend(self.state.runs().into_iter().filter(|run| !is_merged(run)));
            if let Err(error) = self.publish(runs.clone()) {
                self.remove_unpublished(run.path());
                return Err(error);
            }
            self.state.replace(runs, false);
            // Readers that have the old files open can continue. Others find the new description and start
            // again.
            merged.iter().for_each(|run| drop(fs::remove_file(run.path())));
            self.begin_merge()?;
        }
        Ok(())
    }
}
