//! `urlid list compile`: the form of a list that is read fastest.

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
/// The compiled list has the same entries, with --kind only a part of their digests: it is smaller, and a URL
/// that is not listed may match by chance (`urlid list show` says how often).
///
/// Example: urlid list compile bad.list -o bad.compiled
///
/// Example: urlid list compile --kind prefix bad.list -o bad.prefixes
#[derive(Debug, Args)]
pub(crate) struct CompileArgs {
    /// The list, in either form
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// The file to write, another one than the list; an existing file is replaced when the new one is
    /// complete
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    store: DigestArgs,

    #[command(flatten)]
    sign: SignArgs,
}

/// The choice of what is kept of digests.
#[derive(Debug, Args)]
struct DigestArgs {
    /// How to keep digests [default: whole]
    #[arg(
        long,
        value_name = "KIND",
        value_parser = choice([
            ("exact", ListKind::Exact, "80 bits of each, or --digest-bits: a false match practically does not happen"),
            ("prefix", ListKind::Prefix, "32 bits of each: a match means that the whole digests have to be asked for"),
        ])
    )]
    kind: Option<ListKind>,

    /// The bits to keep of each digest, with --kind exact a multiple of 8 from 40 to 512, or `whole`
    #[arg(long, value_name = "BITS", requires = "kind", value_parser = parse_bits)]
    digest_bits: Option<Bits>,
}

/// Bits to keep; nothing for whole digests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits(Option<u16>);

pub(super) fn parse_bits(text: &str) -> Result<Bits, String> {
    match text {
        "whole" => Ok(Bits(None)),
        _ => {
            text.parse().map(|bits| Bits(Some(bits))).map_err(|_| "expected a number, or `whole`".to_owned())
        }
    }
}

impl DigestArgs {
    /// Compiles a list to the kind that was chosen; to whole digests, or as it is, if none was.
    fn compile(&self, path: &Path, list: HiddenList) -> Result<HiddenList, Failure> {
        match self.kind {
            None => Ok(list),
            Some(kind) => compile_to(path, &list, kind, self.digest_bits),
        }
    }
}

/// Compiles a list to a kind, with its usual bits where none were chosen.
pub(super) fn compile_to(
    path: &Path,
    list: &HiddenList,
    kind: ListKind,
    bits: Option<Bits>,
) -> Result<HiddenList, Failure> {
    let store = match bits {
        None => Ok(Store::usual(kind)),
        Some(Bits(bits)) => Store::new(kind, bits),
    };
    let store = store.map_err(|error| Failure::usage(format!("--digest-bits: {error}")))?;
    list.compile(store).map_err(|error| Failure::of_file(path, &error))
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
    let list = args.store.compile(&args.list, list)?;
    match signer {
        // Not in memory as a whole: a list that was not compiled may have as many bytes itself.
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
