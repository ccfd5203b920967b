//! The options of hashed URIs: their variant, the kept parts, the base and the key.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::TypedValueParser;
use urlid::Coded;
use urlid::hashed_uri::{Keep, Key, Variant};

use crate::args::choice;
use crate::input::bounded::read_bytes;
use crate::report::exit::Failure;
use crate::report::message::describe;

/// Returns the parser of a variant.
pub(crate) fn variant() -> impl TypedValueParser<Value = Variant> {
    choice([
        ("none", Variant::None, "No canonicalisation"),
        ("n|N", Variant::N, "The normal rules"),
        ("p|P", Variant::P, "The permissive rules"),
    ])
}

/// Returns the parser of a part of a URI that is kept.
pub(crate) fn kept_part() -> impl TypedValueParser<Value = Keep> {
    choice([
        ("query", Keep { query: true, ..Keep::NONE }, "The query"),
        ("fragment|frag", Keep { fragment: true, ..Keep::NONE }, "The fragment"),
    ])
}

/// Returns the union of the kept parts.
pub(crate) fn union(parts: &[Keep]) -> Keep {
    parts.iter().fold(Keep::NONE, |keep, part| keep.union(*part))
}

/// Returns an error if the empty reference cannot be resolved against `--base`, because no reference can be
/// resolved then.
pub(crate) fn check_base<T, E: Coded>(
    base: Option<&str>,
    resolve: impl FnOnce(&str, Option<&str>) -> Result<T, E>,
) -> Result<(), Failure> {
    match base.map(|_| resolve("", base)) {
        Some(Err(error)) => Err(Failure::usage(format!("--base: {}", describe(&error)))),
        _ => Ok(()),
    }
}

/// The choice of a key.
#[derive(Debug, Args)]
pub(crate) struct KeyArg {
    /// Compute keyed digests (x-hmac-sha256) with the key in this file
    ///
    /// The file has at least 32 bytes, and all of them are the key.
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
