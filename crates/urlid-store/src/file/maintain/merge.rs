//! Merging indexes into a target.
//!
//! A merge is a load with the rows of other indexes as its lines. It computes each identifier again, and
//! finds damaged rows.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::question::Question;
use urlid::Error;
use urlid_io::files::Identity;

use crate::file::error;
use crate::file::load::parse::{LineOutcome, Lines};
use crate::file::load::{Load, LoadOptions, Loaded, Progress};
use crate::file::query::Index;

/// Adds the rows of all sources to the target, in the canonical form of the sources. The target is created if
/// it does not exist.
///
/// `options.form` is needed only if the form contains a list that is not part of the library.
///
/// # Errors
/// If the sources differ in their snapshots or canonical forms, or if a source is the target. Batches that
/// were committed before a failure stay.
pub fn merge(target: &Path, sources: &[&Path], options: LoadOptions) -> Result<Loaded, Error> {
    merge_with(target, sources, options, &mut |_| ControlFlow::Continue(()))
}

/// Does the same as [`merge`], and calls `tick` from time to time, which returns whether to continue.
///
/// # Errors
/// The same as [`merge`]. When `tick` returns `Break`, committed batches stay.
pub fn merge_with(
    target: &Path,
    sources: &[&Path],
    options: LoadOptions,
    tick: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Loaded, Error> {
    let indexes = sources.iter().map(|path| Index::open(path)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = indexes.first() else { return Ok(Loaded::default()) };
    let (first, form) = first.file.read(|view| {
        let form = view.form(options.form.as_ref())?;
        Ok((Arc::clone(&view.state), form))
    })?;
    // A target that does not exist yet cannot be a source.
    let target_identity = Identity::of_path(target).ok();
    // All sources are compared before the target is created or changed.
    for (index, path) in indexes.iter().zip(sources) {
        if Some(index.file.held.identity()) == target_identity {
            return Err(error::SAME.error().with_path(path));
        }
        index.file.read(|view| view.check_like(&first.description))?;
    }
    let options = LoadOptions { form, ..options };
    let mut load = Load::begin_with(target, &first.suffixes, options, Lines::Stored)?;
    for (index, path) in indexes.iter().zip(sources) {
        read_into(&mut load, index, path, tick)?;
    }
    load.finish_with(tick)
}

fn read_into(
    load: &mut Load,
    index: &Index,
    path: &Path,
    tick: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<(), Error> {
    let mut end = Ok(());
    index.find(&Question::default(), &mut |row| {
        end = match load.push(row.url) {
            Ok(LineOutcome::Taken) => Ok(()),
            // Every row was a URL when it was loaded, so a row that is rejected now is damaged.
            Ok(LineOutcome::Blank | LineOutcome::Rejected(_)) => Err(error::damaged_rows(path, 1)),
            Err(error) => Err(error),
        };
        if end.is_ok() && load.progress().lines.is_multiple_of(10_000) && tick(load.progress()).is_break() {
            end = Err(load.stopped());
        }
        if end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    end
}
