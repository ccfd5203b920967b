//! `uniq --seen`: lines are stored in a folder, printed, and then acknowledged, each at least once.

use std::io::IsTerminal;
use std::path::Path;
use std::thread;
use std::time::Duration;

use urlid_canonical::Form;
use urlid_store::seen::{Keys, SeenKey, SeenSet, error};
use urlid_store::sort::TextDigest;

use super::arguments::UniqArgs;
use super::choices::Digests;
use crate::input::line_run::LineRun;
use crate::input::sources::{Source, Sources};
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, Rows, Shown, Shows, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::signals;

/// The bytes of the texts of a table that are stored together.
const STORED_BYTES: usize = 1 << 20;
/// The time between two looks whether another process still has the set.
const LOOK: Duration = Duration::from_millis(50);

const COLUMNS: [Column<'_>; 1] = [Column { name: "url", shown: Shown::Always }];

/// Prints the lines of forms that are not in the folder.
pub(super) fn run(args: &UniqArgs, folder: &Path) -> Result<Exit, Failure> {
    let form = match &args.form {
        None => args.lists.form_of_seen(folder)?,
        // Compared with the form of the set when the set is opened.
        Some(_) => None,
    };
    let form = form.map_or_else(|| args.form(), Ok)?;
    // A folder stands for its files, so that --rejects cannot overwrite one of the set.
    let files = FilesInUse::reading([folder].into_iter().chain(args.lists.paths()));
    let inputs = match args.resume {
        // With --resume alone, what is pending is printed and nothing is read: a terminal is not waited for.
        true if !args.urls.sources.is_given() && std::io::stdin().is_terminal() => {
            args.urls.of_sources(Sources::default())
        }
        _ => args.urls.lines_or_values(&args.columns)?,
    };
    let mut run = LineRun::begin(inputs.of_form(&form), files, None)?;
    // Before the set is opened: a signal then ends the wait for another writer in order.
    signals::stop_gracefully();
    let open = || open(folder, &form, args.wait);
    // Errors of a set are reported before anything is read. A new one is made with its first lines: the input
    // may be a mistyped name.
    let set = folder.symlink_metadata().is_ok().then(open).transpose()?;
    // Before any row, which would continue the line that a killed run left unfinished.
    end_line(&mut run.out, set.as_ref(), args.format.format)?;
    let rows = Rows::begin(&mut run.out, args.format.format, &COLUMNS)?;
    let mut printer = SeenPrinter { open: &open, set, rows };
    printer.redeliver(&mut run.out, args.resume)?;
    // Each store costs a sync, and a batch of a table has fewer texts than one of lines, so several are stored
    // together. Not those of a pipe, whose writer may wait for the answers.
    let is_live = !run.sources.0.iter().all(Source::is_regular_file);
    let most_waiting = if args.columns.is_given() && !is_live { STORED_BYTES } else { 1 };
    let mut waiting = Waiting::default();
    let read = run.each_batch(&|| Digests::work(&form), &mut |run, batch, made| {
        let lines = made.texts(batch);
        // A line with a form is text.
        let lines: Vec<&str> = lines.iter().map(|line| str::from_utf8(line).unwrap_or_default()).collect();
        waiting.push(&made.digests, &lines);
        if waiting.text.len() >= most_waiting {
            printer.print_waiting(&mut run.out, &mut waiting)?;
        }
        Ok(())
    });
    let read = read.and_then(|()| printer.print_waiting(&mut run.out, &mut waiting));
    // An empty input makes a set too; one that could not be read may be a mistyped name, and leaves no
    // folder.
    if read.is_ok() && printer.set.is_none() && !run.has_unread() {
        printer.set = Some(open()?);
    }
    // Also after a failure, which would otherwise leave lines pending that were delivered.
    let closed = printer.set.map_or(Ok(()), SeenSet::close);
    match read {
        Ok(()) => {
            closed?;
            run.finish(Exit::Done)
        }
        Err(Failure::Stopped) => {
            run.finish(Exit::Failed)?;
            closed?;
            Err(Failure::failed("stopped: the lines that were printed are in the seen-set"))
        }
        Err(failure) => Err(failure),
    }
}

/// Opens the set, or makes it, after another process has closed it if it is to be waited for.
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
            message::print("waiting for another process, which is writing to the seen-set");
            is_waiting = true;
        }
        // Not a lock that blocks: a signal could not end the wait for it.
        thread::sleep(LOOK);
    }
}

/// Ends the line that an earlier run was writing to this file when it was killed: the next line would become
/// part of it. If it is one of those that were not delivered, it is completed, so that no URL is in the file
/// that was not in the input.
fn end_line(out: &mut Output, set: Option<&SeenSet>, format: Format) -> Result<(), Failure> {
    let begun = out.begun_line();
    if begun.is_empty() {
        return Ok(());
    }
    let rows = Rows::new(format, &COLUMNS, Shows::Exact);
    // If no stored line begins so, its rest is unknown, and a line end keeps the next row apart.
    let mut end = b"\n".to_vec();
    if let Some(set) = set {
        // Only these can have been cut off: a line is acknowledged after it was written as a whole.
        set.undelivered(&mut |line| {
            let mut bytes = Vec::new();
            let mut row = rows.row(&mut bytes);
            row.push(Value::Line(line.as_bytes()));
            row.end();
            if let Some(rest) = bytes.strip_prefix(&*begun) {
                end = rest.to_vec();
            }
        })?;
    }
    out.write(&end)
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
    format!("{lines}{of_whom} {are} stored and not delivered: --resume prints what is not delivered first")
}

/// Prints lines that are new.
struct SeenPrinter<'a> {
    /// Opens the set, or makes it.
    open: &'a dyn Fn() -> Result<SeenSet, Failure>,
    /// `None` until the folder exists.
    set: Option<SeenSet>,
    rows: Rows,
}

/// Lines that wait to be stored together.
#[derive(Default)]
struct Waiting {
    digests: Vec<TextDigest>,
    text: String,
    /// The end of each line in the text.
    ends: Vec<usize>,
}

impl Waiting {
    fn push(&mut self, digests: &[TextDigest], lines: &[&str]) {
        self.digests.extend_from_slice(digests);
        for line in lines {
            self.text.push_str(line);
            self.ends.push(self.text.len());
        }
    }

    fn lines(&self) -> Vec<&str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end]).collect()
    }
}

impl SeenPrinter<'_> {
    /// Prints the lines that wait.
    fn print_waiting(&mut self, out: &mut Output, waiting: &mut Waiting) -> Result<(), Failure> {
        if waiting.digests.is_empty() {
            return Ok(());
        }
        let printed = self.print_new(out, &waiting.digests, &waiting.lines());
        *waiting = Waiting::default();
        printed
    }

    /// Prints the lines that earlier runs stored and did not deliver, or their number.
    fn redeliver(&mut self, out: &mut Output, is_wanted: bool) -> Result<(), Failure> {
        let Some(set) = &mut self.set else { return Ok(()) };
        if !is_wanted {
            let lines = set.undelivered(&mut |_| {})?;
            if lines > 0 {
                // Also with `--quiet`: later runs do not print these lines as new.
                message::print_error(&kept(lines, " of earlier runs"));
            }
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
    fn print_new(&mut self, out: &mut Output, digests: &[TextDigest], lines: &[&str]) -> Result<(), Failure> {
        // A closed output is noticed before anything is stored, or the lines would be known and never
        // printed.
        out.deliver().map_err(|failure| undelivered(failure, 0))?;
        let set = match &mut self.set {
            Some(set) => set,
            none => none.insert((self.open)()?),
        };
        let keys: Vec<SeenKey> = digests.iter().copied().map(SeenKey::from).collect();
        let (rows, mut new, mut printed) = (&mut self.rows, 0, Ok(()));
        set.add(&keys, |index| lines[index], &mut |index, is_new| {
            new += u64::from(is_new);
            // If the output failed, the others are counted for the message.
            if is_new && printed.is_ok() {
                printed = rows.write(out, &[Value::Line(lines[index].as_bytes())]);
            }
        })?;
        printed.and_then(|()| out.deliver()).map_err(|failure| undelivered(failure, new))?;
        // Not before: a crash in between prints lines twice, the other way round it would lose them.
        set.acknowledge();
        Ok(())
    }
}
