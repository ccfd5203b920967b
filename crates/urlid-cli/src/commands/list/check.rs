//! `urlid list check`: which URLs a list matches.
//!
//! Candidates go through the threads of `pipeline`, a chunk of lines at a time, and come out in their order.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use urlid::{Coded, ErrorCode};
use urlid_io::lines::{Chunk, Line};
use urlid_lists::{Entry, ListMatcher, OnRefused, Scratch, refusal_marker};

use super::matcher::MatcherArgs;
use super::open;
use crate::choice::choice;
use crate::columns::TableArgs;
use crate::cpu;
use crate::enrich;
use crate::escape::{Escaped, Reversible};
use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::hashed::check_base;
use crate::input::{Inputs, UrlSources};
use crate::message;
use crate::pipeline::{Made, Worker};
use crate::refusals::Refusal;
use crate::rows::Format;
use crate::session::Session;
use crate::table::{Cells, ValueColumn, Values};

/// How many lines are checked together.
const TOGETHER: usize = 256;

/// Print for each URL whether it is in a list, and which entry it matches
///
/// Prints one line for each input line: the URL, a tab, and the matching entry, which is empty if there is none.
/// Backslashes, tabs and control characters in the URL are escaped, so a line has exactly one tab. For a refused
/// URL, the entry is `!` and the error code; --on-refused selects whether it counts as a match. Exits with 0 if any
/// URL matched and with 1 if none did, like grep, and with 3 if any was refused.
///
/// Example: urlid list check --only-matching bad.list crawl.txt.zst
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The list, in either form
    #[arg(value_name = "LIST")]
    list: PathBuf,

    #[command(flatten)]
    urls: UrlSources,

    /// Select the URLs that do not match, and print only these
    #[arg(short = 'v', long)]
    invert: bool,

    /// Print only the number of selected URLs
    #[arg(short, long)]
    count: bool,

    /// Print only the lines of URLs that match
    #[arg(short, long, conflicts_with = "invert")]
    only_matching: bool,

    /// How to count a refused URL, which cannot be checked
    #[arg(
        long,
        value_name = "HOW",
        default_value = "fail",
        value_parser = choice([
            ("fail", OnRefused::Fail, "As neither: it is reported, and the exit code is 3"),
            ("block", OnRefused::Block, "As a match"),
            ("pass", OnRefused::Pass, "As no match"),
        ])
    )]
    on_refused: OnRefused,

    /// Print on standard error how many digests were computed, and the most that a URL can need
    #[arg(long)]
    stats: bool,

    /// The absolute URI that relative references are resolved against
    #[arg(long, value_name = "URI")]
    base: Option<String>,

    #[command(flatten)]
    matcher: MatcherArgs,

    #[command(flatten)]
    table: TableArgs,
}

/// Checks.
pub(crate) fn run(args: &CheckArgs, globals: &Globals) -> Result<Exit, Failure> {
    let (list, list_exit) = open::list_beside(&args.list, &args.urls)?;
    let matcher = args.matcher.matcher(&args.list, &list, globals)?;
    let mut scratch = Scratch::default();
    check_base(args.base.as_deref(), |text, base| matcher.find(&mut scratch, text, base).map(drop))?;

    let others = [Some(args.list.as_path()), args.matcher.key.path(), globals.psl.path()];
    let others: Vec<&Path> = others.into_iter().flatten().collect();
    if args.on_refused != OnRefused::Fail && args.urls.rules().rejects.is_some() {
        return Err(Failure::usage("--rejects: with --on-refused block or pass no line is refused"));
    }
    let exit = match args.table.is_given()? {
        true => check_table(args, &matcher, &others)?,
        false => check_lines(args, &matcher, &others)?,
    };
    Ok(list_exit.max(exit))
}

/// Writes the table with the entry of each row.
fn check_table(args: &CheckArgs, matcher: &ListMatcher, others: &[&Path]) -> Result<Exit, Failure> {
    if args.count || args.invert || args.only_matching || args.stats {
        return Err(Failure::usage(
            "--column: a table keeps its rows; --count, --invert, --only-matching and --stats go with lines",
        ));
    }
    let totals = Totals::default();
    let (base, on_refused) = (args.base.as_deref(), args.on_refused);
    let make = || Entries { matcher, base, on_refused, totals: &totals, scratch: Scratch::default() };
    let exit = enrich::run(&args.table, Format::Text, &args.urls, others, make)?;
    Ok(exit.max(found(totals.matched.load(Ordering::Relaxed))))
}

/// Prints the lines that are selected, or how many there are.
fn check_lines(args: &CheckArgs, matcher: &ListMatcher, others: &[&Path]) -> Result<Exit, Failure> {
    let totals = Totals::default();
    let shown = match (args.count, args.invert, args.only_matching) {
        (true, _, _) => Shown::Nothing,
        (false, true, _) => Shown::Unmatched,
        (false, false, true) => Shown::Matched,
        (false, false, false) => Shown::All,
    };
    let is_terminal = std::io::stdout().is_terminal();
    let task = Task {
        matcher,
        base: args.base.as_deref(),
        shown,
        on_refused: args.on_refused,
        is_terminal,
        totals: &totals,
    };
    let mut session = Session::begin(&args.urls, others)?;
    let kernels = cpu::kernels()?;
    session.each_chunk(|| Checker { task, scratch: Scratch::new(kernels) })?;

    let [matched, unmatched, digests] =
        [&totals.matched, &totals.unmatched, &totals.digests].map(|total| total.load(Ordering::Relaxed));
    let selected = if args.invert { unmatched } else { matched };
    if args.count {
        session.out.line(&selected.to_string())?;
    }
    session.out.flush()?;
    if args.stats {
        let most = matcher.most_digests();
        message::print(&format!(
            "{matched} matched, {unmatched} not matched, {digests} digests, at most {most} for a URL"
        ));
    }
    session.finish(found(selected))
}

/// Returns the exit that a number of selected URLs calls for.
fn found(selected: u64) -> Exit {
    if selected > 0 { Exit::Done } else { Exit::Nothing }
}

/// Which lines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    All,
    Matched,
    Unmatched,
    Nothing,
}

/// The sums of the counts of all checkers.
#[derive(Debug, Default)]
struct Totals {
    matched: AtomicU64,
    unmatched: AtomicU64,
    digests: AtomicU64,
}

impl Totals {
    /// Adds the counts of one checker.
    fn add(&self, counts: &Counts, digests: u64) {
        self.matched.fetch_add(counts.matched, Ordering::Relaxed);
        self.unmatched.fetch_add(counts.unmatched, Ordering::Relaxed);
        self.digests.fetch_add(digests, Ordering::Relaxed);
    }
}

/// The counts of one checker that are not in the totals yet.
#[derive(Debug, Default)]
struct Counts {
    matched: u64,
    unmatched: u64,
}

/// The list, and the lines that are printed.
#[derive(Clone, Copy)]
struct Task<'a> {
    matcher: &'a ListMatcher,
    base: Option<&'a str>,
    shown: Shown,
    on_refused: OnRefused,
    is_terminal: bool,
    totals: &'a Totals,
}

/// Checks candidates; each thread has one.
struct Checker<'a> {
    task: Task<'a>,
    scratch: Scratch,
}

impl Worker for Checker<'_> {
    fn chunk(&mut self, chunk: &Chunk, _first: u64, made: &mut Made) {
        let mut counts = Counts::default();
        let before = self.scratch.digests();
        let mut lines = chunk.lines(1);
        let mut before_these = 0;
        loop {
            let together: Vec<Line<'_>> = lines.by_ref().take(TOGETHER).collect();
            if together.is_empty() {
                break;
            }
            let refused = self.check(&together, &mut made.out, &mut counts);
            made.refused.extend(refused.into_iter().map(|(index, code)| (before_these + index, code)));
            before_these += together.len();
        }
        self.task.totals.add(&counts, self.scratch.digests() - before);
    }

    fn line(&mut self, line: &Line<'_>, _is_blank: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let mut counts = Counts::default();
        let before = self.scratch.digests();
        let refused = self.check(std::slice::from_ref(line), out, &mut counts);
        if refused.is_empty() {
            self.task.totals.add(&counts, self.scratch.digests() - before);
            return Ok(());
        }
        // `check` returns only the code, so the line is matched once more for its reason.
        let found = self.task.matcher.find(&mut Scratch::default(), line.text?, self.task.base);
        found.map(drop).map_err(Refusal::from)
    }
}

impl Checker<'_> {
    /// Checks lines and appends a line for each that is shown; returns the index and the code of each that is refused.
    fn check(
        &mut self,
        lines: &[Line<'_>],
        out: &mut Vec<u8>,
        counts: &mut Counts,
    ) -> Vec<(usize, ErrorCode)> {
        let texts: Vec<&str> =
            lines.iter().filter_map(|line| line.text.ok()).filter(|text| !text.is_empty()).collect();
        let mut found = Vec::with_capacity(texts.len());
        self.task.matcher.find_many(&mut self.scratch, &texts, self.task.base, &mut found);
        let mut found = found.into_iter();
        let mut refused = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let found = match line.text {
                Ok("") => {
                    self.task.push_blank(out);
                    continue;
                }
                Ok(_) => match found.next() {
                    Some(found) => found.map_err(|error| error.code()),
                    None => continue,
                },
                Err(error) => Err(error.code()),
            };
            let is_match = self.task.on_refused.is_match(&found).map_err(|&code| code);
            match is_match {
                Ok(true) => counts.matched += 1,
                Ok(false) => counts.unmatched += 1,
                Err(code) => refused.push((index, code)),
            }
            self.task.push(line, is_match.ok(), &found, out);
        }
        refused
    }
}

impl Task<'_> {
    /// Appends a line if it is shown. `is_match` is `None` for a refused line that counts neither as a match nor as none.
    fn push(
        &self,
        line: &Line<'_>,
        is_match: Option<bool>,
        found: &Result<Option<Entry<'_>>, ErrorCode>,
        out: &mut Vec<u8>,
    ) {
        match (self.shown, is_match) {
            (Shown::All, _) | (Shown::Matched, Some(true)) => push_answer(line, found, out),
            (Shown::Unmatched, Some(false)) => {
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

    /// Appends a line that stands alone.
    fn push_text(&self, line: &Line<'_>, out: &mut Vec<u8>) {
        match self.is_terminal {
            true => write!(out, "{}", Escaped(line.bytes)).expect("writing to a Vec does not fail"),
            false => out.extend_from_slice(line.bytes),
        }
    }
}

/// The entries that the URLs of a table match.
struct Entries<'a> {
    matcher: &'a ListMatcher,
    base: Option<&'a str>,
    on_refused: OnRefused,
    totals: &'a Totals,
    scratch: Scratch,
}

impl Entries<'_> {
    /// Appends an entry, or the marker of a refusal; returns the refusal unless it counts as a match or as none.
    fn push(&self, found: Result<Option<String>, Refusal>, cells: &mut impl Cells) -> Option<Refusal> {
        match &found {
            Ok(entry) => cells.push(entry.as_deref()),
            Err(refusal) => cells.push(Some(&refusal_marker(refusal.code()))),
        }
        match self.on_refused.is_match(&found) {
            Ok(is_match) => {
                self.totals.matched.fetch_add(u64::from(is_match), Ordering::Relaxed);
                None
            }
            Err(_) => found.err(),
        }
    }
}

impl Values for Entries<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("list_entry")]
    }

    fn values(&mut self, text: &str, cells: &mut impl Cells) -> Option<Refusal> {
        let found = self.matcher.find(&mut self.scratch, text, self.base).map_err(Refusal::from);
        self.push(found.map(|found| found.map(|found| found.entry.to_string())), cells)
    }

    fn unreadable(&mut self, refusal: Refusal, cells: &mut impl Cells) -> Option<Refusal> {
        self.push(Err(refusal), cells)
    }
}

/// Appends a line and its result. The result is unambiguous, because tabs in the line are escaped.
fn push_answer(line: &Line<'_>, found: &Result<Option<Entry<'_>>, ErrorCode>, out: &mut Vec<u8>) {
    let is_plain = line.bytes.iter().all(|&byte| matches!(byte, b' '..=b'~') && byte != b'\\');
    match is_plain {
        true => out.extend_from_slice(line.bytes),
        false => write!(out, "{}", Reversible(line.bytes)).expect("writing to a Vec does not fail"),
    }
    let written = match found {
        Ok(Some(entry)) => writeln!(out, "\t{entry}"),
        Ok(None) => writeln!(out, "\t"),
        Err(code) => writeln!(out, "\t{}", refusal_marker(*code)),
    };
    written.expect("writing to a Vec does not fail");
}
