//! `urlid index add`: adds URLs to an index, each once.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_canonical::Form;
use urlid_io::files::FileKey;
use urlid_store::file::{LineOutcome as Pushed, Load, LoadOptions, Loaded, Progress as LoadProgress, error};
use urlid_store::question::SliceIndex;

use crate::args::{Globals, choice};
use crate::commands::canon::form::{FormLists, FormName, form_names, index_failure, parse_url_form};
use crate::input::assume::UrlLineArgs;
use crate::input::batch::BatchText;
use crate::input::columns::{ColumnArgs, LogBaseArg};
use crate::input::line_run::LineRun;
use crate::input::sources::{BareArgument, Source, Sources};
use crate::input::{InputOptions, LineInputs, parse_memory};
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::progress::Progress;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::{Ended, InvalidArg, Rejection};
use crate::report::{message, signals};

/// Add URLs to an index; create the index if it does not exist, and keep each URL once
///
/// Blank lines are skipped, credentials in URLs are not stored, and lines that are not absolute URLs are
/// rejected. URLs without an SXURL are kept in a separate table and counted in the report. A new index appears
/// under its name when the load is complete. A load into an existing index commits 5 million lines at a time.
/// If it is interrupted, the committed lines are kept.
///
/// Example: urlid index add urls.db urls.txt.zst
///
/// Example: urlid index add urls.db crawl.warc.gz cdx-00000.gz
///
/// Example: urlid index add urls.db crawl.parquet --column url
///
/// Example: urlid index add urls.db https://docs.rs/
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The index file
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// URLs, files with one URL per line, or WARC, CDX and CDXJ files, sitemaps and bookmarks
    ///
    /// Files may be compressed with gzip, zstd, bzip2 or xz. An argument that starts with a scheme is a URL,
    /// any other one is a file. With --column, all arguments are files. `-` or no argument is standard input.
    #[arg(value_name = "URL|FILE")]
    inputs: Vec<OsString>,

    #[command(flatten)]
    lines: IndexedLines,

    /// Store URLs in this canonical form; `urlid canon --list` prints the names
    ///
    /// The form must give URLs. The index records its name, and later additions use the same form.
    #[arg(long = "as", value_name = "NAME", value_parser = form_names(parse_url_form), hide_possible_values = true)]
    form: Option<FormName>,

    #[command(flatten)]
    lists: FormLists,

    /// Create SQLite indexes for fast queries by only these parts; a comma-separated list
    #[arg(
        long = "index",
        value_name = "PART",
        value_delimiter = ',',
        value_parser = choice([
            ("path", SliceIndex::Path, ""),
            ("query", SliceIndex::Query, ""),
            ("fragment", SliceIndex::Fragment, ""),
            ("sub", SliceIndex::Sub, ""),
        ])
    )]
    slices: Vec<SliceIndex>,

    /// Use at most this much memory for sorting, in addition to SQLite's cache
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory, hide_short_help = true)]
    memory: usize,

    #[command(flatten)]
    format: FormatArg,
}

/// How the inputs of an index are read.
#[derive(Debug, Args)]
pub(super) struct IndexedLines {
    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    base: LogBaseArg,

    #[command(flatten)]
    lines: LineInputs,

    #[command(flatten)]
    invalid: InvalidArg,

    #[command(flatten)]
    url_lines: UrlLineArgs,
}

impl IndexedLines {
    /// Returns lines of URLs, or tables if a column is chosen.
    pub(super) fn of(&self, inputs: &[OsString]) -> Result<InputOptions<'_>, Failure> {
        let IndexedLines { columns, base, lines, invalid, url_lines } = self;
        columns.check()?;
        let is_table = columns.is_given();
        let is_prose = columns.is_prose();
        let sources = match is_table {
            true => Sources::from_tables(inputs, &lines.file)?,
            false => {
                let assumes = url_lines.assume.is_some();
                Sources::from_arguments(inputs, BareArgument::File, assumes, &lines.file)?
            }
        };
        let columns = is_table.then_some(columns);
        let options = lines.options_of_urls(sources, url_lines, invalid).of_base(base);
        Ok(InputOptions { columns, is_prose, ..options })
    }

    /// Returns empty inputs, unless an option names files of lines.
    pub(super) fn none(&self) -> Option<InputOptions<'_>> {
        let none = Sources::default();
        self.lines.file.is_empty().then(|| self.lines.options_of_urls(none, &self.url_lines, &self.invalid))
    }
}

/// Adds the lines and prints the counts.
pub(crate) fn run(args: &AddArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let form = match &args.form {
        // An existing index records its form, which may need the list or the rules that are given here.
        None if args.index.exists() => args.lists.form_of(&args.index)?,
        name => args.lists.optional_form(name.as_ref())?,
    };
    let files = files_of(&args.index);
    let read = globals.psl.path().into_iter().chain(args.lists.paths());
    let files = FilesInUse::reading(files.iter().map(PathBuf::as_path).chain(read));
    let run = LineRun::begin(args.lines.of(&args.inputs)?, files, None)?;
    // `FilesInUse` compares outputs with inputs, and the index is among its inputs.
    let mut sources = run.sources.0.iter().filter_map(Source::path);
    if FileKey::of_path(&args.index).is_ok_and(|key| key.is_of_any(&mut sources)) {
        let name = Escaped::path(&args.index);
        return Err(Failure::usage(format!("{name}: found an index, expected lines of URLs")));
    }
    signals::stop_gracefully();
    let options = || LoadOptions { memory: args.memory, form: form.clone(), ..LoadOptions::default() };
    let load = when_made(|| Load::begin(&args.index, &list, options())).map_err(failure_of)?;
    let loader = Loader { load, list: &list, form: form.as_ref(), example: None, unread: 0 };
    run_load(args, run, loader)
}

/// Loads the lines and prints the counts.
fn run_load(args: &AddArgs, mut run: LineRun, mut loader: Loader<'_>) -> Result<Exit, Failure> {
    match run.each_record(&mut |_, text| loader.push(&text)) {
        Err(Failure::Stopped) => {
            let now = loader.load.progress();
            // Waits for the thread of the load, so that a new file is removed before the message reports it.
            drop(loader);
            run.finish(Exit::Failed)?;
            return Err(stopped(&args.index, &now));
        }
        read => read?,
    }

    let Loader { load, example, unread, .. } = loader;
    if run.has_unread() && load.is_new() && load.progress().lines + unread == 0 {
        // The input may be a mistyped name. Dropping the load avoids an empty index.
        drop(load);
        report(&mut run.out, args, &Loaded::default(), 0, None)?;
        return run.finish(Exit::Failed);
    }
    let progress = Progress::count(Some(0), "rows written");
    let mut last = load.progress();
    let loaded = load.finish_with(&mut |now| {
        last = now;
        progress.set_total(now.to_write);
        progress.advance(now.written)
    });
    progress.finish();
    let loaded = match loaded {
        Err(error) if error.is(error::LOAD_STOPPED) => {
            run.finish(Exit::Failed)?;
            return Err(stopped(&args.index, &last));
        }
        loaded => loaded?,
    };
    // Done after the load, because a new index has its name only now.
    if !args.slices.is_empty() {
        urlid_store::file::add_slice_indexes(&args.index, &args.slices)?;
    }
    report(&mut run.out, args, &loaded, unread, example.as_ref())?;
    run.finish(Exit::Done)
}

/// Opens an index, after waiting for a concurrent load to make it if necessary.
fn when_made<T>(open: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    let mut is_waiting = false;
    loop {
        match open() {
            // The index itself waits for ten seconds, so a signal stops this loop after that time.
            Err(error) if error.is(error::MAKING) && !signals::is_stopping() => {
                if !is_waiting {
                    message::print("waiting for a different load, which is creating the index");
                    is_waiting = true;
                }
            }
            opened => return opened,
        }
    }
}

/// Makes the failure of an index that cannot be added to.
fn failure_of(error: Error) -> Failure {
    if error.is(error::SNAPSHOT) {
        Failure::from(error)
            .with_hint("urlid index migrate INDEX brings it to a different public suffix list")
    } else {
        index_failure(error)
    }
}

/// Returns the files of an index: itself, and the files that SQLite and a load keep next to it.
fn files_of(index: &Path) -> [PathBuf; 5] {
    ["", "-wal", "-shm", "-journal", ".loading"].map(|suffix| {
        let mut name = index.to_path_buf().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    })
}

/// Makes the failure of a load that was stopped.
fn stopped(index: &Path, now: &LoadProgress) -> Failure {
    let name = Escaped::path(index);
    Failure::failed(match now.committed {
        0 => format!("{name}: stopped: {} read, nothing was kept", message::count(now.lines, "line")),
        committed => format!("{name}: stopped: {} read, {committed} kept", message::count(now.lines, "line")),
    })
}

/// Passes lines to a load.
struct Loader<'a> {
    load: Load,
    list: &'a SuffixList,
    form: Option<&'a Form>,
    /// Parts of the first URL, for queries to try.
    example: Option<Example>,
    /// Lines that are not text and were not passed to the load.
    unread: u64,
}

impl Loader<'_> {
    /// Passes a text to the load.
    fn push(&mut self, text: &BatchText<'_>) -> Result<(), Ended> {
        let text = match &text.text {
            Ok(text) => text,
            Err(error) => {
                self.unread += 1;
                return Err(Rejection::from(error.clone()).into());
            }
        };
        match self.load.push(text).map_err(Failure::from)? {
            Pushed::Taken if self.example.is_none() => {
                self.example = Example::parse(text, self.form, self.list);
            }
            Pushed::Taken | Pushed::Blank => {}
            Pushed::Rejected(error) => return Err(error.into()),
        }
        Ok(())
    }
}

/// Prints the counts of a load.
fn report(
    out: &mut Output,
    args: &AddArgs,
    loaded: &Loaded,
    unread: u64,
    example: Option<&Example>,
) -> Result<(), Failure> {
    let rejected = loaded.rejected.values().sum::<u64>() + unread;
    let facts = [
        ("lines", loaded.lines + unread),
        ("blank", loaded.blank),
        ("rejected", rejected),
        ("taken", loaded.taken),
        ("new", loaded.new),
        ("without_sxurl", loaded.without_sxurl),
        ("credentials_removed", loaded.credentials),
    ];
    print_counts(out, args.format.format, &args.index, &facts)?;
    if let Some(example) = example.filter(|_| args.format.format == Format::Text) {
        // Printed after the counts, even on a terminal. The queries are not a result, so a pipe does not
        // receive them.
        out.flush()?;
        example.queries(&args.index).iter().for_each(|line| message::print_bare(line));
    }
    Ok(())
}

/// Prints the counts of a change to an index. For people this is a line with its name, unless --quiet is
/// given.
pub(super) fn print_counts(
    out: &mut Output,
    format: Format,
    index: &Path,
    counts: &[(&str, u64)],
) -> Result<(), Failure> {
    if format == Format::Text {
        if message::is_quiet() {
            return Ok(());
        }
        let counts = counts.iter().map(|(name, count)| message::count_of_column(*count, name));
        return out.line(&format!("{}: {}", Escaped::path(index), counts.collect::<Vec<_>>().join(", ")));
    }
    let columns: Vec<_> = counts.iter().map(|(name, _)| Column { name, shown: Shown::Always }).collect();
    let values: Vec<_> = counts.iter().map(|(_, count)| Value::Number(*count)).collect();
    Rows::begin(out, format, &columns)?.write(out, &values)
}

/// Parts of a URL in the index.
struct Example {
    host: String,
    domain: String,
    tld: String,
}

impl Example {
    /// Extracts the parts of a URL in the canonical form of the index.
    fn parse(url: &str, form: Option<&Form>, list: &SuffixList) -> Option<Self> {
        // The index has the canonical form, whose host may differ from the host in the line.
        let url = match form {
            Some(form) => Cow::Owned(form.canonicalize(url).ok()?),
            None => Cow::Borrowed(url),
        };
        let parts = Components::parse(&url, list).ok()?;
        let owned = str::to_owned;
        Some(Example { host: owned(parts.host()), domain: owned(parts.domain()), tld: owned(parts.tld()) })
    }

    /// Returns three queries that have results in the index.
    fn queries(&self, index: &Path) -> [String; 4] {
        let index = quote(&Escaped::path(index).to_string());
        let by_parts = if self.domain.is_empty() {
            format!("--tld {}", quote(&self.tld))
        } else {
            format!("--domain {} --tld {}", quote(&self.domain), quote(&self.tld))
        };
        [
            "three queries to try:".to_owned(),
            format!("  urlid index find {index} {by_parts}"),
            format!("  urlid index find {index} --host {} --format csv", quote(&self.host)),
            format!("  urlid index show {index}"),
        ]
    }
}

/// Quotes a word for a POSIX shell, if necessary.
fn quote(word: &str) -> String {
    // The words are pasted into a shell, and hosts come from strangers, so `$(x)` must not run.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell_where_they_need_it() {
        for (word, quoted) in [
            ("urls.db", "urls.db"),
            ("my urls", "'my urls'"),
            ("a'b", "'a'\\''b'"),
            ("$(x)", "'$(x)'"),
            ("", "''"),
        ] {
            assert_eq!(quote(word), quoted);
        }
    }
}
