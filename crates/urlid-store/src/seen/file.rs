//! Reading a folder: the description, the sorted files and the logs, and the verification of all three.

use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::Rules;

use crate::seen::error::{DAMAGED, SEEN_SET};
use crate::seen::key::{Keys, SeenKey};
use crate::seen::known_keys::KnownKeys;
use crate::seen::manifest::{MANIFEST, Manifest, Numbered, RULES, check_keys, is_fixed, is_ours};
use crate::seen::run::{KeyRun, WantedKey};
use crate::seen::{delivery, log};

/// How often a reader starts again because a writer has replaced files in between.
const TRIES: usize = 20;

/// Returns whether a path is the folder of a seen-set.
#[must_use]
pub fn is_seen_set(path: &Path) -> bool {
    path.join(MANIFEST).is_file()
}

/// A set that is open for reading, as it was at the moment of opening. A writer may write at the same time.
///
/// ```
/// use urlid_store::seen::{SeenKey, Keys, SeenFile, SeenSet};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("seen");
/// let mut set = SeenSet::open(&path, &Keys::of_form(&"web".parse()?))?;
/// let key = SeenKey::from(7);
/// set.add(&[key], |_| "", &mut |_, _| {})?;
/// let file = SeenFile::open(&path)?;
/// assert_eq!((file.len(), file.contains(&[key, SeenKey::from(8)])?), (1, vec![true, false]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SeenFile {
    folder: PathBuf,
    pub(crate) manifest: Manifest,
    pub(crate) state: KnownKeys,
    pub(crate) logs: Vec<Segment>,
    /// The records with lines that are not delivered.
    pub(crate) pending: Vec<Range<u64>>,
    /// The lines of these records.
    pending_lines: u64,
    /// The number of the next record.
    pub(crate) sequence: u64,
}

/// A log as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) number: u64,
    /// The length of its undamaged start.
    pub(crate) bytes: u64,
    /// The numbers of its records.
    pub(crate) sequences: Range<u64>,
}

impl SeenFile {
    /// Opens a set for reading.
    ///
    /// # Errors
    /// If the folder is not a set, is damaged or cannot be read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let mut tries = 1;
        loop {
            let manifest = Manifest::read(folder)?;
            let names = (manifest.logs.clone(), manifest.runs.clone());
            match Self::read(folder, manifest) {
                // A writer removes files once the description no longer names them.
                Err(error) if error.is(DAMAGED) && tries < TRIES => {
                    let now = Manifest::read(folder)?;
                    if (now.logs, now.runs) == names {
                        return Err(error);
                    }
                    tries += 1;
                }
                read => return read,
            }
        }
    }

    /// Reads the files that a description names.
    pub(crate) fn read(folder: &Path, manifest: Manifest) -> Result<Self, Error> {
        let width = manifest.keys.width();
        let runs = manifest.runs.iter().map(|run| {
            let path = Numbered::Run.path(folder, run.number);
            KeyRun::open(&path, width, run.keys, run.checksum).map(Arc::new)
        });
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let (mut recent, mut logs) = (HashSet::new(), Vec::new());
        // The lines of each record that has some, and the pending records that the last record lists.
        let (mut lines, mut pending, mut sequence) = (Vec::new(), Vec::new(), 0);
        for (index, log) in manifest.logs.iter().enumerate() {
            let is_last = index + 1 == manifest.logs.len();
            let first = sequence;
            let path = Numbered::Log.path(folder, log.number);
            let bytes = log::read(&path, width, log.bytes, &mut |record| {
                sequence = record.sequence + 1;
                pending.clone_from(&record.pending);
                if record.line_count > 0 {
                    lines.push((record.sequence, record.line_count));
                    delivery::push(&mut pending, record.sequence);
                }
                // The keys of earlier logs are in sorted files. Those logs are kept only for their lines.
                if is_last {
                    recent.extend(record.keys());
                }
            })?;
            logs.push(Segment { number: log.number, bytes, sequences: first..sequence });
        }
        let is_pending = |(record, _): &&(u64, u64)| delivery::has(&pending, *record);
        let pending_lines = lines.iter().filter(is_pending).map(|(_, count)| count).sum();
        let state = KnownKeys::new(recent, runs);
        Ok(Self { folder: folder.to_owned(), manifest, state, logs, pending, pending_lines, sequence })
    }

    /// Returns the width of the keys, and the canonical form that they are digests of.
    #[must_use]
    pub fn keys(&self) -> &Keys {
        &self.manifest.keys
    }

    /// Returns the rules of sites that the form of the keys names, or `None` if it does not name any.
    ///
    /// # Errors
    /// If they are damaged or cannot be read.
    pub fn site_rules(&self) -> Result<Option<Rules>, Error> {
        let description = &self.keys().description;
        if description.rules_sha256.is_none() {
            return Ok(None);
        }
        let path = self.folder.join(RULES);
        let rules = description.rules(&SEEN_SET.read_file(&path)?, SuffixList::compiled());
        rules.map(Some).ok_or_else(|| SEEN_SET.damaged(&path, "rules that the description does not name"))
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

    /// Returns the number of sorted files.
    #[must_use]
    pub fn files(&self) -> usize {
        self.manifest.runs.len()
    }

    /// Returns the number of lines that are not delivered, including the lines of a set that is open.
    #[must_use]
    pub fn pending_lines(&self) -> u64 {
        self.pending_lines
    }

    /// Returns for each key whether the set has it.
    ///
    /// # Errors
    /// If a file is damaged or cannot be read.
    pub fn contains(&self, keys: &[SeenKey]) -> Result<Vec<bool>, Error> {
        contains(&self.state, keys)
    }

    /// Fails unless the keys of the set are digests of the same form, and of the same data.
    ///
    /// # Errors
    /// If they differ. The error names the first difference.
    pub fn check_keys(&self, keys: &Keys) -> Result<(), Error> {
        check_keys(&self.folder, keys, self.keys())
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

/// Returns for each key whether it is known.
pub(crate) fn contains(state: &KnownKeys, keys: &[SeenKey]) -> Result<Vec<bool>, Error> {
    let mut wanted: Vec<WantedKey> = keys.iter().copied().zip(0..).collect();
    wanted.sort_unstable();
    state.take_known(&mut wanted)?;
    let mut known = vec![true; keys.len()];
    wanted.iter().for_each(|(_, index)| known[*index as usize] = false);
    Ok(known)
}

/// Passes the lines of records to `each`, in order, and returns their number.
pub(crate) fn each_line(
    folder: &Path,
    logs: &[Segment],
    width: usize,
    records: &[Range<u64>],
    each: &mut dyn FnMut(&str),
) -> Result<u64, Error> {
    let mut count = 0;
    for log in logs.iter().filter(|log| is_needed(log, records)) {
        log::read(&Numbered::Log.path(folder, log.number), width, log.bytes, &mut |record| {
            if delivery::has(records, record.sequence) {
                count += record.line_count;
                // The record was checked when it was read.
                let _ = record.each_line(each);
            }
        })?;
    }
    Ok(count)
}

/// Returns whether a log has one of these records.
pub(crate) fn is_needed(log: &Segment, records: &[Range<u64>]) -> bool {
    records.iter().any(|range| range.start < log.sequences.end && log.sequences.start < range.end)
}

/// Damage in a folder: content that no writer writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenFault(
    /// The damage and its place.
    pub Error,
);

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifiedSet {
    /// The keys that were read.
    pub keys: u64,
    /// The faults that were found.
    pub faults: Vec<SeenFault>,
}

impl SeenFile {
    /// Reads every file of a folder, even if the faults of some keep the set from being opened.
    ///
    /// # Errors
    /// If the description cannot be read.
    pub fn verify(folder: &Path) -> Result<VerifiedSet, Error> {
        match Self::open(folder) {
            Ok(file) => file.check(),
            Err(error) => {
                let manifest = Manifest::read(folder)?;
                let mut verified = VerifiedSet::default();
                let width = manifest.keys.width();
                for run in &manifest.runs {
                    let path = Numbered::Run.path(folder, run.number);
                    match KeyRun::open(&path, width, run.keys, run.checksum) {
                        Ok(run) => check_run(&run, &mut verified),
                        Err(error) => verified.faults.push(SeenFault(error)),
                    }
                }
                let fault = SeenFault(error);
                // Opening may have failed because of a file that was checked above.
                if !verified.faults.contains(&fault) {
                    verified.faults.push(fault);
                }
                Ok(verified)
            }
        }
    }

    fn check(&self) -> Result<VerifiedSet, Error> {
        let mut verified = VerifiedSet { keys: self.state.recent_keys() as u64, faults: Vec::new() };
        self.state.runs().iter().for_each(|run| check_run(run, &mut verified));
        let folder = self.folder();
        let width = self.manifest.keys.width();
        if let Err(error) = each_line(folder, &self.logs, width, &self.pending, &mut |_| {}) {
            verified.faults.push(SeenFault(error));
        }
        verified.faults.extend(self.site_rules().err().map(SeenFault));
        let failed = |error| SEEN_SET.unread(folder, error);
        let (found, recorded) = (self.len(), self.manifest.count);
        // A higher number is right, because the log has grown since the description was written.
        if found < recorded {
            let what = format_args!("{found} keys of {recorded}");
            verified.faults.push(SeenFault(SEEN_SET.damaged(&folder.join(MANIFEST), what)));
        }
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            // Files with a writer's names are either named by the description soon, or removed by the next
            // writer.
            let is_known = entry.file_name().to_str().is_some_and(|name| is_fixed(name) || is_ours(name));
            if !is_known {
                verified
                    .faults
                    .push(SeenFault(SEEN_SET.damaged(&entry.path(), "a file that is not part of it")));
            }
        }
        Ok(verified)
    }
}

/// Checks the pages of a sorted file, their order, and that the filter lets every key pass.
fn check_run(run: &KeyRun, verified: &mut VerifiedSet) {
    let mut last: Option<SeenKey> = None;
    for page in 0..run.pages() {
        let (mut first, mut is_sorted, mut is_filtered) = (None, true, true);
        let read = run.each_of_page(page, |key| {
            first = first.or(Some(key));
            is_sorted &= last.is_none_or(|last| last < key);
            is_filtered &= run.may_have(&key);
            last = Some(key);
            verified.keys += 1;
        });
        let fault = match read {
            Err(error) => Some(error),
            Ok(_) if !is_sorted => {
                Some(SEEN_SET.damaged(run.path(), format_args!("keys out of order in page {page}")))
            }
            Ok(indexed) if first != Some(indexed) => {
                Some(SEEN_SET.damaged(run.path(), format_args!("a wrong first key of page {page}")))
            }
            Ok(_) if !is_filtered => {
                Some(SEEN_SET.damaged(run.path(), format_args!("a key of page {page} that its filter lacks")))
            }
            Ok(_) => None,
        };
        verified.faults.extend(fault.map(SeenFault));
    }
}
