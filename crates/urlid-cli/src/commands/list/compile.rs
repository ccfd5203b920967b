//! `urlid list compile`: the form of a list that is read fastest.

use std::io::{self, BufWriter};
use std::path::PathBuf;

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
/// Example: urlid list compile bad.list bad.compiled
#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// The list, in either form
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// The file to write, another one than the list; an existing file is replaced when the new one is complete
    #[arg(value_name = "OUT")]
    out: PathBuf,
}

/// Compiles.
pub(crate) fn run(args: &CompileArgs, globals: &Globals) -> Result<Exit, Failure> {
    if !is_stdin(&args.list) {
        replace::check_unread("OUT", &args.out, [args.list.as_path()])?;
    }
    let (list, exit) = open::list(&args.list)?;
    let list = matcher::with_own_suffixes(&args.list, list, globals)?;
    let file = replace::create(&args.out)?;
    write(&list, file).map_err(|error| Failure::write(&args.out, &error))?;
    message::print(&format!("{}: {} entries", Escaped::path(&args.out), list.len()));
    Ok(exit)
}

fn write(list: &HiddenList, file: NewFile) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    list.write_compiled(&mut out)?;
    out.into_inner().map_err(|error| error.into_error())?.publish()
}
