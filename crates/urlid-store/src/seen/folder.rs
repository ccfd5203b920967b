//! The folder of a set, for its writer: opening, making and cleaning up.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use urlid::Error;
use urlid_io::files::{directory_of, sync_directory};

use crate::seen::error::{IN_USE, MIXED, SNAPSHOT, foreign, unread, unwritten};
use crate::seen::key::Keys;
use crate::seen::log::{EMPTY, Log};
use crate::seen::manifest::{LogEntry, MANIFEST, Manifest, Numbered, RULES, write_rules};

/// The file that the writer has locked.
const LOCK: &str = "lock";

/// Opens a folder for a writer, or makes one, with an empty set. The lock lasts as long as the file is open.
pub(crate) fn open(folder: &Path, keys: &Keys) -> Result<(File, Manifest), Error> {
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
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
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
