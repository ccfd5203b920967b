//! `urlid index add --only-new`: the lines whose URLs were not in the index, in the order they came.

use std::path::{Path, PathBuf};

use urlid::suffix::SuffixList;
use urlid_index::{EncoderOptions, LoadError, Seen, SeenSet};
use urlid_lines::Line;

use super::add::AddArgs;
use super::told;
use crate::exit::{Exit, Failure};
use crate::input::{self, LineSink, Source, Sources};
use crate::message;
use crate::output::Output;
use crate::refusals::{Place, Refusal, Refusals};
use crate::signals;

/// Adds the lines and prints those that are new; a line is printed when it is kept.
pub(super) fn run(args: &AddArgs, sources: &Sources, list: &SuffixList) -> Result<Exit, Failure> {
    let set =
        SeenSet::open(&args.index, list, EncoderOptions::default()).map_err(|error| cannot_load(&error))?;
    signals::stop_gracefully();
    let progress = sources.progress();
    let refusals = Refusals::new(args.rules.rejects.as_deref(), progress.clone())?;
    let mut asker = Asker {
        set,
        refusals,
        out: Output::stdout()?,
        batch: Batch::default(),
        limit: args.batch,
        is_asked_live: sources.0.iter().any(|source| !is_regular(source)),
        new: 0,
    };
    let read = args.read(sources, &progress, &mut asker);
    progress.finish();
    if signals::is_stopping() {
        return Err(Failure::failed(format!(
            "stopped: what was printed is in the index, {} URLs",
            asker.new
        )));
    }
    let exit = read?;
    asker.answer()?;
    let Asker { set, refusals, mut out, new, .. } = asker;
    out.flush()?;
    let credentials = set.credentials();
    set.close().map_err(|error| cannot_load(&error))?;
    message::say(&format!("{new} new, {credentials} credentials removed"));
    Ok(exit.max(refusals.finish()?))
}

fn cannot_load(error: &LoadError) -> Failure {
    told(error)
}

/// Whether a source is a file whose lines are all there.
fn is_regular(source: &Source) -> bool {
    matches!(source, Source::File(path) if path.metadata().is_ok_and(|data| data.is_file()))
}

/// Lines that wait for their answers.
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
        Place { input, line: line.number }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.lines.clear();
        self.inputs.clear();
    }
}

/// Asks the index for one batch after the other.
struct Asker {
    set: SeenSet,
    refusals: Refusals,
    out: Output,
    batch: Batch,
    limit: usize,
    /// Whether somebody may wait for answers before writing the next lines.
    is_asked_live: bool,
    new: u64,
}

impl Asker {
    /// Keeps the batch, then prints its new lines.
    fn answer(&mut self) -> Result<(), Failure> {
        let Self { set, refusals, out, batch, new, .. } = self;
        if batch.lines.is_empty() {
            return Ok(());
        }
        let texts = batch.texts();
        let mut told = Ok(());
        set.add(&texts, &mut |index, seen| {
            if told.is_err() {
                return;
            }
            told = match seen {
                Seen::New => {
                    *new += 1;
                    out.line(texts[index])
                }
                Seen::Known | Seen::Blank => Ok(()),
                Seen::Refused(error) => {
                    let refusal = Refusal::of(&error);
                    refusals.refuse(
                        batch.place(index),
                        refusal.code,
                        &refusal.message,
                        texts[index].as_bytes(),
                    )
                }
            };
        })
        .map_err(|error| cannot_load(&error))?;
        drop(texts);
        batch.clear();
        told
    }
}

impl LineSink for Asker {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        if signals::is_stopping() {
            return Err(Failure::failed("stopped"));
        }
        if let Some(text) = input::text_of(place, line, &mut self.refusals)? {
            self.batch.push(text, place);
        }
        if self.batch.lines.len() >= self.limit { self.answer() } else { Ok(()) }
    }

    /// Whoever writes the next line may be waiting for the answers to the last ones; nobody writes a file as it is read.
    fn pause(&mut self) -> Result<(), Failure> {
        if !self.is_asked_live {
            return Ok(());
        }
        self.answer()?;
        self.out.flush()
    }
}
