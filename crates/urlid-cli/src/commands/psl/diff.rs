//! `urlid psl diff`: the rules that came and went, and the URLs whose identifiers they move.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::suffix::{Rule, Section, SuffixList, diff};
use urlid::sxurl::Sxurl;
use urlid_lines::Line;

use crate::args::Globals;
use crate::exit::{Exit, Failure};
use crate::input::{self, LineSink, UrlInputs};
use crate::output::{Column, Output, Rows, Shown, Value};
use crate::progress::Progress;
use crate::psl;
use crate::refusals::{Place, Refusal, Refusals};
use crate::table::FormatArg;

/// Show which rules came and went between two public suffix lists, and which URLs change their SXURL
///
/// A row has four columns: `gone`, the rule, its section, nothing; or `came`, the rule, nothing, its section; or `id`, a
/// URL, its id by the old list, its id by the new one. For example: urlid psl diff compiled new.dat urls.txt
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The old list, a file; `compiled` is the one that urlid brings along
    old: PathBuf,

    /// The new list, a file or `compiled`
    new: PathBuf,

    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the differences.
pub(crate) fn run(args: &DiffArgs, globals: &Globals) -> Result<Exit, Failure> {
    let (old, new) = (list(&args.old, globals)?, list(&args.new, globals)?);
    let shown = Shown::Always;
    let columns = ["change", "subject", "old", "new"].map(|name| Column { name, shown });
    let mut rows = Rows::new(Output::stdout()?, args.format.format, &columns)?;
    let changes = diff(&old, &new);
    let section = |rule: &Rule<'_>| Value::Text(section_name(rule.section));
    for rule in &changes.gone {
        rows.row(&[Value::Text("gone"), Value::Text(rule.text), section(rule), Value::Null])?;
    }
    for rule in &changes.came {
        rows.row(&[Value::Text("came"), Value::Text(rule.text), Value::Null, section(rule)])?;
    }
    if !args.urls.is_given() {
        rows.flush()?;
        return Ok(Exit::Done);
    }
    let (sources, rules) = (args.urls.sources()?, args.urls.rules());
    let progress: Progress = sources.progress();
    let refusals = Refusals::new(rules.rejects.as_deref(), progress.clone())?;
    let mut movers = Movers { rows, refusals, old, new };
    let read = input::each_line(&sources, rules.options(), &progress, &mut movers);
    progress.finish();
    let exit = read?;
    movers.rows.flush()?;
    Ok(exit.max(movers.refusals.finish()?))
}

fn list(path: &Path, globals: &Globals) -> Result<Cow<'static, SuffixList>, Failure> {
    match path.as_os_str() == "compiled" {
        true => Ok(Cow::Borrowed(SuffixList::compiled(globals.psl.sections()))),
        false => psl::read(path, globals.psl.sections()).map(Cow::Owned),
    }
}

fn section_name(section: Section) -> &'static str {
    match section {
        Section::Icann => "icann",
        Section::Private => "private",
    }
}

/// Finds the URLs whose identifiers differ.
struct Movers {
    rows: Rows,
    refusals: Refusals,
    old: Cow<'static, SuffixList>,
    new: Cow<'static, SuffixList>,
}

impl LineSink for Movers {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        let Some(url) = input::text_of(place, line, &mut self.refusals)? else { return Ok(()) };
        if url.is_empty() {
            return Ok(());
        }
        match (Sxurl::encode_with(url, &self.old), Sxurl::encode_with(url, &self.new)) {
            (Ok(old), Ok(new)) if old == new => Ok(()),
            (Ok(old), Ok(new)) => {
                let (old, new) = (old.to_hex(), new.to_hex());
                self.rows.row(&[Value::Text("id"), Value::Text(url), Value::Text(&old), Value::Text(&new)])
            }
            (Err(error), _) | (_, Err(error)) => {
                let refusal = Refusal::of(&error);
                self.refusals.refuse(place, refusal.code, &refusal.message, line.bytes)
            }
        }
    }

    fn pause(&mut self) -> Result<(), Failure> {
        self.rows.flush()
    }
}
