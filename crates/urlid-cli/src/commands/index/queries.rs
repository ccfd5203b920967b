//! `urlid index find --queries`: several queries from a file, one a line.
//!
//! A line is pairs of a condition and its value, `tld=com`, with tabs between them; a blank line is no query.

use std::ops::ControlFlow;
use std::path::Path;

use urlid::sxurl::Scheme;
use urlid_index::{Ask, Index, Question};

use super::conditions::{bad_question, check_damage, report_dropped};
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::output::Output;
use crate::rows::{Column, Format, Rows, Shown, Value};

/// How queries are answered.
pub(super) struct Answers {
    /// Whether identifiers are printed in every format.
    pub(super) ids: bool,
    /// The most URLs of each query.
    pub(super) limit: u64,
    /// Whether the plan of each query is printed.
    pub(super) explain: bool,
    pub(super) format: Format,
}

/// Runs every query of a file; each row begins with the number of its query's line.
pub(super) fn run(index: &Index, file: &Path, answers: &Answers) -> Result<Exit, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::read(file, &error))?;
    let questions = text
        .lines()
        .zip(1_u64..)
        .filter(|(line, _)| !line.is_empty())
        .map(|(line, number)| Ok((number, question(line, number, file, index)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let id = if answers.ids { Shown::Always } else { Shown::NotInText };
    let columns = [
        Column { name: "query", shown: Shown::Always },
        Column { name: "id", shown: id },
        Column { name: "url", shown: Shown::Always },
    ];
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin(&mut out, answers.format, &columns)?;
    let (mut count, mut dropped, mut damaged) = (0, 0, 0);
    for (number, question) in questions {
        if answers.explain {
            message::print(&format!("query {number}: plan: {}", index.plan(&question)));
        }
        let mut left = answers.limit;
        if left == 0 {
            continue;
        }
        let mut written = Ok(());
        let found = index.find(&question, &mut |row| {
            left -= 1;
            let row = [Value::Number(number), Value::Text(&row.id.to_hex()), Value::Text(row.url)];
            written = rows.write(&mut out, &row);
            if written.is_ok() && left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        let found = found?;
        count += found.rows;
        dropped += found.dropped;
        damaged += found.damaged;
    }
    out.flush()?;
    report_dropped(dropped);
    check_damage(damaged)?;
    Ok(if count > 0 { Exit::Done } else { Exit::Nothing })
}

fn question(line: &str, number: u64, file: &Path, index: &Index) -> Result<Question, Failure> {
    let mut ask = Ask::default();
    for pair in line.split('\t') {
        let bad = |what: &str| {
            let place = format!("{}:{number}", Escaped::path(file));
            Failure::usage(format!("{place}: {what}: found `{}`", Escaped(pair.as_bytes())))
        };
        let (name, value) = pair.split_once('=').ok_or_else(|| bad("a condition is name=value"))?;
        match name {
            "scheme" => {
                ask.scheme = Some(scheme(value).ok_or_else(|| bad("a scheme is https, http or ftp"))?)
            }
            "host" => ask.host = Some(value),
            "tld" => ask.tld = Some(value),
            "domain" => ask.domain = Some(value),
            "sub" => ask.sub = Some(value),
            "port" => match value.parse() {
                Ok(port) if port > 0 => ask.port = Some(port),
                _ => return Err(bad("a port is 1 to 65535")),
            },
            "path" => ask.path = Some(value),
            "query" => ask.query = Some(value),
            "fragment" => ask.fragment = Some(value),
            _ => return Err(bad("no such condition")),
        }
    }
    Question::of(&ask, index.list()).map_err(|error| bad_question(&error))
}

fn scheme(name: &str) -> Option<Scheme> {
    [Scheme::Https, Scheme::Http, Scheme::Ftp]
        .into_iter()
        .zip(["https", "http", "ftp"])
        .find(|(_, n)| *n == name)
        .map(|(s, _)| s)
}
