//! Matching lines and values with a list: one way, whether they are printed or are cells of a table.

use std::borrow::Cow;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use urlid_io::lines::{LineError, TrailingText, UrlRow};
use urlid_lists::{Entry, InvalidAs, ListMatcher, Scratch, rejection_marker};

use super::shards::ShardFolder;
use crate::input::assume::Completion;
use crate::input::batch::{Batch, BatchText, RejectedTexts, TextError};
use crate::output::escape::{Escaped, Reversible};
use crate::output::rows::{Rows, Value};
use crate::output::table::{
    CellColumns, Cells, ReadText, Reject, ValueColumn, Values, push_code, push_place,
};
use crate::report::rejections::Rejection;

/// How many texts are matched together.
const TEXTS_TOGETHER: usize = 256;

/// Which lines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShownLines {
    All,
    /// With those that cannot be checked.
    Matched,
    MatchedUrls,
    Unmatched,
    Nothing,
}

/// The counts of all matchers.
#[derive(Debug, Default)]
pub(super) struct Totals {
    pub(super) matched: AtomicU64,
    pub(super) unmatched: AtomicU64,
    pub(super) digests: AtomicU64,
}

/// A list that candidates are looked up in.
#[derive(Clone, Copy)]
pub(super) enum Lookup<'a> {
    List(&'a ListMatcher),
    Shards(&'a ShardFolder),
}

impl<'a> Lookup<'a> {
    /// Appends what matches each candidate.
    pub(super) fn find_many(
        self,
        scratch: &mut Scratch,
        texts: &[&str],
        base: Option<&str>,
        found: &mut Vec<Result<Option<Entry<'a>>, urlid::Error>>,
    ) {
        match self {
            Self::List(matcher) => matcher.find_many(scratch, texts, base, found),
            Self::Shards(folder) => found.extend(texts.iter().map(|text| folder.find(scratch, text, base))),
        }
    }

    /// Returns how many digests a candidate costs at most.
    pub(super) fn most_digests(self) -> usize {
        match self {
            Self::List(matcher) => matcher.most_digests(),
            Self::Shards(folder) => folder.matcher.most_digests(),
        }
    }
}

/// The list that URLs are matched with, and the rule for rejected ones.
#[derive(Clone, Copy)]
pub(super) struct MatchTask<'a> {
    pub(super) matcher: Lookup<'a>,
    pub(super) base: Option<&'a str>,
    /// How texts are completed.
    pub(super) completion: &'a Completion,
    /// How text beside the URL of a line is read.
    pub(super) trailing_text: TrailingText,
    pub(super) invalid_as: InvalidAs,
    pub(super) totals: &'a Totals,
}

/// Matches texts; each thread has one.
pub(super) struct Matcher<'a> {
    pub(super) task: MatchTask<'a>,
    pub(super) scratch: Scratch,
}

/// The entry of a text, or the reason why it has no answer.
type MatchAnswer<'a> = Result<Option<Entry<'a>>, Rejection>;

/// A text that is looked up, and the URL that begins it if text is beside that or it may be a row of a table.
/// If either is listed, the line is: a browser opens the first, and whoever wrote the line may mean the second.
type Candidate<'t> = (Cow<'t, str>, Option<FirstUrl<'t>>);

/// The URL that begins a text.
enum FirstUrl<'t> {
    /// The text after it is not part of a URL, so it decides where the whole text is not listed or is rejected.
    BesideText(Cow<'t, str>),
    /// The text may be a row of a table. A row that is rejected stays so, unless its URL is listed.
    OfRow(Cow<'t, str>),
}

impl FirstUrl<'_> {
    fn url(&self) -> &str {
        match self {
            FirstUrl::BesideText(url) | FirstUrl::OfRow(url) => url,
        }
    }
}

impl<'a> Matcher<'a> {
    /// Returns what is looked up of a line.
    fn candidate<'l>(&self, line: &'l BatchText<'l>) -> Result<Candidate<'l>, Rejection> {
        let read = |text: &'l str| self.task.completion.of(text);
        match (&line.text, str::from_utf8(line.bytes)) {
            (Err(TextError::Line(LineError::TrailingText { offset })), Ok(text)) => {
                Ok((read(text), Some(FirstUrl::BesideText(read(&text[..*offset])))))
            }
            (Ok(text), Ok(written)) => {
                let row = if line.is_line { UrlRow::find(written, self.task.trailing_text) } else { None };
                Ok((Cow::Borrowed(text), row.map(|row| FirstUrl::OfRow(read(&written[..row.url_end])))))
            }
            (Ok(text), Err(_)) => Ok((Cow::Borrowed(text), None)),
            (Err(error), _) => Err(error.clone().into()),
        }
    }

    /// Matches texts that are not empty and counts them. `take` receives each answer in order, and whether it
    /// counts as a match: `None` if the text is rejected.
    fn each(
        &mut self,
        texts: Vec<Result<Candidate<'_>, Rejection>>,
        mut take: impl FnMut(MatchAnswer<'a>, Option<bool>),
    ) {
        let MatchTask { matcher, base, invalid_as, totals, .. } = self.task;
        let before = self.scratch.digests();
        let mut readable: Vec<&str> = Vec::with_capacity(texts.len());
        for (text, first) in texts.iter().flatten() {
            readable.push(text);
            readable.extend(first.as_ref().map(FirstUrl::url));
        }
        let mut found = Vec::with_capacity(readable.len());
        matcher.find_many(&mut self.scratch, &readable, base, &mut found);
        let mut found = found.into_iter();
        let (mut matched, mut unmatched) = (0, 0);
        for text in texts {
            // There is an answer for each readable text, so `found` does not run out.
            let mut next = || found.next().unwrap_or(Ok(None)).map_err(Rejection::from);
            let answer = text.and_then(|(_, first)| {
                let whole = next();
                let answer_of_first = first.as_ref().map(|_| next());
                match (first, answer_of_first) {
                    _ if matches!(whole, Ok(Some(_))) => whole,
                    (Some(FirstUrl::BesideText(_)), Some(answer)) => answer,
                    (Some(FirstUrl::OfRow(_)), Some(answer @ Ok(Some(_)))) => answer,
                    _ => whole,
                }
            });
            let is_match = match &answer {
                Ok(found) => Some(found.is_some()),
                Err(rejection) => invalid_as.counts(rejection.code()),
            };
            matched += u64::from(is_match == Some(true));
            unmatched += u64::from(is_match == Some(false));
            take(answer, is_match);
        }
        // Once for many texts, because all threads write to these counters.
        totals.matched.fetch_add(matched, Ordering::Relaxed);
        totals.unmatched.fetch_add(unmatched, Ordering::Relaxed);
        totals.digests.fetch_add(self.scratch.digests() - before, Ordering::Relaxed);
    }
}

/// Prints the lines that are shown.
pub(super) struct MatchPrinter<'a> {
    pub(super) matcher: Matcher<'a>,
    pub(super) shown: ShownLines,
    /// The rows of the lines, unless these are written as text.
    pub(super) rows: Option<Rows>,
    /// Whether a row has the place of a URL in text.
    pub(super) is_prose: bool,
    pub(super) is_terminal: bool,
    pub(super) leaves_rejected_out: bool,
}

impl MatchPrinter<'_> {
    /// Matches the texts of a batch and appends those that are shown.
    pub(super) fn work(&mut self, batch: &Batch, out: &mut Vec<u8>, rejected: &mut RejectedTexts) {
        out.clear();
        let (mut texts, mut before) = (batch.texts(), 0);
        let file = self.is_prose.then(|| batch.origin.name.to_string_lossy());
        loop {
            let together: Vec<BatchText<'_>> = texts.by_ref().take(TEXTS_TOGETHER).collect();
            if together.is_empty() {
                break;
            }
            let found = self.print(&together, file.as_deref(), out);
            rejected.extend(found.into_iter().map(|(index, rejection)| (before + index, rejection)));
            before += together.len();
        }
    }

    /// Matches lines and appends those that are shown; returns the index and the reason of each that is
    /// rejected.
    fn print(&mut self, lines: &[BatchText<'_>], file: Option<&str>, out: &mut Vec<u8>) -> RejectedTexts {
        let MatchPrinter { matcher, shown, rows, is_terminal, leaves_rejected_out, .. } = self;
        let rows = rows.as_ref();
        let is_empty = |line: &BatchText<'_>| line.text.as_deref().is_ok_and(str::is_empty);
        let texts = lines.iter().filter(|line| !is_empty(line)).map(|line| matcher.candidate(line));
        let texts: Vec<_> = texts.collect();
        // Blank lines are not matched. The answers come in order, and `rest` are the lines that are not
        // printed yet: before each answer the blank ones up to its line are put back.
        let (mut rest, mut rejected) = (lines.iter().enumerate(), Vec::new());
        let push_row = |rows: &Rows, line: &BatchText<'_>, answer: &MatchAnswer<'_>, out: &mut Vec<u8>| {
            let mut row = rows.row(out);
            push_place(&mut row, line, file);
            row.push(Value::Line(line.bytes));
            if matches!(shown, ShownLines::All | ShownLines::Matched) {
                let entry = answer.as_ref().ok().and_then(|entry| Some(entry.as_ref()?.to_string()));
                row.push(entry.as_deref().map_or(Value::Null, Value::Text));
            }
            push_code(row, answer.as_ref().err());
        };
        let push_blank = |line: &BatchText<'_>, out: &mut Vec<u8>| match rows {
            // A blank line stays blank where every line is shown.
            _ if *shown != ShownLines::All => {}
            Some(rows) => push_row(rows, line, &Ok(None), out),
            None => out.push(b'\n'),
        };
        matcher.each(texts, |answer, is_match| {
            let (index, line) = loop {
                match rest.next() {
                    Some((_, line)) if is_empty(line) => push_blank(line, out),
                    Some(next) => break next,
                    None => return,
                }
            };
            let is_shown = match (*shown, is_match) {
                (ShownLines::All | ShownLines::Matched, None) => !*leaves_rejected_out,
                (ShownLines::All, _) | (ShownLines::Matched | ShownLines::MatchedUrls, Some(true)) => true,
                (ShownLines::Unmatched, Some(false)) => true,
                _ => false,
            };
            match (rows, *shown) {
                _ if !is_shown => {}
                (Some(rows), _) => push_row(rows, line, &answer, out),
                (None, ShownLines::All | ShownLines::Matched) => push_answer(line, &answer, out),
                (None, _) => push_text(line, *is_terminal, out),
            }
            if let (None, Err(rejection)) = (is_match, answer) {
                rejected.push((index, rejection));
            }
        });
        rest.for_each(|(_, line)| push_blank(line, out));
        rejected
    }
}

impl Values for Matcher<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("list_entry")]
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let mut rejected = None;
        self.each(vec![Ok((text.into(), None))], |answer, is_match| {
            cells.push(value(&answer).as_deref());
            rejected = answer.err().filter(|_| is_match.is_none());
        });
        rejected
    }

    fn rows(&mut self, texts: Vec<ReadText<'_>>, columns: &mut CellColumns, reject: &mut Reject<'_>) {
        let (mut texts, mut before) = (texts.into_iter(), 0);
        loop {
            let together: Vec<ReadText<'_>> = texts.by_ref().take(TEXTS_TOGETHER).collect();
            if together.is_empty() {
                break;
            }
            let count = together.len();
            let is_empty = |text: &ReadText<'_>| text.as_deref().is_ok_and(str::is_empty);
            let filled: Vec<usize> = (0..count).filter(|index| !is_empty(&together[*index])).collect();
            let texts = together.into_iter().filter(|text| !is_empty(text));
            let texts = texts.map(|text| text.map(|text| (text, None))).collect();
            let (mut filled, mut row) = (filled.into_iter(), 0);
            // There is an answer for each text that is not empty, in order; the rows between have no value.
            self.each(texts, |answer, is_match| {
                let index = filled.next().unwrap_or(row);
                (row..index).for_each(|_| columns.end_row());
                Cells::Columns(columns).push(value(&answer).as_deref());
                columns.end_row();
                row = index + 1;
                if let (Err(rejection), None) = (answer, is_match) {
                    reject(before + index, rejection);
                }
            });
            (row..count).for_each(|_| columns.end_row());
            before += count;
        }
    }
}

/// Returns what a table has of an answer: the entry, or the marker of a rejection.
fn value(answer: &MatchAnswer<'_>) -> Option<String> {
    match answer {
        Ok(entry) => entry.as_ref().map(ToString::to_string),
        Err(rejection) => Some(rejection_marker(rejection.code())),
    }
}

/// Appends a line that stands alone.
fn push_text(line: &BatchText<'_>, is_terminal: bool, out: &mut Vec<u8>) {
    match is_terminal {
        true => write!(out, "{}", Escaped(line.bytes)).expect("writing to a Vec does not fail"),
        false => out.extend_from_slice(line.bytes),
    }
    out.push(b'\n');
}

/// Appends a line and its result. The result is unambiguous, because tabs in the line are escaped.
fn push_answer(line: &BatchText<'_>, answer: &MatchAnswer<'_>, out: &mut Vec<u8>) {
    let is_plain = line.bytes.iter().all(|&byte| matches!(byte, b' '..=b'~') && byte != b'\\');
    match is_plain {
        true => out.extend_from_slice(line.bytes),
        false => write!(out, "{}", Reversible(line.bytes)).expect("writing to a Vec does not fail"),
    }
    let written = match answer {
        Ok(Some(entry)) => writeln!(out, "\t{entry}"),
        Ok(None) => writeln!(out, "\t"),
        Err(rejection) => writeln!(out, "\t{}", rejection_marker(rejection.code())),
    };
    written.expect("writing to a Vec does not fail");
}
