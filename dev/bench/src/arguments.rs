//! The arguments of the verbs: numbers and names in their places, then options.

use std::path::PathBuf;

/// What follows a verb.
pub(crate) struct Arguments<'a>(pub(crate) &'a [String]);

impl Arguments<'_> {
    /// Returns the argument at a place before all options.
    fn at(&self, place: usize) -> Option<&str> {
        let mut places = self.0.iter().take_while(|argument| !argument.starts_with("--"));
        places.nth(place).map(String::as_str)
    }

    /// Returns the number at a place; `1_000_000` is one too.
    pub(crate) fn number(&self, place: usize, otherwise: u64) -> Result<u64, String> {
        self.at(place).map_or(Ok(otherwise), number)
    }

    /// Returns the name of a file at a place.
    pub(crate) fn path(&self, place: usize) -> Option<PathBuf> {
        self.at(place).map(PathBuf::from)
    }

    /// Returns whether an option is given.
    pub(crate) fn has(&self, option: &str) -> bool {
        self.0.iter().any(|argument| argument == option)
    }

    /// Returns what follows an option.
    pub(crate) fn after(&self, option: &str) -> Option<&str> {
        let place = self.0.iter().position(|argument| argument == option)?;
        self.0.get(place + 1).map(String::as_str)
    }
}

/// Reads a number in decimal; `_` may separate its digits.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("no number: {text}"))
}
