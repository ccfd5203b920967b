//! `urlid list delta`: what becomes of a list from one edition to the next.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use urlid_lists::{Delta, HiddenList};

use super::open;
use super::sign::{signature_path, write_file};
use crate::input::bounded::read_file_text;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Write the delta between two editions of a compiled list: a small file, by which readers of the old one make the new one
///
/// Both were compiled to one kind, `exact` or `prefix`. The signature of the new list, if it is in a file beside it, goes
/// with the delta.
///
/// Example: urlid list delta monday.compiled tuesday.compiled --out monday-tuesday.delta
#[derive(Debug, Args)]
pub(crate) struct DeltaArgs {
    /// The old list
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The new list
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// The file to write; an existing file is replaced when the new one is complete
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes the delta.
pub(crate) fn run(args: &DeltaArgs) -> Result<Exit, Failure> {
    open::check_stdin([&args.old, &args.new])?;
    let beside = signature_path(&args.new);
    FilesInUse::reading([&args.old, &args.new, &beside]).write("--out", Some(&args.out))?;
    let (old, old_exit) = open::list(&args.old)?;
    let (new, new_exit) = open::list(&args.new)?;
    // A link to nothing is an error when it is read; only a missing signature may be left out.
    let signature = fs::symlink_metadata(&beside).is_ok().then(|| read_file_text(&beside)).transpose()?;
    let delta = Delta::between(&old, &new, signature.as_deref());
    let delta = delta.map_err(|error| Failure::new(Exit::Failed, &error))?;
    let mut bytes = Vec::new();
    delta.write(&mut bytes).map_err(|error| Failure::write(&args.out, &error))?;
    write_file(&args.out, &bytes)?;
    let added = message::count(delta.added() + not_in(&old, &new), "entry");
    let removed = delta.removed() + not_in(&new, &old);
    message::print(&format!("{}: {added} added, {removed} removed", Escaped::path(&args.out)));
    Ok(old_exit.max(new_exit))
}

/// Returns how many entries by unknown algorithms the second list has, and the first has not.
fn not_in(one: &HiddenList, other: &HiddenList) -> u64 {
    let (one, other) = (one.not_checkable(), other.not_checkable());
    other.iter().filter(|entry| one.binary_search(entry).is_err()).count() as u64
}
