//! How the command line names the key of keyed digests.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid::hashed_uri::Key;

use crate::input::bounded::read_bytes;
use crate::report::exit::Failure;

/// The choice of a key.
#[derive(Debug, Args)]
pub(crate) struct KeyArg {
    /// The file with the key of keyed digests (x-hmac-sha256): at least 32 bytes, all of which are the key
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    key: Option<PathBuf>,
}

impl KeyArg {
    /// Returns the file of the key.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.key.as_deref()
    }

    /// Reads the key, if one was named.
    pub(crate) fn read(&self) -> Result<Option<Key>, Failure> {
        let Some(path) = &self.key else { return Ok(None) };
        let key = Key::new(&read_bytes(path)?).map_err(|error| Failure::of_file(path, &error))?;
        Ok(Some(key))
    }
}
