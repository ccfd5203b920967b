//! Arguments that are names: parsed once for a run of rows that have the same.

use crate::functions::error::ArgumentError;

/// The most characters of an unknown name that an error shows.
const LONGEST_FOUND: usize = 40;

/// The last name, and what it stands for.
#[derive(Debug)]
pub(crate) struct Parsed<T> {
    name: String,
    value: Option<T>,
}

impl<T> Default for Parsed<T> {
    fn default() -> Self {
        Parsed { name: String::new(), value: None }
    }
}

impl<T> Parsed<T> {
    /// Returns what a name stands for, parsed unless it is that of the row before.
    pub(crate) fn get(
        &mut self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<T, ArgumentError>,
    ) -> Result<&T, ArgumentError> {
        // After an error no value is left, so the name before it is parsed again if it returns.
        if self.name != name {
            self.value = None;
        }
        if self.value.is_none() {
            self.value = Some(parse(name)?);
            name.clone_into(&mut self.name);
        }
        Ok(self.value.as_ref().expect("it has just been parsed"))
    }
}

/// Returns the value with a name, of a table of all that exist.
pub(crate) fn choose<T>(
    what: &'static str,
    found: &str,
    all: impl IntoIterator<Item = (&'static str, T)>,
) -> Result<T, ArgumentError> {
    let mut expected = Vec::new();
    for (name, value) in all {
        if name == found {
            return Ok(value);
        }
        expected.push(name);
    }
    Err(unknown(what, found, expected))
}

/// Reports a name that is none of those that are expected.
pub(crate) fn unknown(what: &'static str, found: &str, expected: Vec<&'static str>) -> ArgumentError {
    ArgumentError::Name { what, found: found.chars().take(LONGEST_FOUND).collect(), expected }
}
