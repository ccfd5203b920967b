//! A seen-set that may be closed, as `urlid.SeenSet` and its kernel for columns use it.

use std::collections::BTreeMap;

use pyo3::exceptions::{PyNotImplementedError, PyValueError};
use pyo3::prelude::*;
use urlid::{Error, ErrorCode};
use urlid_canonical::Form;
use urlid_index::{Seen, SeenSet};
use urlid_seen::{Digester, SeenSet as DigestSet};

use crate::error::raise;

/// A set that may be closed, and the number of refused texts by code.
pub(crate) struct Open {
    pub(crate) set: Option<Set>,
    pub(crate) refused: BTreeMap<ErrorCode, u64>,
}

/// An index of URLs, or digests of a form.
pub(crate) enum Set {
    Urls(Box<SeenSet>),
    Digests(Form, Box<DigestSet>),
}

impl Open {
    /// Adds lines, and returns for each whether it was new; `None` for a line that is empty or not a URL.
    pub(crate) fn add(&mut self, lines: &[&str]) -> Result<Vec<Option<bool>>, SetError> {
        let Self { set, refused } = self;
        let mut answers = Vec::with_capacity(lines.len());
        let mut refuse = |error: Error| *refused.entry(error.code()).or_default() += 1;
        match set.as_mut().ok_or(SetError::Closed)? {
            Set::Urls(set) => set.add(lines, &mut |_, seen| {
                answers.push(match seen {
                    Seen::New => Some(true),
                    Seen::Known => Some(false),
                    Seen::Blank => None,
                    Seen::Refused(error) => {
                        refuse(error);
                        None
                    }
                });
            })?,
            Set::Digests(form, set) => {
                let mut digester = Digester::new(form);
                // Lines without a key are not added; `places` leads from a key back to its line.
                let (mut keys, mut places) = (Vec::new(), Vec::new());
                for (place, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
                    match digester.key(line) {
                        Ok(key) => {
                            keys.push(key);
                            places.push(place);
                        }
                        Err(error) => refuse(error),
                    }
                }
                answers.resize(lines.len(), None);
                set.add(&keys, |index| lines[places[index]], &mut |index, is_new| {
                    answers[places[index]] = Some(is_new);
                })?;
            }
        }
        Ok(answers)
    }
}

impl Set {
    pub(crate) fn delete(&mut self, lines: &[&str]) -> Result<u64, SetError> {
        match self {
            Self::Urls(set) => Ok(set.delete(lines)?),
            Self::Digests(..) => Err(SetError::NeverForgets),
        }
    }

    pub(crate) fn pending(&mut self, each: &mut dyn FnMut(&str)) -> Result<u64, Error> {
        match self {
            Self::Urls(set) => set.pending(each),
            Self::Digests(_, set) => set.pending(each),
        }
    }

    pub(crate) fn acknowledge(&mut self) {
        match self {
            Self::Urls(set) => set.acknowledge(),
            Self::Digests(_, set) => set.acknowledge(),
        }
    }

    pub(crate) fn close(self) -> Result<(), Error> {
        match self {
            Self::Urls(set) => set.close(),
            Self::Digests(_, set) => set.close(),
        }
    }
}

/// Why a set was not changed.
#[derive(Debug)]
pub(crate) enum SetError {
    Closed,
    NeverForgets,
    Load(Error),
}

impl std::fmt::Display for SetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closed => f.write_str("the set is closed"),
            Self::NeverForgets => {
                f.write_str("a set of digests forgets nothing: keep=\"urls\" makes one that does")
            }
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
            SetError::NeverForgets => PyNotImplementedError::new_err(error.to_string()),
            SetError::Load(error) => raise(error),
        }
    }
}
