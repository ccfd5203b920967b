//! `urlid psl info`: which list is used.

use clap::Args;
use urlid::snapshot::Snapshot;
use urlid::suffix::Section;

use crate::args::Globals;
use crate::exit::{Exit, Failure};
use crate::output::{Column, Format, Output, Rows, Shown, Value};
use crate::table::FormatArg;

/// Show which public suffix list is used: the one of urlid, or that of --psl
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    format: FormatArg,
}

/// Prints version, digest and numbers of rules.
pub(crate) fn run(args: &InfoArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let snapshot = Snapshot::of(&list);
    let count = |section| list.rules().filter(|rule| rule.section == section).count() as u64;
    let facts = snapshot.entries().map(|(key, value)| (key, Value::Text(value)));
    let rules = [("icann_rules", count(Section::Icann)), ("private_rules", count(Section::Private))]
        .map(|(key, count)| (key, Value::Number(count)));
    let facts: Vec<_> = facts.into_iter().chain(rules).collect();

    let out = Output::stdout()?;
    let shown = Shown::Always;
    let mut rows = match args.format.format {
        // People read down, programs across.
        Format::Text => {
            let columns = [Column { name: "key", shown }, Column { name: "value", shown }];
            let mut rows = Rows::new(out, Format::Text, &columns)?;
            facts.iter().try_for_each(|(key, value)| rows.row(&[Value::Text(key), *value]))?;
            rows
        }
        format => {
            let columns: Vec<_> = facts.iter().map(|(name, _)| Column { name, shown }).collect();
            let mut rows = Rows::new(out, format, &columns)?;
            rows.row(&facts.iter().map(|(_, value)| *value).collect::<Vec<_>>())?;
            rows
        }
    };
    rows.flush()?;
    Ok(Exit::Done)
}
