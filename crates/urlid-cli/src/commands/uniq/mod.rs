//! `urlid uniq`: the first line of each canonical form.
//!
//! `durable` keeps what was seen on disk; here it is in memory.

mod arguments;
mod digests;
mod durable;

use std::env;

use urlid_io::lines::Line;
use urlid_store::sort::{Digest, Seen, Sight, Tally, TallyOrder};

pub(crate) use self::arguments::UniqArgs;
use self::digests::{Digests, with_digests};
use super::count::sort_failure;
use crate::input::column_values;
use crate::input::pipeline::Taken;
use crate::input::session::Session;
use crate::output::Output;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Place;
use crate::report::signals;

/// Prints the first line of each form.
pub(crate) fn run(args: &UniqArgs) -> Result<Exit, Failure> {
    if let Some(folder) = &args.seen {
        return durable::run(args, folder);
    }
    let form = args.form()?;
    let others = args.lists.paths();
    let make = || Digests::new(&form);
    let mut session;
    let mut kept;
    if args.columns.is_given() {
        session = Session::begin(args.urls.tables()?, &others, args.out.path())?;
        kept = Kept::begin(args, &mut session.out)?;
        let mut digests = make();
        let mut each = |session: &mut Session, place: Place<'_>, line: &Line<'_>| match digests.of(line) {
            Ok(Some(digest)) => kept.take_line(&mut session.out, digest, line),
            Ok(None) => Ok(()),
            Err(refusal) => session.refuse(place, line.bytes, &refusal),
        };
        column_values::each_value(&mut session, &args.columns, &mut each)?;
    } else {
        session = Session::begin(args.urls.lines()?, &others, args.out.path())?;
        kept = Kept::begin(args, &mut session.out)?;
        session.each_made(&|| Box::new(make()), &mut |out, made, of| kept.take(out, made, of))?;
    }
    kept.finish(&mut session.out)?;
    session.finish(Exit::Done)
}

/// The lines that are printed.
struct Kept {
    rows: Rows,
    format: Format,
    /// `None` if lines are counted, and printed at the end.
    seen: Option<Seen>,
    /// The lines that are printed at the end.
    later: Tally,
    /// How many lines were taken.
    taken: u64,
    counts: bool,
}

impl Kept {
    fn begin(args: &UniqArgs, out: &mut Output) -> Result<Self, Failure> {
        let format = args.format.format;
        let columns = ["url", "rows"].map(|name| Column { name, shown: Shown::Always });
        let columns = if args.count { &columns[..] } else { &columns[..1] };
        let rows = Rows::begin(out, format, columns)?;
        // Half for what was seen, half for what is printed at the end.
        let (seen, later) = match args.count {
            true => (None, args.memory),
            false => (Some(Seen::new(args.memory / 2)), args.memory / 2),
        };
        let later = Tally::new(env::temp_dir(), later);
        Ok(Kept { rows, format, seen, later, taken: 0, counts: args.count })
    }

    /// Takes what a worker made: the digests of lines.
    fn take(&mut self, out: &mut Output, made: &[u8], of: &Taken<'_>) -> Result<(), Failure> {
        // A line of a chunk has no line end in it, as an argument may have.
        let is_plain = matches!(of, Taken::Chunk(_)) && self.format == Format::Text && !out.is_terminal();
        let (digests, lines) = with_digests(made, of);
        self.take_lines(out, &digests, &lines, is_plain)
    }

    fn take_line(&mut self, out: &mut Output, digest: Digest, line: &Line<'_>) -> Result<(), Failure> {
        // The bytes as they came: an assumed scheme is only in the text.
        self.take_lines(out, &[digest], &[line.bytes], false)
    }

    /// Takes lines that have a form, with their digests. `is_plain` is whether a line is printed without a look at its bytes.
    fn take_lines(
        &mut self,
        out: &mut Output,
        digests: &[Digest],
        lines: &[&[u8]],
        is_plain: bool,
    ) -> Result<(), Failure> {
        let Self { rows, seen, later, taken, .. } = self;
        let mut print = |index: usize, sight| {
            let line = lines[index];
            *taken += 1;
            match sight {
                Sight::Again => Ok(()),
                Sight::First if is_plain => {
                    out.write(line)?;
                    out.write(b"\n")
                }
                Sight::First => rows.write(out, &[Value::Line(line)]),
                // A line with a form is text.
                Sight::Unknown => str::from_utf8(line).map_or(Ok(()), |line| {
                    later.add(digests[index], *taken, 1, line).map_err(|error| sort_failure(&error))
                }),
            }
        };
        match seen {
            Some(seen) => seen.see(digests, print),
            None => (0..lines.len()).try_for_each(|index| print(index, Sight::Unknown)),
        }
    }

    /// Prints the remaining lines.
    fn finish(mut self, out: &mut Output) -> Result<(), Failure> {
        // Frees its memory before that of the sort is needed.
        drop(self.seen.take());
        let mut later = self.later.finish(TallyOrder::First).map_err(|error| sort_failure(&error))?;
        while let Some((count, line)) = later.next_text().map_err(|error| sort_failure(&error))? {
            if signals::is_stopping() {
                return Err(Failure::Stopped);
            }
            let values = [Value::Text(line), Value::Number(count)];
            self.rows.write(out, if self.counts { &values } else { &values[..1] })?;
        }
        Ok(())
    }
}
