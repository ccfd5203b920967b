//! A batch: the part of a source that one worker processes at a time.
//!
//! A batch has records, which are lines, arguments, or rows of a table, as written in the source. A record
//! has the texts that a verb reads: the line itself, or the values of the chosen columns. One thread at a
//! time reads the bytes of a batch, and the worker that received it decodes its texts.

use std::borrow::Cow;
use std::cell;
use std::ffi::OsString;
use std::mem;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use urlid::Error;
use urlid::text::{CharacterReferences, find_urls};
use urlid_io::lines::{Chunk, FileKind, Input, InputKind, Line, LineError, Lines};
use urlid_io::tables::{Cell, ParquetPage, RecordChunk, TableLayout, TableRow};
use urlid_learn::StoredCapture;

use crate::input::assume::Completion;
use crate::input::columns::SeenColumns;
use crate::report::rejections::{Ended, Place, Rejection};

/// The bytes that are kept of a value over the limit, for messages.
const HEAD: usize = 64;
/// The bytes of texts, and the number of texts, that are decoded before they are worked on.
const MOST_BYTES: usize = 16 << 20;
const MOST_TEXTS: usize = 1 << 20;

/// The properties that all batches of a source share.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    /// The name of the source in messages.
    pub(crate) name: PathBuf,
    /// Whether the records are arguments of the command line.
    pub(crate) are_arguments: bool,
    /// How texts are completed.
    pub(crate) completion: Completion,
    /// The schemes of the lines and arguments that are read. If the list is empty, all are read.
    pub(crate) schemes: Vec<String>,
    /// The most bytes of a text.
    pub(crate) limit: usize,
    /// The columns that are read of a table of text.
    pub(crate) layout: Option<TableLayout>,
    /// How the URLs in lines of text are read, or `None` if the lines are the texts.
    pub(crate) references: Option<CharacterReferences>,
    /// The lines of text, printed whole, in which character references are decoded.
    pub(crate) references_in_lines: CharacterReferences,
}

/// Returns the lines of text in which character references are decoded.
pub(crate) fn references_of(input: &mut Input) -> Result<CharacterReferences, Error> {
    Ok(match input.kind()? {
        InputKind::Lines(first) if first.trim_ascii_start().starts_with(b"<") => {
            CharacterReferences::InAllLines
        }
        InputKind::Other(FileKind::Sitemap | FileKind::Bookmarks) => CharacterReferences::InAllLines,
        _ => CharacterReferences::InLinesWithTags,
    })
}

impl Origin {
    /// Returns the text of a value.
    pub(crate) fn read<'t>(&self, value: &'t [u8]) -> Result<Cow<'t, str>, TextError> {
        if value.len() > self.limit {
            return Err(TextError::Line(LineError::TooLong { limit: self.limit }));
        }
        let text = Line::new(0, value).text.map_err(TextError::Line)?;
        Ok(self.completion.of(text))
    }

    /// Returns whether a line or an argument has one of the schemes that are read.
    fn selects(&self, text: &str) -> bool {
        let scheme = || text.trim_start_matches(|character| character <= ' ').split_once(':');
        self.schemes.is_empty()
            || text.is_empty()
            || scheme()
                .is_some_and(|(scheme, _)| self.schemes.iter().any(|one| one.eq_ignore_ascii_case(scheme)))
    }

    /// Returns the part of a value that messages show.
    pub(crate) fn shown<'t>(&self, value: &'t [u8]) -> &'t [u8] {
        if value.len() > self.limit { &value[..value.len().min(HEAD)] } else { value }
    }
}

/// A part of a source. Its buffers are used again.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) origin: Arc<Origin>,
    pub(crate) content: BatchContent,
    /// The texts of arguments and rows.
    values: ValueTexts,
    /// Whether the first texts were examined for hints.
    pub(crate) is_examined: cell::Cell<bool>,
}

/// The records of a batch, as they were read.
#[derive(Default)]
pub(crate) enum BatchContent {
    #[default]
    Nothing,
    Arguments(Vec<OsString>),
    /// Lines, and the number of the first of them.
    Lines(Chunk, u64),
    Rows(RecordChunk),
    Page(ParquetPage),
    /// A row group of a Parquet file, by its index.
    Group(usize),
    /// A record of an archive.
    Capture(Box<StoredCapture>),
}

/// A text of a record.
pub(crate) struct BatchText<'b> {
    /// The number of its line, argument or row, from 1.
    pub(crate) number: u64,
    /// The position of a URL in its line, in bytes from 1, if the source is text. Otherwise 0.
    pub(crate) column: u64,
    /// The bytes of the text in its source, or the whole row if the row lacks the text.
    pub(crate) bytes: &'b [u8],
    /// The text, completed.
    pub(crate) text: Result<Cow<'b, str>, TextError>,
    /// Whether it is an empty line or an empty value, but not an empty argument.
    pub(crate) is_blank: bool,
    /// Whether it is a line of text, and not a URL of an archive, an argument or a value.
    pub(crate) is_line: bool,
}

/// The reason why a record lacks a text.
#[derive(Clone, Debug)]
pub(crate) enum TextError {
    Line(LineError),
    Cell(Error),
}

impl From<TextError> for Rejection {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Line(error) => error.into(),
            TextError::Cell(error) => error.into(),
        }
    }
}

impl From<TextError> for Ended {
    fn from(error: TextError) -> Self {
        Ended::Rejected(error.into())
    }
}

/// The indexes of the texts of a batch that are rejected, in ascending order, each with the reason.
pub(crate) type RejectedTexts = Vec<(usize, Rejection)>;

impl Batch {
    /// Returns the chunk if its bytes are the texts themselves: its lines are not completed and are all read.
    pub(crate) fn plain_lines(&self) -> Option<(&Chunk, u64)> {
        match &self.content {
            BatchContent::Lines(chunk, first)
                if self.origin.completion.is_none()
                    && self.origin.schemes.is_empty()
                    && self.origin.references.is_none() =>
            {
                Some((chunk, *first))
            }
            _ => None,
        }
    }

    /// Returns whether the records are lines, so that texts are free of line ends.
    pub(crate) fn has_lines(&self) -> bool {
        matches!(self.content, BatchContent::Lines(..)) && self.origin.references.is_none()
    }

    /// Returns the place of a record.
    pub(crate) fn place(&self, number: u64) -> Place<'_> {
        let Origin { name, are_arguments, .. } = &*self.origin;
        Place { input: name, line: number, column: 0, is_argument: *are_arguments }
    }

    /// Returns the rows of the file up to the end of this page, or the row groups up to the end of this one.
    pub(crate) fn rows_done(&self) -> Option<u64> {
        match &self.content {
            BatchContent::Page(_) => self.values.texts.last().map(|text| text.number),
            BatchContent::Group(index) => Some(*index as u64 + 1),
            _ => None,
        }
    }

    /// Returns the texts, in order. Those with a scheme that is not read are blank.
    pub(crate) fn texts(&self) -> impl Iterator<Item = BatchText<'_>> {
        let origin = &*self.origin;
        self.all_texts().map(move |text| match &text.text {
            Ok(read) if !origin.selects(read) => BatchText { text: Ok("".into()), is_blank: true, ..text },
            _ => text,
        })
    }

    /// Returns the number of texts with a scheme that is not read.
    pub(crate) fn count_unselected(&self) -> u64 {
        let is_unselected =
            |text: &BatchText<'_>| text.text.as_ref().is_ok_and(|text| !self.origin.selects(text));
        match self.origin.schemes.is_empty() {
            true => 0,
            false => self.all_texts().filter(is_unselected).count() as u64,
        }
    }

    fn all_texts(&self) -> impl Iterator<Item = BatchText<'_>> {
        let Origin { are_arguments, completion, .. } = &*self.origin;
        self.records().map(move |(line, column, error)| {
            let text = match (error, line.text) {
                (Some(error), _) => Err(error.clone()),
                (None, Ok(text)) => Ok(completion.of(text)),
                (None, Err(error)) => Err(TextError::Line(error)),
            };
            let is_blank = !are_arguments && text.as_deref().is_ok_and(str::is_empty);
            let is_line = self.has_lines() && !line.is_of_archive;
            BatchText { number: line.number, column, bytes: line.bytes, text, is_blank, is_line }
        })
    }

    /// Returns the texts as lines, not completed.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.records().map(|(line, ..)| line)
    }

    fn records(&self) -> TextLines<'_> {
        match &self.content {
            BatchContent::Lines(chunk, first) if self.origin.references.is_none() => {
                TextLines::Lines(chunk.lines(*first))
            }
            _ => TextLines::Values(self.values.iter()),
        }
    }

    /// Calls `take` with the bytes of each text, not completed. A line that is rejected as a whole
    /// is empty.
    pub(crate) fn each_raw_text<'b>(&'b self, mut take: impl FnMut(&'b [u8])) {
        if let (BatchContent::Lines(chunk, _), None) = (&self.content, self.origin.references) {
            return chunk.raw_lines().for_each(take);
        }
        let ValueTexts { bytes, texts, .. } = &self.values;
        texts.iter().for_each(|text| take(&bytes[text.start..text.end]));
    }

    /// Calls `take` with each text, and returns the reasons of the rejected ones.
    pub(crate) fn each_text(
        &self,
        rejected: &mut RejectedTexts,
        mut take: impl FnMut(BatchText<'_>) -> Result<(), Rejection>,
    ) {
        for (index, text) in self.texts().enumerate() {
            rejected.extend(take(text).err().map(|rejection| (index, rejection)));
        }
    }

    /// Decodes the texts, on the thread of a worker.
    pub(crate) fn decode(&mut self) {
        self.values.clear();
        self.is_examined.set(false);
        match &mut self.content {
            BatchContent::Lines(chunk, first) => {
                if let Some(references) = self.origin.references {
                    self.values.push_urls(chunk, *first, references);
                }
            }
            BatchContent::Arguments(arguments) => {
                for (number, argument) in (1..).zip(arguments) {
                    self.values.push(number, argument.as_encoded_bytes(), &self.origin);
                }
            }
            BatchContent::Rows(records) => {
                self.values.push_rows(records, &self.origin);
            }
            BatchContent::Capture(capture) => {
                self.values.push(capture.number(), capture.url(), &self.origin);
            }
            BatchContent::Page(page) => {
                let mut number = page.rows_before;
                let read = page.each_value(&mut |value| {
                    number += 1;
                    self.values.push(number, value.unwrap_or_default(), &self.origin);
                    if self.values.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                self.values.failed = read.err();
            }
            _ => {}
        }
    }

    /// Returns whether some texts are not decoded yet, because all of them would be too large to wait for
    /// their turn. They then come in [pieces](Self::each_piece).
    pub(crate) fn is_large(&self) -> bool {
        self.values.is_full() && matches!(self.content, BatchContent::Page(_))
    }

    /// Passes the texts of a large page to `each`, in batches of bounded size.
    pub(crate) fn each_piece(
        mut self,
        each: &mut dyn FnMut(&mut Batch) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        let BatchContent::Page(mut page) = mem::take(&mut self.content) else { return Ok(()) };
        self.values.clear();
        let (mut number, mut result) = (page.rows_before, Ok(()));
        let read = page.each_value(&mut |value| {
            number += 1;
            self.values.push(number, value.unwrap_or_default(), &self.origin);
            if self.values.is_full() {
                result = each(&mut self);
                self.values.clear();
            }
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result?;
        self.values.failed = read.err();
        each(&mut self)
    }

    /// Returns the columns that the rows had, and the error after the last row, if one ends the table early.
    pub(crate) fn end(&mut self) -> (&SeenColumns, Option<Error>) {
        (&self.values.seen, self.values.failed.take())
    }
}

/// The results for the rows of a batch, made by a worker that processes rows.
#[derive(Default)]
pub(crate) struct RowsMade<T> {
    pub(crate) made: T,
    pub(crate) rejected: Vec<RejectedRow>,
    pub(crate) seen: SeenColumns,
    /// The error that ends the rows early.
    pub(crate) failed: Option<Error>,
}

/// A rejected row and the text by which messages show it.
pub(crate) struct RejectedRow {
    pub(crate) number: u64,
    pub(crate) text: Vec<u8>,
    pub(crate) rejection: Rejection,
}

impl RejectedRow {
    pub(crate) fn new(number: u64, text: &[u8], rejection: Rejection) -> Self {
        RejectedRow { number, text: text.to_vec(), rejection }
    }
}

impl<T> RowsMade<T> {
    /// Calls `each` with every row of a table of text.
    pub(crate) fn each_row<'b>(
        &mut self,
        batch: &'b Batch,
        layout: &TableLayout,
        mut each: impl FnMut(&mut Self, &TableRow<'b, '_>),
    ) {
        self.rejected.clear();
        self.seen = SeenColumns::default();
        let BatchContent::Rows(records) = &batch.content else { return };
        let read = records.each_row(layout, |row| {
            each(self, row);
            Ok::<(), Error>(())
        });
        self.failed = read.err();
    }
}

/// The texts of arguments or rows, one after the other.
#[derive(Default)]
struct ValueTexts {
    bytes: Vec<u8>,
    texts: Vec<ValueText>,
    /// The texts that are not there, by ascending index.
    bad: Vec<(usize, TextError)>,
    seen: SeenColumns,
    /// The error that ends the rows.
    failed: Option<Error>,
}

/// The number of the record of a text, and the place of its bytes.
#[derive(Clone, Copy)]
struct ValueText {
    number: u64,
    column: u64,
    start: usize,
    end: usize,
}

impl ValueTexts {
    fn clear(&mut self) {
        self.bytes.clear();
        self.texts.clear();
        self.bad.clear();
        self.seen = SeenColumns::default();
        self.failed = None;
    }

    fn push(&mut self, number: u64, value: &[u8], origin: &Origin) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(origin.shown(value));
        if value.len() > origin.limit {
            self.bad.push((self.texts.len(), TextError::Line(LineError::TooLong { limit: origin.limit })));
        }
        self.texts.push(ValueText { number, column: 0, start, end: self.bytes.len() });
    }

    /// Appends the URLs in lines, and the lines that are too long.
    fn push_urls(&mut self, chunk: &Chunk, first: u64, references: CharacterReferences) {
        let mut rejected = chunk.rejected_lines().peekable();
        for ((index, line), number) in chunk.raw_lines().enumerate().zip(first..) {
            if let Some((_, error)) = rejected.next_if(|(other, _)| *other == index) {
                self.bad.push((self.texts.len(), TextError::Line(error)));
                let start = self.bytes.len();
                self.texts.push(ValueText { number, column: 0, start, end: start });
            }
            for url in find_urls(line, references) {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(url.text.as_bytes());
                let column = url.range.start as u64 + 1;
                self.texts.push(ValueText { number, column, start, end: self.bytes.len() });
            }
        }
    }

    /// Returns whether decoding pauses until these texts are processed. A Parquet page of a few bytes may
    /// have any number of values, each as long as its dictionary.
    fn is_full(&self) -> bool {
        self.bytes.len() >= MOST_BYTES || self.texts.len() >= MOST_TEXTS
    }

    fn push_rows(&mut self, records: &RecordChunk, origin: &Origin) {
        let Some(layout) = &origin.layout else { return };
        let read = records.each_row(layout, |row| {
            self.seen.row(row.cells);
            // An empty line counts as a blank one.
            let cells = if row.cells.is_empty() { &[Cell::Null][..] } else { row.cells };
            let mut row_start = None;
            for cell in cells {
                match cell {
                    Cell::Text(text) => self.push(row.line, text, origin),
                    Cell::Missing | Cell::Null => self.push(row.line, b"", origin),
                    Cell::Bad(error) | Cell::Number(_, error) => {
                        self.bad.push((self.texts.len(), TextError::Cell(error.clone())));
                        // The row is kept once, however many columns are read.
                        let start = *row_start.get_or_insert(self.bytes.len());
                        if start == self.bytes.len() {
                            self.bytes.extend_from_slice(row.text);
                        }
                        let end = start + row.text.len();
                        self.texts.push(ValueText { number: row.line, column: 0, start, end });
                    }
                }
            }
            Ok::<(), Error>(())
        });
        self.failed = read.err();
    }

    /// Returns the texts as lines, each with the reason if it is not there.
    fn iter(&self) -> ValueLines<'_> {
        // Validating all of them together is much faster than validating them one by one.
        let all = str::from_utf8(&self.bytes).ok();
        ValueLines { values: self, all, index: 0, bad: 0 }
    }
}

struct ValueLines<'b> {
    values: &'b ValueTexts,
    /// The bytes of all texts, if they are UTF-8.
    all: Option<&'b str>,
    index: usize,
    /// The index of the next text that is not there, in the list of these.
    bad: usize,
}

impl<'b> Iterator for ValueLines<'b> {
    type Item = (Line<'b>, u64, Option<&'b TextError>);

    fn next(&mut self) -> Option<Self::Item> {
        let ValueText { number, column, start, end } = *self.values.texts.get(self.index)?;
        let bytes = &self.values.bytes[start..end];
        // Slicing checks that both ends are at characters, because two bad texts may join to a good one.
        let line = match self.all.and_then(|all| all.get(start..end)) {
            Some(text) => Line { number, bytes, text: Ok(text), is_of_archive: false },
            None => Line::new(number, bytes),
        };
        let bad = self.values.bad.get(self.bad).filter(|(index, _)| *index == self.index);
        self.bad += usize::from(bad.is_some());
        self.index += 1;
        Some((line, column, bad.map(|(_, error)| error)))
    }
}

/// The texts of a batch as lines, each with the reason if it is not there.
enum TextLines<'b> {
    Lines(Lines<'b>),
    Values(ValueLines<'b>),
}

impl<'b> Iterator for TextLines<'b> {
    type Item = (Line<'b>, u64, Option<&'b TextError>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            TextLines::Lines(lines) => lines.next().map(|line| (line, 0, None)),
            TextLines::Values(values) => values.next(),
        }
    }
}
