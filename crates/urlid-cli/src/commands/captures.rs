//! The captures of crawls, for the verbs that learn rules and test them: read from archives, their indexes
//! and tables, sorted, and passed on a registered domain at a time.

use std::env;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use urlid::suffix::{Sections, SuffixList};
use urlid::{ErrorCode, ErrorKind};
use urlid_archives::{MAGIC, Wacz, WaczPart, WarcReader, without_line_ends};
use urlid_canonical::Form;
use urlid_io::error;
use urlid_io::lines::{Archives, Input, Line, LineOptions, range_of};
use urlid_io::tables::{Cell, ColumnChoice, HeaderRow, RecordChunk, RecordReader};
use urlid_io::threads::{SPARE, in_order, numbers_in_order};
use urlid_learn::{CaptureLines, DomainLines, Found, IndexLines, PageContent, RecordLines, StoredCapture};
use urlid_store::sort::LineSorter;

use super::count::sort_failure;
use crate::input::columns::SeenColumns;
use crate::input::driver::{Worker, for_each_core, or_interrupt, run_workers};
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Source, Sources};
use crate::input::{InputOptions, LineRules, parse_memory};
use crate::report::exit::Failure;
use crate::report::refusals::{Ended, OnRefusedArg, Place, Refusal};
use crate::report::signals;

/// The bytes by which a file is recognised: more than the longest first line of an index.
const HEAD: usize = 128 << 10;
/// The bytes of memory for a capture while its domain is worked on.
const CAPTURE: usize = 1_024;

/// The crawls of a verb.
#[derive(Debug, Args)]
pub(crate) struct CaptureInputs {
    /// WARC, ARC and WACZ files, CDX and CDXJ indexes, or with --column and --content tables; `-` is standard
    /// input
    ///
    /// Of WARC and ARC files, also of those in WACZ files, the visible text of each page is read; a WACZ file
    /// cannot be standard input. Of indexes and tables the digest that is there is compared; a table may have
    /// columns `status`, `redirect` and `time` too. Of a table, an empty field and `-` are no value.
    #[arg(value_name = "INPUT")]
    files: Vec<PathBuf>,

    /// Read tables, CSV, TSV or ndjson, and take the URLs from their column of this name
    #[arg(long, value_name = "NAME", requires = "content", help_heading = "Tables")]
    column: Option<String>,

    /// The column of a table with the digest of the content
    #[arg(long, value_name = "NAME", requires = "column", help_heading = "Tables")]
    content: Option<String>,

    /// The memory for captures, up to that of the machine; the suffixes K, M and G are powers of 1024. Files
    /// hold what does not fit while they are sorted; of a registered domain with more captures than fit, a
    /// part is used
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = parse_memory)]
    memory: usize,

    #[command(flatten)]
    rules: LineRules,

    #[command(flatten)]
    refused: OnRefusedArg,
}

impl CaptureInputs {
    /// Returns the inputs, after one that stands before them if there is one.
    pub(crate) fn inputs(&self, first: Option<&Path>) -> Result<InputOptions<'_>, Failure> {
        let mut sources = Sources::default();
        if let Some(first) = first {
            sources = Sources::from_files(&[first.to_owned()])?;
        }
        // No files mean standard input, in whose place the first input is.
        if first.is_none() || self.is_given() {
            sources.0.extend(Sources::from_files(&self.files)?.0);
        }
        Ok(InputOptions::new(sources, &self.rules, &self.refused))
    }

    /// Returns whether any input was named.
    pub(crate) fn is_given(&self) -> bool {
        !self.files.is_empty()
    }

    /// Reads all captures and passes those of each registered domain to `work`, on all cores, and its results
    /// to `take` in the order of the domains. With `keeps_times`, captures of one content at different times
    /// are told apart.
    pub(crate) fn each_domain<R: Send>(
        &self,
        run: &mut LineRun,
        keeps_times: bool,
        work: &(dyn Fn(&DomainLines) -> R + Sync),
        take: &mut dyn FnMut(R) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let web: Form = "web".parse()?;
        let most = (self.memory / 2 / CAPTURE).max(1_000);
        // Half for the sort, half for the domains after it: the buffers of its merge stay.
        let mut sorter = LineSorter::new(env::temp_dir(), self.memory / 2);
        let mut reading = Reading {
            inputs: self,
            web: &web,
            // Private suffixes too: names below one have different owners, and rules are learned for each.
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
                // Many small domains are one batch, and large ones are few: memory is bounded by about twice
                // `most`.
                if count >= most || line.is_none() {
                    let workers = for_each_core(&|| ());
                    numbers_in_order(workers, batch.len(), &|(), place| work(&batch[place]), take)?;
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
    "no captures: found the first line {found}, expected WARC, CDX or CDXJ, a WACZ file, or a table with --column \
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
        // The first line shows what an index is, also where all rows of JSON are on one.
        input.split_rows()?;
        let mut content = input.content();
        let mut head = Vec::new();
        Read::by_ref(&mut content).take(HEAD as u64).read_to_end(&mut head).map_err(error::read)?;
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
        // The first record of an ARC file has the URL `filedesc://` and the name of the file.
        if without_line_ends(text).starts_with(MAGIC) || text.starts_with(b"filedesc://") {
            let stream = Cursor::new(head).chain(content);
            return self.read_records(run, source.name(), &|| read.get(), stream);
        }
        // WACZ is ZIP, whose directory is at its end: a pipe cannot be read as one.
        if let Some(path) = source.path().filter(|_| Wacz::begins(&head) && source.is_regular_file()) {
            return self.read_wacz(run, path);
        }
        let first = text.split(|byte| b"\r\n".contains(byte)).next().unwrap_or_default().trim_ascii_end();
        let Some(index) = IndexLines::recognise(first) else {
            if head.is_empty() {
                return Ok(0);
            }
            return Err(NO_CAPTURES.found(&String::from_utf8_lossy(first)).into());
        };
        // A regular file is opened again, so that all cores read it.
        let input = match source.is_regular_file() {
            true => match run.open(source)? {
                Opened::Input(input) => input,
                Opened::Texts(_) => return Ok(0),
            },
            false => Input::from_reader(Cursor::new(head).chain(content))?,
        };
        self.read_index(run, source, input, &index)
    }

    fn read_index(
        &mut self,
        run: &mut LineRun,
        source: &Source,
        mut input: Input,
        index: &IndexLines,
    ) -> Result<u64, Ended> {
        input.split_rows()?;
        let read = input.bytes_read();
        // As text: other verbs read only the URLs of these lines, and here status and digest are needed too.
        let options = LineOptions { archives: Archives::Text, ..run.options };
        let (web, list, keeps_times) = (self.web, self.list, self.keeps_times);
        let make = || -> Box<dyn Worker> {
            Box::new(IndexWorker {
                index: index.clone(),
                lines: CaptureLines::new(web, list),
                keeps_times,
                line: String::new(),
            })
        };
        run_workers(input, options, &make, &mut |slot| {
            for line in slot.made.out.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let line = str::from_utf8(line).expect("a worker writes texts");
                self.sorter.push(line).map_err(|error| sort_failure(&error))?;
            }
            run.show_progress(read.get());
            run.refuse_lines(source, slot)
        })?;
        Ok(read.get())
    }

    /// Reads the archives in a WACZ file; returns their size. One that cannot be read is reported, and the
    /// next one is read.
    fn read_wacz(&mut self, run: &mut LineRun, path: &Path) -> Result<u64, Ended> {
        let file = File::open(path).map_err(error::read)?;
        let mut wacz = Wacz::open(range_of(file, 0).map_err(error::read)?)?;
        let mut bytes_before = 0;
        for entry in wacz.entries(WaczPart::Archive)? {
            let path = path.join(&entry.name);
            let read = Input::from_reader(wacz.content(&entry)).map_err(Ended::from).and_then(|input| {
                let read = input.bytes_read();
                self.read_records(run, &path, &|| bytes_before + read.get(), input.content())
            });
            match read {
                Ok(bytes) => bytes_before = bytes,
                Err(Ended::Failed(failure)) => return Err(failure.into()),
                // A damaged archive does not hide the others. The exit code says that something is missing.
                Err(Ended::Refused(error)) => run.report_failed(&path, &error, ""),
            }
        }
        Ok(bytes_before)
    }

    /// Reads the records of an archive: one thread at a time decompresses, all of them read texts.
    fn read_records(
        &mut self,
        run: &mut LineRun,
        name: &Path,
        bytes_read: &dyn Fn() -> u64,
        stream: impl Read + Send,
    ) -> Result<u64, Ended> {
        struct Reader<R> {
            records: WarcReader<R>,
            next: usize,
        }
        #[derive(Default)]
        struct CaptureSlot {
            stored: StoredCapture,
            read: Option<Result<String, urlid::Error>>,
            failed: Option<urlid::Error>,
        }
        // One worker at a time reads a record, because archives are streams; parsing the pages is the long
        // part.
        let reader = Mutex::new(Reader { records: WarcReader::new(stream), next: 0 });
        let (web, list) = (self.web, self.list);
        let workers = for_each_core(&|| RecordLines::new(CaptureLines::new(web, list)));
        let spare = SPARE * 4;
        in_order(
            workers,
            spare,
            &|slot: &mut CaptureSlot| {
                let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
                let read = slot.stored.read(&mut reader.records);
                slot.failed = match read {
                    Ok(true) => None,
                    Ok(false) => return None,
                    Err(error) => Some(error),
                };
                reader.next += 1;
                Some(reader.next - 1)
            },
            &|worker, slot| {
                let mut line = String::new();
                slot.read =
                    slot.failed.is_none().then(|| worker.push(&slot.stored, &mut line).map(|()| line));
            },
            &mut |slot| {
                or_interrupt(|| {
                    slot.failed.take().map_or(Ok(()), Err)?;
                    if signals::is_stopping() {
                        return Err(Failure::Stopped.into());
                    }
                    run.show_progress(bytes_read());
                    match slot.read.take() {
                        Some(Ok(line)) => push(self.sorter, &line)?,
                        Some(Err(error)) => {
                            let place = Place::in_file(name, slot.stored.number());
                            run.refuse(place, slot.stored.url(), &error.into())?;
                        }
                        None => {}
                    }
                    Ok(())
                })
            },
        )?;
        Ok(bytes_read())
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
        let (mut reader, layout, _) = RecordReader::open(input, None, HeaderRow::Names, &choices)?;
        let (mut chunk, mut seen, mut line) = (RecordChunk::default(), SeenColumns::default(), String::new());
        let (web, list) = (self.web, self.list);
        let mut lines = CaptureLines::new(web, list);
        let mut number = 0_u64;
        while reader.read(&mut chunk)? {
            run.show_progress(read.get());
            if signals::is_stopping() {
                return Err(Failure::Stopped.into());
            }
            chunk.each_row(&layout, |row| {
                let place = Place::in_file(source.name(), row.line);
                // A status, a digest or a time may be a number, a URL may not.
                let bad = row.cells.iter().enumerate().find_map(|(place, cell)| match cell {
                    Cell::Number(_, error) if place == 0 => Some(error),
                    Cell::Bad(error) => Some(error),
                    _ => None,
                });
                if let Some(error) = bad {
                    return Ok(run.refuse(place, row.text, &error.clone().into())?);
                }
                // Columns that need not be there need no values either.
                seen.row(&row.cells[..row.cells.len().min(2)]);
                number += 1;
                let text = |place: usize| match row.cells.get(place) {
                    Some(Cell::Text(text)) => str::from_utf8(text).unwrap_or_default(),
                    Some(Cell::Number(number, _)) => number,
                    _ => "",
                };
                let value = |place: Option<usize>| place.map(text).filter(|text| !matches!(*text, "" | "-"));
                // Times are compared as texts, so the digits are as many as the largest `u64` has.
                let ordinal = format!("{number:020}");
                let found = Found {
                    url: text(0),
                    content: PageContent::of_digest(text(1)),
                    status: value(others[0]).and_then(|status| status.parse().ok()),
                    redirect: value(others[1]),
                    // Rows without a time are in the order of time.
                    time: if self.keeps_times { value(others[2]).unwrap_or(&ordinal) } else { "" },
                    no_vary_search: None,
                };
                if found.url.is_empty() {
                    return Ok(());
                }
                line.clear();
                match lines.push(&found, &mut line) {
                    Ok(()) => Ok::<(), Ended>(push(self.sorter, &line)?),
                    Err(error) => Ok(run.refuse(place, found.url.as_bytes(), &error.into())?),
                }
            })?;
        }
        seen.check(&layout)?;
        Ok(read.get())
    }
}

/// Returns whether a table whose first bytes these are has a column.
fn has_column(head: &[u8], choice: &ColumnChoice) -> bool {
    let head = Input::from_reader(Cursor::new(head.to_vec()));
    head.is_ok_and(|head| {
        RecordReader::open(head, None, HeaderRow::Names, std::slice::from_ref(choice)).is_ok()
    })
}

/// Adds a line, if there is one.
fn push(sorter: &mut LineSorter, line: &str) -> Result<(), Failure> {
    if line.is_empty() { Ok(()) } else { sorter.push(line).map_err(|error| sort_failure(&error)) }
}

/// Makes lines of captures of the lines of an index.
struct IndexWorker<'f> {
    index: IndexLines,
    lines: CaptureLines<'f>,
    keeps_times: bool,
    line: String,
}

impl Worker for IndexWorker<'_> {
    fn line(&mut self, line: &Line<'_>, _: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let text = line.text?;
        self.line.clear();
        let (lines, made, keeps_times) = (&mut self.lines, &mut self.line, self.keeps_times);
        self.index.read(text.as_bytes(), |found| {
            let time = if keeps_times { found.time } else { "" };
            Ok::<(), Refusal>(lines.push(&Found { time, ..*found }, made)?)
        })?;
        if !made.is_empty() {
            out.extend_from_slice(made.as_bytes());
            out.push(b'\n');
        }
        Ok(())
    }
}
