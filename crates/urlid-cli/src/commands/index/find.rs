//! `urlid index find`: URLs by their parts, and with `--questions` the answers to several questions from a
//! file.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid_store::Urls;
use urlid_store::dataset::error::DAMAGED;
use urlid_store::file::error::DAMAGED_ROWS;
use urlid_store::question::{Condition, Question};

use super::conditions::{
    Conditions, StoreArgs, bad_question, finish_search, id_value, print_rows, progress, report_dropped,
};
use crate::input::bounded::read_lines;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Find URLs by their parts, in the order of their identifiers; URLs without one come last
///
/// The URLs of a dataset come in the order of the dataset. All conditions must hold. Without conditions, all
/// URLs are printed. Host parts are mapped as in URLs. Exits with 1 if no URL is found.
///
/// Example: urlid index find urls.db --domain google --tld com --path /search
#[derive(Debug, Args)]
pub(crate) struct IndexFindArgs {
    #[command(flatten)]
    pub(super) store: StoreArgs,

    /// Recognised for the error alone, which names the verb that looks URLs up.
    #[arg(value_name = "URL", hide = true)]
    urls: Vec<String>,

    #[command(flatten)]
    conditions: Conditions,

    /// Answer the questions in this file, one per line
    ///
    /// A question has pairs like tld=com, separated by tabs.
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,

    /// Also print the identifiers
    #[arg(long)]
    ids: bool,

    /// Print at most this many URLs
    ///
    /// If there are several questions, this many for each.
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,

    /// Print the plan of the query on standard error
    #[arg(long, hide_short_help = true)]
    explain: bool,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the answers.
pub(crate) fn run(args: &IndexFindArgs) -> Result<Exit, Failure> {
    if let Some(url) =
        args.urls.first().map(|url| Escaped(url.as_bytes()).to_string()).or_else(|| args.store.url())
    {
        let index = Some(Escaped::path(&args.store.index).to_string()).filter(|_| !args.urls.is_empty());
        let index = index.unwrap_or_else(|| "INDEX".to_owned());
        let failure = Failure::usage(format!("{url}: expected conditions, such as --host, instead of a URL"));
        return Err(failure.with_hint(format!("`urlid index match {index} {url}` looks up a URL")));
    }
    let question = args.conditions.question()?;
    let index = args.store.open()?;
    if let Some(file) = &args.questions {
        if !question.is_unconditional() {
            return Err(Failure::usage("--questions cannot be used with other conditions"));
        }
        let answers = Answers {
            ids: args.ids,
            limit: args.limit.unwrap_or(u64::MAX),
            explain: args.explain,
            format: args.format.format,
        };
        return answer_all(&index, file, &answers);
    }
    if args.explain {
        message::print(&format!("plan: {}", index.plan(&question)?));
    }
    let shown = (args.format.format, args.ids, args.limit);
    // A dataset does not store identifiers and computes one for each row, so they are only requested if they
    // are shown.
    let with_ids = args.ids || args.format.format != Format::Text;
    let Some(found) = print_rows(shown, |each| index.find(&question, with_ids, each))? else {
        return Ok(Exit::Nothing);
    };
    finish_search(&args.conditions, &index, &found)
}

/// Options of the answers.
struct Answers {
    /// Whether identifiers are printed in every format.
    ids: bool,
    /// The most URLs of each question.
    limit: u64,
    /// Whether the plan of each question is printed.
    explain: bool,
    format: Format,
}

/// Answers every question of a file. Each row starts with the number of its line. A line has pairs of a
/// condition and its value, such as `tld=com`, separated by tabs. Blank lines are skipped.
fn answer_all(index: &Urls, file: &Path, answers: &Answers) -> Result<Exit, Failure> {
    // All questions are parsed before the first is answered, so that a bad line is reported before any
    // output.
    let questions = read_lines(file)?
        .iter()
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
