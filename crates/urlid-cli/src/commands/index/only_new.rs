//! `urlid index add --only-new`: the lines whose URLs were not in the index, in the order they came.

use std::path::{Path, PathBuf};

use urlid_index::{Seen, SeenSet};
use urlid_lines::Line;

use super::columns;
use crate::columns::ColumnArgs;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::refusals::Place;
use crate::rows::one_line;
use crate::session::{LineSink, Session};

/// Bytes of lines that are added together, at most.
const MOST_BYTES: usize = 64 << 20;

/// Adds the lines and prints those that are new; a line is printed when it is kept.
pub(super) fn run(
    mut session: Session,
    set: SeenSet,
    column: &ColumnArgs,
    limit: usize,
) -> Result<Exit, Failure> {
    let is_live = !session.reads_regular_files();
    let mut adder = Adder { set, batch: Batch::default(), limit, is_live, new: 0 };
    match columns::each_value(&mut session, column, &mut adder) {
        Err(Failure::Stopped) => {
            session.finish(Exit::Failed)?;
            return Err(Failure::failed(format!(
                "stopped: the {} URLs that were printed are in the index",
                adder.new
            )));
        }
        read => read?,
    }
    adder.add_batch(&mut session)?;
    let Adder { set, new, .. } = adder;
    session.out.flush()?;
    let (credentials, without_sxurl) = (set.credentials(), set.without_sxurl());
    set.close()?;
    message::print(&format!("{new} new, {without_sxurl} without SXURL, {credentials} credentials removed"));
    session.finish(Exit::Done)
}

/// Lines that are added together.
#[derive(Default)]
struct Batch {
    text: String,
    lines: Vec<Waiting>,
    inputs: Vec<PathBuf>,
}

/// Where a waiting line ends in the text, and where it came from.
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
struct Adder {
    set: SeenSet,
    batch: Batch,
    limit: usize,
    /// Whether the writer of the lines may wait for the answers to the last ones before it writes the next.
    is_live: bool,
    new: u64,
}

impl Adder {
    /// Keeps the batch, then prints its new lines.
    fn add_batch(&mut self, session: &mut Session) -> Result<(), Failure> {
        let Self { set, batch, new, .. } = self;
        if batch.lines.is_empty() {
            return Ok(());
        }
        let texts = batch.texts();
        let mut result = Ok(());
        set.add(&texts, &mut |index, seen| {
            if result.is_err() {
                return;
            }
            result = match seen {
                Seen::New => {
                    *new += 1;
                    session.out.line(&one_line(texts[index]))
                }
                Seen::Known | Seen::Blank => Ok(()),
                Seen::Refused(error) => {
                    session.refuse(batch.place(index), texts[index].as_bytes(), &error.into())
                }
            };
        })?;
        drop(texts);
        batch.clear();
        result
    }
}

impl LineSink for Adder {
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
        self.add_batch(session)?;
        session.out.flush()
    }
}
