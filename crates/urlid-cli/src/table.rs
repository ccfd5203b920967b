//! The common shape of most verbs: a line in, a row out, a refused line counted.

use std::borrow::Cow;

use urlid::suffix::SuffixList;
use urlid_lines::{Chunk, Line};
use urlid_tables::TextColumn;

use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::pipeline::{Made, Worker};
use crate::refusals::{Place, Refusal};
use crate::rows::{Column, Format, Rows, Shown, Value, number_rows};
use crate::session::Session;

/// A column of the values that are made of a line.
#[derive(Clone, Debug)]
pub(crate) struct ValueColumn {
    /// The name in headers and objects.
    pub(crate) name: Cow<'static, str>,
    /// The name in tables, after that of the column that is read, if it is another one.
    pub(crate) in_tables: Option<&'static str>,
    /// In which formats the column is shown.
    pub(crate) shown: Shown,
    /// What its texts are.
    pub(crate) holds: Holds,
}

/// What the texts of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Text.
    Text,
    /// The decimal digits of a number.
    Number,
    /// JSON.
    Json,
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
            (Some(text), Holds::Number | Holds::Json) => Value::Json(text),
        }
    }
}

/// Makes the values of texts.
pub(crate) trait Values {
    /// Returns the columns of the values.
    fn columns(&self) -> Vec<ValueColumn>;

    /// Returns the public suffix list that the values depend on, to be recorded beside them.
    fn suffix_list(&self) -> Option<&SuffixList> {
        None
    }

    /// Leaves the columns that only ndjson shows null from here on.
    fn leave_out_json(&mut self) {}

    /// Appends the values of `text`, a `None` for each that cannot be made; returns why for the first of them.
    fn values(&mut self, text: &str, cells: &mut Cells) -> Option<Refusal>;

    /// Appends what stands for the values of a text that cannot be read, and returns why if the text is refused.
    fn unreadable(&mut self, refusal: Refusal, _cells: &mut Cells) -> Option<Refusal> {
        Some(refusal)
    }

    /// Appends a row for each of many texts, without values for an empty one. `refuse` is called for each text without
    /// values, in order, with its index.
    fn rows(&mut self, texts: &[&str], cells: &mut Cells, refuse: &mut dyn FnMut(usize, Refusal)) {
        each_row(self, texts, cells, refuse);
    }
}

/// Returns what makes the values that are shown: without ndjson, none of the columns that only that shows.
pub(crate) fn shown<V: Values>(mut maker: V, is_ndjson: bool) -> V {
    if !is_ndjson {
        maker.leave_out_json();
    }
    maker
}

/// Appends the rows of texts one by one.
pub(crate) fn each_row(
    maker: &mut (impl Values + ?Sized),
    texts: &[&str],
    cells: &mut Cells,
    refuse: &mut dyn FnMut(usize, Refusal),
) {
    for (index, text) in texts.iter().enumerate() {
        let refusal = if text.is_empty() { None } else { maker.values(text, cells) };
        cells.end_row();
        refusal.into_iter().for_each(|refusal| refuse(index, refusal));
    }
}

/// The values of some rows, in columns that are used again.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    columns: Vec<TextColumn>,
    /// The column of the next value.
    next: usize,
}

impl Cells {
    /// Makes as many columns as there are values in a row.
    pub(crate) fn new(width: usize) -> Self {
        Cells { columns: vec![TextColumn::default(); width], next: 0 }
    }

    /// Removes all values.
    pub(crate) fn clear(&mut self) {
        self.columns.iter_mut().for_each(TextColumn::clear);
        self.next = 0;
    }

    /// Appends a value of the row, or that there is none.
    pub(crate) fn push(&mut self, value: Option<&str>) {
        self.columns[self.next].push(value);
        self.next += 1;
    }

    /// Appends a value that `write` appends to a text, or none if that fails.
    pub(crate) fn write<E>(&mut self, write: impl FnOnce(&mut String) -> Result<(), E>) -> Result<(), E> {
        self.next += 1;
        self.columns[self.next - 1].write(write)
    }

    /// Ends a row. The values that were not appended are not there.
    pub(crate) fn end_row(&mut self) {
        self.columns[self.next..].iter_mut().for_each(|column| column.push(None));
        self.next = 0;
    }

    /// Returns the values of a row.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = Option<&str>> {
        self.columns.iter().map(move |column| column.get(row))
    }

    /// Returns the value of a row in a column.
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&str> {
        self.columns.get(column)?.get(row)
    }

    /// Returns the columns.
    pub(crate) fn columns(&mut self) -> &mut [TextColumn] {
        &mut self.columns
    }
}

/// Writes a row for each line of the session: line number, text, values, error code.
pub(crate) fn run(
    mut session: Session,
    format: Format,
    name_of_text: &str,
    maker: impl Values,
) -> Result<Exit, Failure> {
    let mut maker = shown(maker, format == Format::Ndjson);
    let made = maker.columns();
    let mut columns = vec![
        Column { name: "line", shown: Shown::InJson },
        Column { name: name_of_text, shown: Shown::NotInText },
    ];
    columns.extend(made.iter().map(ValueColumn::column));
    columns.push(Column { name: "error", shown: Shown::NotInText });
    let mut rows = Rows::begin(&mut session.out, format, &columns)?;
    let mut cells = Cells::new(made.len());
    session.each_line(&mut |session: &mut Session, place: Place<'_>, line: &Line<'_>| {
        cells.clear();
        // A blank line stays blank, but an empty argument is a text.
        let is_blank = line.text == Ok("") && !place.is_argument;
        let refusal = match line.text {
            Ok("") if is_blank => None,
            Ok(text) => maker.values(text, &mut cells),
            Err(error) => Some(error.into()),
        };
        cells.end_row();
        if let Some(refusal) = &refusal {
            session.refuse(place, line.bytes, refusal)?;
            if session.leaves_refused_out() {
                return Ok(());
            }
        }
        let text = line.text.map_or(Value::Null, Value::Text);
        let values = made.iter().zip(cells.row(0));
        let values = values.map(|(column, value)| column.value(value));
        let error = refusal.as_ref().map_or(Value::Null, |refusal| Value::Text(refusal.code().as_str()));
        let row: Vec<_> =
            [Value::Number(place.line), text].into_iter().chain(values).chain([error]).collect();
        match is_blank {
            true => rows.write_blank(&mut session.out, &row),
            false => rows.write(&mut session.out, &row),
        }
    })?;
    session.finish(Exit::Done)
}

/// Writes the same rows with a maker on every core. A blank line has a row of its own in every format.
pub(crate) fn run_on_cores<V: Values + Send>(
    mut session: Session,
    format: Format,
    name_of_text: &str,
    make: impl Fn() -> V,
) -> Result<Exit, Failure> {
    // Only there is an empty text no blank line.
    if session.has_arguments() {
        return run(session, format, name_of_text, make());
    }
    let make = || shown(make(), format == Format::Ndjson);
    let made = make().columns();
    let mut columns = vec![Column { name: name_of_text, shown: Shown::NotInText }];
    columns.extend(made.iter().map(ValueColumn::column));
    columns.push(Column { name: "error", shown: Shown::NotInText });
    let rows = Rows::begin(&mut session.out, format, &columns)?;
    let leaves_refused_out = session.leaves_refused_out();
    session.each_chunk(|| TableWorker {
        maker: make(),
        rows: rows.clone(),
        format,
        cells: Cells::new(made.len()),
        columns: made.clone(),
        leaves_refused_out,
        numbered: Vec::new(),
    })?;
    session.finish(Exit::Done)
}

/// Makes the rows of chunks. It has no numbers of lines: they are put in front of its rows.
struct TableWorker<V> {
    maker: V,
    rows: Rows,
    format: Format,
    columns: Vec<ValueColumn>,
    leaves_refused_out: bool,
    cells: Cells,
    numbered: Vec<u8>,
}

impl<V: Values + Send> Worker for TableWorker<V> {
    fn chunk(&mut self, chunk: &Chunk, made: &mut Made) {
        for (index, line) in chunk.lines(1).enumerate() {
            let start = made.out.len();
            if let Err(refusal) = self.line(&line, &mut made.out) {
                if self.leaves_refused_out {
                    made.out.truncate(start);
                    self.rows.push_left_out(&mut made.out);
                }
                made.refused.push((index, refusal.code()));
            }
            made.lines += 1;
        }
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Vec<u8>) -> Result<(), Refusal> {
        self.cells.clear();
        if line.text == Ok("") && self.format == Format::Text {
            out.push(b'\n');
            return Ok(());
        }
        let refusal = match line.text {
            Ok("") => None,
            Ok(text) => self.maker.values(text, &mut self.cells),
            Err(error) => Some(error.into()),
        };
        self.cells.end_row();
        let text = line.text.map_or(Value::Null, Value::Text);
        let values = self.columns.iter().zip(self.cells.row(0));
        let values = values.map(|(column, value)| column.value(value));
        let error = refusal.as_ref().map_or(Value::Null, |refusal| Value::Text(refusal.code().as_str()));
        self.rows.push_each(out, [text].into_iter().chain(values).chain([error]));
        refusal.map_or(Ok(()), Err)
    }

    fn write(&mut self, made: &[u8], first: u64, out: &mut Output) -> Result<(), Failure> {
        if self.format != Format::Ndjson {
            return out.write(made);
        }
        self.numbered.clear();
        number_rows(made, first, &mut self.numbered);
        out.write(&self.numbered)
    }
}

/// Appends a value, or nothing for a refusal, which is returned.
pub(crate) fn push<T: AsRef<str>>(value: Result<T, Refusal>, cells: &mut Cells) -> Option<Refusal> {
    cells.push(value.as_ref().ok().map(T::as_ref));
    value.err()
}
