//! Merging indexes: the rows of some go into another one.
//!
//! A load whose lines are the rows of other indexes, so each identifier is made anew and nothing is taken on trust.

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::file::header;
use crate::file::open::OpenError;
use crate::file::store::StoreError;
use crate::load::parse::Line;
use crate::load::pipeline::{Load, LoadError, LoadOptions, Loaded, Progress};
use crate::query::index::Index;
use crate::query::question::Question;
use urlid::{Coded, ErrorCode};

/// Why indexes were not merged.
#[non_exhaustive]
#[derive(Debug)]
pub enum MergeError {
    /// A source cannot be opened, or was made under another snapshot than the first.
    Open(OpenError),
    /// A source cannot be read.
    Read(StoreError),
    /// A source is the target itself.
    Same {
        /// Its name.
        path: PathBuf,
    },
    /// A source holds rows that no loader wrote.
    Damaged {
        /// Its name.
        path: PathBuf,
    },
    /// The target cannot be written.
    Load(LoadError),
}

impl Coded for MergeError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Open(error) => error.code(),
            Self::Read(error) => error.code(),
            Self::Same { .. } => ErrorCode::IndexFormat,
            Self::Damaged { .. } => ErrorCode::IndexDamaged,
            Self::Load(error) => error.code(),
        }
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Same { path } => {
                write!(f, "index cannot be merged with itself: found {} among the sources", path.display())
            }
            Self::Damaged { path } => {
                write!(f, "index is damaged: found a row that no loader wrote in {}", path.display())
            }
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MergeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open(error) => Some(error),
            Self::Read(error) => Some(error),
            Self::Load(error) => Some(error),
            Self::Same { .. } | Self::Damaged { .. } => None,
        }
    }
}

impl From<LoadError> for MergeError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

/// Puts the rows of all sources into the target, which is made if it is not there.
///
/// # Errors
/// Refuses sources of different snapshots, and a source that is the target. Batches committed before a failure stay.
pub fn merge(
    target: &Path,
    sources: &[&Path],
    options: LoadOptions,
    tick: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Loaded, MergeError> {
    let indexes = sources
        .iter()
        .map(|path| Index::open(path))
        .collect::<Result<Vec<_>, _>>()
        .map_err(MergeError::Open)?;
    let Some(first) = indexes.first() else { return Ok(Loaded::default()) };
    let target_key = std::fs::metadata(target).ok().map(|metadata| header::file_key(&metadata));
    for (index, path) in indexes.iter().zip(sources) {
        if Some(index.opened.probe.key()) == target_key {
            return Err(MergeError::Same { path: path.to_path_buf() });
        }
        if index.snapshot() != first.snapshot() {
            let (other, ours) = (Box::new(index.snapshot().clone()), Box::new(first.snapshot().clone()));
            return Err(MergeError::Open(OpenError::Snapshot {
                path: path.to_path_buf(),
                index: other,
                ours,
            }));
        }
    }
    let mut load = Load::begin(target, first.list(), options)?;
    for (index, path) in indexes.iter().zip(sources) {
        read_into(&mut load, index, path, tick)?;
    }
    Ok(load.finish(tick)?)
}

fn read_into(
    load: &mut Load,
    index: &Index,
    path: &Path,
    tick: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), MergeError> {
    let mut end = Ok(());
    let found = index
        .find(&Question::default(), &mut |row| {
            end = match load.push(row.url) {
                Ok(Line::Taken) => Ok(()),
                Ok(Line::Blank | Line::Refused(_)) => Err(MergeError::Damaged { path: path.to_owned() }),
                Err(error) => Err(error.into()),
            };
            if end.is_ok() && load.progress().lines.is_multiple_of(10_000) && tick(load.progress()).is_break()
            {
                end = Err(LoadError::Stopped.into());
            }
            if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .map_err(MergeError::Read)?;
    end?;
    if found.damaged > 0 { Err(MergeError::Damaged { path: path.to_owned() }) } else { Ok(()) }
}
