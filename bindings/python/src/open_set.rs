//! A seen-set that may be closed. `urlid.SeenSet` and its kernel for columns use it.

use std::collections::BTreeMap;
use std::path::Path;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlid::{Error, ErrorCode};
use urlid_canonical::Form;
use urlid_store::seen::{Digester, SeenSet};

use crate::error::raise_about;

/// A set that may be closed, the form of its URLs, and the number of rejected texts by code.
pub(crate) struct Open {
    pub(crate) form: Form,
    pub(crate) set: Option<SeenSet>,
    pub(crate) rejected: BTreeMap<ErrorCode, u64>,
}

impl Open {
    /// Returns the set, or an error if it is closed.
    pub(crate) fn set(&mut self) -> Result<&mut SeenSet, SetError> {
        self.set.as_mut().ok_or(SetError::Closed)
    }

    /// Adds lines and returns whether each was new. The answer is `None` for a line that is empty, not UTF-8
    /// (`None`) or not a URL.
    pub(crate) fn add(&mut self, lines: &[Option<&str>]) -> Result<Vec<Option<bool>>, SetError> {
        let Self { form, set, rejected } = self;
        let set = set.as_mut().ok_or(SetError::Closed)?;
        let mut digester = Digester::new(form);
        // Lines without a key are not added. `places` maps a key back to its line.
        let (mut keys, mut places) = (Vec::new(), Vec::new());
        for (place, line) in lines.iter().enumerate().filter(|(_, line)| **line != Some("")) {
            let key = line.map(|line| digester.key(line).map_err(|error| error.code()));
            match key.unwrap_or(Err(ErrorCode::Utf8)) {
                Ok(key) => {
                    keys.push(key);
                    places.push(place);
                }
                Err(code) => *rejected.entry(code).or_default() += 1,
            }
        }
        let mut answers = vec![None; lines.len()];
        set.add(&keys, |index| lines[places[index]].unwrap_or_default(), &mut |index, is_new| {
            answers[places[index]] = Some(is_new);
        })?;
        Ok(answers)
    }
}

/// The reason why a set was not changed.
#[derive(Debug)]
pub(crate) enum SetError {
    Closed,
    Failed(Error),
}

impl std::fmt::Display for SetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closed => f.write_str("the set is closed"),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl From<Error> for SetError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl SetError {
    /// Converts the error to the exception.
    pub(crate) fn about(self, path: &Path) -> PyErr {
        match self {
            SetError::Closed => PyValueError::new_err(self.to_string()),
            SetError::Failed(error) => raise_about(path, error),
        }
    }
}
