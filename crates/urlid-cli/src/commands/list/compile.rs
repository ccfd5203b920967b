//! `urlid list compile`: the form of a list that is read fastest.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_io::files::NewFile;
use urlid_lists::HiddenList;

use super::{matcher, open};
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::input::is_stdin;
use crate::message;
use crate::replace;

/// Compile a list to the binary form, which loads faster and has a checksum
///
/// The compiled list has the same entries. Its size, on disk and in memory, is little more than that of their digests. A
/// list with --ladder=hosts also carries the public suffix list that it was made with, so that it matches the same
/// everywhere.
///
/// Example: urlid list compile bad.list -o bad.compiled
#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// The list, in either form
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// The file to write, another one than the list; an existing file is replaced when the new one is complete
    #[arg(short, long, value_name = "FILE", required_unless_present = "old_out")]
    out: Option<PathBuf>,

    /// The same without `--out`, as it was before.
    #[arg(hide = true, conflicts_with = "out")]
    old_out: Option<PathBuf>,
}

/// Compiles.
pub(crate) fn run(args: &CompileArgs, globals: &Globals) -> Result<Exit, Failure> {
    if args.old_out.is_some() {
        message::print("`list compile LIST FILE` is now `list compile LIST --out FILE`");
    }
    let out = args.out.as_deref().or(args.old_out.as_deref()).unwrap_or_else(|| Path::new(""));
    if !is_stdin(&args.list) {
        replace::check_unread("--out", out, [args.list.as_path()])?;
    }
    let (list, exit) = open::list(&args.list)?;
    let list = matcher::with_own_suffixes(&args.list, list, globals)?;
    let file = replace::create(out)?;
    write(&list, file).map_err(|error| Failure::write(out, &error))?;
    message::print(&format!("{}: {} entries", Escaped::path(out), list.len()));
    Ok(exit)
}

fn write(list: &HiddenList, file: NewFile) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    list.write_compiled(&mut out)?;
    out.into_inner().map_err(|error| error.into_error())?.publish()
}
