//! The arguments of the verbs: numbers and names by position, then options.

use std::path::PathBuf;

/// The arguments after a verb.
pub(crate) struct Arguments<'a>(pub(crate) &'a [String]);

impl Arguments<'_> {
    /// Returns the argument at a position before all options.
    fn at(&self, place: usize) -> Option<&str> {
        let mut places = self.0.iter().take_while(|argument| !argument.starts_with("--"));
        places.nth(place).map(String::as_str)
    }

    /// Returns the number at a position, which can be written as `1_000_000`.
    pub(crate) fn number(&self, place: usize, otherwise: u64) -> Result<u64, String> {
        let Some(text) = self.at(place) else { return Ok(otherwise) };
        text.replace('_', "").parse().map_err(|_| format!("no number: {text}"))
    }

    /// Returns the name of a file at a position.
    pub(crate) fn path(&self, place: usize) -> Option<PathBuf> {
        self.at(place).map(PathBuf::from)
    }
}
