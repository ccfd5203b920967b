//! The common shape of most verbs: a line in, a row out, a rejected line counted.

use std::borrow::Cow;
use std::slice;

use urlid::suffix::SuffixList;
use urlid_io::lines::Chunk;
use urlid_io::tables::TextColumn;

use crate::input::batch::{Batch, BatchText, RejectedTexts};
use crate::input::driver::Work;
use crate::input::line_run::LineRun;
use crate::input::sources::Source;
use crate::output::rows::{Column, Format, RowWriter, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

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
    /// The decimal digits of a number of 32 bits.
    Number,
    /// The same of 64 bits, with a sign if it is negative.
    Long,
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
            (Some(text), Holds::Number | Holds::Long | Holds::Json) => Value::Json(text),
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
    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection>;

    /// Appends the values for a text that cannot be read, and returns the reason if the text is rejected.
    fn unreadable(&mut self, rejection: Rejection, _cells: &mut Cells<'_>) -> Option<Rejection> {
        Some(rejection)
    }

    /// Appends a row for each of many texts, without values for an empty one.
    fn rows(&mut self, texts: Vec<ReadText<'_>>, columns: &mut CellColumns, reject: &mut Reject<'_>) {
        each_row(self, texts, columns, reject);
    }

    /// Appends the only value of each of many lines, on a line that is empty if there is none. Returns
    /// whether it does, which is where values are made faster together.
    fn lines(&mut self, _lines: &[u8], _out: &mut Vec<u8>, _reject: &mut Reject<'_>) -> bool {
        false
    }
}

/// A text, or why it cannot be read.
pub(crate) type ReadText<'t> = Result<Cow<'t, str>, Rejection>;

/// Takes the index and the reason of each text without values, in order.
pub(crate) type Reject<'r> = dyn FnMut(usize, Rejection) + 'r;

/// The maker of the values of any command. What is done with the values is compiled once for all of them.
pub(crate) type BoxedValues<'v> = Box<dyn Values + 'v>;

/// Makes a maker of values for a thread.
pub(crate) type MakeBoxedValues<'v> = dyn Fn() -> BoxedValues<'v> + 'v;

/// Takes the values of a row, one after the other.
pub(crate) enum Cells<'c> {
    /// Writes a row.
    Row {
        row: RowWriter<'c>,
        /// The columns without a value so far.
        columns: slice::Iter<'c, ValueColumn>,
        /// A value that is being written; used again.
        written: &'c mut String,
    },
    /// Keeps the values in columns.
    Columns(&'c mut CellColumns),
}

impl Cells<'_> {
    /// Appends a value of the row, or null.
    pub(crate) fn push(&mut self, value: Option<&str>) {
        match self {
            Cells::Row { row, columns, .. } => {
                row.push(columns.next().map_or(Value::Null, |column| column.value(value)));
            }
            Cells::Columns(columns) => columns.next().push(value),
        }
    }

    /// Appends a value, or nothing for a rejection, which is returned.
    pub(crate) fn push_result<T: AsRef<str>>(&mut self, value: Result<T, Rejection>) -> Option<Rejection> {
        self.push(value.as_ref().ok().map(T::as_ref));
        value.err()
    }

    /// Appends the values of columns that all formats show. They are words of letters, or pieces of a text of
    /// printable ASCII.
    pub(crate) fn push_pieces(&mut self, text: &str, pieces: &[Option<&str>]) {
        match self {
            // Pieces of a text that needs no escaping need none: one look at the text spares one at each
            // piece.
            Cells::Row { row, columns, .. } if row.is_unescaped(text) => {
                columns.by_ref().take(pieces.len()).for_each(drop);
                row.push_unescaped(pieces);
            }
            _ => pieces.iter().for_each(|piece| self.push(*piece)),
        }
    }

    /// Appends a value that `write` appends to a text, or null if that fails.
    pub(crate) fn write(
        &mut self,
        write: impl FnOnce(&mut String) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        match self {
            Cells::Row { row, columns, written } => {
                written.clear();
                let result = write(written);
                let value = result.is_ok().then_some(written.as_str());
                row.push(columns.next().map_or(Value::Null, |column| column.value(value)));
                result
            }
            Cells::Columns(columns) => columns.next().write(write),
        }
    }
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
    reject: &mut Reject<'_>,
) {
    for (index, text) in texts.into_iter().enumerate() {
        let mut cells = Cells::Columns(columns);
        let rejection = match text {
            Ok(text) if text.is_empty() => None,
            Ok(text) => maker.values(&text, &mut cells),
            Err(rejection) => maker.unreadable(rejection, &mut cells),
        };
        columns.end_row();
        rejection.into_iter().for_each(|rejection| reject(index, rejection));
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

    /// Returns the column of the next value.
    fn next(&mut self) -> &mut TextColumn {
        self.next += 1;
        &mut self.columns[self.next - 1]
    }

    /// Returns the value of a row in a column.
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&str> {
        self.columns.get(column)?.get(row)
    }

    pub(crate) fn columns(&mut self) -> &mut [TextColumn] {
        &mut self.columns
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
    let mut columns = place_columns(run.is_prose);
    if shows_text {
        columns.push(Column { name: name_of_text, shown: Shown::NotInText });
    }
    columns.extend(made.iter().map(ValueColumn::column));
    columns.push(Column { name: "error", shown: Shown::NotInText });
    let rows = match is_one || maker.is_upright() {
        true => Rows::begin_for_people(&mut run.out, format, &columns)?,
        false => Rows::begin_lines(&mut run.out, format, &columns)?,
    };
    let (leaves_rejected_out, is_prose) = (run.leaves_rejected_out(), run.is_prose);
    let mut is_begun = false;
    let make = || {
        let mut table = TableWorker {
            maker: make(),
            rows: rows.clone(),
            format,
            columns: made.clone(),
            shows_text,
            leaves_rejected_out,
            is_prose,
            written: String::new(),
            made: Vec::new(),
        };
        Box::new(move |batch: &Batch, out: &mut Vec<u8>, rejected: &mut RejectedTexts| {
            table.work(batch, out, rejected)
        }) as Work<'_, Vec<u8>>
    };
    run.each_batch(&make, &mut |run, _, made| {
        let has_first = !is_begun;
        is_begun |= !made.is_empty();
        Ok(run.out.write(rows.without_separator(made, has_first))?)
    })?;
    run.finish(Exit::Done)
}

/// Makes the rows of texts.
struct TableWorker<'v> {
    maker: BoxedValues<'v>,
    rows: Rows,
    format: Format,
    columns: Vec<ValueColumn>,
    shows_text: bool,
    leaves_rejected_out: bool,
    /// Whether a row has the place of its text.
    is_prose: bool,
    /// A value that is being written; used again.
    written: String,
    /// The values of a chunk, each on a line; used again.
    made: Vec<u8>,
}

impl TableWorker<'_> {
    fn work(&mut self, batch: &Batch, out: &mut Vec<u8>, rejected: &mut RejectedTexts) {
        out.clear();
        if let Some((chunk, first)) = batch.plain_lines()
            && self.write_lines(chunk, first, out, rejected)
        {
            return;
        }
        let file = self.is_prose.then(|| batch.origin.name.to_string_lossy());
        batch.each_text(rejected, |text| self.write_text(&text, file.as_deref(), out));
    }

    /// Writes the rows of lines whose values are made together; returns whether they are.
    fn write_lines(
        &mut self,
        chunk: &Chunk,
        first: u64,
        out: &mut Vec<u8>,
        rejected: &mut RejectedTexts,
    ) -> bool {
        let Self { maker, rows, columns, shows_text, leaves_rejected_out, made, .. } = self;
        // Without other columns, the lines of the values are the output already.
        let are_rows = self.format == Format::Text && !*leaves_rejected_out;
        made.clear();
        let lines = if are_rows { &mut *out } else { &mut *made };
        if !maker.lines(chunk.bytes(), lines, &mut |index, rejection| rejected.push((index, rejection))) {
            return false;
        }
        // A line that is not text is an empty one in the bytes of the chunk.
        rejected.extend(chunk.rejected_lines().map(|(index, error)| (index, error.into())));
        rejected.sort_by_key(|(index, _)| *index);
        if are_rows {
            return true;
        }
        let (mut reasons, mut start) = (rejected.iter().peekable(), 0);
        let ends = memchr::memchr_iter(b'\n', made);
        // Validated once, which takes a fraction of the time of one by one.
        let values = str::from_utf8(made).unwrap_or_default();
        for (index, (line, end)) in chunk.lines(first).zip(ends).enumerate() {
            let value = values.get(start..end).filter(|value| !value.is_empty());
            start = end + 1;
            let reason = reasons.next_if(|(other, _)| *other == index).map(|(_, reason)| reason);
            // With --invalid skip there is no row, but the rejection is counted.
            if reason.is_some() && *leaves_rejected_out {
                continue;
            }
            let mut row = rows.row(out);
            row.push(Value::Number(line.number));
            push_text(&mut row, line.text.ok(), *shows_text);
            columns.iter().for_each(|column| row.push(column.value(value)));
            push_code(row, reason);
        }
        true
    }

    /// Writes the row of a text, with the name of its file if it is a URL in text.
    fn write_text(
        &mut self,
        text: &BatchText<'_>,
        file: Option<&str>,
        out: &mut Vec<u8>,
    ) -> Result<(), Rejection> {
        if text.is_blank && self.format == Format::Text {
            out.push(b'\n');
            return Ok(());
        }
        // Values are written before a rejection is found, so a row that is left out is cut off again.
        let start = out.len();
        let mut row = self.rows.row(out);
        push_place(&mut row, text, file);
        push_text(&mut row, text.text.as_deref().ok(), self.shows_text);
        let mut cells = Cells::Row { row, columns: self.columns.iter(), written: &mut self.written };
        let rejection = match &text.text {
            Ok(_) if text.is_blank => None,
            Ok(text) => self.maker.values(text, &mut cells),
            Err(error) => Some(error.clone().into()),
        };
        if let Cells::Row { row, .. } = cells {
            push_code(row, rejection.as_ref());
        }
        if rejection.is_some() && self.leaves_rejected_out {
            out.truncate(start);
        }
        rejection.map_or(Ok(()), Err)
    }
}

/// Returns the columns of the place of a text: of a URL in text in tables too, and otherwise the number of its line.
pub(crate) fn place_columns(is_prose: bool) -> Vec<Column<'static>> {
    match is_prose {
        true => ["input", "line", "column"].map(|name| Column { name, shown: Shown::NotInText }).to_vec(),
        false => vec![Column { name: "line", shown: Shown::InJson }],
    }
}

/// Returns the place of a URL in text, with the name of its input.
pub(crate) fn place_in_text(file: &str, line: u64, column: u64) -> [Value<'_>; 3] {
    // An argument is a URL as a whole.
    let column = if column > 0 { Value::Number(column) } else { Value::Null };
    [Value::Text(file), Value::Number(line), column]
}

/// Appends the place of a text, with the name of its input if it is a URL in text.
pub(crate) fn push_place(row: &mut RowWriter<'_>, text: &BatchText<'_>, file: Option<&str>) {
    match file {
        Some(file) => {
            place_in_text(file, text.number, text.column).into_iter().for_each(|value| row.push(value))
        }
        None => row.push(Value::Number(text.number)),
    }
}

/// Appends a text, if that is shown.
fn push_text(row: &mut RowWriter<'_>, text: Option<&str>, shows_text: bool) {
    if shows_text {
        row.push(text.map_or(Value::Null, Value::Text));
    }
}

/// Ends a row with the code of its error; the values that were not appended are null.
pub(crate) fn push_code(mut row: RowWriter<'_>, rejection: Option<&Rejection>) {
    row.push_last(rejection.map_or(Value::Null, |rejection| Value::Text(rejection.code().as_str())));
    row.end();
}
