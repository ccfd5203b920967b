//! `urlid list shards`: a list as many small files, and the folder from which they are read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use urlid::hashed_uri::Key;
use urlid::{ErrorCode, ErrorKind};
use urlid_lists::{Covers, Entry, Padding, Routes, Scratch, Shard, ShardIndex, ShardMatcher};

use super::compile::{DigestArgs, Digests};
use super::open;
use super::sign::{self, SignArgs, write_file};
use super::trust::TrustArgs;
use crate::args::Globals;
use crate::input::bounded::{read_file, read_file_text};
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// The file of the index in a folder of shards.
const INDEX: &str = "index";
const UNREADABLE: ErrorKind = ErrorKind::new(ErrorCode::ListShard, "shard {found} cannot be read");

/// Split a list into many small files, so that a reader fetches only the one that could contain a URL
///
/// The files are static, and any web server can publish them. An observer who sees which file is fetched learns
/// some bits of a digest; `urlid list audit --shards` prints how many URLs ask for the same files. A list that
/// covers directories or subdomains needs the routes of its entries, which `urlid list make --routes` writes.
///
/// Example: urlid list shards bad.list --bits 12 --pad --out shards
#[derive(Debug, Args)]
pub(crate) struct ShardsArgs {
    /// The list, as text or compiled
    #[arg(value_name = "LIST")]
    pub(super) list: PathBuf,

    /// Make 2 to the power of this many shards
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=20))]
    bits: u32,

    /// Pad all shards to the same length, so that the length of a download does not reveal the shard
    #[arg(long)]
    pad: bool,

    /// Read the routes of the entries from this file, for a list that covers directories or subdomains
    #[arg(long, value_name = "FILE")]
    routes: Option<PathBuf>,

    #[command(flatten)]
    digests: DigestArgs,

    /// Write the shards to this folder, which is created if it is missing
    ///
    /// The index is written last.
    #[arg(short, long, value_name = "FOLDER")]
    out: PathBuf,

    #[command(flatten)]
    sign: SignArgs,
}

impl ShardsArgs {
    /// Returns whether the command splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        self.routes.is_some()
    }
}

/// Writes the shards.
pub(crate) fn run(args: &ShardsArgs, globals: &Globals) -> Result<Exit, Failure> {
    let index = args.out.join(INDEX);
    let signature = sign::signature_of(Some(&index), args.sign.path());
    let read = [Some(args.list.as_path()), args.routes.as_deref(), args.sign.path()];
    let mut files = FilesInUse::reading(read.into_iter().flatten());
    files.write("--out", Some(&index))?;
    files.write("--sign", signature.as_deref())?;
    let signer = args.sign.read()?;
    let (list, exit) = open::list(&args.list)?;
    if list.is_empty() {
        return Ok(open::empty_list("list").max(exit));
    }
    let list = args.digests.compile(&args.list, list, Digests::Exact)?;
    let routes = args.routes.as_deref().map(|path| read_routes(path, globals));
    // The size of an encrypted answer could reveal the shard, and so parts of the digest.
    let padding = if args.pad { Padding::Equal } else { Padding::None };
    let shards = list.shards(args.bits, routes.transpose()?.as_ref(), padding);
    let shards = shards.map_err(|error| {
        let failure = Failure::of_file(&args.list, &error);
        match error.code() {
            ErrorCode::ListShard if args.routes.is_none() && list.header().rules().covers != Covers::Url => {
                failure.with_hint("`urlid list make --routes FILE` writes the routes of a list")
            }
            _ => failure,
        }
    })?;
    fs::create_dir_all(&args.out).map_err(|error| Failure::write(&args.out, &error))?;
    let (mut bytes, mut most) = (Vec::new(), 0);
    for number in 0..shards.count() {
        bytes.clear();
        let path = args.out.join(shards.file_name(number));
        shards.write(number, &mut bytes).map_err(|error| Failure::write(&path, &error))?;
        write_file(&path, &bytes)?;
        most = most.max(bytes.len());
    }
    // The index is written last, so that readers do not mistake an unfinished folder for a complete one.
    write_file(&index, shards.index())?;
    if let Some(signer) = signer {
        signer.sign_file(&index, shards.index())?;
    }
    let entries = message::count(list.len(), "entry");
    message::print(&format!(
        "{}: {entries} in {} of at most {}",
        Escaped::path(&args.out),
        message::count(shards.count().into(), "shard"),
        message::count(most as u64, "byte")
    ));
    Ok(exit)
}

/// Reads the routes of a list.
fn read_routes(path: &Path, globals: &Globals) -> Result<Routes, Failure> {
    let list = globals.psl.list()?;
    let routes = Routes::read(&read_file_text(path)?, &list);
    routes.map_err(|error| {
        let failure = Failure::of_file(path, &error);
        match error.code() {
            ErrorCode::Snapshot => {
                failure.with_hint("--psl and --psl-sections give the suffix list that they were made with")
            }
            _ => failure,
        }
    })
}

/// A folder of shards. Shards that were read are kept in memory.
pub(super) struct ShardFolder {
    pub(super) matcher: ShardMatcher,
    folder: PathBuf,
    read: Mutex<BTreeMap<u32, Arc<Shard>>>,
}

impl ShardFolder {
    /// Opens a folder, its index trusted if a key is given.
    pub(super) fn open(folder: &Path, key: Option<&Key>, trust: &TrustArgs) -> Result<Self, Failure> {
        let path = folder.join(INDEX);
        let bytes = read_file(&path).map_err(|error| Failure::read(&path, &error))?;
        let index = match trust.is_given() {
            true => trust.open_index(&path, &bytes)?,
            false => ShardIndex::from_bytes(&bytes).map_err(|error| Failure::of_file(&path, &error))?,
        };
        if !trust.is_given() {
            open::note_expired(&path, index.header().edition());
        }
        let matcher = ShardMatcher::new(index, key);
        let matcher = matcher.map_err(|error| open::match_failure(&path, &error, key.is_some()))?;
        Ok(Self { matcher, folder: folder.to_owned(), read: Mutex::default() })
    }

    /// Returns the first entry that matches a candidate.
    pub(super) fn find(
        &self,
        scratch: &mut Scratch,
        text: &str,
        base: Option<&str>,
    ) -> Result<Option<Entry<'_>>, urlid::Error> {
        let found = self.matcher.find_with(scratch, text, base, |number| self.shard(number))?;
        Ok(found.map(|found| found.entry))
    }

    fn shard(&self, number: u32) -> Result<Arc<Shard>, urlid::Error> {
        let read = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shard) = read().get(&number) {
            return Ok(Arc::clone(shard));
        }
        // The lock is not held during the read, because others would wait for it. Two threads may read the
        // same shard, and the later one replaces it by an equal shard.
        let bytes = read_file(&self.folder.join(self.matcher.index().file_name(number)));
        let bytes = bytes.map_err(|error| UNREADABLE.error().with_shown(number).with_source(error))?;
        let shard = Arc::new(self.matcher.index().read(number, bytes)?);
        read().insert(number, Arc::clone(&shard));
        Ok(shard)
    }
}
