//! The captures of crawls, for the verbs that learn rules and test them: read from archives, their indexes
//! and tables, sorted, and passed on one registered domain at a time.

use std::env;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::suffix::{Sections, SuffixList};
use urlid::{ErrorCode, ErrorKind};
use urlid_archives::{Wacz, WaczPart};
use urlid_canonical::Form;
use urlid_io::error;
use urlid_io::lines::{Archives, FileKind, Input, InputKind, LineOptions, range_of};
use urlid_io::tables::{Cell, ColumnChoice, HeaderRow, RecordReader};
use urlid_io::threads::numbers_in_order;
use urlid_learn::{CaptureLines, DomainLines, Found, IndexLines, PageContent, RecordLines};
use urlid_store::sort::LineSorter;

use super::count::sort_failure;
use crate::input::batch::{BatchContent, RejectedRow, RowsMade};
use crate::input::driver::{BatchSource, Work, cores};
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Source, Sources};
use crate::input::{InputOptions, LineRules, parse_memory};
use crate::report::exit::Failure;
use crate::report::rejections::{Ended, InvalidArg, Rejection};
use crate::report::signals;

/// The bytes by which the columns of a table are found.
const HEAD: usize = 128 << 10;
/// The bytes of memory for a capture while its domain is worked on.
const CAPTURE: usize = 1_024;

/// The crawls of a verb.
#[derive(Debug, Args)]
pub(crate) struct CaptureInputs {
    /// WARC, ARC and WACZ files, CDX and CDXJ indexes, or tables; `-` is standard input
    ///
    /// Archives are compared by the visible text of pages (a WACZ file must be named), indexes and tables by
    /// their digests. Tables need --column and --content, and may have the columns `status`, `redirect` and
    /// `time`. Empty fields and `-` are missing values.
    #[arg(value_name = "INPUT")]
    files: Vec<PathBuf>,

    /// Read CSV, TSV or ndjson, with the URLs in the column of this name
    #[arg(long, value_name = "NAME", requires = "content", help_heading = "Tables")]
    column: Option<String>,

    /// Read the digest of the content from the column of this name
    #[arg(long, value_name = "NAME", requires = "column", help_heading = "Tables")]
    content: Option<String>,

    /// Use at most this much memory for captures
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum. Captures that do not fit are sorted
    /// in files. If a registered domain has more captures than fit, only a part of them is used.
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = parse_memory)]
    memory: usize,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    invalid: InvalidArg,
}

impl CaptureInputs {
    /// Returns the inputs, preceded by `first` if it is given.
    pub(crate) fn inputs(&self, first: Option<&Path>) -> Result<InputOptions<'_>, Failure> {
        let mut sources = Sources::default();
        if let Some(first) = first {
            sources = Sources::from_files(&[first.to_owned()])?;
        }
        // Without files, standard input would be read, but the first input replaces it.
        if first.is_none() || self.is_given() {
            sources.0.extend(Sources::from_files(&self.files)?.0);
        }
        Ok(InputOptions::new(sources, &self.rules, &self.invalid))
    }

    /// Returns whether any input was named.
    pub(crate) fn is_given(&self) -> bool {
        !self.files.is_empty()
    }

    /// Reads all captures and passes the captures of each registered domain to `work`, on all cores, and its
    /// results to `take` in the order of the domains. With `keeps_times`, captures of one content at
    /// different times are distinguished.
    pub(crate) fn each_domain<R: Send>(
        &self,
        run: &mut LineRun,
        keeps_times: bool,
        work: &(dyn Fn(&DomainLines) -> R + Sync),
        take: &mut dyn FnMut(R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let web: Form = "web".parse()?;
        let most = (self.memory / 2 / CAPTURE).max(1_000);
        // Half is for the sort and half for the domains after it, because the buffers of its merge stay.
        let mut sorter = LineSorter::new(env::temp_dir(), self.memory / 2);
        let mut reading = Reading {
            inputs: self,
            web: &web,
            // Includes private suffixes, because names below one have different owners, and rules are learned
            // for each.
            list: SuffixList::compiled_with(Sections::All),
            keeps_times,
            sorter: &mut sorter,
        };
        run.each_source(&mut |run, source| reading.read(run, source))?;
        let mut sorted = sorter.finish().map_err(|error| sort_failure(&error))?;
        let (mut batch, mut count) = (vec![DomainLines::new(most)], 0);
        loop {
            if signals::is_stopping() {
                return Err(Failure::Stopped);
            }
            let line = sorted.next_line().map_err(|error| sort_failure(&error))?;
            let is_new =
                line.is_none_or(|line| !batch.last().is_some_and(|domain| domain.has_domain_of(line)));
            if is_new {
                count += batch.last().map_or(0, DomainLines::len);
                // Many small domains share a batch, and large ones are few, so memory is bounded by about
                // twice `most`.
                if count >= most || line.is_none() {
                    numbers_in_order(vec![(); cores()], batch.len(), &|(), place| work(&batch[place]), take)?;
                    (batch, count) = (Vec::new(), 0);
                }
                batch.push(DomainLines::new(most));
            }
            match (line, batch.last_mut()) {
                (Some(line), Some(domain)) => domain.push(line),
                _ => return Ok(()),
            }
        }
    }
}

const NO_CAPTURES: ErrorKind = ErrorKind::new(
    ErrorCode::Archive,
    "not a file of captures: found the first line {found}, expected WARC, CDX or CDXJ, a WACZ file, or a table with --column \
     and --content",
);

/// Reads the sources of a verb.
struct Reading<'a> {
    inputs: &'a CaptureInputs,
    web: &'a Form,
    list: &'a SuffixList,
    keeps_times: bool,
    sorter: &'a mut LineSorter,
}

impl Reading<'_> {
    fn read(&mut self, run: &mut LineRun, source: &Source) -> Result<u64, Ended> {
        let Opened::Input(mut input) = run.open(source)? else { return Ok(0) };
        if let (Some(column), Some(content)) = (&self.inputs.column, &self.inputs.content) {
            return self.read_table(run, source, input, [column, content]);
        }
        let read = input.bytes_read();
        let first = match input.kind()? {
            InputKind::Empty => return Ok(0),
            InputKind::Warc | InputKind::Other(FileKind::Arc) => {
                let content = Box::new(input.content());
                return self.read_records(run, source.name(), Box::new(move || read.get()), content);
            }
            // The directory of a ZIP file is at its end, so a pipe cannot be read as one.
            InputKind::Other(FileKind::Zip) if source.is_regular_file() => {
                return self.read_wacz(run, source.name());
            }
            InputKind::Index(layout, first) => match IndexLines::new(layout, &first) {
                Some(index) => return self.read_index(run, source, input, &index),
                None => first,
            },
            InputKind::Lines(first) => first,
            InputKind::Other(kind) => return Err(error::KIND.error().with_shown(kind).into()),
            _ => Vec::new(),
        };
        Err(NO_CAPTURES.found(&String::from_utf8_lossy(first.trim_ascii_end())).into())
    }

    fn read_index(
        &mut self,
        run: &mut LineRun,
        source: &Source,
        input: Input,
        index: &IndexLines,
    ) -> Result<u64, Ended> {
        // Read as text, because other verbs only read the URLs of these lines, and this one also needs status
        // and digest.
        let options = LineOptions { archives: Archives::Text, ..run.options };
        let lines = run.lines_of(input, source.name(), options);
        let (web, list, keeps_times) = (self.web, self.list, self.keeps_times);
        let make = || -> Work<'_, Vec<String>> {
            let (index, mut lines) = (index.clone(), CaptureLines::new(web, list));
            Box::new(move |batch, made, rejected| {
                made.clear();
                batch.each_text(rejected, |text| {
                    let mut line = String::new();
                    index.read(text.text?.as_bytes(), |found| {
                        let time = if keeps_times { found.time } else { "" };
                        Ok::<(), Rejection>(lines.push(&Found { time, ..*found }, &mut line)?)
                    })?;
                    made.push(line);
                    Ok(())
                });
            })
        };
        run.drive(lines, &make, &mut |_, _, made| Ok(self.take(made)?))
    }

    /// Adds the lines of captures.
    fn take(&mut self, lines: &[String]) -> Result<(), Failure> {
        for line in lines.iter().filter(|line| !line.is_empty()) {
            self.sorter.push(line).map_err(|error| sort_failure(&error))?;
        }
        Ok(())
    }

    /// Reads the archives in a WACZ file. Returns their size. An archive that cannot be read is reported, and
    /// the next one is read.
    fn read_wacz(&mut self, run: &mut LineRun, path: &Path) -> Result<u64, Ended> {
        let file = File::open(path).map_err(error::read)?;
        let mut wacz = Wacz::open(range_of(file, 0).map_err(error::read)?)?;
        let mut bytes_before = 0;
        for entry in wacz.entries(WaczPart::Archive)? {
            let path = path.join(&entry.name);
            let read = Input::from_reader(wacz.content(&entry)).map_err(Ended::from).and_then(|input| {
                let read = input.bytes_read();
                let bytes_read = Box::new(move || bytes_before + read.get());
                self.read_records(run, &path, bytes_read, Box::new(input.content()))
            });
            match read {
                Ok(bytes) => bytes_before = bytes,
                Err(Ended::Failed(failure)) => return Err(failure.into()),
                // A damaged archive does not hide the others. The exit code shows that data is missing.
                Err(Ended::Rejected(error)) => run.report_failed(&path, &error, ""),
            }
        }
        Ok(bytes_before)
    }

    /// Reads the records of an archive. One thread at a time decompresses, and all threads read texts.
    fn read_records(
        &mut self,
        run: &mut LineRun,
        name: &Path,
        bytes_read: Box<dyn Fn() -> u64>,
        stream: Box<dyn Read + Send>,
    ) -> Result<u64, Ended> {
        let (web, list) = (self.web, self.list);
        let make = || -> Work<'_, Vec<String>> {
            let mut lines = RecordLines::new(CaptureLines::new(web, list));
            Box::new(move |batch, made, rejected| {
                made.clear();
                let BatchContent::Capture(capture) = &batch.content else { return };
                let mut line = String::new();
                let read = batch.origin.read(capture.url()).map_err(Rejection::from);
                match read.and_then(|_| Ok(lines.push(capture, &mut line)?)) {
                    Ok(()) => made.push(line),
                    Err(rejection) => rejected.push((0, rejection)),
                }
            })
        };
        let captures = BatchSource::of_captures(run.origin(name), stream, bytes_read);
        run.drive(captures, &make, &mut |_, _, made| Ok(self.take(made)?))
    }

    fn read_table(
        &mut self,
        run: &mut LineRun,
        source: &Source,
        input: Input,
        columns: [&String; 2],
    ) -> Result<u64, Ended> {
        let read = input.bytes_read();
        let mut content = input.content();
        let mut head = Vec::new();
        Read::by_ref(&mut content).take(HEAD as u64).read_to_end(&mut head).map_err(error::read)?;
        let mut choices: Vec<_> = columns.into_iter().cloned().map(ColumnChoice::Name).collect();
        let mut others = [None; 3];
        // Looked for in the head, because the reader rejects a chosen column that a table lacks.
        for (place, name) in ["status", "redirect", "time"].into_iter().enumerate() {
            let choice = ColumnChoice::Name(name.to_owned());
            if !choices.contains(&choice) && has_column(&head, &choice) {
                others[place] = Some(choices.len());
                choices.push(choice);
            }
        }
        let input = Input::from_reader(Cursor::new(head).chain(content))?;
        let (reader, layout, _) = RecordReader::open(input, None, HeaderRow::Names, &choices)?;
        let rows = BatchSource::of_rows(run.origin(source.name()), reader, read);
        let (web, list, keeps_times) = (self.web, self.list, self.keeps_times);
        let make = || -> Work<'_, RowsMade<Vec<String>>> {
            let (layout, mut lines) = (&layout, CaptureLines::new(web, list));
            Box::new(move |batch, made, _| {
                made.made.clear();
                made.each_row(batch, layout, |made, row| {
                    // A status, a digest or a time may be a number, a URL may not.
                    let bad = row.cells.iter().enumerate().find_map(|(place, cell)| match cell {
                        Cell::Number(_, error) if place == 0 => Some(error),
                        Cell::Bad(error) => Some(error),
                        _ => None,
                    });
                    if let Some(error) = bad {
                        return made.rejected.push(RejectedRow::new(
                            row.line,
                            row.text,
                            error.clone().into(),
                        ));
                    }
                    // Columns that may be missing do not need values.
                    made.seen.row(&row.cells[..row.cells.len().min(2)]);
                    let url = match row.cells.first() {
                        Some(Cell::Text(url)) => batch.origin.read(url),
                        _ => Ok("".into()),
                    };
                    let url = match url {
                        Ok(url) => url,
                        Err(error) => {
                            let text = batch.origin.shown(row.text);
                            return made.rejected.push(RejectedRow::new(row.line, text, error.into()));
                        }
                    };
                    let text = |place: usize| match row.cells.get(place) {
                        Some(Cell::Text(text)) => str::from_utf8(text).unwrap_or_default(),
                        Some(Cell::Number(number, _)) => number,
                        _ => "",
                    };
                    let value =
                        |place: Option<usize>| place.map(text).filter(|text| !matches!(*text, "" | "-"));
                    // Times are compared as texts, so the digits are as many as the largest `u64` has.
                    let ordinal = format!("{:020}", row.line);
                    let found = Found {
                        url: &url,
                        content: PageContent::of_digest(text(1)),
                        status: value(others[0]).and_then(|status| status.parse().ok()),
                        redirect: value(others[1]),
                        // Rows without a time are in the order of time.
                        time: if keeps_times { value(others[2]).unwrap_or(&ordinal) } else { "" },
                        no_vary_search: None,
                    };
                    let mut line = String::new();
                    match lines.push(&found, &mut line) {
                        _ if found.url.is_empty() => {}
                        Ok(()) => made.made.push(line),
                        Err(error) => {
                            let url = found.url.as_bytes();
                            made.rejected.push(RejectedRow::new(row.line, url, error.into()));
                        }
                    }
                });
            })
        };
        run.drive_rows(rows, &layout, &make, &mut |_, made| self.take(made))
    }
}

/// Returns whether a table with these first bytes has a column.
fn has_column(head: &[u8], choice: &ColumnChoice) -> bool {
    let head = Input::from_reader(Cursor::new(head.to_vec()));
    head.is_ok_and(|head| {
        RecordReader::open(head, None, HeaderRow::Names, std::slice::from_ref(choice)).is_ok()
    })
}
