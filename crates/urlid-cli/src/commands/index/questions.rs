//! `urlid index find --questions`: several questions from a file, one per line.
//!
//! A line is pairs of a condition and its value, such as `tld=com`, separated by tabs. Blank lines are
//! skipped.

use std::ops::ControlFlow;
use std::path::Path;

use urlid_store::Urls;
use urlid_store::dataset::error::DAMAGED;
use urlid_store::file::error::DAMAGED_ROWS;
use urlid_store::question::{Condition, Question};

use super::conditions::{bad_question, id_value, progress, report_dropped};
use crate::input::bounded::read_text;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Options of the answers.
pub(super) struct Answers {
    /// Whether identifiers are printed in every format.
    pub(super) ids: bool,
    /// The most URLs of each question.
    pub(super) limit: u64,
    /// Whether the plan of each question is printed.
    pub(super) explain: bool,
    pub(super) format: Format,
}

/// Answers every question of a file; each row begins with the number of its line.
pub(super) fn run(index: &Urls, file: &Path, answers: &Answers) -> Result<Exit, Failure> {
    let text = read_text(file)?;
    // All are parsed before the first is answered: a bad line is reported before any output.
    let questions = text
        .lines()
        .zip(1_u64..)
        .filter(|(line, _)| !line.is_empty())
        .map(|(line, number)| Ok((number, question(line, number, file)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let id = if answers.ids { Shown::Always } else { Shown::NotInText };
    let columns = [
        Column { name: "question", shown: Shown::Always },
        Column { name: "id", shown: id },
        Column { name: "url", shown: Shown::Always },
    ];
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin(&mut out, answers.format, &columns)?;
    let progress = progress(&out);
    let (mut count, mut dropped, mut damaged) = (0, 0, Ok(()));
    let with_ids = answers.ids || answers.format != Format::Text;
    for (number, question) in questions {
        if answers.explain {
            message::print(&format!("question {number}: plan: {}", index.plan(&question)?));
        }
        let mut left = answers.limit;
        // A search passes a row before it can be stopped, so `left` cannot be zero in a call.
        if left == 0 {
            continue;
        }
        let mut written = Ok(());
        let found = index.find(&question, with_ids, &mut |row| {
            left -= 1;
            let id = row.id.map(|id| id.to_hex());
            let row = [Value::Number(number), id_value(id.as_deref()), Value::Text(row.url)];
            written = rows.write(&mut out, &row);
            if written.is_ok() && left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        match found {
            Ok(found) => {
                count += found.rows;
                dropped += found.dropped;
            }
            // All other rows of this question were printed, and the other questions may not meet the damage.
            Err(error) if error.is(DAMAGED_ROWS) || error.is(DAMAGED) => damaged = Err(error),
            Err(error) => return Err(error.into()),
        }
    }
    progress.finish();
    out.flush()?;
    report_dropped(dropped);
    damaged?;
    Ok(if count > 0 { Exit::Done } else { Exit::Nothing })
}

fn question(line: &str, number: u64, file: &Path) -> Result<Question, Failure> {
    let place = || format!("{}:{number}", Escaped::path(file));
    let pairs = line.split('\t').map(|pair| {
        let bad =
            |what: &str| Failure::usage(format!("{}: {what}: found `{}`", place(), Escaped(pair.as_bytes())));
        let (name, value) = pair.split_once('=').ok_or_else(|| bad("a condition is name=value"))?;
        Ok((Condition::from_name(name).ok_or_else(|| bad("no such condition"))?, value))
    });
    let conditions = pairs.collect::<Result<Vec<_>, Failure>>()?;
    Question::new(conditions).map_err(|error| bad_question(&error).at(&place()))
}
