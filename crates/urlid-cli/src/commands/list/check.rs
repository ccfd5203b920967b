//! `urlid list check`: which URLs a list matches.
//!
//! Candidates go through the threads of `pipeline`, a chunk of lines at a time, and come out in their order.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use urlid::list::{Entry, HiddenList, Matcher, Scratch};
use urlid::suffix;
use urlid::{Coded, ErrorCode};
use urlid_lines::{Chunk, Line};

use super::open::{self, KeyArg};
use crate::args::Globals;
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::input::{self, LineRules, Opened, Source, UrlInputs};
use crate::message;
use crate::output::Output;
use crate::pipeline::{self, Made, Worker};
use crate::refusals::{Place, Refusals};

/// How many lines are checked together.
const TOGETHER: usize = 256;

/// Say for each URL whether a list matches it, and by which entry
///
/// A line out for each line in: the URL, a tab, and the entry that matches it, or nothing. Exits with 0 if any URL is
/// matched and with 1 if none is, like grep. For example: urlid list check --only-matching bad.list crawl.txt.zst
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The list, in either form
    #[arg(value_name = "LIST")]
    list: PathBuf,

    #[command(flatten)]
    urls: UrlInputs,

    /// Select the URLs that are not matched, and print them alone
    #[arg(short = 'v', long)]
    invert: bool,

    /// Print only how many URLs are selected
    #[arg(short, long)]
    count: bool,

    /// Print the lines of matched URLs only
    #[arg(short, long, conflicts_with = "invert")]
    only_matching: bool,

    /// Say on standard error how many digests were computed, and how many a URL can cost
    #[arg(long)]
    stats: bool,

    /// The absolute URI that relative ones are resolved against
    #[arg(long, value_name = "URI")]
    base: Option<String>,

    #[command(flatten)]
    key: KeyArg,
}

/// Checks.
pub(crate) fn run(args: &CheckArgs, globals: &Globals) -> Result<Exit, Failure> {
    let sources = args.urls.sources()?;
    let (list, list_exit) = open::list(&args.list)?;
    // Threads that may outlive a failure look things up in both, so both stay until the program ends.
    let list: &'static HiddenList = Box::leak(Box::new(list));
    let suffixes: &'static suffix::SuffixList = Box::leak(Box::new(globals.psl.list()?.into_owned()));
    let key = args.key.read()?;
    let matcher = Matcher::new(list, key.as_ref()).map_err(|error| open::bad_key(&args.list, &error))?;
    let matcher: &'static Matcher<'static> = Box::leak(Box::new(matcher.with_suffixes(suffixes)));
    open::say_other_snapshot(&args.list, list, suffixes);

    let shown = match (args.count, args.invert, args.only_matching) {
        (true, _, _) => Shown::Nothing,
        (false, true, _) => Shown::Unmatched,
        (false, false, true) => Shown::Matched,
        (false, false, false) => Shown::All,
    };
    let is_terminal = std::io::stdout().is_terminal();
    let prober = Prober { matcher, base: args.base.clone(), shown, is_terminal, scratch: Scratch::default() };
    let progress = sources.progress();
    let mut checker = Checker {
        prober,
        rules: args.urls.rules(),
        out: Output::stdout()?,
        refusals: Refusals::new(args.urls.rules().rejects.as_deref(), progress.clone())?,
        tally: Tally::default(),
    };
    let mut exit = list_exit;
    for source in &sources.0 {
        if let Some(error) = checker.source(source, &progress)? {
            exit = exit.max(input::cannot_read(source, &error, &progress));
        }
    }
    progress.finish();

    let Checker { mut out, refusals, tally, .. } = checker;
    let selected = if args.invert { tally.unmatched } else { tally.matched };
    if args.count {
        out.line(&selected.to_string())?;
    }
    out.flush()?;
    if args.stats {
        let Tally { matched, unmatched, digests } = tally;
        let most = matcher.most_digests();
        message::say(&format!(
            "{matched} matched, {unmatched} not matched, {digests} digests, at most {most} for a URL"
        ));
    }
    let found = if selected > 0 { Exit::Done } else { Exit::Nothing };
    Ok(exit.max(found).max(refusals.finish()?))
}

/// Which lines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    All,
    Matched,
    Unmatched,
    Nothing,
}

/// What was seen.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    matched: u64,
    unmatched: u64,
    digests: u64,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.matched += other.matched;
        self.unmatched += other.unmatched;
        self.digests += other.digests;
    }
}

/// Checks candidates; each thread has one.
struct Prober {
    matcher: &'static Matcher<'static>,
    base: Option<String>,
    shown: Shown,
    is_terminal: bool,
    scratch: Scratch,
}

impl Clone for Prober {
    fn clone(&self) -> Self {
        Prober { base: self.base.clone(), scratch: Scratch::default(), ..*self }
    }
}

impl Prober {
    /// Checks lines and appends a line for each that is shown; returns the index and the code of each that is refused.
    fn probe(&mut self, lines: &[Line<'_>], out: &mut Vec<u8>, tally: &mut Tally) -> Vec<(usize, ErrorCode)> {
        let texts: Vec<&str> =
            lines.iter().filter_map(|line| line.text.ok()).filter(|text| !text.is_empty()).collect();
        let mut found = Vec::with_capacity(texts.len());
        self.matcher.find_many(&mut self.scratch, &texts, self.base.as_deref(), &mut found);
        let mut found = found.into_iter();
        let mut refused = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let code = match line.text {
                Ok("") => {
                    self.push_blank(out);
                    continue;
                }
                Ok(_) => match found.next() {
                    Some(Ok(found)) => {
                        self.push(line, found.as_ref(), out, tally);
                        continue;
                    }
                    Some(Err(error)) => error.code(),
                    None => continue,
                },
                Err(error) => error.code(),
            };
            refused.push((index, code));
            // A refused line is a line out too, without an entry.
            if self.shown == Shown::All {
                self.push_line(line, None, out);
            }
        }
        refused
    }

    /// Counts a line that was checked, and appends it if it is shown.
    fn push(&self, line: &Line<'_>, found: Option<&Entry<'_>>, out: &mut Vec<u8>, tally: &mut Tally) {
        let count = if found.is_some() { &mut tally.matched } else { &mut tally.unmatched };
        *count += 1;
        match (found, self.shown) {
            (_, Shown::All) | (Some(_), Shown::Matched) => self.push_line(line, found, out),
            (None, Shown::Unmatched) => {
                self.push_text(line, out);
                out.push(b'\n');
            }
            _ => {}
        }
    }

    /// A blank line stays blank where every line is shown.
    fn push_blank(&self, out: &mut Vec<u8>) {
        if self.shown == Shown::All {
            out.push(b'\n');
        }
    }

    fn push_line(&self, line: &Line<'_>, found: Option<&Entry<'_>>, out: &mut Vec<u8>) {
        self.push_text(line, out);
        let written = match found {
            Some(found) => writeln!(out, "\t{found}"),
            None => writeln!(out, "\t"),
        };
        written.expect("writing to a Vec does not fail");
    }

    fn push_text(&self, line: &Line<'_>, out: &mut Vec<u8>) {
        match self.is_terminal {
            true => write!(out, "{}", Escaped(line.bytes)).expect("writing to a Vec does not fail"),
            false => out.extend_from_slice(line.bytes),
        }
    }

    /// Tells a refusal, whose reason is found once more.
    fn tell(
        &self,
        refusals: &mut Refusals,
        source: &Source,
        line: &Line<'_>,
        code: ErrorCode,
    ) -> Result<(), Failure> {
        let message = match line.text {
            Ok(text) => {
                let found = self.matcher.find(&mut Scratch::default(), text, self.base.as_deref());
                found.err().map(|error| error.to_string())
            }
            Err(error) => Some(error.to_string()),
        };
        let message = Escaped(message.unwrap_or_default().as_bytes()).to_string();
        refusals.refuse(Place { input: source.name(), line: line.number }, code, &message, line.bytes)
    }
}

/// A worker of the pipeline: a prober and what it counted since it was asked.
struct Probing {
    prober: Prober,
    tally: std::sync::mpsc::Sender<Tally>,
}

impl Worker for Probing {
    fn work(&mut self, chunk: &Chunk, made: &mut Made) {
        let mut tally = Tally::default();
        let before = self.prober.scratch.digests();
        let mut lines = chunk.lines(1);
        loop {
            let together: Vec<Line<'_>> = lines.by_ref().take(TOGETHER).collect();
            if together.is_empty() {
                break;
            }
            let first = made.lines as usize;
            let refused = self.prober.probe(&together, &mut made.out, &mut tally);
            made.refused.extend(refused.into_iter().map(|(index, code)| (first + index, code)));
            made.lines += together.len() as u64;
        }
        tally.digests = self.prober.scratch.digests() - before;
        // Nobody counts any more once printing has failed.
        let _ = self.tally.send(tally);
    }
}

/// Reads candidates, prints lines, tells refusals.
struct Checker<'a> {
    prober: Prober,
    rules: &'a LineRules,
    out: Output,
    refusals: Refusals,
    tally: Tally,
}

impl Checker<'_> {
    /// Checks the lines of one source and returns why it could not be read to its end.
    fn source(
        &mut self,
        source: &Source,
        progress: &crate::progress::Progress,
    ) -> Result<Option<urlid_lines::ReadError>, Failure> {
        let input = match source.open() {
            Ok(Opened::Input(input)) => input,
            Ok(Opened::Texts(texts)) => {
                for (number, text) in (1..).zip(texts) {
                    self.argument(source, &Line::of(number, text.as_encoded_bytes()))?;
                }
                return Ok(None);
            }
            Err(error) => return Ok(Some(error)),
        };
        let Checker { prober, rules, out, refusals, tally } = self;
        let (give_tally, tallies) = std::sync::mpsc::channel();
        let worker = || Probing { prober: prober.clone(), tally: give_tally.clone() };
        let failed = pipeline::run(input, rules, worker, progress, |slot, lines| {
            out.write(&slot.made.out)?;
            out.flush()?;
            slot.refuse(lines, refusals, |refusals, line, code| prober.tell(refusals, source, line, code))
        })?;
        tallies.try_iter().for_each(|found| tally.add(found));
        Ok(failed)
    }

    fn argument(&mut self, source: &Source, line: &Line<'_>) -> Result<(), Failure> {
        let mut out = Vec::new();
        let before = self.prober.scratch.digests();
        let refused = self.prober.probe(std::slice::from_ref(line), &mut out, &mut self.tally);
        self.tally.digests += self.prober.scratch.digests() - before;
        self.out.write(&out)?;
        let Checker { prober, refusals, .. } = self;
        refused.into_iter().try_for_each(|(_, code)| prober.tell(refusals, source, line, code))
    }
}
