//! `urlid index add`: URLs into an index, each once.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid_index::{Line as Pushed, Load, LoadError, LoadOptions, Loaded, SliceIndex};
use urlid_lines::Line;

use super::{cannot_open, columns, told};
use crate::args::Globals;
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::input::{self, LineRules, LineSink, Sources, parse_size};
use crate::output::{Column, Format, Output, Rows, Shown, Value};
use crate::progress::Progress;
use crate::refusals::{Place, Refusal, Refusals};
use crate::signals;
use crate::table::FormatArg;

/// Add URLs to an index, which is made if it is not there; a URL that is there already stays once
///
/// Blank lines are passed over and credentials are left out of what is stored. A first load appears under its name only
/// when it is complete. A load into an index that is there commits in batches: if it is stopped, what is committed stays.
/// For example: urlid index add urls.urlid urls.txt.zst, or urlid index add urls.urlid crawl.parquet --column url
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// Files with a URL on each line, compressed by gzip or zstd or not; `-` or nothing is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Take the URLs from this column of Parquet files and of CSV files, whose first line names the columns
    #[arg(long, value_name = "NAME")]
    column: Option<String>,

    #[command(flatten)]
    pub(super) rules: LineRules,

    /// Print the lines whose URLs were not in the index, in their order, once they are kept
    #[arg(long)]
    only_new: bool,

    /// With --only-new: the most lines that are kept and answered together; fewer when the next line has to be waited for
    #[arg(long, value_name = "LINES", default_value = "100000", value_parser = parse_count)]
    pub(super) batch: usize,

    /// Make optional indexes, for questions by these parts alone
    #[arg(
        long = "index",
        value_enum,
        value_name = "PART",
        value_delimiter = ',',
        conflicts_with = "only_new"
    )]
    slices: Vec<SliceArg>,

    /// The memory to sort in, beside the cache of SQLite; K, M and G stand for their powers of 1024
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_size)]
    memory: usize,

    #[command(flatten)]
    format: FormatArg,
}

impl AddArgs {
    /// Gives all lines to `sink`, or all values of the column.
    pub(super) fn read(
        &self,
        sources: &Sources,
        progress: &Progress,
        sink: &mut impl LineSink,
    ) -> Result<Exit, Failure> {
        match &self.column {
            Some(column) => columns::each_value(sources, column, self.rules.options(), progress, sink),
            None => input::each_line(sources, self.rules.options(), progress, sink),
        }
    }
}

/// A part that an optional index is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SliceArg {
    Path,
    Query,
    Fragment,
    Sub,
}

impl From<SliceArg> for SliceIndex {
    fn from(part: SliceArg) -> Self {
        match part {
            SliceArg::Path => SliceIndex::Path,
            SliceArg::Query => SliceIndex::Query,
            SliceArg::Fragment => SliceIndex::Fragment,
            SliceArg::Sub => SliceIndex::Sub,
        }
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=10_000_000) => Ok(count),
        _ => Err("expected 1 to 10000000".to_owned()),
    }
}

/// Adds the lines and prints what was done.
pub(crate) fn run(args: &AddArgs, globals: &Globals) -> Result<Exit, Failure> {
    let sources = Sources::of_files(&args.files)?;
    let list = globals.psl.list()?;
    if args.only_new {
        return super::only_new::run(args, &sources, &list);
    }
    let options = LoadOptions { memory: args.memory, ..LoadOptions::default() };
    // Before the load has a file: whoever stops it from here on is told how far it came.
    signals::stop_gracefully();
    let load = Load::begin(&args.index, &list, options).map_err(|error| cannot_load(&error))?;

    let progress = sources.progress();
    let refusals = Refusals::new(args.rules.rejects.as_deref(), progress.clone())?;
    let mut loader = Loader { load, refusals, list: &list, example: None, unread: 0 };
    let read = args.read(&sources, &progress, &mut loader);
    progress.finish();
    if signals::is_stopping() {
        return Err(loader.stopped(&args.index));
    }
    let exit = read?;

    let Loader { load, refusals, example, unread, .. } = loader;
    let progress = Progress::count(None, "rows written");
    let loaded = load.finish(&mut |now| {
        progress.set(now.written);
        if signals::is_stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    let loaded = match loaded {
        Err(LoadError::Stopped) => return Err(Failure::failed("stopped before the last commit")),
        result => result.map_err(|error| cannot_load(&error))?,
    };
    let slices: Vec<SliceIndex> = args.slices.iter().map(|&part| part.into()).collect();
    if !slices.is_empty() {
        urlid_index::add_slice_indexes(&args.index, &slices).map_err(|error| cannot_open(&error))?;
    }
    report(args, &loaded, unread, example.as_ref())?;
    Ok(exit.max(refusals.finish()?))
}

fn cannot_load(error: &LoadError) -> Failure {
    told(error)
}

/// Puts lines into a load.
struct Loader<'a> {
    load: Load,
    refusals: Refusals,
    list: &'a SuffixList,
    /// Something of the first URL to ask for.
    example: Option<Example>,
    /// Lines that are no text and never came to the load.
    unread: u64,
}

/// Parts of a URL that is in the index now.
struct Example {
    host: String,
    domain: String,
    tld: String,
}

impl LineSink for Loader<'_> {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        if signals::is_stopping() {
            return Err(Failure::failed("stopped"));
        }
        let Some(text) = input::text_of(place, line, &mut self.refusals)? else {
            self.unread += 1;
            return Ok(());
        };
        match self.load.push(text).map_err(|error| cannot_load(&error))? {
            Pushed::Taken if self.example.is_none() => self.example = Example::of(text, self.list),
            Pushed::Taken | Pushed::Blank => {}
            Pushed::Refused(error) => {
                let refusal = Refusal::of(&error);
                self.refusals.refuse(place, refusal.code, &refusal.message, line.bytes)?;
            }
        }
        Ok(())
    }
}

impl Loader<'_> {
    /// Says how far a load came that was told to stop.
    fn stopped(self, index: &Path) -> Failure {
        let now = self.load.progress();
        let name = Escaped::path(index);
        Failure::failed(format!(
            "{name}: stopped: of {} lines read, {} are committed",
            now.lines, now.committed
        ))
    }
}

impl Example {
    fn of(url: &str, list: &SuffixList) -> Option<Self> {
        let parts = Components::parse(url, list).ok()?;
        let owned = str::to_owned;
        Some(Example { host: owned(parts.host()), domain: owned(parts.domain()), tld: owned(parts.tld()) })
    }
}

/// Prints what a load did.
fn report(args: &AddArgs, loaded: &Loaded, unread: u64, example: Option<&Example>) -> Result<(), Failure> {
    let refused = loaded.refused.values().sum::<u64>() + unread;
    let facts = [
        ("lines", loaded.lines + unread),
        ("blank", loaded.blank),
        ("refused", refused),
        ("taken", loaded.taken),
        ("new", loaded.new),
        ("credentials_removed", loaded.credentials),
    ];
    let shown = Shown::Always;
    let mut out = Output::stdout()?;
    if args.format.format == Format::Text {
        let facts: Vec<_> =
            facts.iter().map(|(name, count)| format!("{count} {}", name.replace('_', " "))).collect();
        out.line(&format!("{}: {}", Escaped::path(&args.index), facts.join(", ")))?;
        if let Some(example) = example {
            example.questions(&args.index).iter().try_for_each(|line| out.line(line))?;
        }
        return out.flush();
    }
    let columns = facts.map(|(name, _)| Column { name, shown });
    let mut rows = Rows::new(out, args.format.format, &columns)?;
    rows.row(&facts.map(|(_, count)| Value::Number(count)))?;
    rows.flush()
}

impl Example {
    /// Returns three questions that the index has an answer to.
    fn questions(&self, index: &Path) -> [String; 4] {
        let index = quote(&Escaped::path(index).to_string());
        let by_parts = match self.domain.is_empty() {
            true => format!("--tld {}", quote(&self.tld)),
            false => format!("--domain {} --tld {}", quote(&self.domain), quote(&self.tld)),
        };
        [
            "three questions to try:".to_owned(),
            format!("  urlid index find {index} {by_parts}"),
            format!("  urlid index find {index} --host {} --format csv", quote(&self.host)),
            format!("  urlid index stats {index}"),
        ]
    }
}

/// Quotes a word for a shell where it needs that.
fn quote(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte);
    match !word.is_empty() && word.bytes().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell_where_they_need_it() {
        for (word, quoted) in [
            ("urls.urlid", "urls.urlid"),
            ("my urls", "'my urls'"),
            ("a'b", "'a'\\''b'"),
            ("$(x)", "'$(x)'"),
            ("", "''"),
        ] {
            assert_eq!(quote(word), quoted);
        }
    }
}
