//! `urlid cdx find`: prints the lines of an index for URLs, or the places of the blocks that have them.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::{Coded, Error};
use urlid_archives::cdx::{CdxError, CdxLayout, IndexBlock, LineRange, MatchType, find, plan};
use urlid_archives::error::{LONG_LINE, NO_INDEX, NO_KEYS, UNSORTED};
use urlid_archives::{PayloadDigest, Wacz, WaczPart};
use urlid_io::files::directory_of;
use urlid_io::lines::{Archives, Compression, FileKind, Input, InputKind, LineOptions, range_of};

use super::payloads::range_of as range_of_digest;
use crate::args::choice;
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::input::bounded::read_file_text;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::signals;

/// Print the lines of a sorted index that are about URLs
///
/// A binary search finds the lines, so large indexes are fast. INDEX is a CDX or CDXJ file, the .idx file of a
/// ZipNum index with its blocks next to it or in the places in its .loc file, or a WACZ file, whose indexes are
/// read completely. Exits with 1 if no line is found.
///
/// An index without keys, or one that is found to be unsorted, is an error. Files up to 64 MiB are checked
/// completely, larger ones at 4,096 places and at the end. `urlid cdx verify` checks all lines, and finds the
/// form of the keys.
///
/// Example: urlid cdx find index.cdxj https://www.debian.org/
///
/// Example: urlid cdx find cluster.idx '*.debian.org' --limit 10
///
/// Example: urlid cdx find cluster.idx https://www.debian.org/ --plan
#[derive(Debug, Args)]
pub(crate) struct CdxFindArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// URLs to look up; the lines of each URL are printed in turn
    ///
    /// As in pywb, `h.example/a*` finds a prefix, and `*.h.example` a host with the names below it. With
    /// --match a `*` is part of the URL.
    #[arg(value_name = "URL", required = true)]
    urls: Vec<String>,

    /// Search an index by payload digests instead of URLs
    ///
    /// The arguments are digests. `cdx make --by digest` writes such an index.
    #[arg(long, conflicts_with_all = ["matched", "form"])]
    digest: bool,

    /// Match these URLs [default: exact, or prefix or domain by a `*` in the URL]
    #[arg(
        long = "match",
        value_name = "HOW",
        value_parser = choice([
            ("exact", MatchType::Exact, "The URL itself"),
            ("prefix", MatchType::Prefix, "Every URL with this prefix"),
            ("host", MatchType::Host, "Every URL on its host"),
            ("domain", MatchType::Domain, "Every URL on its host or a name below it"),
        ])
    )]
    matched: Option<MatchType>,

    /// Search keys in this canonical form; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", default_value = "surt-0.3.1", value_parser = form_names(parse_form), hide_possible_values = true)]
    form: FormName,

    #[command(flatten)]
    lists: FormLists,

    /// Print at most this many lines
    #[arg(long, value_name = "LINES")]
    limit: Option<u64>,

    /// Print the byte ranges of a ZipNum index to fetch instead of the lines
    ///
    /// Each row has a file, an offset and a length, separated by tabs. Only the .idx file is read. The ranges
    /// contain all lines and possibly others, because a block that starts before the first line may contain it.
    #[arg(long, conflicts_with = "limit")]
    plan: bool,
}

/// Prints the lines.
pub(super) fn run(args: &CdxFindArgs) -> Result<Exit, Failure> {
    let form = args.lists.form(&args.form)?;
    let range = |text: &String| {
        if args.digest {
            return Ok(range_of_digest(text));
        }
        let (url, matched) = match args.matched {
            Some(matched) => (text.as_str(), matched),
            None => LineRange::pattern(text),
        };
        LineRange::parse(url, &form, matched)
            .map_err(|error| Failure::new(Exit::Usage, &error).at(&Escaped(text.as_bytes()).to_string()))
    };
    let ranges = args.urls.iter().map(range).collect::<Result<Vec<_>, _>>()?;
    let index = || open(&args.index).map_err(|error| Failure::read(&args.index, &error));
    // An index that cannot be opened is reported before the output starts.
    index()?;
    let opened = Input::open(&args.index).and_then(|mut input| Ok((input.kind()?, input.compression())));
    let (kind, compression) = opened.map_err(|error| Failure::of_file(&args.index, &error))?;
    check_keys(args, &kind)?;
    match kind {
        InputKind::Other(FileKind::Zip) => return print_of_wacz(args, &ranges),
        InputKind::Index(..) if compression != Compression::Plain => return Err(compressed(&args.index)),
        _ if args.plan => return print_plan(args, &ranges, &kind, &index),
        _ => {}
    }
    let mut out = Output::stdout()?;
    let (mut count, mut is_found, mut written) = (0_u64, false, Ok(()));
    let limit = args.limit.unwrap_or(u64::MAX);
    let mut found = Ok(());
    for range in &ranges {
        found = find(index()?, range, &mut |part| open_part(&args.index, part), &mut |line| {
            is_found = true;
            if count == limit {
                return ControlFlow::Break(());
            }
            count += 1;
            written = out.write(line).and_then(|()| out.write(b"\n"));
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if written.is_err() || found.is_err() || (is_found && count == limit) {
            break;
        }
    }
    written?;
    out.flush()?;
    // Returned after the flush, so that the lines before the damage are printed.
    found.map_err(|error| explained(args, &kind, &error))?;
    Ok(if is_found { Exit::Done } else { Exit::Nothing })
}

/// Opens the file of the blocks that an index names, next to the index or at the path in its .loc file. These
/// paths are relative to the folder of the index, or as in pywb to the current folder.
fn open_part(index: &Path, part: &str) -> io::Result<File> {
    let directory = directory_of(index);
    let missing = match open(&directory.join(part)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => error,
        opened => return opened,
    };
    let Ok(locations) = read_file_text(&index.with_extension("loc")) else { return Err(missing) };
    let mut places = locations
        .lines()
        .map(|line| line.split('\t'))
        .filter_map(|mut fields| (fields.next() == Some(part)).then_some(fields));
    let paths = places.next().into_iter().flatten();
    let opened = paths.flat_map(|path| [directory.join(path), path.into()]).map(|path| open(&path));
    opened.reduce(|first, next| first.or(next)).unwrap_or(Err(missing))
}

/// Prints the lines of the indexes in a WACZ file. All lines are read, because a compressed file cannot be
/// searched.
fn print_of_wacz(args: &CdxFindArgs, ranges: &[LineRange]) -> Result<Exit, Failure> {
    if args.plan {
        return Err(Failure::usage("--plan: found a WACZ file, expected the .idx file of a ZipNum index"));
    }
    let failed = |error: Error| Failure::of_file(&args.index, &error);
    let file = File::open(&args.index).map_err(|error| Failure::read(&args.index, &error))?;
    let range = range_of(file, 0).map_err(|error| Failure::read(&args.index, &error))?;
    let mut wacz = Wacz::open(range).map_err(failed)?;
    let entries = wacz.entries(WaczPart::Indexes).map_err(failed)?;
    let mut out = Output::stdout()?;
    let (mut count, mut is_found) = (0_u64, false);
    let limit = args.limit.unwrap_or(u64::MAX);
    for range in ranges {
        for entry in &entries {
            let failed = |error: &dyn Coded| Failure::of_file(&args.index.join(&entry.name), error);
            let mut input = Input::from_reader(wacz.content(entry)).map_err(|error| failed(&error))?;
            let layout = match input.kind().map_err(|error| failed(&error))? {
                InputKind::Empty => continue,
                InputKind::Index(layout, _) => layout,
                _ => return Err(failed(&CdxError::NoIndex)),
            };
            let mut lines = input.lines(LineOptions { archives: Archives::Text, ..LineOptions::default() });
            while let Some(line) = lines.next_line().map_err(|error| failed(&error))? {
                if signals::is_stopping() {
                    return Err(Failure::Stopped);
                }
                if range.contains(layout, line.bytes) {
                    is_found = true;
                    if count == limit {
                        break;
                    }
                    count += 1;
                    out.write(line.bytes)?;
                    out.write(b"\n")?;
                }
            }
        }
    }
    out.flush()?;
    Ok(if is_found { Exit::Done } else { Exit::Nothing })
}

/// Prints the places of the blocks, in their order in the index, each byte once.
fn print_plan(
    args: &CdxFindArgs,
    ranges: &[LineRange],
    kind: &InputKind,
    index: &dyn Fn() -> Result<File, Failure>,
) -> Result<Exit, Failure> {
    let (mut blocks, mut found) = (Vec::new(), Ok(()));
    // Blocks found before damage are printed, as lines are without --plan, so the error is kept.
    for range in ranges {
        found = plan(index()?, range, &mut blocks);
        if found.is_err() {
            break;
        }
    }
    let mut out = Output::stdout()?;
    let columns = ["file", "offset", "length"].map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut out, Format::Text, &columns)?;
    for IndexBlock { part, offset, length } in &blocks {
        rows.write(&mut out, &[Value::Text(part), Value::Number(*offset), Value::Number(*length)])?;
    }
    out.flush()?;
    found.map_err(|error| explained(args, kind, &error))?;
    Ok(if blocks.is_empty() { Exit::Nothing } else { Exit::Done })
}

/// Returns the failure of a search.
fn explained(args: &CdxFindArgs, kind: &InputKind, error: &Error) -> Failure {
    let has_rows = matches!(kind, InputKind::Index(CdxLayout::Rows { .. }, _));
    let failure = Failure::of_file(&args.index, error);
    if error.is(UNSORTED) {
        failure.with_hint("`urlid cdx merge` sorts indexes")
    } else if error.is(NO_KEYS) {
        failure.with_hint("`urlid cdx make` writes an index with keys from the archives")
    } else if has_rows && (error.is(NO_INDEX) || error.is(LONG_LINE)) {
        failure.with_hint("`urlid cdx merge` writes rows of JSON that are on one line as lines")
    } else {
        failure
    }
}

/// Opens a regular file, because a search needs a size and positions.
fn open(path: &Path) -> io::Result<File> {
    // Looked at before it is opened, because opening a pipe waits for its writer.
    if path.metadata()?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a regular file"))
    }
}

/// Returns an error if the keys of an index are digests and URLs are searched, or the reverse.
fn check_keys(args: &CdxFindArgs, kind: &InputKind) -> Result<(), Failure> {
    let (InputKind::Index(_, first) | InputKind::Lines(first)) = kind else { return Ok(()) };
    let first = String::from_utf8_lossy(first);
    let key = first.split(' ').next().unwrap_or_default();
    // Every key of SURT with a host has the parenthesis, and digests never do.
    let hint = match args.digest {
        true if key.contains(')') => "`urlid cdx make --by digest` writes an index by digests",
        false if key.contains(':') && PayloadDigest::parse(key).is_some() => {
            "its keys are digests, which --digest searches"
        }
        _ => return Ok(()),
    };
    let name = Escaped::path(&args.index);
    Err(Failure::usage(format!("{name}: the first key is `{}`", Escaped(key.as_bytes()))).with_hint(hint))
}

/// Returns the error for a compressed index, in which a binary search is impossible.
fn compressed(path: &Path) -> Failure {
    let name = Escaped::path(path);
    let failure = Failure::usage(format!("{name}: compressed, which cannot be searched"));
    failure.with_hint("give the .idx file of a ZipNum index, or decompress the index")
}
