//! `urlid list match`: which URLs a list matches, or a hashed URI.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;
use urlid::hashed_uri::Variant;
use urlid_lists::{Certainty, InvalidAs, ListHeader, ListKind, ListMatcher, Scratch};

use super::matching::{Lookup, MatchPrinter, MatchTask, Matcher, ShownLines, Totals};
use super::shards::ShardFolder;
use super::trust::TrustArgs;
use super::{hashed, open};
use crate::args::hashed::{self as hashed_options, KeyArg, check_base};
use crate::args::{choice, kernels};
use crate::input::UrlInputs;
use crate::input::assume::Completion;
use crate::input::columns::TableArgs;
use crate::input::line_run::LineRun;
use crate::output::enrich;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown};
use crate::output::table::place_columns;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Print the URLs that are in a list, each with the entry that it matches
///
/// A line is the URL, a tab, and the matching entry. Backslashes, tabs and control characters in the URL are
/// escaped, so a line has exactly one tab. A URL that cannot be checked is printed as well, with `!` and the
/// error code in place of the entry; --invalid-as selects whether it counts as a match. Exits with 0 if any URL
/// matched and with 1 if none did, like grep, and with 3 if any could not be checked.
///
/// With --format a row has the entry or the code in columns of their own, and with --input-format text the input, the
/// line and the column of the URL.
///
/// Instead of a list, a hashed URI can be given, or a file of them (--uris). They do not record the variant
/// that they were made with, so --variant says it.
///
/// A list may keep a part of its digests: a note on standard error then says how often a URL that is not
/// listed matches by chance. With --shards the list is a folder that `urlid list shards` wrote, and only the
/// shards that URLs ask for are read.
///
/// Example: urlid list match bad.list crawl.txt.zst
///
/// Example: urlid list match --urls 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481'
/// http://www.thus.net
///
/// Example: urlid list match --uris hashed.txt crawl.txt.zst
///
/// Example: urlid list match --trust bad.pub --state bad.seen bad.compiled crawl.txt.zst
#[derive(Debug, Args)]
#[command(
    override_usage = "urlid list match [OPTIONS] <LIST|HASHED> [URL|FILE]...\n       urlid list match [OPTIONS] --uris <FILE> [URL|FILE]...\n       urlid list match [OPTIONS] --shards <FOLDER> [URL|FILE]..."
)]
pub(crate) struct ListMatchArgs {
    /// The list, in either form; or a hashed URI
    #[arg(value_name = "LIST|HASHED", required_unless_present_any = ["uris", "shards"])]
    pub(super) list: Option<OsString>,

    #[command(flatten)]
    urls: UrlInputs,

    /// Read hashed URIs from this file, one per line; all arguments are then URLs
    ///
    /// Lines that begin with # are comments; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    uris: Option<PathBuf>,

    /// Look URLs up in the shards in this folder; all arguments are then URLs
    #[arg(long, value_name = "FOLDER", conflicts_with = "uris")]
    shards: Option<PathBuf>,

    #[command(flatten)]
    trust: TrustArgs,

    /// Select the URLs that do not match, and print only these
    #[arg(short = 'v', long)]
    invert: bool,

    /// Print only the number of selected URLs
    #[arg(short, long)]
    count: bool,

    /// Print every line, also of URLs that do not match
    ///
    /// Such a line ends with its tab, and a blank line stays blank.
    #[arg(short, long, conflicts_with_all = ["invert", "count", "urls_only"])]
    all: bool,

    /// Print only the URLs that are selected, without entries
    #[arg(long = "urls", conflicts_with = "count")]
    urls_only: bool,

    /// Count a rejected URL, which cannot be checked, as this; otherwise it is neither, and the exit code is 3
    #[arg(
        long,
        value_name = "WHAT",
        value_parser = choice([
            ("match", InvalidAs::Match, "As a match"),
            ("no-match", InvalidAs::NoMatch, "As no match"),
        ])
    )]
    invalid_as: Option<InvalidAs>,

    /// Print on standard error how many digests were computed, and the most that a URL can need
    #[arg(long, hide_short_help = true)]
    stats: bool,

    /// The absolute URI that relative references are resolved against
    #[arg(long, value_name = "URI", hide_short_help = true)]
    base: Option<String>,

    /// The variant that hashed URIs were made with [default: n]; a list says its own
    #[arg(long, value_name = "VARIANT", value_parser = hashed_options::variant())]
    variant: Option<Variant>,

    #[command(flatten)]
    key: KeyArg,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    table: TableArgs,
}

/// Matches.
pub(crate) fn run(args: &ListMatchArgs) -> Result<Exit, Failure> {
    let mut urls = args.urls.clone();
    if let Some(path) = &args.shards {
        // The first argument was read as the list, but here it is a URL.
        args.list.iter().for_each(|url| urls.sources.put_first(url.clone()));
        if args.variant.is_some() {
            return Err(Failure::usage("--variant goes with hashed URIs: a list says its own"));
        }
        let key = args.key.read()?;
        let folder = ShardFolder::open(path, key.as_ref(), &args.trust)?;
        note_chance(path, folder.matcher.index().header(), folder.matcher.certainty());
        return run_matcher(args, &urls, Lookup::Shards(&folder), &[Some(path)]);
    }
    let hashed = match (&args.list, &args.uris) {
        // The hashed URIs are in a file, so the first argument is a URL too.
        (list, Some(uris)) => {
            list.iter().for_each(|url| urls.sources.put_first(url.clone()));
            Some(hashed::read(uris, &urls.sources)?)
        }
        (Some(hashed), None) if hashed::is_uri(hashed) => Some((vec![hashed::parse(hashed)?], Exit::Done)),
        _ => None,
    };
    let Some((uris, exit)) = hashed else {
        let path = Path::new(args.list.as_deref().unwrap_or_default());
        if args.variant.is_some() {
            return Err(Failure::usage("--variant goes with hashed URIs: a list says its own"));
        }
        let (list, exit) = open::trusted_beside(path, &urls.sources, &args.trust)?;
        let matcher = open::matcher(path, &list, &args.key)?;
        note_chance(path, list.header(), list.certainty());
        return Ok(exit.max(run_matcher(args, &urls, Lookup::List(&matcher), &[Some(path)])?));
    };
    if args.trust.is_given() {
        return Err(Failure::usage("--trust goes with lists: hashed URIs have no signature"));
    }
    let key = args.key.read()?;
    let list = hashed::list(uris, args.variant.unwrap_or(Variant::N), key.as_ref())?;
    let matcher = ListMatcher::new(&list, key.as_ref()).map_err(|error| Failure::new(Exit::Usage, &error))?;
    Ok(exit.max(run_matcher(args, &urls, Lookup::List(&matcher), &[args.uris.as_deref()])?))
}

/// Says what a match means, if it is not certain.
fn note_chance(path: &Path, header: &ListHeader, certainty: Certainty) {
    if certainty == Certainty::Certain {
        return;
    }
    let advice = match header.store().kind() {
        ListKind::Prefix => "; ask for the whole digests of what matches",
        _ => "",
    };
    let (path, store) = (Escaped::path(path), header.store());
    message::print(&format!("{path}: {store}: a digest that is not listed matches {certainty}{advice}"));
}

/// Matches URLs; `read` are the other files that are read.
fn run_matcher(
    args: &ListMatchArgs,
    urls: &UrlInputs,
    matcher: Lookup<'_>,
    read: &[Option<&Path>],
) -> Result<Exit, Failure> {
    let mut scratch = Scratch::default();
    check_base(args.base.as_deref(), |text, base| {
        let mut found = Vec::new();
        matcher.find_many(&mut scratch, &[text], base, &mut found);
        found.into_iter().try_for_each(|found| found.map(drop))
    })?;
    if args.invalid_as.is_some() && urls.rejects_file().is_some() {
        return Err(Failure::usage("--rejects: with --invalid-as no line is rejected"));
    }
    if args.count && args.format.format != Format::Text {
        return Err(Failure::usage("--count and --format: a number alone has no format"));
    }
    let beside = args.trust.paths(read.iter().copied().flatten());
    let read = read.iter().copied().chain([args.key.path()]).flatten();
    let files = FilesInUse::reading(read.chain(beside.iter().map(PathBuf::as_path)));
    let totals = Totals::default();
    let completion = Completion::new(urls.url_lines());
    let task = MatchTask {
        matcher,
        base: args.base.as_deref(),
        completion: &completion,
        trailing_text: urls.url_lines().trailing_text(urls.url_lines().assume.is_some()),
        invalid_as: args.invalid_as.unwrap_or(InvalidAs::Error),
        totals: &totals,
    };
    match args.table.columns.is_given() {
        true => match_table(args, urls, task, files),
        false => match_lines(args, urls, task, files),
    }
}

/// Writes the table with the entry of each row.
fn match_table(
    args: &ListMatchArgs,
    urls: &UrlInputs,
    task: MatchTask<'_>,
    files: FilesInUse,
) -> Result<Exit, Failure> {
    if args.count || args.invert || args.all || args.urls_only || args.stats {
        return Err(Failure::usage(
            "--column: a table keeps its rows; --all, --count, --invert, --urls and --stats go with lines",
        ));
    }
    let kernels = kernels()?;
    let make = || Box::new(Matcher { task, scratch: Scratch::new(kernels) }) as _;
    let inputs = urls.lines_or_values(&args.table.columns)?;
    let exit = enrich::run(inputs, files, &args.table, args.format.format, "url", &make)?;
    Ok(exit.max(found(task.totals.matched.load(Ordering::Relaxed))))
}

/// Prints the lines that are selected, or how many there are.
fn match_lines(
    args: &ListMatchArgs,
    urls: &UrlInputs,
    task: MatchTask<'_>,
    files: FilesInUse,
) -> Result<Exit, Failure> {
    let shown = match (args.count, args.invert, args.all, args.urls_only) {
        (true, ..) => ShownLines::Nothing,
        (false, true, ..) => ShownLines::Unmatched,
        (false, false, _, true) => ShownLines::MatchedUrls,
        (false, false, true, false) => ShownLines::All,
        (false, false, false, false) => ShownLines::Matched,
    };
    let mut run = LineRun::begin(urls.lines_or_values(&args.table.columns)?, files, args.table.out.path())?;
    let has_entries = matches!(shown, ShownLines::All | ShownLines::Matched);
    let rows = match args.format.format {
        Format::Text if has_entries => run.out.align(&["url", "entry"]).map(|()| None)?,
        Format::Text => None,
        format => {
            let mut columns = place_columns(run.is_prose);
            columns.push(Column { name: "url", shown: Shown::Always });
            columns.extend(has_entries.then_some(Column { name: "list_entry", shown: Shown::Always }));
            columns.push(Column { name: "error", shown: Shown::NotInText });
            Some(Rows::begin_lines(&mut run.out, format, &columns)?)
        }
    };
    let (is_prose, is_terminal) = (run.is_prose, run.out.is_terminal());
    let leaves_rejected_out = run.leaves_rejected_out();
    let kernels = kernels()?;
    run.each_output(&|| {
        let matcher = Matcher { task, scratch: Scratch::new(kernels) };
        let rows = rows.clone();
        let mut printer = MatchPrinter { matcher, shown, rows, is_prose, is_terminal, leaves_rejected_out };
        Box::new(move |batch, out, rejected| printer.work(batch, out, rejected))
    })?;

    let totals = task.totals;
    // The threads of the workers have ended, which orders their counts before these reads.
    let [matched, unmatched, digests] =
        [&totals.matched, &totals.unmatched, &totals.digests].map(|total| total.load(Ordering::Relaxed));
    let selected = if args.invert { unmatched } else { matched };
    // No number stands for what could not be read.
    if args.count && !(selected == 0 && run.has_unread()) {
        run.out.line(&selected.to_string())?;
    }
    // Before the numbers on standard error, so that a terminal shows them after the lines.
    run.out.flush()?;
    if args.stats {
        let most = task.matcher.most_digests();
        message::print(&format!(
            "{matched} matched, {unmatched} not matched, {}, at most {most} for a URL",
            message::count(digests, "digest")
        ));
    }
    run.finish(found(selected))
}

/// Returns the exit that a number of selected URLs calls for.
fn found(selected: u64) -> Exit {
    if selected > 0 { Exit::Done } else { Exit::Nothing }
}
