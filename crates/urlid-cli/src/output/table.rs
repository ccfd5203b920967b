//! The common shape of most verbs: a line in, a row out, a refused line counted.

use std::borrow::Cow;
use std::{mem, slice};

use urlid::suffix::SuffixList;
use urlid_io::lines::{Chunk, Line};
use urlid_io::tables::TextColumn;

use crate::input::driver::{ChunkOutput, Worker, each_line};
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::output::rows::{Column, Format, RowWriter, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

/// A column of the values that are made of a line.
#[derive(Clone, Debug)]
pub(crate) struct ValueColumn {
    /// The name in headers and objects.
    pub(crate) name: Cow<'static, str>,
    /// The name in tables, which follows the name of the column that is read, if it is not `name`.
    pub(crate) in_tables: Option<&'static str>,
    /// In which formats the column is shown.
    pub(crate) shown: Shown,
    /// The type of its texts.
    pub(crate) holds: Holds,
}

/// The type of the texts of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A text of one line.
    Text,
    /// The decimal digits of a number.
    Number,
    /// A value that is JSON already, and is not quoted again.
    Json,
    /// Text that may be several lines because the user chose them.
    Lines,
}

impl ValueColumn {
    /// Makes a column of texts that all formats show.
    pub(crate) fn text(name: impl Into<Cow<'static, str>>) -> Self {
        ValueColumn { name: name.into(), in_tables: None, shown: Shown::Always, holds: Holds::Text }
    }

    /// Returns the name in tables, after that of the column that is read: letters, digits and underscores.
    pub(crate) fn name_in_tables(&self) -> String {
        let letter = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
        self.in_tables.unwrap_or(&self.name).chars().map(letter).collect()
    }

    fn column(&self) -> Column<'_> {
        Column { name: &self.name, shown: self.shown }
    }

    fn value<'a>(&self, text: Option<&'a str>) -> Value<'a> {
        match (text, self.holds) {
            (None, _) => Value::Null,
            (Some(text), Holds::Text) => Value::Text(text),
            (Some(text), Holds::Lines) => Value::Lines(text),
            (Some(text), Holds::Number | Holds::Json) => Value::Json(text),
        }
    }
}

/// Makes the values of texts.
pub(crate) trait Values: Send {
    /// Returns the columns of the values.
    fn columns(&self) -> Vec<ValueColumn>;

    /// Returns the public suffix list that the values depend on, to be recorded beside them.
    fn suffix_list(&self) -> Option<&SuffixList> {
        None
    }

    /// From here on, leaves the columns that only ndjson shows null.
    fn leave_out_json(&mut self) {}

    /// Returns whether rows of lines have the text beside its values.
    fn shows_text(&self) -> bool {
        true
    }

    /// Returns whether each row is shown to people as lines of a name and a value, not only that of a single
    /// argument.
    fn is_upright(&self) -> bool {
        false
    }

    /// Appends the values of `text`, a `None` for each that cannot be made; returns the reason for the first
    /// of these.
    fn values(&mut self, text: &str, cells: &mut dyn Cells) -> Option<Refusal>;

    /// Appends the values for a text that cannot be read, and returns the reason if the text is refused.
    fn unreadable(&mut self, refusal: Refusal, _cells: &mut dyn Cells) -> Option<Refusal> {
        Some(refusal)
    }

    /// Appends a row for each of many texts, without values for an empty one.
    fn rows(&mut self, texts: Vec<ReadText<'_>>, columns: &mut CellColumns, refuse: &mut Refuse<'_>) {
        each_row(self, texts, columns, refuse);
    }

    /// Returns whether many values are made faster together, by `rows` and by `lines`, which then make one
    /// column.
    fn is_batched(&self) -> bool {
        false
    }

    /// Appends the values of lines, each on a line, which is empty for a line without one.
    fn lines(&mut self, _lines: &[u8], _out: &mut Vec<u8>, _refuse: &mut Refuse<'_>) {}
}

/// A text, or why it cannot be read.
pub(crate) type ReadText<'t> = Result<Cow<'t, str>, Refusal>;

/// Takes the index and the reason of each text without values, in order.
pub(crate) type Refuse<'r> = dyn FnMut(usize, Refusal) + 'r;

/// Appends a value to a text, or fails.
pub(crate) type WriteValue<'w> = dyn FnMut(&mut String) -> Result<(), Refusal> + 'w;

/// The maker of the values of any command. What is done with the values is compiled once for all of them.
pub(crate) type BoxedValues<'v> = Box<dyn Values + 'v>;

/// Makes a maker of values for a thread.
pub(crate) type MakeBoxedValues<'v> = dyn Fn() -> BoxedValues<'v> + 'v;

/// Takes the values of rows, one after the other.
pub(crate) trait Cells {
    /// Appends a value of the row, or null.
    fn push(&mut self, value: Option<&str>);

    /// Appends the values of columns that all formats show. They are words of letters, or pieces of a text of
    /// printable ASCII.
    fn push_pieces(&mut self, _text: &str, pieces: &[Option<&str>]) {
        pieces.iter().for_each(|piece| self.push(*piece));
    }

    /// Appends a value that `write` appends to a text, or none if that fails.
    fn write(&mut self, write: &mut WriteValue<'_>) -> Result<(), Refusal>;
}

/// Returns a maker of the values that are shown: without ndjson, the columns that only ndjson shows stay
/// null.
pub(crate) fn shown<'v>(mut maker: BoxedValues<'v>, is_ndjson: bool) -> BoxedValues<'v> {
    if !is_ndjson {
        maker.leave_out_json();
    }
    maker
}

/// Appends the rows of texts one by one.
pub(crate) fn each_row(
    maker: &mut (impl Values + ?Sized),
    texts: Vec<ReadText<'_>>,
    columns: &mut CellColumns,
    refuse: &mut Refuse<'_>,
) {
    for (index, text) in texts.into_iter().enumerate() {
        let refusal = match text {
            Ok(text) if text.is_empty() => None,
            Ok(text) => maker.values(&text, columns),
            Err(refusal) => maker.unreadable(refusal, columns),
        };
        columns.end_row();
        refusal.into_iter().for_each(|refusal| refuse(index, refusal));
    }
}

/// The values of some rows, in columns that are used again.
#[derive(Clone, Debug)]
pub(crate) struct CellColumns {
    columns: Vec<TextColumn>,
    /// The column of the next value.
    next: usize,
}

impl CellColumns {
    /// Makes as many columns as there are values in a row.
    pub(crate) fn new(width: usize) -> Self {
        CellColumns { columns: vec![TextColumn::default(); width], next: 0 }
    }

    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        self.columns.iter_mut().for_each(TextColumn::clear);
        self.next = 0;
    }

    /// Ends a row. The values that were not appended are null.
    pub(crate) fn end_row(&mut self) {
        self.columns[self.next..].iter_mut().for_each(|column| column.push(None));
        self.next = 0;
    }

    /// Returns the value of a row in a column.
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&str> {
        self.columns.get(column)?.get(row)
    }

    pub(crate) fn columns(&mut self) -> &mut [TextColumn] {
        &mut self.columns
    }
}

impl Cells for CellColumns {
    fn push(&mut self, value: Option<&str>) {
        self.columns[self.next].push(value);
        self.next += 1;
    }

    fn write(&mut self, write: &mut WriteValue<'_>) -> Result<(), Refusal> {
        self.next += 1;
        self.columns[self.next - 1].write(write)
    }
}

/// Writes a row for each line of the run: line number, text, values, error code. A blank line has a row of
/// its own in every format. The row of a single argument is shown to people as lines of a name and a value,
/// if it has several values.
pub(crate) fn print_rows(
    mut run: LineRun,
    format: Format,
    name_of_text: &str,
    make: &MakeBoxedValues<'_>,
) -> Result<Exit, Failure> {
    let make = || shown(make(), format == Format::Ndjson);
    let maker = make();
    let (made, shows_text) = (maker.columns(), maker.shows_text());
    let is_one = matches!(&run.sources.0[..], [Source::Arguments(texts)] if texts.len() == 1);
    let mut columns = vec![Column { name: "line", shown: Shown::InJson }];
    if shows_text {
        columns.push(Column { name: name_of_text, shown: Shown::NotInText });
    } else {
        // A hint would quote a line that the rows do not show.
        run.hide_texts();
    }
    columns.extend(made.iter().map(ValueColumn::column));
    columns.push(Column { name: "error", shown: Shown::NotInText });
    let rows = match is_one || maker.is_upright() {
        true => Rows::begin_for_people(&mut run.out, format, &columns)?,
        false => Rows::begin(&mut run.out, format, &columns)?,
    };
    // An upright row begins with a blank line unless it is the first, which only one worker sees.
    run.is_by_line |= rows.are_upright();
    let leaves_refused_out = run.leaves_refused_out();
    run.each_chunk(&|| {
        Box::new(TableWorker {
            maker: make(),
            rows: rows.clone(),
            format,
            columns: made.clone(),
            shows_text,
            leaves_refused_out,
            written: String::new(),
            made: Vec::new(),
        })
    })?;
    run.finish(Exit::Done)
}

/// Makes the rows of lines.
struct TableWorker<'v> {
    maker: BoxedValues<'v>,
    rows: Rows,
    format: Format,
    columns: Vec<ValueColumn>,
    shows_text: bool,
    leaves_refused_out: bool,
    /// A value that is being written; used again.
    written: String,
    /// The values of a chunk, each on a line; used again.
    made: Vec<u8>,
}

impl TableWorker<'_> {
    /// Makes the rows of a chunk from values that are made together.
    fn batches(&mut self, chunk: &Chunk, first: u64, ChunkOutput { out, refused }: &mut ChunkOutput) {
        let Self { maker, rows, columns, shows_text, leaves_refused_out, made, .. } = self;
        // Without other columns, the lines of the values are the output already.
        let are_rows = self.format == Format::Text && !*leaves_refused_out;
        made.clear();
        let lines = if are_rows { &mut *out } else { &mut *made };
        maker.lines(chunk.bytes(), lines, &mut |index, refusal| refused.push((index, refusal)));
        // A line that is not text is an empty one in the bytes of the chunk.
        refused.extend(chunk.refused_lines().map(|(index, error)| (index, error.into())));
        refused.sort_by_key(|(index, _)| *index);
        if are_rows {
            return;
        }
        let (mut reasons, mut start) = (refused.iter().peekable(), 0);
        let ends = memchr::memchr_iter(b'\n', made);
        // Validated once, which takes a fraction of the time of one by one.
        let values = str::from_utf8(made).unwrap_or_default();
        for (index, (line, end)) in chunk.lines(first).zip(ends).enumerate() {
            let value = values.get(start..end).filter(|value| !value.is_empty());
            start = end + 1;
            let reason = reasons.next_if(|(other, _)| *other == index).map(|(_, reason)| reason);
            // With --on-refused skip there is no row, but the refusal is counted.
            if reason.is_some() && *leaves_refused_out {
                continue;
            }
            let mut row = rows.row(out);
            push_line(&mut row, &line, *shows_text);
            columns.iter().for_each(|column| row.push(column.value(value)));
            push_code(row, reason);
        }
    }
}

/// Appends the number of a line, and its text if that is shown.
fn push_line(row: &mut RowWriter<'_>, line: &Line<'_>, shows_text: bool) {
    row.push(Value::Number(line.number));
    if shows_text {
        row.push(line.text.map_or(Value::Null, Value::Text));
    }
}

/// Ends a row with the code of its error.
fn push_code(mut row: RowWriter<'_>, refusal: Option<&Refusal>) {
    row.push(refusal.map_or(Value::Null, |refusal| Value::Text(refusal.code().as_str())));
    row.end();
}

impl Worker for TableWorker<'_> {
    fn chunk(&mut self, chunk: &Chunk, first: u64, made: &mut ChunkOutput) {
        match self.maker.is_batched() {
            true => self.batches(chunk, first, made),
            false => each_line(self, chunk, first, made),
        }
    }

    fn line(&mut self, line: &Line<'_>, is_blank: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
        if is_blank && self.format == Format::Text {
            out.push(b'\n');
            return Ok(());
        }
        // Values are written before a refusal is found, so a row that is left out is cut off again.
        let start = out.len();
        let mut row = self.rows.row(out);
        push_line(&mut row, line, self.shows_text);
        let mut cells = RowCells { row, columns: self.columns.iter(), written: &mut self.written };
        let refusal = match line.text {
            Ok(_) if is_blank => None,
            Ok(text) => self.maker.values(text, &mut cells),
            Err(error) => Some(error.into()),
        };
        push_code(cells.end(), refusal.as_ref());
        if refusal.is_some() && self.leaves_refused_out {
            out.truncate(start);
        }
        refusal.map_or(Ok(()), Err)
    }
}

/// The values of a row that is being written.
struct RowCells<'r> {
    row: RowWriter<'r>,
    /// The columns without a value so far.
    columns: slice::Iter<'r, ValueColumn>,
    written: &'r mut String,
}

impl<'r> RowCells<'r> {
    /// Ends the values. Those that were not appended are null.
    fn end(mut self) -> RowWriter<'r> {
        self.columns.by_ref().for_each(|_| self.row.push(Value::Null));
        self.row
    }
}

impl Cells for RowCells<'_> {
    fn push(&mut self, value: Option<&str>) {
        let value = self.columns.next().map_or(Value::Null, |column| column.value(value));
        self.row.push(value);
    }

    fn push_pieces(&mut self, text: &str, pieces: &[Option<&str>]) {
        // Pieces of a text that needs no escaping need none: one look at the text spares one at each piece.
        if !self.row.is_unescaped(text) {
            return pieces.iter().for_each(|piece| self.push(*piece));
        }
        self.columns.by_ref().take(pieces.len()).for_each(drop);
        self.row.push_unescaped(pieces);
    }

    fn write(&mut self, write: &mut WriteValue<'_>) -> Result<(), Refusal> {
        // Taken, because `push` borrows the cells as a whole; put back below for the next value.
        let mut written = mem::take(self.written);
        written.clear();
        let result = write(&mut written);
        self.push(result.is_ok().then_some(&written));
        *self.written = written;
        result
    }
}

/// Appends a value, or nothing for a refusal, which is returned.
pub(crate) fn push<T: AsRef<str>>(value: Result<T, Refusal>, cells: &mut dyn Cells) -> Option<Refusal> {
    cells.push(value.as_ref().ok().map(T::as_ref));
    value.err()
}
