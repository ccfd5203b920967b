//! The arguments of a call: each is its length, four little-endian bytes, and that many bytes.
//!
//! The length 2³² − 1 stands for an argument that is not given. Texts are UTF-8.

use crate::output::Fault;

/// The length that stands for nothing.
const NOTHING: usize = u32::MAX as usize;

/// The arguments that are not read yet.
pub(crate) struct Arguments<'a> {
    rest: &'a [u8],
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Reads bytes that may not be given.
    pub(crate) fn optional_bytes(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        match u32::from_le_bytes(*length) as usize {
            NOTHING => None,
            length => {
                let (argument, rest) = rest.split_at_checked(length)?;
                self.rest = rest;
                Some(argument)
            }
        }
    }

    /// Reads the next argument, which is bytes of any content.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Fault> {
        self.optional_bytes().ok_or(Fault::Missing)
    }

    /// Reads a text that may not be given.
    pub(crate) fn optional_text(&mut self) -> Result<Option<&'a str>, Fault> {
        let text = self.optional_bytes().map(str::from_utf8);
        text.transpose().map_err(|_| Fault::Wrong("an argument is not UTF-8".to_owned()))
    }

    /// Reads the next argument, which is UTF-8.
    pub(crate) fn text(&mut self) -> Result<&'a str, Fault> {
        self.optional_text()?.ok_or(Fault::Missing)
    }

    /// Reads a flag: it is set if the argument is given.
    pub(crate) fn flag(&mut self) -> bool {
        self.optional_bytes().is_some()
    }
}
