//! The folder of a set, as its writer opens, makes and cleans it, and its description `seen.json`. The
//! description is replaced atomically, so that a reader finds the files of one moment.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use urlid::Error;
use urlid_canonical::Rules;
use urlid_io::files::{Existing, NewFile, directory_of, sync_directory};

use crate::description::{OF_SEEN_SET, check_regular, pack, to_json};
use crate::seen::error::{IN_USE, MIXED, SEEN_SET, SNAPSHOT};
use crate::seen::fault;
use crate::seen::key::Keys;
use crate::seen::log::{EMPTY, Log};

/// The name of the description.
pub(crate) const MANIFEST: &str = OF_SEEN_SET;
/// The name of the file with the rules of sites, which exists if the form of the keys names rules.
pub(crate) const RULES: &str = "rules.zst";

/// The content of a folder.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    pub(crate) keys: Keys,
    /// The number of keys when the description was written. Later keys are in the last log.
    pub(crate) count: u64,
    /// The least number that was never given to a file.
    pub(crate) next: u64,
    /// The logs. New keys are only in the last one, and the others contain lines to be delivered.
    pub(crate) logs: Vec<LogEntry>,
    pub(crate) runs: Vec<RunEntry>,
}

/// A log, and its length when the description was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogEntry {
    pub(crate) number: u64,
    pub(crate) bytes: u64,
}

/// A sorted file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunEntry {
    pub(crate) number: u64,
    pub(crate) keys: u64,
    /// The checksum of its footer.
    pub(crate) checksum: u32,
}

/// The kind of a file that has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbered {
    Log,
    Run,
}

impl Numbered {
    const fn suffix(self) -> &'static str {
        match self {
            Self::Log => ".log",
            Self::Run => ".run",
        }
    }

    /// Returns the path of a file.
    pub(crate) fn path(self, folder: &Path, number: u64) -> PathBuf {
        folder.join(format!("{number:08}{}", self.suffix()))
    }

    /// Returns the kind and the number that a name has.
    pub(crate) fn of_name(name: &str) -> Option<(Self, u64)> {
        let kind = [Self::Log, Self::Run].into_iter().find(|kind| name.ends_with(kind.suffix()))?;
        let number = name.strip_suffix(kind.suffix())?.parse().ok()?;
        // The number is printed again and compared, because `7.log` and `+0000007.log` parse as well, but no
        // writer gives these names.
        (kind.path(Path::new(""), number).to_str() == Some(name)).then_some((kind, number))
    }

    /// Returns the number that the path of a file has.
    pub(crate) fn number(path: &Path) -> u64 {
        let name = path.file_name().and_then(|name| name.to_str());
        name.and_then(Self::of_name).map_or(0, |(_, number)| number)
    }
}

impl Manifest {
    /// Returns the description of an empty set, without files.
    pub(crate) fn new(keys: Keys) -> Self {
        Self { keys, count: 0, next: 1, logs: Vec::new(), runs: Vec::new() }
    }

    /// Returns whether it names a file.
    pub(crate) fn names(&self, kind: Numbered, number: u64) -> bool {
        match kind {
            Numbered::Log => self.logs.iter().any(|log| log.number == number),
            Numbered::Run => self.runs.iter().any(|run| run.number == number),
        }
    }

    /// Writes the description over the previous one, and syncs it.
    pub(crate) fn publish(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(MANIFEST);
        let logs: Vec<_> = self.logs.iter().map(|log| [log.number, log.bytes]).collect();
        let runs: Vec<_> = self.runs.iter().map(|run| [run.number, run.keys, run.checksum.into()]).collect();
        let members = [
            ("count", json!(self.count)),
            ("next", json!(self.next)),
            ("logs", json!(logs)),
            ("runs", json!(runs)),
            ("fingerprint", json!(self.keys.fingerprint)),
        ];
        let write = || {
            let mut file = NewFile::create(&path, Existing::Replace)?;
            file.write_all(to_json(&self.keys.description, members).as_bytes())?;
            fault::point()?;
            file.publish()?;
            // The new description may be in place at this point, although its name could not be synced.
            fault::point()
        };
        write().map_err(|error| SEEN_SET.unwritten(&path, error))
    }

    /// Reads the description of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(MANIFEST);
        let (description, members) = SEEN_SET.parse(&SEEN_SET.read_description(folder)?, &path)?;
        let fingerprint = members.get("fingerprint").and_then(Value::as_str).map(str::to_owned);
        let keys = Keys::recorded(description, fingerprint);
        let keys = keys.ok_or_else(|| SEEN_SET.missing(&path, "canonical_form"))?;
        Self::of(keys, &members).ok_or_else(|| SEEN_SET.damaged(&path, "a description that lacks something"))
    }

    fn of(keys: Keys, members: &Map<String, Value>) -> Option<Self> {
        let number = |name: &str| members.get(name)?.as_u64();
        let numbers = |name: &str| -> Option<Vec<Vec<u64>>> {
            let rows = members.get(name)?.as_array()?.iter();
            rows.map(|row| row.as_array()?.iter().map(Value::as_u64).collect()).collect()
        };
        let logs = numbers("logs")?.into_iter().map(|row| match row[..] {
            [number, bytes] => Some(LogEntry { number, bytes }),
            _ => None,
        });
        let runs = numbers("runs")?.into_iter().map(|row| match row[..] {
            [number, keys, sum] => Some(RunEntry { number, keys, checksum: sum.try_into().ok()? }),
            _ => None,
        });
        let (logs, runs) = (logs.collect::<Option<Vec<_>>>()?, runs.collect::<Option<Vec<_>>>()?);
        let (count, next) = (number("count")?, number("next")?);
        // New files get `next` and the numbers after it, which are counted without a check for overflow.
        // `File::create` empties an existing file, so no file may have such a number yet.
        let mut numbers = logs.iter().map(|log| log.number).chain(runs.iter().map(|run| run.number));
        let is_numbered = next < u64::MAX / 2 && numbers.all(|number| number < next);
        // A writer appends to the last log, so a set has at least one.
        (is_numbered && !logs.is_empty()).then_some(Self { keys, count, next, logs, runs })
    }
}

/// Writes the rules of sites into a folder, and syncs them. They never change afterwards.
pub(crate) fn write_rules(folder: &Path, rules: &Rules) -> Result<(), Error> {
    let path = folder.join(RULES);
    let write = || {
        let mut file = NewFile::create(&path, Existing::Replace)?;
        file.write_all(&pack(rules.text())?)?;
        fault::point()?;
        file.publish()
    };
    write().map_err(|error| SEEN_SET.unwritten(&path, error))
}

/// The file that the writer locks.
const LOCK: &str = "lock";

/// Opens a folder for a writer. If the folder does not exist, makes it, with an empty set. The lock lasts as
/// long as the returned file is open.
pub(crate) fn open_folder(folder: &Path, keys: &Keys) -> Result<(File, Manifest), Error> {
    match fs::create_dir(folder) {
        Ok(()) => {
            // Later answers are only as durable as the name of the folder.
            let synced = sync_directory(directory_of(folder));
            synced.map_err(|error| SEEN_SET.unwritten(folder, error))?;
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => check_folder(folder)?,
        Err(error) => return Err(SEEN_SET.unwritten(folder, error)),
    }
    // The lock comes before the search for the description, because a second writer may be making the set.
    let lock = lock(folder)?;
    if !folder.join(MANIFEST).exists() {
        make(folder, keys)?;
    }
    let manifest = Manifest::read(folder)?;
    check_keys(folder, keys, &manifest.keys)?;
    Ok((lock, manifest))
}

/// Rejects a folder that is neither a set nor the start of one left by a killed writer.
fn check_folder(folder: &Path) -> Result<(), Error> {
    if folder.join(MANIFEST).exists() {
        return Ok(());
    }
    let entries = fs::read_dir(folder).map_err(|error| match error.kind() {
        io::ErrorKind::NotADirectory => SEEN_SET.foreign(folder),
        _ => SEEN_SET.unread(folder, error),
    })?;
    for entry in entries {
        let entry = entry.map_err(|error| SEEN_SET.unread(folder, error))?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        // Any other file means that the set is damaged or that the folder is not a seen-set.
        let is_new = match Numbered::of_name(name) {
            Some(numbered) => {
                // Before the description exists, a writer makes only the first log, without any record. No
                // answer was given.
                numbered == (Numbered::Log, 1) && entry.metadata().is_ok_and(|log| log.len() <= EMPTY)
            }
            None => name == LOCK || name == RULES || is_ours(name),
        };
        // A second writer may have finished the set meanwhile.
        if !is_new && !folder.join(MANIFEST).exists() {
            return Err(SEEN_SET.foreign(folder));
        }
    }
    Ok(())
}

/// Returns whether only a writer gives this name.
pub(crate) fn is_ours(name: &str) -> bool {
    Numbered::of_name(name).is_some() || name.starts_with(".urlid-")
}

/// Returns whether every set may have a file with this name.
pub(crate) fn is_fixed(name: &str) -> bool {
    name == LOCK || name == MANIFEST || name == RULES
}

fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let options = OpenOptions::new().write(true).clone();
    // The file is either new or existed before. It is never created through a link.
    let file = options.clone().create_new(true).open(&path);
    let file = file.or_else(|_| check_regular(&path).and_then(|()| options.open(&path)));
    let file = file.map_err(|error| SEEN_SET.unwritten(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(IN_USE.error().with_path(folder)),
        Err(TryLockError::Error(error)) => Err(SEEN_SET.unwritten(&path, error)),
    }
}

/// Makes the files of an empty set.
fn make(folder: &Path, keys: &Keys) -> Result<(), Error> {
    let mut manifest = Manifest::new(keys.clone());
    let path = Numbered::Log.path(folder, manifest.next);
    // A leftover of a killed writer does not contain a record, so nothing is lost. Usually the file does not
    // exist, which is an error here.
    let _ = fs::remove_file(&path);
    let log = Log::create(&path)?;
    manifest.logs.push(LogEntry { number: manifest.next, bytes: log.len() });
    manifest.next += 1;
    if let Some(rules) = &keys.rules {
        write_rules(folder, rules)?;
    }
    manifest.publish(folder)
}

/// Fails unless keys can be mixed with those that a set records.
pub(crate) fn check_keys(folder: &Path, keys: &Keys, recorded: &Keys) -> Result<(), Error> {
    if !keys.is_like(recorded) {
        let error = MIXED.error().with_shown(recorded.shown()).with_path(folder);
        return Err(error.with_expected(keys.shown()));
    }
    match keys.difference(recorded) {
        None => Ok(()),
        Some((entry, expected, found)) => {
            let error = SNAPSHOT.error().with_shown(format_args!("{entry}={found}")).with_path(folder);
            Err(error.with_expected(format!("{entry}={expected}")))
        }
    }
}

/// Removes files that the description does not name. They are left by writers that were killed before they
/// published a file, or before they removed an old one.
pub(crate) fn remove_unnamed(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|error| SEEN_SET.unread(folder, error))? {
        let entry = entry.map_err(|error| SEEN_SET.unread(folder, error))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_named = Numbered::of_name(&name).is_some_and(|(kind, number)| manifest.names(kind, number));
        if is_ours(&name) && !is_named {
            fs::remove_file(entry.path()).map_err(|error| SEEN_SET.unwritten(&entry.path(), error))?;
        }
    }
    Ok(())
}
