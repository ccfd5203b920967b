//! `urlid index find --queries`: several questions from a file, one a line.
//!
//! A line is pairs of a condition and its value, `tld=com`, with tabs between them; a blank line asks nothing.

use std::ops::ControlFlow;
use std::path::Path;

use urlid::sxurl::Scheme;
use urlid_index::{Ask, Index, Question};

use super::find::{FindArgs, bad_question, say_dropped};
use super::{cannot_read, check_damage};
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::output::{Column, Output, Rows, Shown, Value};

/// Answers every question of a file; each row begins with the number of its question's line.
pub(super) fn run(index: &Index, file: &Path, args: &FindArgs) -> Result<Exit, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::failed(format!("{}: cannot read: {error}", Escaped::path(file))))?;
    let questions = text
        .lines()
        .zip(1_u64..)
        .filter(|(line, _)| !line.is_empty())
        .map(|(line, number)| Ok((number, question(line, number, file, index)?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    let id = if args.ids { Shown::Always } else { Shown::NotInText };
    let columns = [
        Column { name: "query", shown: Shown::Always },
        Column { name: "id", shown: id },
        Column { name: "url", shown: Shown::Always },
    ];
    let mut rows = Rows::new(Output::stdout()?, args.format.format, &columns)?;
    let (mut count, mut dropped, mut damaged) = (0, 0, 0);
    for (number, question) in questions {
        if args.explain {
            message::say(&format!("query {number}: plan: {}", index.plan(&question)));
        }
        let mut left = args.limit.unwrap_or(u64::MAX);
        if left == 0 {
            continue;
        }
        let mut written = Ok(());
        let found = index
            .find(&question, &mut |row| {
                left -= 1;
                written =
                    rows.row(&[Value::Number(number), Value::Text(&row.id.to_hex()), Value::Text(row.url)]);
                if written.is_ok() && left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })
            .map_err(|error| cannot_read(&error))?;
        written?;
        count += found.rows;
        dropped += found.dropped;
        damaged += found.damaged;
    }
    rows.flush()?;
    say_dropped(dropped);
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
