//! The folder of a set, as its writer opens, makes and cleans it, and its description: `seen.json`. That is
//! replaced as a whole, so that a reader finds the files of one moment.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use urlid::internal::decode_hex;
use urlid::snapshot::Snapshot;
use urlid::{Error, hex};
use urlid_canonical::Rules;
use urlid_io::files::{Existing, NewFile, directory_of, sync_directory};

use crate::kind::{OF_SEEN_SET, TOOL, read_at_most, unpacked};
use crate::seen::error::{IN_USE, MIXED, NEWER, SNAPSHOT, damaged, foreign, unread, unwritten};
use crate::seen::fault;
use crate::seen::key::Keys;
use crate::seen::log::{EMPTY, Log};

/// The name of the description.
pub(crate) const MANIFEST: &str = OF_SEEN_SET;
/// The name of the rules of sites that the form of the keys names, if it names some.
pub(crate) const RULES: &str = "rules.zst";
const FORMAT: u64 = 1;
/// The longest description that is read, in bytes.
const MOST: u64 = 16 << 20;

/// The content of a folder.
#[derive(Clone, Debug)]
pub(crate) struct Manifest {
    /// The program that made the set.
    pub(crate) tool: String,
    pub(crate) keys: Keys,
    /// The number of keys when this was written. Those that came since are in the last log.
    pub(crate) count: u64,
    /// The least number that no file has had.
    pub(crate) next: u64,
    /// The logs, of which new keys are in the last one only; the others have lines to be delivered.
    pub(crate) logs: Vec<LogEntry>,
    pub(crate) runs: Vec<RunEntry>,
}

/// A log, and how long it was when this was written.
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
        // Written again and compared: `7.log` and `+0000007.log` are numbers too, but no names that a writer
        // gives.
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
        Self { tool: TOOL.to_owned(), keys, count: 0, next: 1, logs: Vec::new(), runs: Vec::new() }
    }

    /// Returns whether it names a file.
    pub(crate) fn names(&self, kind: Numbered, number: u64) -> bool {
        match kind {
            Numbered::Log => self.logs.iter().any(|log| log.number == number),
            Numbered::Run => self.runs.iter().any(|run| run.number == number),
        }
    }

    /// Writes the description in the place of the last one, and syncs it.
    pub(crate) fn publish(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(MANIFEST);
        let mut manifest = json!({
            "format": FORMAT,
            "tool": self.tool,
            "keys": { "of": self.keys.of(), "name": self.keys.name(), "bytes": self.keys.width() },
            "snapshot": self.keys.snapshot().to_string(),
            "count": self.count,
            "next": self.next,
            "logs": self.logs.iter().map(|log| json!([log.number, log.bytes])).collect::<Vec<_>>(),
            "runs": self.runs.iter().map(|run| json!([run.number, run.keys, run.checksum])).collect::<Vec<_>>(),
            "checksum": self.checksum(),
        });
        if let Some(sha256) = self.keys.rules_sha256() {
            manifest["keys"]["rules_sha256"] = json!(hex::encode(&sha256));
        }
        let write = || {
            let text = serde_json::to_string_pretty(&manifest)? + "\n";
            let mut file = NewFile::create(&path, Existing::Replace)?;
            file.write_all(text.as_bytes())?;
            fault::point()?;
            file.publish()?;
            // The new description may be in place by now, although its name could not be synced.
            fault::point()
        };
        write().map_err(|error| unwritten(&path, error))
    }

    /// Returns the CRC-32 of all entries.
    fn checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let snapshot = self.keys.snapshot().to_string();
        for text in [&self.tool, self.keys.of(), self.keys.name(), &snapshot] {
            // Lengths first, so that moving text from one field to the next changes the sum.
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        self.keys.rules_sha256().iter().for_each(|sha256| hasher.update(sha256));
        let logs = self.logs.iter().flat_map(|log| [log.number, log.bytes]);
        let runs = self.runs.iter().flat_map(|run| [run.number, run.keys, u64::from(run.checksum)]);
        let numbers = [self.count, self.next, self.logs.len() as u64, self.runs.len() as u64];
        numbers.into_iter().chain(logs).chain(runs).for_each(|number| hasher.update(&number.to_le_bytes()));
        hasher.finalize()
    }

    /// Reads the description of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(MANIFEST);
        let text = match read_at_most(&path, MOST) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && folder.is_dir() => {
                return Err(foreign(folder));
            }
            read => read.map_err(|error| unread(if folder.is_dir() { &path } else { folder }, error))?,
        };
        let wrong = |what: &str| damaged(&path, what);
        let manifest: Map<String, Value> = serde_json::from_slice(&text)
            .map_err(|error| wrong("a description that is not a JSON object").with_source(error))?;
        let format = manifest.get("format").and_then(Value::as_u64);
        if let Some(format) = format.filter(|format| *format > FORMAT) {
            return Err(NEWER.error().with_shown(format).with_path(&path));
        }
        let read = Self::of(&manifest).filter(|_| format == Some(FORMAT));
        let read = read.ok_or_else(|| wrong("a description that lacks something"))?;
        match manifest.get("checksum").and_then(Value::as_u64) == Some(u64::from(read.checksum())) {
            true => Ok(read),
            false => Err(wrong("a description with a wrong checksum")),
        }
    }

    fn of(manifest: &Map<String, Value>) -> Option<Self> {
        let number = |name: &str| manifest.get(name)?.as_u64();
        let numbers = |name: &str| -> Option<Vec<Vec<u64>>> {
            let rows = manifest.get(name)?.as_array()?.iter();
            rows.map(|row| row.as_array()?.iter().map(Value::as_u64).collect()).collect()
        };
        let snapshot: Snapshot = manifest.get("snapshot")?.as_str()?.parse().ok()?;
        let keys = manifest.get("keys")?;
        let text = |name: &str| keys.get(name)?.as_str();
        let rules = match keys.get("rules_sha256") {
            None => None,
            Some(digits) => Some(decode_hex(digits.as_str()?)?),
        };
        let keys = Keys::recorded(text("of")?, keys.get("bytes")?.as_u64()?, text("name")?, rules, snapshot)?;
        let logs = numbers("logs")?.into_iter().map(|row| match row[..] {
            [number, bytes] => Some(LogEntry { number, bytes }),
            _ => None,
        });
        let runs = numbers("runs")?.into_iter().map(|row| match row[..] {
            [number, keys, sum] => Some(RunEntry { number, keys, checksum: sum.try_into().ok()? }),
            _ => None,
        });
        let tool = manifest.get("tool")?.as_str()?.to_owned();
        let (logs, runs) = (logs.collect::<Option<Vec<_>>>()?, runs.collect::<Option<Vec<_>>>()?);
        let (count, next) = (number("count")?, number("next")?);
        // New files get `next` and the numbers after it, counted without a check for overflow. `File::create`
        // empties a file that has such a number already, so none may have one.
        let mut numbers = logs.iter().map(|log| log.number).chain(runs.iter().map(|run| run.number));
        let is_numbered = next < u64::MAX / 2 && numbers.all(|number| number < next);
        // A writer appends to the last log, so a set has at least one.
        (is_numbered && !logs.is_empty()).then_some(Self { tool, keys, count, next, logs, runs })
    }
}

/// Writes rules of sites into a folder, and syncs them. They never change.
pub(crate) fn write_rules(folder: &Path, rules: &Rules) -> Result<(), Error> {
    let path = folder.join(RULES);
    let write = || {
        let mut file = NewFile::create(&path, Existing::Replace)?;
        file.write_all(&zstd::encode_all(rules.text().as_bytes(), 9)?)?;
        fault::point()?;
        file.publish()
    };
    write().map_err(|error| unwritten(&path, error))
}

/// Reads the rules of a folder, whose SHA-256 is recorded.
pub(crate) fn read_rules(folder: &Path, sha256: [u8; 32]) -> Result<Rules, Error> {
    let path = folder.join(RULES);
    let packed = read_at_most(&path, MOST).map_err(|error| unread(&path, error))?;
    let wrong = || damaged(&path, "rules that the description does not name");
    let text = unpacked(&packed, MOST).map_err(|error| wrong().with_source(error))?;
    let rules = Rules::parse(&text).map_err(|error| wrong().with_source(error))?;
    if rules.sha256() == sha256 { Ok(rules) } else { Err(wrong()) }
}

/// The file that the writer has locked.
const LOCK: &str = "lock";

/// Opens a folder for a writer, or makes one, with an empty set. The lock lasts as long as the file is open.
pub(crate) fn open_folder(folder: &Path, keys: &Keys) -> Result<(File, Manifest), Error> {
    match fs::create_dir(folder) {
        Ok(()) => {
            // Later answers are only as durable as the name of the folder.
            let synced = sync_directory(directory_of(folder));
            synced.map_err(|error| unwritten(folder, error))?;
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => check_folder(folder)?,
        Err(error) => return Err(unwritten(folder, error)),
    }
    // Before looking for the description: another writer may be making the set.
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
        io::ErrorKind::NotADirectory => foreign(folder),
        _ => unread(folder, error),
    })?;
    for entry in entries {
        let entry = entry.map_err(|error| unread(folder, error))?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        // Any other file means a damaged set or a folder that is not a seen-set.
        let is_new = match Numbered::of_name(name) {
            Some(numbered) => {
                // Before there is a description, a writer makes only the first log, and no record in it:
                // nothing was answered.
                numbered == (Numbered::Log, 1) && entry.metadata().is_ok_and(|log| log.len() <= EMPTY)
            }
            None => name == LOCK || name == RULES || is_ours(name),
        };
        // Another writer may have finished the set meanwhile.
        if !is_new && !folder.join(MANIFEST).exists() {
            return Err(foreign(folder));
        }
    }
    Ok(())
}

/// Returns whether a name is one that only a writer gives.
pub(crate) fn is_ours(name: &str) -> bool {
    Numbered::of_name(name).is_some() || name.starts_with(".urlid-")
}

/// Returns whether a file belongs to any set.
pub(crate) fn is_fixed(name: &str) -> bool {
    name == LOCK || name == MANIFEST || name == RULES
}

fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let options = OpenOptions::new().write(true).clone();
    // Made anew or there already: a file is never made where a link leads.
    let file = options.clone().create_new(true).open(&path).or_else(|_| options.open(&path));
    let file = file.map_err(|error| unwritten(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(IN_USE.error().with_path(folder)),
        Err(TryLockError::Error(error)) => Err(unwritten(&path, error)),
    }
}

/// Makes the files of an empty set.
fn make(folder: &Path, keys: &Keys) -> Result<(), Error> {
    let mut manifest = Manifest::new(keys.clone());
    let path = Numbered::Log.path(folder, manifest.next);
    // A leftover of a killed writer holds no record, so nothing is lost. Usually there is none, which is an
    // error here.
    let _ = fs::remove_file(&path);
    let log = Log::create(&path)?;
    manifest.logs.push(LogEntry { number: manifest.next, bytes: log.len() });
    manifest.next += 1;
    if let Some(rules) = &keys.rules {
        write_rules(folder, rules)?;
    }
    manifest.publish(folder)
}

fn check_keys(folder: &Path, keys: &Keys, recorded: &Keys) -> Result<(), Error> {
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

/// Removes files that the description does not name: of writers that were killed before they published a
/// file, or before they removed an old one.
pub(crate) fn remove_unnamed(folder: &Path, manifest: &Manifest) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|error| unread(folder, error))? {
        let entry = entry.map_err(|error| unread(folder, error))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_named = Numbered::of_name(&name).is_some_and(|(kind, number)| manifest.names(kind, number));
        if is_ours(&name) && !is_named {
            fs::remove_file(entry.path()).map_err(|error| unwritten(&entry.path(), error))?;
        }
    }
    Ok(())
}
