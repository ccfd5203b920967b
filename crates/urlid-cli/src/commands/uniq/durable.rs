//! What was seen in a folder: lines are stored, printed, and then acknowledged, each at least once.

use std::path::Path;

use urlid_canonical::Form;
use urlid_io::lines::Line;
use urlid_io::sort::Digest;
use urlid_seen::{Key, Keys, SeenSet};

use super::arguments::UniqArgs;
use super::digests::{Digests, with_digests};
use crate::column_values;
use crate::delivery::{report_left, undelivered};
use crate::exit::{Exit, Failure};
use crate::input::Inputs;
use crate::output::Output;
use crate::refusals::Place;
use crate::rows::{Column, Rows, Shown, Value};
use crate::session::{LineSink, Session};
use crate::signals;

/// Lines that are stored together where they come one by one.
const TOGETHER: usize = 10_000;
/// The bytes of these lines, at most.
const MOST_BYTES: usize = 64 << 20;

/// Prints the lines of forms that are not in the folder.
pub(super) fn run(args: &UniqArgs, folder: &Path) -> Result<Exit, Failure> {
    let form = match &args.form {
        None => args.tracking.form_of_seen(folder)?,
        Some(_) => None,
    };
    let form = form.map_or_else(|| args.form(), Ok)?;
    let others: Vec<&Path> = [folder].into_iter().chain(args.tracking.path()).collect();
    // With a column or an assumed scheme, lines come one by one: the printer gathers them, because a batch is synced whatever its
    // size.
    let is_by_line = args.columns.is_given() || args.urls.assumed_scheme().is_some();
    let mut session = match args.columns.is_given() {
        true => Session::begin_with(args.urls.files()?, &args.urls, &others, None)?,
        false => Session::begin(&args.urls, &others, None)?,
    };
    signals::stop_gracefully();
    // Errors of a set are reported before anything is read. A new one is made with its first lines: the input may be a mistyped name.
    let set = folder.symlink_metadata().is_ok().then(|| open(folder, &form)).transpose()?;
    let columns = [Column { name: "url", shown: Shown::Always }];
    let rows = Rows::begin(&mut session.out, args.format.format, &columns)?;
    let is_live = !session.reads_regular_files();
    let digests = Digests::new(&form);
    let mut printer = Printer { folder, form: &form, set, rows, digests, batch: Batch::default(), is_live };
    printer.give_again(&mut session.out, args.resume)?;
    let read = match is_by_line {
        true => column_values::each_value(&mut session, &args.columns, &mut printer)
            .and_then(|()| printer.print_batch(&mut session.out)),
        false => session.each_made(&|| Box::new(Digests::new(&form)), &mut |out, made, of| {
            let (digests, lines) = with_digests(made, of);
            // A line with a form is text.
            let lines: Vec<&str> =
                lines.iter().map(|line| str::from_utf8(line).unwrap_or_default()).collect();
            printer.print_new(out, &digests, &lines)
        }),
    };
    if read.is_ok() && printer.set.is_none() && !session.has_unread() {
        printer.set = Some(open(folder, &form)?);
    }
    // Also after a failure, which would otherwise leave lines pending that were delivered.
    let closed = printer.set.map_or(Ok(()), SeenSet::close);
    match read {
        Ok(()) => {
            closed?;
            session.finish(Exit::Done)
        }
        Err(Failure::Stopped) => {
            session.finish(Exit::Failed)?;
            closed?;
            Err(Failure::failed("stopped: the lines that were printed are in the seen-set"))
        }
        Err(failure) => Err(failure),
    }
}

fn open(folder: &Path, form: &Form) -> Result<SeenSet, Failure> {
    Ok(SeenSet::open(folder, &Keys::of_form(form))?.at_least_once())
}

/// Prints lines that are new.
struct Printer<'a> {
    folder: &'a Path,
    form: &'a Form,
    /// `None` until the folder exists.
    set: Option<SeenSet>,
    rows: Rows,
    /// For lines that come one by one, and the lines that wait.
    digests: Digests<'a>,
    batch: Batch,
    /// Whether the writer of the lines may wait for the answers to the last ones before it writes the next.
    is_live: bool,
}

/// Lines that are stored together.
#[derive(Default)]
struct Batch {
    digests: Vec<Digest>,
    text: String,
    /// The end of each line in the text.
    ends: Vec<usize>,
}

impl Batch {
    fn lines(&self) -> Vec<&str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end]).collect()
    }
}

impl Printer<'_> {
    /// Prints the lines that earlier runs stored and did not deliver, or their number.
    fn give_again(&mut self, out: &mut Output, is_wanted: bool) -> Result<(), Failure> {
        let Some(set) = &mut self.set else { return Ok(()) };
        if !is_wanted {
            report_left(set.left_behind()?);
            return Ok(());
        }
        let (rows, mut printed) = (&mut self.rows, Ok(()));
        let lines = set.pending(&mut |line| {
            if printed.is_ok() {
                printed = rows.write(out, &[Value::Line(line.as_bytes())]);
            }
        })?;
        printed.and_then(|()| out.deliver()).map_err(|failure| undelivered(failure, lines))?;
        set.acknowledge();
        Ok(())
    }

    /// Stores lines, then prints those that are new.
    fn print_new(&mut self, out: &mut Output, digests: &[Digest], lines: &[&str]) -> Result<(), Failure> {
        // A closed output is noticed before anything is stored, or the lines would be known and never printed.
        out.deliver().map_err(|failure| undelivered(failure, 0))?;
        let set = match &mut self.set {
            Some(set) => set,
            none => none.insert(open(self.folder, self.form)?),
        };
        let keys: Vec<Key> = digests.iter().copied().map(Key::from).collect();
        let (rows, mut new, mut printed) = (&mut self.rows, 0, Ok(()));
        set.add(&keys, |index| lines[index], &mut |index, is_new| {
            new += u64::from(is_new);
            // If the output failed, the others are counted for the message.
            if is_new && printed.is_ok() {
                printed = rows.write(out, &[Value::Line(lines[index].as_bytes())]);
            }
        })?;
        printed.and_then(|()| out.deliver()).map_err(|failure| undelivered(failure, new))?;
        set.acknowledge();
        Ok(())
    }

    fn print_batch(&mut self, out: &mut Output) -> Result<(), Failure> {
        let batch = std::mem::take(&mut self.batch);
        if batch.digests.is_empty() { Ok(()) } else { self.print_new(out, &batch.digests, &batch.lines()) }
    }
}

impl LineSink for Printer<'_> {
    fn line(&mut self, session: &mut Session, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        match self.digests.of(line) {
            Ok(None) => {}
            Ok(Some(digest)) => {
                self.batch.digests.push(digest);
                // The bytes as they came: an assumed scheme is only in the text.
                self.batch.text.push_str(str::from_utf8(line.bytes).unwrap_or_default());
                self.batch.ends.push(self.batch.text.len());
            }
            Err(refusal) => session.refuse(place, line.bytes, &refusal)?,
        }
        let is_full = self.batch.digests.len() >= TOGETHER || self.batch.text.len() >= MOST_BYTES;
        if is_full { self.print_batch(&mut session.out) } else { Ok(()) }
    }

    fn before_wait(&mut self, session: &mut Session) -> Result<(), Failure> {
        if self.is_live { self.print_batch(&mut session.out) } else { Ok(()) }
    }
}
