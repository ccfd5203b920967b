//! Lists that are read only if their publisher is trusted: the key, what was seen before, and the time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_lists::{Date, HiddenList, Seen, ShardIndex, Trust, TrustedKey};

use super::sign::{signature_path, write_file};
use crate::bounded::read_text;
use crate::clock;
use crate::escape::Escaped;
use crate::exit::Failure;

/// What a list is trusted by.
#[derive(Debug, Default, Args)]
pub(super) struct TrustArgs {
    /// Read the list only if it is signed by this public key, has a sequence, and has not expired. The signature is in a file
    /// beside it with `.minisig` after its name
    #[arg(long, value_name = "PUBKEY")]
    trust: Option<PathBuf>,

    /// Keep the latest edition that was seen in this file, and refuse older ones
    #[arg(long, value_name = "FILE", requires = "trust")]
    state: Option<PathBuf>,

    /// The time by which lists expire, instead of now: as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", requires = "trust", hide_short_help = true)]
    now: Option<Date>,
}

impl TrustArgs {
    /// Returns whether lists are read only if they are trusted.
    pub(super) fn is_given(&self) -> bool {
        self.trust.is_some()
    }

    /// Returns the files that are read.
    pub(super) fn paths(&self) -> [Option<&Path>; 2] {
        [self.trust.as_deref(), self.state.as_deref()]
    }

    /// Opens the bytes of a list whose signature is given, and keeps that it was seen.
    pub(super) fn open(&self, path: &Path, bytes: Vec<u8>, signature: &str) -> Result<HiddenList, Failure> {
        self.admit(path, |trust| trust.open(bytes, signature))
    }

    /// Opens the bytes of the index of the shards of a list, and keeps that it was seen.
    pub(super) fn open_index(&self, path: &Path, bytes: &[u8]) -> Result<ShardIndex, Failure> {
        let signature = signature_beside(path)?;
        self.admit(path, |trust| trust.open_index(bytes, &signature))
    }

    fn admit<T>(
        &self,
        path: &Path,
        open: impl FnOnce(Trust<'_>) -> Result<(T, Seen), urlid::Error>,
    ) -> Result<T, Failure> {
        // Called with --trust alone, so there is a path.
        let key_path = self.trust.as_deref().unwrap_or_else(|| Path::new(""));
        let key: TrustedKey =
            read_text(key_path)?.parse().map_err(|error: urlid::Error| Failure::of_file(key_path, &error))?;
        let before = self.seen()?;
        let now = self.now.map_or_else(clock::now, Date::seconds);
        let trust = Trust { key: &key, now, seen: before.as_ref() };
        let (opened, seen) = open(trust).map_err(|error| Failure::of_file(path, &error))?;
        // Written before the list is returned: no list that was used is newer than the state.
        if let Some(state) = self.state.as_deref().filter(|_| before.as_ref() != Some(&seen)) {
            write_file(state, seen.to_string().as_bytes())?;
        }
        Ok(opened)
    }

    /// Reads what was seen; a file that does not exist has seen nothing.
    fn seen(&self) -> Result<Option<Seen>, Failure> {
        let Some(path) = &self.state else { return Ok(None) };
        // A link to nothing is an error. Taken for a missing file, it would let older editions come back.
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            _ => read_text(path)?
                .parse()
                .map(Some)
                .map_err(|error: urlid::Error| Failure::of_file(path, &error)),
        }
    }
}

/// Reads the signature beside a file.
pub(super) fn signature_beside(path: &Path) -> Result<String, Failure> {
    let beside = signature_path(path);
    match fs::symlink_metadata(&beside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::failed(format!(
            "{}: ERR_LIST_TRUST: list is not signed: there is no {}",
            Escaped::path(path),
            Escaped::path(&beside)
        ))),
        _ => read_text(&beside),
    }
}
