//! The common shape of most verbs: a line in, a row out, a refused line counted.

use urlid_lines::{Chunk, Line};

use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::pipeline::{Made, Worker};
use crate::refusals::{Place, Refusal};
use crate::rows::{Column, Format, Rows, Shown, Value, number_rows};
use crate::session::Session;

/// Makes the values of a line.
pub(crate) trait Values {
    /// Returns the names of the values.
    fn columns(&self) -> Vec<&str>;

    /// Appends the values of `text`, a `None` for each that cannot be made; returns why for the first of them.
    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal>;
}

/// Writes a row for each line of the session: line number, text, values, error code.
pub(crate) fn run(
    mut session: Session,
    format: Format,
    name_of_text: &str,
    mut maker: impl Values,
) -> Result<Exit, Failure> {
    let names = maker.columns();
    let width = names.len();
    let mut columns = vec![
        Column { name: "line", shown: Shown::InJson },
        Column { name: name_of_text, shown: Shown::NotInText },
    ];
    columns.extend(names.into_iter().map(|name| Column { name, shown: Shown::Always }));
    columns.push(Column { name: "error", shown: Shown::NotInText });
    let mut rows = Rows::begin(&mut session.out, format, &columns)?;
    let mut values = Vec::new();
    session.each_line(&mut |session: &mut Session, place: Place<'_>, line: &Line<'_>| {
        values.clear();
        // A blank line stays blank, but an empty argument is a text.
        let is_blank = line.text == Ok("") && !place.is_argument;
        let refusal = match line.text {
            Ok("") if is_blank => None,
            Ok(text) => maker.values(text, &mut values),
            Err(error) => Some(error.into()),
        };
        values.resize(width, None);
        if let Some(refusal) = &refusal {
            session.refuse(place, line.bytes, refusal)?;
            if session.leaves_refused_out() {
                return Ok(());
            }
        }
        let text = line.text.map_or(Value::Null, Value::Text);
        let values = values.iter().map(|value| value.as_deref().map_or(Value::Null, Value::Text));
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
    let maker = make();
    let names = maker.columns();
    let mut columns = vec![Column { name: name_of_text, shown: Shown::NotInText }];
    columns.extend(names.iter().map(|name| Column { name, shown: Shown::Always }));
    columns.push(Column { name: "error", shown: Shown::NotInText });
    let rows = Rows::begin(&mut session.out, format, &columns)?;
    let (width, leaves_refused_out) = (names.len(), session.leaves_refused_out());
    session.each_chunk(|| TableWorker {
        maker: make(),
        rows: rows.clone(),
        format,
        width,
        leaves_refused_out,
        values: Vec::new(),
        numbered: Vec::new(),
    })?;
    session.finish(Exit::Done)
}

/// Makes the rows of chunks. It has no numbers of lines: they are put in front of its rows.
struct TableWorker<V> {
    maker: V,
    rows: Rows,
    format: Format,
    width: usize,
    leaves_refused_out: bool,
    values: Vec<Option<String>>,
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
        self.values.clear();
        let refusal = match line.text {
            Ok("") => None,
            Ok(text) => self.maker.values(text, &mut self.values),
            Err(error) => Some(error.into()),
        };
        self.values.resize(self.width, None);
        let text = line.text.map_or(Value::Null, Value::Text);
        let values = self.values.iter().map(|value| value.as_deref().map_or(Value::Null, Value::Text));
        let error = refusal.as_ref().map_or(Value::Null, |refusal| Value::Text(refusal.code().as_str()));
        let row: Vec<_> = [text].into_iter().chain(values).chain([error]).collect();
        self.rows.push(out, &row);
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
pub(crate) fn push(value: Result<String, Refusal>, values: &mut Vec<Option<String>>) -> Option<Refusal> {
    match value {
        Ok(value) => {
            values.push(Some(value));
            None
        }
        Err(refusal) => {
            values.push(None);
            Some(refusal)
        }
    }
}
