//! The index or the datasets that a verb reads, conditions on URLs as options, and the rows that meet them.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use urlid::Error;
use urlid_store::Urls;
use urlid_store::question::{Candidates, Condition, Question, QuestionError, Row};

use crate::input::sources::is_url;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::hints;
use crate::report::message;

/// The index or the datasets that a command asks.
#[derive(Debug, Args)]
pub(super) struct StoreArgs {
    /// The index file, or the folder of a dataset
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// Also search this dataset, if INDEX is a dataset; repeatable
    ///
    /// A URL that is in several datasets is returned once.
    #[arg(long = "with", value_name = "DIR", hide_short_help = true)]
    others: Vec<PathBuf>,
}

impl StoreArgs {
    /// Returns the argument in the place of the index if it is a URL.
    pub(super) fn url(&self) -> Option<String> {
        let is_url = is_url(self.index.as_os_str()) && !self.index.exists();
        is_url.then(|| Escaped::path(&self.index).to_string())
    }

    /// Opens the index or dataset to search.
    pub(super) fn open(&self) -> Result<Urls, Error> {
        Urls::open(&self.index, &self.others)
    }
}

/// Conditions that a URL must meet. Each condition of the library has an option.
#[derive(Debug)]
pub(super) struct Conditions(Vec<(Condition, String)>);

impl Args for Conditions {
    fn augment_args(command: Command) -> Command {
        command.args(Condition::ALL.map(|condition| {
            let name = condition.name();
            Arg::new(name)
                .long(name)
                .value_name(condition.value_name())
                // The short help ends at the first semicolon.
                .help(condition.help().split_once(';').map_or(condition.help(), |(short, _)| short))
                .long_help(condition.help())
                .help_heading("Conditions")
                // Hidden so that the help fits a screen.
                .hide_short_help(matches!(condition, Condition::Fragment | Condition::Has | Condition::Lacks))
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Conditions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |condition: Condition| matches.get_one::<String>(condition.name()).cloned();
        Ok(Self(
            Condition::ALL.into_iter().filter_map(|condition| Some((condition, value(condition)?))).collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Conditions {
    /// Returns the question that consists of the conditions.
    pub(super) fn question(&self) -> Result<Question, Failure> {
        let conditions = self.0.iter().map(|(condition, value)| (*condition, value.as_str()));
        Question::new(conditions).map_err(|error| {
            let meant = match &error {
                QuestionError::Host { condition, .. } => self
                    .value(*condition)
                    .and_then(|value| hints::of_host(&option(*condition), *condition, value)),
                _ => None,
            };
            let failure = bad_question(&error);
            match meant {
                Some(hint) => failure.with_hint(hint),
                None => failure,
            }
        })
    }

    /// Returns the value of a condition, if it is given.
    fn value(&self, wanted: Condition) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(condition, _)| *condition == wanted)?;
        Some(value)
    }
}

/// Prints the interpretation of conditions that are ambiguous.
pub(super) fn print_notes(conditions: &Conditions, index: &Urls, found: bool) -> Result<(), Failure> {
    let list = &index.about()?.suffixes;
    for note in urlid_store::question::notes(&conditions.0, list, found, option) {
        message::print(&format!("note: {note}"));
    }
    Ok(())
}

/// Reports the facts about a search other than its rows. If there were no rows, prints hints for conditions
/// that may be mistakes.
pub(super) fn finish_search(
    conditions: &Conditions,
    index: &Urls,
    found: &Candidates,
) -> Result<Exit, Failure> {
    report_dropped(found.dropped);
    print_notes(conditions, index, found.rows > 0)?;
    if found.rows > 0 {
        return Ok(Exit::Done);
    }
    let list = &index.about()?.suffixes;
    for hint in urlid_store::question::hints(&conditions.0, list, option) {
        message::print(&format!("hint: {hint}"));
    }
    Ok(Exit::Nothing)
}

fn option(condition: Condition) -> String {
    format!("--{condition}")
}

/// Makes the failure of contradictory or meaningless conditions.
pub(super) fn bad_question(error: &QuestionError) -> Failure {
    let failure = Failure::new(Exit::Usage, error);
    match error {
        QuestionError::Path { condition, found } => {
            let other = "a path without a slash needs --scheme, as in --scheme mailto, or --host ''";
            failure.with_hint(format!("try --{condition} '/{found}'; {other}"))
        }
        _ => failure,
    }
}

/// Starts a table of rows of an index: URLs, with their identifiers if `ids` is set or the format has
/// columns.
pub(super) fn begin_rows(out: &mut Output, format: Format, ids: bool) -> Result<Rows, Failure> {
    let shown = if ids { Shown::Always } else { Shown::NotInText };
    let columns = [Column { name: "id", shown }, Column { name: "url", shown: Shown::Always }];
    Rows::begin(out, format, &columns)
}

/// Writes a row of an index.
pub(super) fn write_row(rows: &mut Rows, out: &mut Output, row: &Row<'_>) -> Result<(), Failure> {
    let id = row.id.map(|id| id.to_hex());
    rows.write(out, &[id_value(id.as_deref()), Value::Text(row.url)])
}

/// Starts to show the progress of a search, unless the rows themselves are shown.
pub(super) fn progress(out: &Output) -> Progress {
    if out.is_terminal() { Progress::hidden() } else { Progress::work("searching") }
}

/// Prints the rows that `find` passes to its argument, up to a limit, and returns the result of `find`.
/// Returns `None` if the limit is 0.
pub(super) fn print_rows<T>(
    (format, ids, limit): (Format, bool, Option<u64>),
    find: impl FnOnce(&mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<T, Error>,
) -> Result<Option<T>, Failure> {
    let mut out = Output::stdout()?;
    let mut rows = begin_rows(&mut out, format, ids)?;
    let progress = progress(&out);
    let mut left = limit.unwrap_or(u64::MAX);
    let mut written = Ok(());
    let found = (left > 0).then(|| {
        find(&mut |row| {
            // The search ends at the first `Break`, so `left` is above zero in each call.
            left -= 1;
            written = write_row(&mut rows, &mut out, &row);
            if written.is_ok() && left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
    });
    progress.finish();
    // A failed output ended the search, so it is reported first. Rows before damage are flushed before the
    // error of the damage.
    written?;
    out.flush()?;
    Ok(found.transpose()?)
}

/// Returns the value of an identifier that a URL may lack.
pub(super) fn id_value(id: Option<&str>) -> Value<'_> {
    id.map_or(Value::Null, Value::Text)
}

/// Reports the number of rows whose identifiers met the conditions, but whose URLs did not.
pub(super) fn report_dropped(dropped: u64) {
    if dropped > 0 {
        let candidates = message::count(dropped, "candidate");
        message::print(&format!(
            "{candidates} left out because their identifiers match but their URLs do not"
        ));
    }
}
