//! `uniq --seen`: lines and rows are stored in a folder, printed, and then acknowledged. Each is printed at
//! least once.
//!
//! The order of these steps makes the guarantee. A batch of records is first added to the seen-set, which
//! reports the new records only after they are safely stored with their texts. The new records are then
//! printed and the output is flushed, and finally the set acknowledges them. A run that is killed between two
//! steps leaves stored records without an acknowledgement, and `--resume` prints these again. A record may
//! therefore be printed twice, but it is never lost. With `--out`, a record is delivered only when the file
//! gets its name, so the acknowledgement follows the publication of the file.

use std::borrow::Cow;
use std::io::IsTerminal;
use std::path::Path;
use std::thread;
use std::time::Duration;

use urlid_canonical::Form;
use urlid_io::tables::Dialect;
use urlid_store::seen::{Keys, SeenKey, SeenSet, digest, error};
use urlid_store::sort::TextDigest;

use super::arguments::UniqArgs;
use super::digests::{DigestMaker, Digests, Routes};
use super::rows::{Content, RowHeader, RowReader};
use crate::input::line_run::LineRun;
use crate::input::sources::{Source, Sources};
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Rows, Shown, Shows, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::signals;

/// The bytes of the texts of a table that are stored together.
const STORED_BYTES: usize = 1 << 20;
/// The time between two checks whether a different process still has the set open.
const LOOK: Duration = Duration::from_millis(50);

const COLUMNS: [Column<'_>; 1] = [Column { name: "url", shown: Shown::Always }];

/// Prints the lines or rows of forms that are not in the folder.
pub(super) fn run(args: &UniqArgs, folder: &Path) -> Result<Exit, Failure> {
    let form = match &args.form {
        None => args.lists.form_of_seen(folder)?,
        // Compared with the form of the set when the set is opened.
        Some(_) => None,
    };
    let form = form.map_or_else(|| args.form(), Ok)?;
    // A folder stands for its files, so that --rejects cannot overwrite a file of the set.
    let files = FilesInUse::reading([folder].into_iter().chain(args.lists.paths()));
    let reads_nothing = args.resume && !args.urls.sources.is_given() && std::io::stdin().is_terminal();
    let inputs = match reads_nothing {
        // Pending records are printed without reading any input, so the program does not wait for a terminal.
        true => args.urls.of_sources(Sources::default()),
        false => args.urls.lines_or_values(&args.columns)?.of_base(&args.base),
    };
    let content = if reads_nothing { Content::Texts } else { args.content(&inputs.sources.0)? };
    if content == Content::ParquetRows {
        return Err(Failure::usage(
            "--seen cannot be used with rows of Parquet, because a row is stored as text until it is delivered; add --values to print URLs",
        ));
    }
    let mut run = LineRun::begin(inputs.of_form(&form), files, args.out.path())?;
    // Called before the set is opened, so that a signal ends the wait for a different writer in order.
    signals::stop_gracefully();
    let open = || open(folder, &form, args.wait);
    // Errors of a set are reported before any input is read. A new set is made with its first lines, because
    // the input may be a mistyped name.
    let set = folder.symlink_metadata().is_ok().then(open).transpose()?;
    let shape = StoredShape::Texts(Rows::new(args.format.format, &COLUMNS, Shows::Exact));
    let routes = Routes::new(&form, args.memory / 16);
    let mut printer = SeenPrinter { open: &open, set, shape, routes, resumes: args.resume };
    // Each store costs a sync, and a batch of a table has fewer texts than one of lines, so several batches
    // are stored together. Batches of a pipe are stored at once, because its writer may wait for the answers.
    let is_live = !run.sources.0.iter().all(Source::is_regular_file);
    let most_waiting = if args.columns.is_given() && !is_live { STORED_BYTES } else { 1 };
    let mut waiting = Waiting::default();
    let make = || DigestMaker::new(&form, None);
    let read = match content {
        Content::Rows => {
            let mut reader = RowReader::new(&args.columns, false, true);
            // Both closures use it, one after the other.
            let printer = std::cell::RefCell::new(&mut printer);
            run.each_source(&mut |run, source| {
                let begin = &mut |run: &mut LineRun, header: RowHeader| {
                    let mut printer = printer.borrow_mut();
                    printer.shape = StoredShape::of_rows(&header);
                    printer.end_line(&mut run.out)?;
                    run.out.lines(&header.bytes)?;
                    printer.redeliver(&mut run.out)
                };
                reader.read(run, source, &make, begin, &mut |run, made| {
                    waiting.push(made, &made.rows(), &printer.borrow().shape);
                    match waiting.text.len() >= most_waiting {
                        true => printer.borrow_mut().print_waiting(&mut run.out, &mut waiting),
                        false => Ok(()),
                    }
                })
            })
        }
        _ => {
            // Called before any row is printed, because the row would continue the line that a killed run
            // left unfinished.
            printer.end_line(&mut run.out)?;
            printer.shape = StoredShape::Texts(Rows::begin(&mut run.out, args.format.format, &COLUMNS)?);
            printer.redeliver(&mut run.out)?;
            run.each_batch(&|| Digests::work(make()), &mut |run, batch, made| {
                waiting.push(made, &made.texts(batch), &printer.shape);
                if waiting.text.len() >= most_waiting {
                    printer.print_waiting(&mut run.out, &mut waiting)?;
                }
                Ok(())
            })
        }
    };
    let read = read.and_then(|()| printer.print_waiting(&mut run.out, &mut waiting));
    // An empty input also makes a set. An input that could not be read may be a mistyped name, and leaves no
    // folder.
    if read.is_ok() && printer.set.is_none() && !run.has_unread() {
        printer.set = Some(open()?);
    }
    let read = read.and_then(|()| match (args.out.path(), &mut printer.set) {
        (Some(_), Some(set)) => {
            // Acknowledged only now, because the file and its lines are lost until the file has its name.
            if run.publish()? {
                set.acknowledge();
            }
            Ok(())
        }
        _ => Ok(()),
    });
    // Also after a failure, which would otherwise leave lines pending that were delivered.
    let closed = printer.set.map_or(Ok(()), SeenSet::close);
    match read {
        Ok(()) => {
            closed?;
            printer.routes.report();
            run.finish(Exit::Done)
        }
        Err(Failure::Stopped) => {
            let stopped = match args.out.path() {
                None => "stopped: the lines that were printed are in the seen-set",
                Some(_) => "stopped: the output is not written; --resume prints the stored lines",
            };
            run.leave_out()?;
            run.finish(Exit::Failed)?;
            closed?;
            Err(Failure::failed(stopped))
        }
        Err(failure) => Err(failure),
    }
}

/// Opens or makes the set. If requested, waits until a different process has closed it.
fn open(folder: &Path, form: &Form, waits: bool) -> Result<SeenSet, Failure> {
    let mut is_waiting = false;
    loop {
        match SeenSet::open(folder, &Keys::of_form(form)) {
            Err(error) if waits && error.is(error::IN_USE) => {}
            opened => return Ok(opened?.at_least_once()),
        }
        if signals::is_stopping() {
            return Err(Failure::Stopped);
        }
        if !is_waiting {
            message::print("waiting for a different process, which is writing to the seen-set");
            is_waiting = true;
        }
        // A blocking lock would wait without end, because a signal could not interrupt it.
        thread::sleep(LOOK);
    }
}

/// Makes the failure of lines that are stored and were not delivered.
fn undelivered(failure: Failure, lines: u64) -> Failure {
    let failure = match failure {
        // Elsewhere a closed pipe is a quiet end. Here lines are stored that later runs do not print by
        // themselves.
        Failure::ClosedPipe => Failure::failed("ERR_IO: cannot write the output: its reader has closed it"),
        failure => failure,
    };
    if lines == 0 { failure } else { failure.with_hint(kept(lines, "")) }
}

/// Returns the message about lines that can be printed again.
fn kept(lines: u64, of_whom: &str) -> String {
    let are = if lines == 1 { "is" } else { "are" };
    let lines = message::count(lines, "line");
    format!("{lines}{of_whom} {are} stored but not delivered; --resume prints them first")
}

/// The mark around the kind of a stored text that is not just a line.
const MARK: char = '\u{1}';
/// The kind of a line that starts with the mark.
const LINE: &str = "line";

/// Splits a stored text into its kind, which is empty for a line, and the line or row.
fn split_stored(stored: &str) -> (&str, &str) {
    match stored.strip_prefix(MARK).and_then(|rest| rest.split_once(MARK)) {
        Some((LINE, line)) => ("", line),
        Some(kind_and_row) => kind_and_row,
        None => ("", stored),
    }
}

/// How records are stored and printed.
enum StoredShape {
    /// Lines or values, as rows of an output format.
    Texts(Rows),
    /// Rows of tables of this kind, each with its line end.
    Rows(String),
}

impl StoredShape {
    /// Returns the shape of the rows of tables with the same format and header, which are one output.
    fn of_rows(header: &RowHeader) -> Self {
        let format = match header.dialect {
            Dialect::Csv(separator) => format!("csv-{:02x}", separator.byte()),
            Dialect::Tsv => "tsv".to_owned(),
            Dialect::Log(log) => log.name().to_owned(),
            Dialect::Ndjson => return StoredShape::Rows("ndjson".to_owned()),
        };
        let names = String::from_utf8_lossy(&header.bytes);
        let names = names.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
        StoredShape::Rows(format!("{format}-{:08x}", digest(names) as u32))
    }

    fn kind(&self) -> &str {
        match self {
            StoredShape::Texts(_) => "",
            StoredShape::Rows(kind) => kind,
        }
    }

    /// Returns a record in its stored form.
    fn stored<'r>(&self, record: &'r str) -> Cow<'r, str> {
        match self {
            StoredShape::Texts(_) if !record.starts_with(MARK) => Cow::Borrowed(record),
            StoredShape::Texts(_) => Cow::Owned(format!("{MARK}{LINE}{MARK}{record}")),
            StoredShape::Rows(kind) => Cow::Owned(format!("{MARK}{kind}{MARK}{record}")),
        }
    }

    /// Prints a record from its stored form.
    fn write(&mut self, out: &mut Output, stored: &str) -> Result<(), Failure> {
        let (_, record) = split_stored(stored);
        match self {
            StoredShape::Texts(rows) => rows.write(out, &[Value::Line(record.as_bytes())]),
            StoredShape::Rows(_) => out.lines(record.as_bytes()),
        }
    }

    /// Returns the bytes that a stored record is printed as to a file.
    fn printed(&self, stored: &str) -> Vec<u8> {
        let (_, record) = split_stored(stored);
        let mut bytes = Vec::new();
        match self {
            StoredShape::Texts(rows) => rows.push(&mut bytes, &[Value::Line(record.as_bytes())]),
            StoredShape::Rows(_) => bytes.extend_from_slice(record.as_bytes()),
        }
        bytes
    }
}

/// Prints records that are new.
struct SeenPrinter<'a> {
    /// Opens the set, or makes it.
    open: &'a dyn Fn() -> Result<SeenSet, Failure>,
    /// `None` until the folder exists.
    set: Option<SeenSet>,
    shape: StoredShape,
    routes: Routes,
    /// Whether records that earlier runs stored are printed.
    resumes: bool,
}

/// Records that wait to be stored together.
#[derive(Default)]
struct Waiting {
    digests: Vec<TextDigest>,
    routes: Vec<(usize, TextDigest)>,
    text: String,
    /// The end of each record in the text.
    ends: Vec<usize>,
}

impl Waiting {
    fn push(&mut self, made: &Digests, records: &[&[u8]], shape: &StoredShape) {
        let before = self.digests.len();
        self.digests.extend_from_slice(&made.digests);
        self.routes.extend(made.routes.iter().map(|(index, route)| (before + index, *route)));
        for record in records {
            // A line with a form is text, and rows were checked.
            self.text.push_str(&shape.stored(str::from_utf8(record).unwrap_or_default()));
            self.ends.push(self.text.len());
        }
    }

    fn stored(&self) -> Vec<&str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end]).collect()
    }
}

impl SeenPrinter<'_> {
    /// Prints the records that wait.
    fn print_waiting(&mut self, out: &mut Output, waiting: &mut Waiting) -> Result<(), Failure> {
        if waiting.digests.is_empty() {
            return Ok(());
        }
        let printed = self.print_new(out, waiting);
        *waiting = Waiting::default();
        printed
    }

    /// Ends the record that an earlier run was writing to this file when it was killed, because the next
    /// record would become part of it. A record that was not delivered is completed, so that the file never
    /// has a URL that was not in the input.
    fn end_line(&self, out: &mut Output) -> Result<(), Failure> {
        let mut printed = Vec::new();
        if let Some(set) = &self.set {
            // Only these records can be cut off, because a record is acknowledged after it was written
            // completely.
            set.undelivered(&mut |stored| {
                if split_stored(stored).0 == self.shape.kind() {
                    printed.push(self.shape.printed(stored));
                }
            })?;
        }
        let longest = printed.iter().map(Vec::len).max().unwrap_or(0);
        let tail = out.tail(longest);
        // If the tail does not start any stored record, its rest is unknown, and a line end separates the
        // next record.
        let mut rest: &[u8] = if tail.is_empty() || tail.ends_with(b"\n") { b"" } else { b"\n" };
        // A row may contain line ends, so it may start after any of them. The earliest start is right,
        // because later ones are inside the row. The tail is longer than every record unless it is the whole
        // file, so its first byte starts a record only if it starts a line. If several records have this
        // prefix, the last one is the likely one, because the records before it were written completely.
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', &tail).map(|end| end + 1));
        let begun = starts.filter(|start| *start < tail.len()).find_map(|start| {
            printed
                .iter()
                .rev()
                .find_map(|printed| printed.strip_prefix(&tail[start..]).filter(|rest| !rest.is_empty()))
        });
        if let Some(begun) = begun {
            rest = begun;
        }
        out.write(rest)
    }

    /// Prints the records that earlier runs stored and did not deliver, or their number.
    fn redeliver(&mut self, out: &mut Output) -> Result<(), Failure> {
        let Some(set) = &mut self.set else { return Ok(()) };
        let mut others = 0;
        let shape = &mut self.shape;
        let left =
            set.undelivered(&mut |stored| others += u64::from(split_stored(stored).0 != shape.kind()))?;
        if !self.resumes {
            if left > 0 {
                // Printed even with `--quiet`, because later runs do not print these lines as new.
                message::print_error(&kept(left, " of earlier runs"));
            }
            return Ok(());
        }
        if others > 0 {
            let others = message::count(others, "line");
            return Err(Failure::failed(format!(
                "--resume: {others} of earlier runs came from other inputs; print lines and URLs without --column or with --values, and rows with a table that has the same columns"
            )));
        }
        let mut printed = Ok(());
        let lines = set.pending(&mut |stored| {
            if printed.is_ok() {
                printed = shape.write(out, stored);
            }
        })?;
        printed.and_then(|()| out.deliver()).map_err(|failure| undelivered(failure, lines))?;
        if out.path().is_none() {
            set.acknowledge();
        }
        Ok(())
    }

    /// Stores records, then prints the new ones.
    fn print_new(&mut self, out: &mut Output, waiting: &Waiting) -> Result<(), Failure> {
        // A closed output is noticed before records are stored. Otherwise the lines would be known but never
        // printed.
        out.deliver().map_err(|failure| undelivered(failure, 0))?;
        let set = match &mut self.set {
            Some(set) => set,
            none => none.insert((self.open)()?),
        };
        let keys: Vec<SeenKey> = waiting.digests.iter().copied().map(SeenKey::from).collect();
        let (shape, stored, mut new, mut printed) = (&mut self.shape, waiting.stored(), 0, Ok(()));
        let mut routes = waiting.routes.iter().peekable();
        set.add(&keys, |index| stored[index], &mut |index, is_new| {
            new += u64::from(is_new);
            let route = routes.next_if(|(with_route, _)| *with_route == index).map(|(_, route)| *route);
            self.routes.push_of_run(waiting.digests[index], route, is_new);
            // If the output failed, the others are counted for the message.
            if is_new && printed.is_ok() {
                printed = shape.write(out, stored[index]);
            }
        })?;
        printed.and_then(|()| out.deliver()).map_err(|failure| undelivered(failure, new))?;
        // Acknowledged after printing: a crash in between prints lines twice, and the other order would lose
        // them. A file is delivered when it has its name.
        if out.path().is_none() {
            set.acknowledge();
        }
        Ok(())
    }
}
