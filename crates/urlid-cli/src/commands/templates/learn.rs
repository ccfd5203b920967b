//! Learning: URLs are read on all cores, sorted by host and digest, and each host is learned separately.

use std::env;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::internal::digest::Sha256Stream;
use urlid::{Error, ErrorCode, ErrorKind};
use urlid_canonical::Templates;
use urlid_io::tables::{Cell, TableRow};
use urlid_io::threads::numbers_in_order;
use urlid_learn::{HostSample, HostTemplates, TemplateUrls, shown};
use urlid_store::sort::{LineSorter, SortedLines};

use crate::commands::count::sort_failure;
use crate::input::batch::{Origin, RejectedRow, RowsMade};
use crate::input::columns::{ColumnArgs, LogBaseArg};
use crate::input::driver::{BatchSource, Work, cores};
use crate::input::line_run::LineRun;
use crate::input::{UrlInputs, parse_memory};
use crate::output::files::FilesInUse;
use crate::output::{OutArg, Output};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Rejection;
use crate::report::signals;

/// The URLs, and how they are learned from.
#[derive(Debug, Args)]
pub(super) struct LearnTemplatesArgs {
    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    base: LogBaseArg,

    /// Read only rows with a status of 200 to 399 in the column of this name
    #[arg(long, value_name = "NAME", requires = "chosen_columns", help_heading = "Tables")]
    status: Option<String>,

    /// Read this many URLs of a host: those with the smallest SHA-256 digests
    #[arg(long, value_name = "COUNT", default_value = "2000", value_parser = clap::value_parser!(u32).range(50..=1_000_000))]
    per_host: u32,

    /// Count repeated lines, or the number in a column, as evidence
    ///
    /// The evidence shows that a set of names is closed. `lines` counts each line of a URL, and NAME reads the
    /// number from the column of this name. With `none`, repeated lines have no effect.
    #[arg(long, value_name = "none|lines|NAME", default_value = "none")]
    hits: String,

    /// Write warnings to this file: kind, host, template, number of URLs and reason, tab-separated
    ///
    /// The kinds are repeat, calendar, facets and session. A warning does not filter URLs.
    #[arg(long, value_name = "FILE")]
    traps: Option<PathBuf>,

    /// Write the URLs that were read to this file
    ///
    /// If a crawl is split, the samples of its parts, read together, give the same templates as the whole
    /// crawl.
    #[arg(long, value_name = "FILE")]
    write_sample: Option<PathBuf>,

    /// Use at most this much memory for URLs
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum. URLs that do not fit are written to
    /// files, which are deleted at the end.
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = parse_memory)]
    memory: usize,

    #[command(flatten)]
    out: OutArg,
}

/// Lines of [`TemplateUrls`], and their hits.
type UrlLines = Vec<(String, u64)>;

/// Learns the templates.
pub(super) fn run(args: &LearnTemplatesArgs) -> Result<Exit, Failure> {
    let hits = match &*args.hits {
        "none" | "lines" => None,
        column => Some(column),
    };
    let others: Vec<&str> = args.status.as_deref().into_iter().chain(hits).collect();
    let columns = args.columns.with(&others);
    if !others.is_empty() && columns.choices().len() != others.len() + 1 {
        return Err(Failure::usage("--status and --hits COLUMN need exactly one --column with the URLs"));
    }
    let mut files = FilesInUse::default();
    files.write("--traps", args.traps.as_deref())?;
    files.write("--write-sample", args.write_sample.as_deref())?;
    let mut run =
        LineRun::begin(args.urls.lines_or_values(&columns)?.of_base(&args.base), files, args.out.path())?;
    let open = |path: Option<&Path>| path.map(|path| Output::open(Some(path))).transpose();
    let (mut traps, mut sample) = (open(args.traps.as_deref())?, open(args.write_sample.as_deref())?);
    // Half for the sort, a quarter for the lines of the file, the rest for hosts.
    let mut sorter = UrlSorter {
        lines: LineSorter::new(env::temp_dir(), args.memory / 2),
        counts_hits: args.hits != "none",
        pushed: 0,
    };
    if others.is_empty() {
        read_texts(&mut run, &mut sorter)?;
    } else {
        read_rows(&mut run, &columns, args.status.is_some(), hits.is_some(), &mut sorter)?;
    }
    let mut sorted = sorter.lines.finish().map_err(|error| sort_failure(&error))?;
    let mut file = TemplateFile::new(args.memory / 4);
    each_host(args, &mut sorted, &mut |host, learned| {
        if let Some(sample) = &mut sample {
            for (url, hits) in host.urls() {
                (0..hits).try_for_each(|_| sample.line(url))?;
            }
        }
        if let Some(traps) = &mut traps {
            for trap in &learned.traps {
                let urls = trap.urls.to_string();
                traps.line(&[trap.kind, &learned.host, &trap.template, &urls, &trap.reason].join("\t"))?;
            }
        }
        file.add(&learned)
    })?;
    drop(sorted);
    let (hosts, templates) = (file.hosts, file.templates);
    let name = file.write(&mut run.out)?;
    for output in [traps, sample].into_iter().flatten() {
        output.publish()?;
    }
    let exit = run.finish(if templates > 0 { Exit::Done } else { Exit::Nothing })?;
    if templates > 0 {
        let [hosts, templates] =
            [(hosts, "host"), (templates, "template")].map(|(count, of)| message::count(count, of));
        message::print(&format!("{name}: {templates} of {hosts}"));
    } else {
        message::print("too little evidence for templates: expected a host with 50 different URLs");
    }
    Ok(exit)
}

/// Sorts URLs.
struct UrlSorter {
    lines: LineSorter,
    counts_hits: bool,
    pushed: u64,
}

impl UrlSorter {
    fn take(&mut self, lines: &mut UrlLines) -> Result<(), Failure> {
        for (line, hits) in lines.drain(..) {
            // Repeated lines are dropped by the sort, unless each has a number.
            let line = if self.counts_hits { format!("{line}\t{}\t{hits}", self.pushed) } else { line };
            self.pushed += 1;
            self.lines.push(&line).map_err(|error| sort_failure(&error))?;
        }
        Ok(())
    }
}

/// Reads lines, or the values of a column.
fn read_texts(run: &mut LineRun, sorter: &mut UrlSorter) -> Result<(), Failure> {
    let make = || -> Work<'_, UrlLines> {
        let mut urls = TemplateUrls::new();
        Box::new(move |batch, made, rejected| {
            made.clear();
            batch.each_text(rejected, |text| push(&mut urls, &text.text?, 1, made));
        })
    };
    run.each_batch(&make, &mut |_, _, made| Ok(sorter.take(made)?))
}

/// Adds the line of a URL, if it has one.
fn push(urls: &mut TemplateUrls, url: &str, hits: u64, made: &mut UrlLines) -> Result<(), Rejection> {
    let mut line = String::new();
    if !url.is_empty() && hits > 0 {
        urls.push(url, &mut line)?;
    }
    if !line.is_empty() {
        made.push((line, hits));
    }
    Ok(())
}

/// Reads rows with a status, hits, or both.
fn read_rows(
    run: &mut LineRun,
    columns: &ColumnArgs,
    has_status: bool,
    has_hits: bool,
    sorter: &mut UrlSorter,
) -> Result<(), Failure> {
    run.each_source(&mut |run, source| {
        let (reader, read, layout, _) = run.open_rows(source, columns, None)?;
        let rows = BatchSource::of_rows(run.origin(source.name()), reader, read);
        let make = || -> Work<'_, RowsMade<UrlLines>> {
            let (layout, mut urls) = (&layout, TemplateUrls::new());
            Box::new(move |batch, rows, _| {
                rows.made.clear();
                rows.each_row(batch, layout, |rows, row| {
                    rows.seen.row(row.cells);
                    if let Err(rejected) =
                        push_row(&mut urls, &batch.origin, row, [has_status, has_hits], &mut rows.made)
                    {
                        rows.rejected.push(rejected);
                    }
                });
            })
        };
        run.drive_rows(rows, &layout, &make, &mut |_, made| sorter.take(made))
    })
}

/// Adds the line of a row whose cells are the URL, and the status and the hits if the table has them.
fn push_row(
    urls: &mut TemplateUrls,
    origin: &Origin,
    row: &TableRow<'_, '_>,
    [has_status, has_hits]: [bool; 2],
    made: &mut UrlLines,
) -> Result<(), RejectedRow> {
    let whole = |error: Error| RejectedRow::new(row.line, row.text, error.into());
    let number = |place: usize| match row.cells.get(place) {
        Some(Cell::Text(text)) => Ok(str::from_utf8(text).unwrap_or_default()),
        Some(Cell::Number(number, _)) => Ok(*number),
        Some(Cell::Bad(error)) => Err(whole(error.clone())),
        Some(Cell::Missing | Cell::Null) | None => Ok(""),
    };
    let url = match row.cells.first() {
        Some(Cell::Text(url)) => url,
        Some(Cell::Bad(error) | Cell::Number(_, error)) => return Err(whole(error.clone())),
        Some(Cell::Missing | Cell::Null) | None => return Ok(()),
    };
    if has_status && !matches!(number(1)?.parse(), Ok(200..=399)) {
        return Ok(());
    }
    let hits = match number(1 + usize::from(has_status)) {
        Ok(text) if has_hits => {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            // More hits than a number can have are many.
            is_number.then(|| text.parse().unwrap_or(u64::MAX)).ok_or_else(|| whole(HITS.found(text)))?
        }
        _ => 1,
    };
    let reject = |rejection: Rejection| RejectedRow::new(row.line, origin.shown(url), rejection);
    let text = origin.read(url).map_err(|error| reject(error.into()))?;
    push(urls, &text, hits, made).map_err(reject)
}

const HITS: ErrorKind =
    ErrorKind::new(ErrorCode::Column, "hits are not a whole number: found {found}, expected digits");

/// Learns each host on all cores, and passes the results on in the order of the hosts.
fn each_host(
    args: &LearnTemplatesArgs,
    sorted: &mut SortedLines,
    take: &mut dyn FnMut(&HostSample, HostTemplates) -> Result<(), Failure>,
) -> Result<(), Failure> {
    /// The bytes of the samples that are learned together.
    const TOGETHER: usize = 4 << 20;
    let (mut batch, mut bytes) = (Vec::<HostSample>::new(), 0);
    loop {
        if signals::is_stopping() {
            return Err(Failure::Stopped);
        }
        let line = sorted.next_line().map_err(|error| sort_failure(&error))?;
        if line.is_none_or(|line| !batch.last().is_some_and(|host| host.has_host_of(line))) {
            bytes += batch.last().map_or(0, |host| host.bytes() + 1_024);
            if bytes >= TOGETHER || line.is_none() {
                let learn = |place: usize| (place, batch[place].learn(args.traps.is_some()));
                let mut taken = |(place, learned): (usize, HostTemplates)| take(&batch[place], learned);
                numbers_in_order(vec![(); cores()], batch.len(), &|(), place| learn(place), &mut taken)?;
                (batch, bytes) = (Vec::new(), 0);
            }
            batch.extend(line.map(|line| HostSample::new(line, args.per_host as usize)));
        }
        match (line, batch.last_mut()) {
            (Some(line), Some(host)) => host.push(line),
            _ => return Ok(()),
        }
    }
}

/// The lines of the file while hosts are learned. Lines that do not fit in memory go to a file.
struct TemplateFile {
    lines: LineSorter,
    canonical: Sha256Stream,
    hosts: u64,
    templates: u64,
}

impl TemplateFile {
    fn new(memory: usize) -> Self {
        let mut canonical = Sha256Stream::default();
        canonical.update(format!("{}\n", Templates::HEAD).as_bytes());
        TemplateFile { lines: LineSorter::new(env::temp_dir(), memory), canonical, hosts: 0, templates: 0 }
    }

    fn add(&mut self, learned: &HostTemplates) -> Result<(), Failure> {
        self.canonical.update(learned.to_canonical().as_bytes());
        self.hosts += u64::from(!learned.templates.is_empty());
        for line in &learned.templates {
            self.templates += 1;
            let row = format!(
                "{}\t{}\tn={} {}",
                learned.host,
                line.template,
                line.urls,
                shown(&line.example, |_| false)
            );
            self.lines.push(&row).map_err(|error| sort_failure(&error))?;
        }
        Ok(())
    }

    /// Writes the file, and returns the name of the templates.
    fn write(self, out: &mut Output) -> Result<String, Failure> {
        let name = Templates::name_of(&self.canonical.finish());
        out.write(format!("{} {name}\n", Templates::HEAD).as_bytes())?;
        let mut rows = self.lines.finish().map_err(|error| sort_failure(&error))?;
        let mut open = String::new();
        while let Some(row) = rows.next_line().map_err(|error| sort_failure(&error))? {
            let mut parts = row.splitn(3, '\t');
            let mut part = || parts.next().unwrap_or_default();
            let (host, template, evidence) = (part(), part(), part());
            if host != open {
                out.write(format!("[{host}]\n").as_bytes())?;
                host.clone_into(&mut open);
            }
            out.write(format!("{template}  # {evidence}\n").as_bytes())?;
        }
        Ok(name)
    }
}
