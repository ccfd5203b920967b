//! Lists that are read only if their publisher is trusted: the key, the last edition seen, and the time.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_lists::{Date, HiddenList, SeenEdition, ShardIndex, Trust, TrustedKey};

use super::sign::{signature_path, write_file};
use crate::clock;
use crate::input::bounded::{open_file, read_file_text, read_text};
use crate::output::escape::Escaped;
use crate::report::exit::Failure;

/// What a list is trusted by.
#[derive(Debug, Default, Args)]
pub(super) struct TrustArgs {
    /// Accept the list only if it is signed by this public key
    ///
    /// It must also have a sequence and an expiry date that has not passed. The signature is a file next to the
    /// list, with `.minisig` added to its name. `list update` checks the updated list. Its signature comes with
    /// the delta, or is this file if no delta applies.
    #[arg(long, value_name = "PUBKEY")]
    trust: Option<PathBuf>,

    /// Record the latest edition in this file, and reject older ones
    ///
    /// A lock file next to it (`.lock` is added to its name) makes runs wait for each other.
    #[arg(long, value_name = "FILE", requires = "trust")]
    state: Option<PathBuf>,

    /// Check expiry at this time instead of now, such as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", requires = "trust", hide_short_help = true)]
    now: Option<Date>,
}

impl TrustArgs {
    /// Returns whether lists are read only if they are trusted.
    pub(super) fn is_given(&self) -> bool {
        self.trust.is_some()
    }

    /// Returns the files that are used in addition to lists: key, state and its lock, and the signature of
    /// each list.
    pub(super) fn paths<'p>(&self, lists: impl IntoIterator<Item = &'p Path>) -> Vec<PathBuf> {
        let Some(key) = &self.trust else { return Vec::new() };
        let state = self.state.iter().flat_map(|state| [state.clone(), lock_path(state)]);
        [key.clone()].into_iter().chain(state).chain(lists.into_iter().map(signature_path)).collect()
    }

    /// Opens the bytes of a list with a given signature, and records that the edition was seen.
    pub(super) fn open(&self, path: &Path, bytes: Vec<u8>, signature: &str) -> Result<HiddenList, Failure> {
        self.admit(path, |trust| trust.open(bytes, signature))
    }

    /// Opens the bytes of the index of the shards of a list, and keeps that it was seen.
    pub(super) fn open_index(&self, path: &Path, bytes: &[u8]) -> Result<ShardIndex, Failure> {
        // Only the index is signed. It has the root of the tree that verifies each shard.
        let signature = signature_beside(path)?;
        self.admit(path, |trust| trust.open_index(bytes, &signature))
    }

    fn admit<T>(
        &self,
        path: &Path,
        open: impl FnOnce(Trust<'_>) -> Result<(T, SeenEdition), urlid::Error>,
    ) -> Result<T, Failure> {
        let key = self.key()?;
        // Held from reading to writing. The second of two runs sees the state that the first wrote, so the
        // state never goes back.
        let _lock = self.state.as_deref().map(FileLock::beside).transpose()?;
        let before = self.seen()?;
        let now = self.now.map_or_else(clock::now, Date::seconds);
        let trust = Trust { key: &key, now, seen: before.as_ref() };
        let (opened, seen) = open(trust).map_err(|error| Failure::of_file(path, &error))?;
        // Written before the list is returned, so that a used list is never newer than the state.
        if let Some(state) = self.state.as_deref().filter(|_| before.as_ref() != Some(&seen)) {
            write_file(state, seen.to_string().as_bytes())?;
        }
        Ok(opened)
    }

    /// Checks that the bytes of a list are signed, without keeping them.
    pub(super) fn verify(&self, path: &Path, bytes: impl Read, signature: &str) -> Result<(), Failure> {
        match self.key()?.verify_read(bytes, signature) {
            Ok(verified) => verified.map_err(|error| Failure::of_file(path, &error)),
            Err(error) => Err(Failure::read(path, &error)),
        }
    }

    fn key(&self) -> Result<TrustedKey, Failure> {
        // The path exists, because this is called only with --trust.
        let path = self.trust.as_deref().unwrap_or_else(|| Path::new(""));
        read_text(path)?.parse().map_err(|error: urlid::Error| Failure::of_file(path, &error))
    }

    /// Reads the state file. A missing file is an empty state.
    fn seen(&self) -> Result<Option<SeenEdition>, Failure> {
        let Some(path) = &self.state else { return Ok(None) };
        // A dangling link is an error. If it counted as a missing file, older editions could come back.
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            _ => read_file_text(path)?
                .parse()
                .map(Some)
                .map_err(|error: urlid::Error| Failure::of_file(path, &error)),
        }
    }
}

/// Reads the signature next to a file.
pub(super) fn signature_beside(path: &Path) -> Result<String, Failure> {
    let beside = signature_path(path);
    match fs::symlink_metadata(&beside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::failed(format!(
            "{}: ERR_LIST_TRUST: list is not signed: expected its signature in {}",
            Escaped::path(path),
            Escaped::path(&beside)
        ))),
        _ => read_file_text(&beside),
    }
}

/// Returns the path of the lock next to a file. Two links to one file share a lock.
fn lock_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
    name.push(".lock");
    PathBuf::from(name)
}

/// A lock that one process holds at a time, until it is dropped.
///
/// It locks a separate file with `.lock` after the name of the replaced file. The separate file stays,
/// because a lock on a file that is renamed over or removed would not keep out processes that open its name
/// later.
pub(super) struct FileLock {
    // Closed, and so unlocked, when it is dropped.
    _file: File,
}

impl FileLock {
    /// Waits for the lock next to a file.
    pub(super) fn beside(path: &Path) -> Result<Self, Failure> {
        let path = lock_path(path);
        let locked = File::options().append(true).create_new(true).open(&path).or_else(|_| open_file(&path));
        let locked = locked.and_then(|file| file.lock().map(|()| file));
        locked.map(|_file| Self { _file }).map_err(|error| Failure::write(&path, &error))
    }
}

#[cfg(test)]
mod tests {
    use urlid::hashed_uri::Algorithm;
    use urlid_lists::{Edition, ListBuilder, ListRules};

    use super::super::sign::Signer;
    use super::*;

    #[test]
    fn a_thousand_overlapping_pairs_leave_the_newest_edition() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = |name: &str| folder.path().join(name);
        let signer = Signer::from_random([7; 40]);
        fs::write(path("pub"), signer.public_text()).expect("there is room");
        let [older, newer] = [2, 3].map(|sequence| {
            let edition = Edition {
                sequence: Some(sequence),
                expires: Some("2100-01-01".parse().expect("it is a date")),
                ..Edition::default()
            };
            let builder =
                ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None).expect("no key is needed");
            let mut bytes = Vec::new();
            builder.with_edition(edition).finish().write_text(&mut bytes).expect("memory can be written");
            (signer.sign(&bytes, "x"), bytes)
        });
        let args = TrustArgs { trust: Some(path("pub")), state: Some(path("state")), now: None };
        for pair in 0..1000 {
            let _ = fs::remove_file(path("state"));
            let open = |(signature, bytes): &(String, Vec<u8>)| {
                args.open(Path::new("list"), bytes.clone(), signature)
            };
            std::thread::scope(|scope| {
                let first = scope.spawn(|| open(if pair % 2 == 0 { &older } else { &newer }).is_ok());
                let second = open(if pair % 2 == 0 { &newer } else { &older }).is_ok();
                let first = first.join().expect("it does not panic");
                // The newer one is always good; the older one is if it came first.
                assert!(if pair % 2 == 0 { second } else { first });
            });
            let state = fs::read_to_string(path("state")).expect("it was written");
            assert!(state.contains("\nsequence: 3\n"), "{pair}: {state}");
        }
    }
}
