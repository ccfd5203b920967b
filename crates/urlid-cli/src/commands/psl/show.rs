//! `urlid psl show`: which list is used.

use clap::Args;
use urlid::snapshot::Snapshot;
use urlid::suffix::Section;

use crate::args::Globals;
use crate::output::Output;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Show which public suffix list is used: the built-in one, or that of --psl
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    format: FormatArg,
}

/// Prints version, digest and numbers of rules.
pub(crate) fn run(args: &ShowArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let snapshot = Snapshot::new(&list);
    let count = |section| list.rules().filter(|rule| rule.section == section).count() as u64;
    let facts = snapshot.entries().map(|(key, value)| (key, Value::Text(value)));
    let rules = [("icann_rules", count(Section::Icann)), ("private_rules", count(Section::Private))]
        .map(|(key, count)| (key, Value::Number(count)));
    let facts: Vec<_> = facts.into_iter().chain(rules).collect();

    let mut out = Output::stdout()?;
    let shown = Shown::Always;
    // People read down, programs across.
    if args.format.format == Format::Text {
        let columns = [Column { name: "key", shown }, Column { name: "value", shown }];
        let mut rows = Rows::begin(&mut out, Format::Text, &columns)?;
        facts.iter().try_for_each(|(key, value)| rows.write(&mut out, &[Value::Text(key), *value]))?;
    } else {
        let columns: Vec<_> = facts.iter().map(|(name, _)| Column { name, shown }).collect();
        let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
        rows.write(&mut out, &facts.iter().map(|(_, value)| *value).collect::<Vec<_>>())?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
