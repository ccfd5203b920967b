//! A seen-set that may be closed, as `urlid.SeenSet` and its kernel for columns use it.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlid::{Error, ErrorCode};
use urlid_index::{Seen, SeenSet};

use crate::error::raise;

/// A set that may be closed, and the number of refused texts by code.
pub(crate) struct Open {
    pub(crate) set: Option<SeenSet>,
    pub(crate) refused: BTreeMap<ErrorCode, u64>,
}

impl Open {
    /// Adds lines, and returns for each whether it was new; `None` for a line that is empty or not a URL.
    pub(crate) fn add(&mut self, lines: &[&str]) -> Result<Vec<Option<bool>>, SetError> {
        let Self { set, refused } = self;
        let mut answers = Vec::with_capacity(lines.len());
        let set = set.as_mut().ok_or(SetError::Closed)?;
        set.add(lines, &mut |_, seen| {
            answers.push(match seen {
                Seen::New => Some(true),
                Seen::Known => Some(false),
                Seen::Blank => None,
                Seen::Refused(error) => {
                    *refused.entry(error.code()).or_default() += 1;
                    None
                }
            });
        })?;
        Ok(answers)
    }
}

/// Why a set was not changed.
#[derive(Debug)]
pub(crate) enum SetError {
    Closed,
    Load(Error),
}

impl std::fmt::Display for SetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closed => f.write_str("the set is closed"),
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl From<Error> for SetError {
    fn from(error: Error) -> Self {
        Self::Load(error)
    }
}

impl From<SetError> for PyErr {
    fn from(error: SetError) -> Self {
        match error {
            SetError::Closed => PyValueError::new_err(error.to_string()),
            SetError::Load(error) => raise(error),
        }
    }
}
