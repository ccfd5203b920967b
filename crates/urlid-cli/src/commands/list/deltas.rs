//! `urlid list delta`, `apply` and `update`: from one edition of a list to the next.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::{ErrorCode, ErrorKind};
use urlid_lists::{Delta, HiddenList, ListHeader};

use super::open;
use super::sign::{signature_path, write_file, write_signature};
use super::trust::{FileLock, TrustArgs, signature_beside};
use crate::input::bounded::{read_file, read_file_text};
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Write the delta between two editions of a compiled list: a small file that turns the old one into the new
/// one
///
/// Both lists must be made by the same rules and keep the same number of digest bits. The delta includes the
/// signature of the new list, if there is a `.minisig` file next to it.
///
/// Example: urlid list delta monday.compiled tuesday.compiled --out monday-tuesday.delta
#[derive(Debug, Args)]
pub(crate) struct DeltaArgs {
    /// The old list
    #[arg(value_name = "OLD")]
    pub(super) old: PathBuf,

    /// The new list
    #[arg(value_name = "NEW")]
    pub(super) new: PathBuf,

    /// Write the delta to this file; an existing file is replaced when the new one is complete
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes the delta.
pub(crate) fn run_delta(args: &DeltaArgs) -> Result<Exit, Failure> {
    open::check_stdin([&args.old, &args.new])?;
    let beside = signature_path(&args.new);
    FilesInUse::reading([&args.old, &args.new, &beside]).write("--out", Some(&args.out))?;
    let (old, old_exit) = open::list(&args.old)?;
    let (new, new_exit) = open::list(&args.new)?;
    // Only a missing signature is skipped. A dangling link is an error when it is read.
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

/// Returns the number of entries by unknown algorithms that only the second list has.
fn not_in(one: &HiddenList, other: &HiddenList) -> u64 {
    let (one, other) = (one.not_checkable(), other.not_checkable());
    other.iter().filter(|entry| one.binary_search(entry).is_err()).count() as u64
}

const UNREACHED: ErrorKind = ErrorKind::new(
    ErrorCode::ListDelta,
    "a delta is missing: no chain of deltas leads from this list to the newest one",
);

/// Apply deltas to a compiled list, in their order
///
/// Each delta must apply to the result of the previous one. Deltas that the list already contains are skipped.
/// If a delta belongs to a different list, if one is missing, or if a result differs from what the delta
/// announces, the program fails and writes no list.
///
/// Example: urlid list apply monday.compiled 1.delta 2.delta --out wednesday.compiled
#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// The list
    #[arg(value_name = "LIST")]
    pub(super) list: PathBuf,

    /// The deltas, oldest first
    #[arg(value_name = "DELTA", required = true)]
    deltas: Vec<PathBuf>,

    /// Write the new list to this file, which may be LIST; it is replaced when the new list is complete
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

/// Applies.
pub(crate) fn run_apply(args: &ApplyArgs) -> Result<Exit, Failure> {
    FilesInUse::reading(&args.deltas).write("--out", Some(&args.out))?;
    let (list, exit) = open::list(&args.list)?;
    let deltas = args.deltas.iter().map(|path| read(path)).collect::<Result<Vec<Delta>, _>>()?;
    let start =
        Delta::start_of(&deltas, list.checksum()).map_err(|error| Failure::of_file(&args.list, &error))?;
    let (list, _) = follow(&args.list, list, deltas.iter().skip(start))?;
    write_file(&args.out, &open::compiled(&list)?)?;
    report(&args.out, &list, deltas.len() - start);
    Ok(exit)
}

/// Bring a compiled list up to date with the deltas in a folder
///
/// Finds the deltas that lead to the newest reachable list, in any order, and replaces the list when the new
/// one is complete. With --trust the new list is verified by its signature, which comes with the deltas and is
/// then written next to the list. A list that is up to date stays unchanged. A lock file next to it (`.lock` is
/// added to its name) makes updates wait for each other.
///
/// Example: urlid list update bad.compiled deltas/ --trust bad.pub --state bad.seen
#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    /// The list
    #[arg(value_name = "LIST")]
    pub(super) list: PathBuf,

    /// Deltas, or folders with files whose names end with `.delta`
    #[arg(value_name = "DELTA|FOLDER", required = true)]
    deltas: Vec<PathBuf>,

    /// Write the new list to this file, and leave the old one unchanged
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    trust: TrustArgs,
}

/// Applies the deltas that lead to the newest list, and writes it.
pub(crate) fn run_update(args: &UpdateArgs) -> Result<Exit, Failure> {
    let out = args.out.as_deref().unwrap_or(&args.list);
    let mut paths = Vec::new();
    for path in &args.deltas {
        match path.is_dir() {
            true => paths.extend(deltas_in(path)?),
            false => paths.push(path.clone()),
        }
    }
    // Without --out the signature next to the list is replaced with the list.
    let trusted = args.trust.paths(args.out.iter().map(|_| args.list.as_path()));
    let mut files = FilesInUse::reading(paths.iter().chain(&trusted));
    files.write("--out", Some(out))?;
    files.write("--out", Some(&signature_path(out)))?;
    // Held until list and signature are written, because a concurrent update could mix its files with them,
    // or replace them by an older list.
    let _lock = FileLock::beside(out)?;
    let (list, exit) = open::list(&args.list)?;
    let deltas = paths.iter().map(|path| read(path)).collect::<Result<Vec<Delta>, _>>()?;
    let before = list.checksum();
    let chain = Delta::newest_chain(&deltas, &list);
    let (list, mut signature) = follow(&args.list, list, chain.iter().map(|&index| &deltas[index]))?;
    // An update that was interrupted between list and signature is ended by the next one.
    if chain.is_empty() {
        signature = deltas.iter().find(|delta| delta.new_checksum() == before).and_then(Delta::signature);
    }
    let bytes = open::compiled(&list)?;
    if args.trust.is_given() {
        let text = match signature {
            Some(text) => text.to_owned(),
            None => signature_beside(&args.list)?,
        };
        // This stores the edition as seen before the list is written. After a crash between the two, the old
        // list is rejected, and the next update writes the new one. In the other order, a crash would let the
        // old list come back.
        args.trust.open(out, bytes.clone(), &text)?;
    }
    if !chain.is_empty() || args.out.is_some() {
        write_file(out, &bytes)?;
    }
    if let Some(text) = signature {
        write_signature(out, text)?;
    }
    report(out, &list, chain.len());
    // Every applicable delta is applied. The gap must be an error, because otherwise an old list would pass
    // for the newest.
    let sequence = |header: &ListHeader| header.edition().sequence;
    match deltas.iter().position(|delta| sequence(delta.header()) > sequence(list.header())) {
        Some(index) => Err(Failure::of_file(&paths[index], &UNREACHED.error())),
        None => Ok(exit),
    }
}

/// Returns the deltas in a folder, by their names.
fn deltas_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::read(folder, &error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension() == Some(OsStr::new("delta")) {
            paths.push(path);
        }
    }
    // The order of a folder depends on its file system, and the first of equal chains is used.
    paths.sort();
    Ok(paths)
}

fn read(path: &Path) -> Result<Delta, Failure> {
    let bytes = read_file(path).map_err(|error| Failure::read(path, &error))?;
    Delta::from_bytes(&bytes).map_err(|error| Failure::of_file(path, &error))
}

/// Applies deltas one after the other. Returns the list and the signature of the last delta.
fn follow<'d>(
    path: &Path,
    mut list: HiddenList,
    deltas: impl Iterator<Item = &'d Delta>,
) -> Result<(HiddenList, Option<&'d str>), Failure> {
    let mut signature = None;
    for delta in deltas {
        list = delta.apply(&list).map_err(|error| Failure::of_file(path, &error))?;
        signature = delta.signature();
    }
    Ok((list, signature))
}

fn report(out: &Path, list: &HiddenList, applied: usize) {
    let (entries, applied) = (message::count(list.len(), "entry"), message::count(applied as u64, "delta"));
    message::print(&format!("{}: {entries}, {applied} applied", Escaped::path(out)));
}
