//! The hashed URIs of many URIs, as texts: those of `HashedUri::encode_with`, with buffers that are used
//! again.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::mem;

use super::canonical::Canonical;
use super::grammar;
use super::hasher::{Hasher, Options};
use super::keep::{Keep, Variant};
use crate::error::Error;
use crate::hex;

/// Writes the texts of the hashed URIs of many URIs, which were made by the same options.
///
/// After the first URIs it allocates only for one longer than any before, for those that have to be
/// rewritten, and after an error.
///
/// ```
/// use urlid::hashed_uri::{HashedUri, HashedUriWriter, Options};
///
/// let mut writer = HashedUriWriter::new(&Options::default())?;
/// let mut text = String::new();
/// writer.write("http://www.thus.net", &mut text)?;
/// assert_eq!(text, HashedUri::encode("http://www.thus.net")?.to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct HashedUriWriter {
    /// The text before the digest.
    start: String,
    hasher: Hasher,
    base: Option<String>,
    keep: Keep,
    variant: Variant,
    room: String,
}

impl HashedUriWriter {
    /// Prepares the hash function.
    ///
    /// # Errors
    /// [`Error`] if the algorithm cannot be computed, or lacks its key.
    pub fn new(options: &Options<'_>) -> Result<Self, Error> {
        Ok(Self {
            start: grammar::start(&options.algorithm),
            hasher: options.hasher(&options.algorithm)?,
            base: options.base.map(str::to_owned),
            keep: options.keep,
            variant: options.variant,
            room: String::new(),
        })
    }

    /// Appends the text of the hashed URI of `uri`.
    ///
    /// # Errors
    /// [`Error`] if the text is not a URI, or is relative without a base. Nothing is appended then.
    pub fn write(&mut self, uri: &str, out: &mut String) -> Result<(), Error> {
        // An error drops the buffer, and the URI after it allocates another.
        let room = mem::take(&mut self.room);
        let canonical = Canonical::make(room, uri, self.base.as_deref(), self.keep, self.variant)?;
        out.push_str(&self.start);
        hex::push(self.hasher.digest(&canonical).as_bytes(), out).expect("a String takes any text");
        out.push_str(canonical.kept().flags());
        self.room = canonical.into_string();
        Ok(())
    }
}
