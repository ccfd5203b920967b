//! `urlid index add --only-new`: prints the lines with new URLs, in input order.
//!
//! Delivery is at least once: a batch is stored, printed and then acknowledged. Lines that were not acknowledged stay in the
//! index for `--resume`.

use std::path::{Path, PathBuf};

use urlid_index::{Seen, SeenSet};
use urlid_io::lines::Line;

use crate::column_values;
use crate::columns::ColumnArgs;
use crate::delivery::{report_left, undelivered};
use crate::exit::{Exit, Failure};
use crate::message;
use crate::refusals::Place;
use crate::rows::one_line;
use crate::session::{LineSink, Session};

/// Bytes of lines that are added together, at most.
const MOST_BYTES: usize = 64 << 20;

/// The columns that are read, and the delivery of new lines.
pub(super) struct Wanted<'w> {
    pub(super) columns: &'w ColumnArgs,
    /// The most lines that are stored and printed together.
    pub(super) batch: usize,
    /// Whether the lines that earlier runs did not deliver are printed first.
    pub(super) resume: bool,
}

/// Opens the index, or makes it.
type Open<'o> = dyn Fn() -> Result<SeenSet, Failure> + 'o;

/// Adds the lines and prints those that are new, after they are stored.
pub(super) fn run(
    mut session: Session,
    open: &Open<'_>,
    is_there: bool,
    wanted: &Wanted<'_>,
) -> Result<Exit, Failure> {
    // Errors of an existing index are reported before anything is read. A new one is made with its first batch.
    let set = is_there.then(open).transpose()?;
    let is_live = !session.reads_regular_files();
    let mut adder =
        Adder { open, set, batch: Batch::default(), limit: wanted.batch, is_live, given_again: 0, new: 0 };
    adder.give_again(&mut session, wanted.resume)?;
    match column_values::each_value(&mut session, wanted.columns, &mut adder) {
        Err(Failure::Stopped) => {
            let printed = adder.new;
            session.finish(Exit::Failed)?;
            adder.set.map_or(Ok(()), SeenSet::close)?;
            return Err(Failure::failed(format!(
                "stopped: the {printed} URLs that were printed are in the index"
            )));
        }
        read => read?,
    }
    adder.add_batch(&mut session)?;
    let Adder { set, given_again, new, .. } = adder;
    let set = match set {
        // The input may be a mistyped name, for which no empty index is made.
        None if session.has_unread() => None,
        None => Some(open()?),
        set => set,
    };
    let (mut credentials, mut without_sxurl) = (0, 0);
    if let Some(set) = set {
        (credentials, without_sxurl) = (set.credentials(), set.without_sxurl());
        set.close()?;
    }
    let again = if given_again > 0 { format!("{given_again} of earlier runs, ") } else { String::new() };
    message::print(&format!(
        "{again}{new} new, {without_sxurl} without SXURL, {credentials} credentials removed"
    ));
    session.finish(Exit::Done)
}

/// Lines that are added together.
#[derive(Default)]
struct Batch {
    text: String,
    lines: Vec<Waiting>,
    inputs: Vec<PathBuf>,
}

/// The end of a waiting line in the text, and its place in the input.
struct Waiting {
    end: usize,
    input: usize,
    number: u64,
}

impl Batch {
    fn push(&mut self, text: &str, place: Place<'_>) {
        if self.inputs.last().map(PathBuf::as_path) != Some(place.input) {
            self.inputs.push(place.input.to_owned());
        }
        self.text.push_str(text);
        self.lines.push(Waiting { end: self.text.len(), input: self.inputs.len() - 1, number: place.line });
    }

    fn texts(&self) -> Vec<&str> {
        let starts = std::iter::once(0).chain(self.lines.iter().map(|line| line.end));
        starts.zip(&self.lines).map(|(start, line)| &self.text[start..line.end]).collect()
    }

    fn place(&self, index: usize) -> Place<'_> {
        let line = &self.lines[index];
        let input: &Path = &self.inputs[line.input];
        Place::in_file(input, line.number)
    }

    fn clear(&mut self) {
        self.text.clear();
        self.lines.clear();
        self.inputs.clear();
    }
}

/// Adds lines to the index, one batch after the other.
struct Adder<'o> {
    open: &'o Open<'o>,
    /// `None` until the index exists.
    set: Option<SeenSet>,
    batch: Batch,
    limit: usize,
    /// Whether the writer of the lines may wait for the answers to the last ones before it writes the next.
    is_live: bool,
    given_again: u64,
    new: u64,
}

impl Adder<'_> {
    /// Prints the lines that earlier runs stored and did not deliver, or their number.
    fn give_again(&mut self, session: &mut Session, is_wanted: bool) -> Result<(), Failure> {
        let Some(set) = &mut self.set else { return Ok(()) };
        if !is_wanted {
            report_left(set.left_behind()?);
            return Ok(());
        }
        let mut printed = Ok(());
        self.given_again = set.pending(&mut |line| {
            if printed.is_ok() {
                printed = session.out.line(&one_line(line));
            }
        })?;
        printed
            .and_then(|()| session.out.deliver())
            .map_err(|failure| undelivered(failure, self.given_again))?;
        set.acknowledge();
        Ok(())
    }

    /// Stores the batch, then prints its new lines.
    fn add_batch(&mut self, session: &mut Session) -> Result<(), Failure> {
        if self.batch.lines.is_empty() {
            return Ok(());
        }
        // A closed output is noticed before the batch is stored, or its URLs would be known and never printed.
        session.out.deliver().map_err(|failure| undelivered(failure, 0))?;
        let set = match &mut self.set {
            Some(set) => set,
            none => none.insert((self.open)()?),
        };
        let (batch, texts) = (&self.batch, self.batch.texts());
        let (mut new, mut result) = (0, Ok(()));
        set.add(&texts, &mut |index, seen| {
            new += u64::from(seen == Seen::New);
            if result.is_err() {
                // The output failed. The other new lines are counted for the message.
                return;
            }
            result = match seen {
                Seen::New => session.out.line(&one_line(texts[index])),
                Seen::Known | Seen::Blank => Ok(()),
                Seen::Refused(error) => {
                    session.refuse(batch.place(index), texts[index].as_bytes(), &error.into())
                }
            };
        })?;
        result.and_then(|()| session.out.deliver()).map_err(|failure| undelivered(failure, new))?;
        set.acknowledge();
        drop(texts);
        self.new += new;
        self.batch.clear();
        Ok(())
    }
}

impl LineSink for Adder<'_> {
    fn line(&mut self, session: &mut Session, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        match line.text {
            Ok(text) => self.batch.push(text, place),
            Err(error) => session.refuse(place, line.bytes, &error.into())?,
        }
        let is_full = self.batch.lines.len() >= self.limit || self.batch.text.len() >= MOST_BYTES;
        if is_full { self.add_batch(session) } else { Ok(()) }
    }

    fn before_wait(&mut self, session: &mut Session) -> Result<(), Failure> {
        if !self.is_live {
            return Ok(());
        }
        self.add_batch(session)
    }
}
