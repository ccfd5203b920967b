//! The common shape of most verbs: a line in, a row out, a refused line counted.
//!
//! Knows how rows of lines look in each format; what the values are is known by the verb, a [`Work`].

use clap::Args;
use urlid_lines::Line;

use crate::exit::{Exit, Failure};
use crate::input::{self, LineRules, LineSink, Sources};
use crate::output::{Column, Format, Output, Rows, Shown, Value};
use crate::refusals::{Place, Refusal, Refusals};

/// The choice of the output format.
#[derive(Debug, Args)]
pub(crate) struct FormatArg {
    /// The format of the output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: Format,
}

/// What makes the values of a line.
pub(crate) trait Work {
    /// Returns the names of the values.
    fn columns(&self) -> Vec<String>;

    /// Appends the values of `text`, a `None` for each that cannot be had; says why for the first of them.
    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal>;
}

/// Writes a row for each line of the sources: line number, text, values, error code.
pub(crate) fn run(
    sources: &Sources,
    rules: &LineRules,
    format: Format,
    name_of_text: &str,
    work: impl Work,
) -> Result<Exit, Failure> {
    let progress = sources.progress();
    let refusals = Refusals::new(rules.rejects.as_deref(), progress.clone())?;
    let names = work.columns();
    let mut columns = vec![
        Column { name: "line", shown: Shown::InJson },
        Column { name: name_of_text, shown: Shown::NotInText },
    ];
    columns.extend(names.iter().map(|name| Column { name, shown: Shown::Always }));
    columns.push(Column { name: "error", shown: Shown::NotInText });
    let rows = Rows::new(Output::stdout()?, format, &columns)?;

    let mut table = Table { rows, refusals, work, width: names.len(), values: Vec::new() };
    let read = input::each_line(sources, rules.options(), &progress, &mut table);
    progress.finish();
    let exit = read?;
    table.rows.flush()?;
    Ok(exit.max(table.refusals.finish()?))
}

struct Table<W> {
    rows: Rows,
    refusals: Refusals,
    work: W,
    width: usize,
    /// The values of the line at hand.
    values: Vec<Option<String>>,
}

impl<W: Work> LineSink for Table<W> {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        self.values.clear();
        let refusal = match line.text {
            // A blank line is a blank line.
            Ok("") => None,
            Ok(text) => self.work.values(text, &mut self.values),
            Err(error) => Some(Refusal::of(&error)),
        };
        self.values.resize(self.width, None);
        if let Some(refusal) = &refusal {
            self.refusals.refuse(place, refusal.code, &refusal.message, line.bytes)?;
        }
        let text = line.text.map_or(Value::Null, Value::Text);
        let values = self.values.iter().map(|value| value.as_deref().map_or(Value::Null, Value::Text));
        let error = refusal.as_ref().map_or(Value::Null, |refusal| Value::Text(refusal.code.as_str()));
        let row: Vec<_> =
            [Value::Number(place.line), text].into_iter().chain(values).chain([error]).collect();
        match line.text {
            Ok("") => self.rows.blank(&row),
            _ => self.rows.row(&row),
        }
    }

    fn pause(&mut self) -> Result<(), Failure> {
        self.rows.flush()
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
