//! `urlid list compile`: the form of a list that is read fastest.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::list::HiddenList;

use super::open;
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::message;

/// Compile a list into the binary form, which is read whole and checked by its own digest
///
/// The compiled list has the same entries and takes little more than the bytes of their digests, in the file and in
/// memory. For example: urlid list compile bad.list bad.compiled
#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// The list, in either form
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// The file to write; an older one is replaced once the new one is complete
    #[arg(value_name = "OUT")]
    out: PathBuf,
}

/// Compiles.
pub(crate) fn run(args: &CompileArgs) -> Result<Exit, Failure> {
    let (list, exit) = open::list(&args.list)?;
    let mut partial = args.out.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let written = write(&list, &partial).and_then(|()| std::fs::rename(&partial, &args.out));
    if let Err(error) = written {
        // What was written of it is of no use to anyone; that it stays is no further news.
        let _ = std::fs::remove_file(&partial);
        return Err(Failure::failed(format!("{}: cannot write: {error}", Escaped::path(&args.out))));
    }
    message::say(&format!("{}: {} entries", Escaped::path(&args.out), list.len()));
    Ok(exit)
}

fn write(list: &HiddenList, path: &Path) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    list.write_compiled(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()
}
