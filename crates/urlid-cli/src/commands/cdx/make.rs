//! `urlid cdx make`: an index of WARC, ARC and WACZ files.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::{DirEntry, File};
use std::io::{BufReader, Read, Seek};
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Map, Value as Json};
use urlid_archives::cdxj::{BodyRules, IndexLayout, Visits};
use urlid_archives::{Range, Records, Wacz, WaczPart};
use urlid_canonical::{Canonicalizer, Form};
use urlid_io::error;
use urlid_io::lines::{Archives, FileKind, Input, InputKind, LineError, range_of};
use urlid_store::sort::LineSorter;

use super::extend::Expected;
use super::output::IndexOutput;
use super::payloads::by_digest;
use crate::args::choice;
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::input::line_run::LineRun;
use crate::input::sources::Sources;
use crate::input::{ArchiveArgs, InputOptions, LineRules};
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, Rows, Shown, Shows, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::lost::LostRanges;
use crate::report::rejections::{Ended, InvalidArg, Place};
use crate::report::signals;
use crate::report::ways::Needs;

/// The bytes that are read at once.
const BUFFER: usize = 64 << 10;
/// Records between two updates of the progress bar.
const RECORDS_BETWEEN_UPDATES: u64 = 256;

/// Make an index of WARC, ARC and WACZ files: sorted CDXJ or CDX, as pywb and cdxj-indexer read and write it
///
/// A line has the key of the URL, the time of the visit, and JSON with url, mime, status, digest, length,
/// offset and filename. Lines are sorted by their bytes, and equal lines are written once. Files may be plain,
/// or compressed with one gzip member or zstd frame per record. A record without a date is rejected. A folder
/// stands for the archives in it, sorted by name.
///
/// If a file is damaged or cut, the exit code is 4. A new index then has the records before the damage, and
/// with --recover those after it. An existing index stays unchanged, unless --recover finds the end of each
/// file.
///
/// Example: urlid cdx make crawl.warc.gz -o index.cdxj
///
/// Example: urlid cdx make --add tomorrow.warc.gz -o index.cdxj
///
/// Example: urlid cdx make --layout ndjson crawl.warc.gz | urlid count --column url --by host
///
/// Example: urlid cdx make crawl-*.warc.gz --as ia-surt-1.3 --zipnum 3000 -o index.cdxj
#[derive(Debug, Args)]
pub(super) struct CdxMakeArgs {
    /// WARC, ARC and WACZ files, or folders of them
    #[arg(value_name = "WARC", required = true)]
    files: Vec<PathBuf>,

    /// Add the lines to the index named by --out, if it exists
    ///
    /// That index must be sorted and have the same layout and form of keys. It is replaced when the extended
    /// index is complete. If two programs add to it, one waits for the other. The blocks of a ZipNum index get
    /// a new name, which its .idx and .loc files contain.
    #[arg(long, requires = "out", conflicts_with = "replace")]
    add: bool,

    /// Make keys in this canonical form; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", default_value = "surt-0.3.1", value_parser = form_names(parse_form), hide_possible_values = true)]
    form: FormName,

    #[command(flatten)]
    lists: FormLists,

    /// Write the index in this layout
    #[arg(long, value_enum, value_name = "LAYOUT", default_value = "cdxj")]
    layout: LayoutArg,

    /// Sort the index by this key
    #[arg(
        long,
        value_name = "KEY",
        default_value = "url",
        value_parser = choice([
            ("url", IndexKey::Url, "The canonical form of its URL"),
            ("digest", IndexKey::Digest, "The digest of its payload, for `urlid cdx find --digest`"),
        ])
    )]
    by: IndexKey,

    /// Include method and body of POST and PUT requests in the key
    ///
    /// Replay then finds the answer to the same request. RULES are the rules of the replaying program.
    #[arg(long, value_enum, value_name = "RULES", num_args = 0..=1, require_equals = true, default_missing_value = "cdxj-indexer")]
    post_append: Option<PostRules>,

    /// Write file names as paths from this directory, instead of without a path
    #[arg(long, value_name = "DIR")]
    dir_root: Option<PathBuf>,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    archives: ArchiveArgs,

    #[command(flatten)]
    invalid: InvalidArg,

    #[command(flatten)]
    output: IndexOutput,
}

/// The key of the lines of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexKey {
    Url,
    Digest,
}

/// The layout of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LayoutArg {
    /// Key, time and JSON
    Cdxj,
    /// Nine fields, the classic CDX
    #[value(name = "cdx-9")]
    Cdx9,
    /// Eleven fields, CDX with lengths
    #[value(name = "cdx-11")]
    Cdx11,
    /// Objects in the order of the index, with url, timestamp, status, mime, digest, filename, offset and
    /// length; for verbs with --column
    Ndjson,
}

impl From<LayoutArg> for IndexLayout {
    fn from(layout: LayoutArg) -> Self {
        match layout {
            // The objects are made of these lines, which are sorted by key and time.
            LayoutArg::Cdxj | LayoutArg::Ndjson => IndexLayout::Cdxj,
            LayoutArg::Cdx9 => IndexLayout::Cdx9,
            LayoutArg::Cdx11 => IndexLayout::Cdx11,
        }
    }
}

/// Returns the row of ndjson of a line of CDXJ, without its line end.
fn row_of(line: &str) -> Cow<'_, str> {
    let mut parts = line.splitn(3, ' ').skip(1);
    let (time, json) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let Ok(fields) = serde_json::from_str::<Map<String, Json>>(json) else { return Cow::Borrowed(line) };
    let names = ["url", "timestamp", "status", "mime", "digest", "filename", "offset", "length"];
    let columns = names.map(|name| Column { name, shown: Shown::Always });
    let values = names.map(|name| match (name, fields.get(name).and_then(Json::as_str)) {
        ("timestamp", _) => Value::Text(time),
        ("status" | "offset" | "length", text) => {
            text.and_then(|text| text.parse().ok()).map_or(Value::Null, Value::Number)
        }
        (_, text) => text.map_or(Value::Null, Value::Text),
    });
    let mut row = Vec::new();
    Rows::new(Format::Ndjson, &columns, Shows::Exact).push(&mut row, &values);
    Cow::Owned(String::from_utf8_lossy(&row).trim_end().to_owned())
}

/// The rules by which a request is part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PostRules {
    /// The rules of cdxj-indexer 1.5
    #[value(name = "cdxj-indexer")]
    CdxjIndexer,
    /// The rules of pywb 2.10, which differ for JSON values and for methods other than GET
    Pywb,
}

impl From<PostRules> for BodyRules {
    fn from(rules: PostRules) -> Self {
        match rules {
            PostRules::CdxjIndexer => BodyRules::CdxjIndexer,
            PostRules::Pywb => BodyRules::Pywb,
        }
    }
}

impl CdxMakeArgs {
    fn inputs(&self) -> Result<InputOptions<'_>, Failure> {
        if self.files.iter().any(|file| file.as_os_str() == "-") {
            return Err(Failure::usage("an index names its WARC files: found `-`, expected files"));
        }
        let mut files = Vec::new();
        for path in &self.files {
            match path.is_dir() {
                true => files.extend(archives_in(path)?),
                false => files.push(path.clone()),
            }
        }
        let inputs = InputOptions::new(Sources::from_files(&files)?, &self.rules, &self.invalid);
        Ok(InputOptions { archives: Some(&self.archives), ..inputs })
    }

    /// Returns the requirements on an index that is extended.
    fn expected<'f>(&self, form: &'f Form) -> Expected<'f> {
        Expected {
            layout: self.layout.into(),
            form,
            has_requests: self.post_append.is_some(),
            is_by_digest: self.by == IndexKey::Digest,
        }
    }
}

/// Returns the archives in a folder, sorted by name. A ZIP archive counts if its name ends like the name of a
/// WACZ file.
fn archives_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = folder.read_dir().and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| Failure::read(folder, &error))?;
    let mut paths: Vec<_> = entries.iter().map(DirEntry::path).filter(|path| path.is_file()).collect();
    paths.retain(|path| match Input::open(path).and_then(|mut input| input.kind()) {
        Ok(InputKind::Other(FileKind::Zip)) => path.extension().is_some_and(|end| end == "wacz"),
        Ok(kind) => matches!(kind, InputKind::Warc | InputKind::Other(FileKind::Arc)),
        // One that cannot be read may be an archive, which its reading reports.
        Err(_) => true,
    });
    paths.sort();
    match paths.is_empty() {
        true => {
            let name = Escaped::path(folder);
            let failure = Failure::failed(format!("{name}: expected WARC, ARC or WACZ files in the folder"));
            Err(failure.with_way_on(folder, Needs::Archives))
        }
        false => Ok(paths),
    }
}

/// Makes the index.
pub(super) fn run(args: &CdxMakeArgs) -> Result<Exit, Failure> {
    let Archives::Urls(records) = args.archives.records() else {
        return Err(Failure::usage("--records none: an index needs records, such as --records response"));
    };
    let form = args.lists.form(&args.form)?;
    let mut files = FilesInUse::reading(args.lists.paths());
    let is_ndjson = args.layout == LayoutArg::Ndjson;
    if is_ndjson && (args.add || args.output.is_zipnum()) {
        return Err(Failure::usage(
            "--layout ndjson: --add and --zipnum need an index, expected --layout cdxj, cdx-9 or cdx-11",
        ));
    }
    if args.by == IndexKey::Digest && IndexLayout::from(args.layout) != IndexLayout::Cdxj {
        return Err(Failure::usage("--by digest: expected --layout cdxj or ndjson"));
    }
    match args.add {
        true => args.output.extend(&mut files, args.layout.into())?,
        false => args.output.add_to(&mut files)?,
    }
    let mut run = LineRun::begin(args.inputs()?, files, None)?;
    run.needs = Needs::Archives;
    if !args.add {
        args.output.check_new("--add adds to it, ")?;
    }
    let (keys, sorter, line) = (form.canonicalizer(), args.output.sorter(), String::new());
    let mut indexer = Indexer { args, records, keys, sorter, line };
    run.each_source(&mut |run, source| {
        // Every source has a path, because `inputs` rejects standard input.
        let Some(path) = source.path() else { return Ok(0) };
        indexer.index(path, run)
    })?;
    run.lost.as_ref().map_or(Ok(()), LostRanges::publish)?;
    let header = IndexLayout::from(args.layout).header();
    let extended = args.add.then(|| args.expected(&form));
    let show: fn(&str) -> Cow<'_, str> = if is_ndjson { row_of } else { |line| Cow::Borrowed(line) };
    args.output.write(header, indexer.sorter, extended, show, &mut run)?;
    run.finish(Exit::Done)
}

/// Collects the lines of the index.
struct Indexer<'a> {
    args: &'a CdxMakeArgs,
    records: Records,
    keys: Canonicalizer<'a>,
    sorter: LineSorter,
    line: String,
}

/// A file, or one in a WACZ file.
#[derive(Clone, Copy)]
struct Archive<'a> {
    /// The name in messages.
    path: &'a Path,
    /// The name in the index.
    name: &'a str,
    /// The bytes of the source before it.
    bytes_before: u64,
    /// Whether it is stored uncompressed, so that a place can be found again.
    is_plain: bool,
}

impl Indexer<'_> {
    /// Adds the visits of a file. Returns its size.
    fn index(&mut self, path: &Path, run: &mut LineRun) -> Result<u64, Ended> {
        let file = File::open(path).map_err(error::read)?;
        let is_regular = file.metadata().map_err(error::read)?.is_file();
        if is_regular && Input::open(path)?.kind() == Ok(InputKind::Other(FileKind::Zip)) {
            return self.index_wacz(range_of(file, 0).map_err(error::read)?, path, run);
        }
        let name = self.name_of(path)?;
        let archive = Archive { path, name: &name, bytes_before: 0, is_plain: true };
        self.index_visits(file, archive, run)
    }

    /// Returns the name of a file in the index.
    fn name_of(&self, path: &Path) -> Result<String, Ended> {
        let Some(root) = &self.args.dir_root else {
            return Ok(utf8(path, path.file_name().unwrap_or_default())?.to_owned());
        };
        let absolute = |path| std::path::absolute(path).map_err(error::read);
        Ok(relative(path, &absolute(path)?, &absolute(root)?)?)
    }

    /// Adds the visits of the archives in a WACZ file. Returns its size. An archive that cannot be read is
    /// reported, and the next one is read.
    fn index_wacz(&mut self, file: Range, path: &Path, run: &mut LineRun) -> Result<u64, Ended> {
        let mut wacz = Wacz::open(file)?;
        let mut bytes_before = 0;
        for entry in wacz.entries(WaczPart::Archive)? {
            let path = path.join(&entry.name);
            let (name, is_plain) = (entry.file_name(), entry.is_plain());
            let archive = Archive { path: &path, name, bytes_before, is_plain };
            match self.index_visits(wacz.content(&entry), archive, run) {
                Ok(bytes) => bytes_before += bytes,
                Err(Ended::Failed(failure)) => return Err(failure.into()),
                // A damaged archive does not hide the others. The exit code shows that data is missing.
                Err(Ended::Rejected(error)) => run.report_failed(&path, &error, ""),
            }
        }
        Ok(bytes_before)
    }

    /// Adds the visits of an archive. Returns its size.
    fn index_visits(
        &mut self,
        source: impl Read + Seek,
        archive: Archive<'_>,
        run: &mut LineRun,
    ) -> Result<u64, Ended> {
        let source = BufReader::with_capacity(BUFFER, source);
        let mut visits = Visits::new(source, self.records).map_err(error::read)?;
        if let Some(rules) = self.args.post_append {
            visits = visits.with_requests(rules.into());
        }
        let lost = run.lost.as_ref().filter(|_| archive.is_plain).cloned();
        let mut count = 0_u64;
        loop {
            count += 1;
            if count.is_multiple_of(RECORDS_BETWEEN_UPDATES) {
                run.show_progress(archive.bytes_before + visits.bytes_read());
            }
            if signals::is_stopping() {
                return Err(Failure::Stopped.into());
            }
            let visit = match visits.next_visit() {
                Ok(Some(visit)) => visit,
                Ok(None) => return Ok(visits.bytes_read()),
                Err(error) => match &lost {
                    // A file that cannot be read is not damaged.
                    Some(lost) if !error.is(error::READ) => {
                        lost.push(archive.path, visits.recover()?, error);
                        continue;
                    }
                    _ => return Err(error.into()),
                },
            };
            let limit = run.options.max_line;
            if visit.url().is_some_and(|url| url.len() > limit) {
                let place = Place::in_file(archive.path, visit.number());
                run.reject(place, b"", &LineError::TooLong { limit }.into())?;
                continue;
            }
            self.line.clear();
            let layout = self.args.layout.into();
            let written = visit.write_line(&mut self.keys, archive.name, layout, &mut self.line);
            match written {
                Ok(()) => {
                    let line = match self.args.by {
                        IndexKey::Url => Some(Cow::Borrowed(&*self.line)),
                        IndexKey::Digest => by_digest(&self.line).map(Cow::Owned),
                    };
                    // Only a revisit may lack its digest.
                    let pushed = line.map_or(Ok(()), |line| self.sorter.push(&line));
                    pushed.map_err(|error| self.args.output.sort_failure(&error))?;
                }
                Err(error) => {
                    let url = visit.url().unwrap_or_default();
                    run.reject(Place::in_file(archive.path, visit.number()), url.as_bytes(), &error.into())?;
                }
            }
        }
    }
}

/// Returns the name of a file, or of a folder on the path `of`, as written in the index.
fn utf8<'n>(of: &Path, name: &'n OsStr) -> Result<&'n str, Failure> {
    // Replacing the other characters would give the name of a file that does not exist.
    name.to_str().ok_or_else(|| {
        Failure::usage(format!("{}: expected a name in UTF-8, which an index can contain", Escaped::path(of)))
    })
}

/// Returns the path of a file from one absolute path to a second one, with slashes. Like cdxj-indexer it does
/// not consult the file system: `..` cancels the component before it, even if that is a link.
fn relative(of: &Path, path: &Path, root: &Path) -> Result<String, Failure> {
    let [path, root] = [path, root].map(|path| {
        let mut components = Vec::new();
        for component in path.components() {
            match component {
                Component::ParentDir => _ = components.pop(),
                Component::Normal(name) => components.push(name),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        components
    });
    let common = path.iter().zip(&root).take_while(|(one, other)| one == other).count();
    let up = root[common..].iter().map(|_| Ok(".."));
    let names = up.chain(path[common..].iter().map(|name| utf8(of, name)));
    Ok(names.collect::<Result<Vec<_>, _>>()?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_first_place() {
        for (path, root, expected) in [
            ("/a/b/c.warc", "/a/b", "c.warc"),
            ("/a/b/c.warc", "/a", "b/c.warc"),
            ("/a/b/c.warc", "/", "a/b/c.warc"),
            ("/a/b/c.warc", "/a/x/y", "../../b/c.warc"),
            ("/a/../b/./c.warc", "/b", "c.warc"),
        ] {
            let found = relative(Path::new(path), Path::new(path), Path::new(root)).ok();
            assert_eq!(found.as_deref(), Some(expected), "{path} from {root}");
        }
    }
}
