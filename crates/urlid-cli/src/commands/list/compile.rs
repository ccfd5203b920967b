//! `urlid list compile`: converts a list to the form that is read fastest.

use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_io::files::NewFile;
use urlid_lists::{HiddenList, ListKind, Store};

use super::open;
use super::sign::{self, SignArgs, write_file};
use crate::args::choice;
use crate::output::escape::Escaped;
use crate::output::files::{self, FilesInUse};
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Compile a list to the binary form, which loads faster and has a checksum
///
/// The compiled list has the same entries. With `--digests exact` or `prefix` it keeps only a part of each
/// digest. It is then smaller, but a URL that is not listed may match by chance (`urlid list show` prints how
/// often).
///
/// Example: urlid list compile bad.list -o bad.compiled
///
/// Example: urlid list compile --digests prefix bad.list -o bad.prefixes
#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// The list, as text or compiled
    #[arg(value_name = "LIST")]
    pub(super) list: PathBuf,

    /// Write the compiled list to this file, which must not be LIST
    ///
    /// An existing file is replaced when the new one is complete.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    digests: DigestArgs,

    #[command(flatten)]
    sign: SignArgs,
}

/// The choice of what is kept of digests.
#[derive(Debug, Args)]
pub(super) struct DigestArgs {
    /// Keep this much of each digest
    ///
    /// The default is whole for `list compile` and exact for `list shards`. By default, a list with partial
    /// digests keeps them.
    #[arg(
        long,
        value_name = "HOW",
        value_parser = choice([
            ("whole", Digests::Whole, "The whole digest"),
            ("exact", Digests::Exact, "80 bits, or --digest-bits; false matches practically never happen"),
            ("prefix", Digests::Prefix, "32 bits; a match must be confirmed with whole digests"),
        ])
    )]
    digests: Option<Digests>,

    /// Keep this many bits with --digests exact: a multiple of 8 from 40 to 512
    #[arg(long, value_name = "BITS", requires = "digests")]
    digest_bits: Option<u16>,
}

/// How much of a digest is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digests {
    Whole,
    Exact,
    Prefix,
}

impl DigestArgs {
    /// Compiles a list to the digests that were chosen, or to the usual ones. Digests that were cut cannot
    /// become longer, so without a choice a list that has them keeps them.
    pub(super) fn compile(
        &self,
        path: &Path,
        list: HiddenList,
        usual: Digests,
    ) -> Result<HiddenList, Failure> {
        let digests = match self.digests {
            None if !list.is_whole() => return Ok(list),
            digests => digests.unwrap_or(usual),
        };
        let store = match (digests, self.digest_bits) {
            (Digests::Whole, None) => Ok(Store::WHOLE),
            (Digests::Whole, Some(_)) => {
                return Err(Failure::usage(
                    "--digest-bits needs --digests exact, because whole digests have all bits",
                ));
            }
            (Digests::Exact, None) => Ok(Store::usual(ListKind::Exact)),
            (Digests::Exact, bits) => Store::new(ListKind::Exact, bits),
            (Digests::Prefix, None) => Ok(Store::usual(ListKind::Prefix)),
            (Digests::Prefix, bits) => Store::new(ListKind::Prefix, bits),
        };
        let store = store.map_err(|error| Failure::usage(format!("--digest-bits: {error}")))?;
        list.compile(store).map_err(|error| Failure::of_file(path, &error))
    }
}

/// Compiles.
pub(crate) fn run(args: &CompileArgs) -> Result<Exit, Failure> {
    let out = args.out.as_path();
    let signature = sign::signature_of(Some(out), args.sign.path());
    let mut files = FilesInUse::reading([args.list.as_path()].into_iter().chain(args.sign.path()));
    files.write("--out", Some(out))?;
    files.write("--sign", signature.as_deref())?;
    // A key that cannot be read is reported before a large list is read.
    let signer = args.sign.read()?;
    let (list, exit) = open::list(&args.list)?;
    if list.is_empty() {
        return Ok(open::empty_list("list").max(exit));
    }
    let list = args.digests.compile(&args.list, list, Digests::Whole)?;
    match signer {
        // Written directly instead of being built in memory, because a list that was read from text may already
        // use as much memory as its compiled form.
        None => write(&list, files::create(out)?).map_err(|error| Failure::write(out, &error))?,
        Some(signer) => {
            let bytes = open::compiled(&list)?;
            write_file(out, &bytes)?;
            signer.sign_file(out, &bytes)?;
        }
    }
    message::print(&format!("{}: {}", Escaped::path(out), message::count(list.len(), "entry")));
    Ok(exit)
}

fn write(list: &HiddenList, file: NewFile) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    list.write_compiled(&mut out)?;
    out.into_inner().map_err(|error| error.into_error())?.publish()
}
