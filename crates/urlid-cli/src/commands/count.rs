//! `urlid count`: the number of URLs, in total or for each value of a part, without an index.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::{array, env, io, mem};

use clap::Args;
use urlid::suffix::SuffixList;
use urlid::web::{Part, Url};
use urlid_canonical::{TemplateAssigner, Templates};
use urlid_store::question::{GroupBy, first_directory};
use urlid_store::seen::digest;
use urlid_store::sort::{TallyOrder, TextTally};

use crate::args::host_text::HostText;
use crate::args::templates::TemplatesArg;
use crate::args::{Globals, choice, part_name, splits_hosts};
use crate::input::batch::BatchText;
use crate::input::columns::{ColumnArgs, LogBaseArg};
use crate::input::driver::Work;
use crate::input::line_run::LineRun;
use crate::input::{UrlInputs, parse_memory};
use crate::output::OutArg;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;
use crate::report::signals;

/// Count URLs, in total or by one of their parts
///
/// A row has a value of the part and the number of URLs with it, the largest number first. A URL without the
/// part counts for the empty value. The parts are those of `urlid parts`; `host_skeleton` is the same for hosts
/// that look alike (UTS 39, Unicode 18.0). `input` is the name of the file, `argument` for URLs of the command
/// line, or `-` for standard input. Blank lines are not counted.
///
/// Example: urlid count --by registered_domain urls.txt.zst
///
/// Example: urlid count --by tld --limit 10 --column url crawl.parquet
#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    base: LogBaseArg,

    /// Count each value of this part separately
    #[arg(long, value_name = "PART", value_parser = choice(CountBy::all().map(|by| (part_name(by.name()), by, ""))))]
    by: Option<CountBy>,

    #[command(flatten)]
    templates: TemplatesArg,

    /// Print at most this many values
    #[arg(long, value_name = "COUNT", requires = "by")]
    limit: Option<u64>,

    /// Use at most this much memory for counts
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum. Counts that do not fit are written
    /// to files, which are deleted at the end.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory, requires = "by")]
    memory: usize,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    out: OutArg,
}

/// The property by which URLs are counted: a part, a text of the host, the first directory of the path as in
/// `urlid index count`, the template, or the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CountBy {
    Part(Part),
    Host(HostText),
    FirstDirectory,
    Template,
    /// The input, so that the values are the names of files.
    Input,
}

impl CountBy {
    fn all() -> [Self; Part::ALL.len() + HostText::ALL.len() + 3] {
        let parts = Part::ALL.map(Self::Part).into_iter().chain(HostText::ALL.map(Self::Host));
        let mut all = parts.chain([Self::FirstDirectory, Self::Template, Self::Input]);
        array::from_fn(|_| all.next().expect("the length is that of the chain"))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Part(part) => part.name(),
            Self::Host(text) => text.name(),
            Self::FirstDirectory => GroupBy::FirstDirectory.name(),
            Self::Template => "template",
            Self::Input => "input",
        }
    }

    /// Counts the value of a URL.
    fn count(
        self,
        text: &str,
        file: &str,
        list: &SuffixList,
        assigner: Option<&mut TemplateAssigner<'_>>,
        counts: &mut ChunkCounts,
    ) -> Result<(), Rejection> {
        match self {
            Self::Part(part) => counts.add(part.of(text, list)?.as_deref().unwrap_or_default()),
            Self::Host(host) => counts.add(&host.of(text)?.unwrap_or_default()),
            Self::FirstDirectory => {
                counts.add(first_directory(Part::Path.of(text, list)?.as_deref().unwrap_or_default()));
            }
            Self::Template => {
                let template = assigner.map(|assigner| assigner.assign(text)).transpose()?.flatten();
                counts.add(template.as_deref().unwrap_or_default());
            }
            Self::Input => {
                Url::parse(text)?;
                counts.add(file);
            }
        }
        Ok(())
    }
}

impl CountArgs {
    /// Returns whether the command splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        matches!(self.by, Some(CountBy::Part(part)) if splits_hosts(part))
    }
}

/// Prints the number of URLs, or of the URLs with each value.
pub(crate) fn run(args: &CountArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let templates = args.templates.read()?;
    if templates.is_some() != (args.by == Some(CountBy::Template)) {
        return Err(Failure::usage("--by template and --templates FILE need each other"));
    }
    let by = args.by.map(|by| (by, &*list));
    let tally = TextTally::new(env::temp_dir(), args.memory);
    let counts = Mutex::new(Counts { total: 0, tally, failure: None });
    let inputs = args.urls.lines_or_values(&args.columns)?.of_base(&args.base);
    let mut run = LineRun::begin(
        inputs,
        FilesInUse::reading(globals.psl.path().into_iter().chain(args.templates.templates.as_deref())),
        args.out.path(),
    )?;
    let make = || -> Work<'_, ()> {
        let assigner = templates.as_ref().map(Templates::assigner);
        let mut counter = Counter { by, assigner, counts: &counts, made: ChunkCounts::default() };
        Box::new(move |batch, (), rejected| {
            let file = batch.origin.name.to_string_lossy();
            batch.each_text(rejected, |text| counter.count(&text, &file));
        })
    };
    run.each_batch(&make, &mut |_, _, ()| Ok(()))?;
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = counts.failure {
        return Err(sort_failure(&error));
    }
    let total = counts.total;
    match args.by {
        // A count of zero is left out if an input could not be read.
        None if total == 0 && run.has_unread() => {}
        None => {
            let columns = [Column { name: "rows", shown: Shown::Always }];
            let mut rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
            rows.write(&mut run.out, &[Value::Number(total)])?;
        }
        Some(_) => print(args, counts.tally, &mut run)?,
    }
    run.finish(if total > 0 { Exit::Done } else { Exit::Nothing })
}

/// Prints the values and their counts.
fn print(args: &CountArgs, tally: TextTally, run: &mut LineRun) -> Result<(), Failure> {
    let columns = ["name", "rows"].map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
    let mut tallied = tally.finish(TallyOrder::Count).map_err(|error| sort_failure(&error))?;
    let mut left = args.limit.unwrap_or(u64::MAX);
    while left > 0 {
        if signals::is_stopping() {
            return Err(Failure::Stopped);
        }
        let Some((count, value)) = tallied.next_text().map_err(|error| sort_failure(&error))? else { break };
        rows.write(&mut run.out, &[Value::Line(value), Value::Number(count)])?;
        left -= 1;
    }
    Ok(())
}

/// Makes the failure of a file of the sort.
pub(super) fn sort_failure(error: &io::Error) -> Failure {
    Failure::write(&env::temp_dir(), error)
}

/// The counts of all workers.
struct Counts {
    total: u64,
    tally: TextTally,
    failure: Option<io::Error>,
}

/// The counts of one worker since it handed them over. Few values make up most of the lines of a chunk, so
/// the lock and the digest are needed once for each value and chunk, not for each line.
#[derive(Default)]
struct ChunkCounts {
    total: u64,
    values: HashMap<Box<str>, u64>,
}

impl ChunkCounts {
    fn add(&mut self, value: &str) {
        match self.values.get_mut(value) {
            Some(count) => *count += 1,
            None => drop(self.values.insert(value.into(), 1)),
        }
    }

    /// Returns whether the number of values is large enough to hand them over before the end of the input.
    fn is_large(&self) -> bool {
        self.values.len() >= 8_192
    }
}

struct Counter<'a> {
    /// The property, and the list that splits hosts.
    by: Option<(CountBy, &'a SuffixList)>,
    /// The assigner of templates, if these are counted.
    assigner: Option<TemplateAssigner<'a>>,
    counts: &'a Mutex<Counts>,
    made: ChunkCounts,
}

impl Counter<'_> {
    /// Counts the URL of a text, unless that is empty.
    fn count(&mut self, text: &BatchText<'_>, file: &str) -> Result<(), Rejection> {
        let text = match &text.text {
            Ok(text) if text.is_empty() => return Ok(()),
            Ok(text) => text,
            Err(error) => return Err(error.clone().into()),
        };
        match self.by {
            Some((by, list)) => by.count(text, file, list, self.assigner.as_mut(), &mut self.made)?,
            // Parsed to reject texts that are not URLs, so that the total is the sum of the counts by a part.
            None => drop(Url::parse(text)?),
        }
        self.made.total += 1;
        // Values are passed on in portions, so that a worker holds few of them and the lock is seldom
        // contended.
        if self.made.is_large() {
            self.hand_over();
        }
        Ok(())
    }

    /// Adds the counts to the shared counts of all workers.
    fn hand_over(&mut self) {
        let ChunkCounts { total, values } = mem::take(&mut self.made);
        // The digests are made before the lock is taken, so that other workers only wait for the tally.
        let values: Vec<_> =
            values.into_iter().map(|(value, count)| (digest(&value), value, count)).collect();
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.total += total;
        for (digest, value, count) in values {
            let added = counts.tally.add(digest, count, value.as_bytes());
            // A worker can only reject lines, so `run` reports the first error of the sort at the end.
            counts.failure = counts.failure.take().or(added.err());
        }
    }
}

impl Drop for Counter<'_> {
    /// A worker is dropped after the last line.
    fn drop(&mut self) {
        self.hand_over();
    }
}
