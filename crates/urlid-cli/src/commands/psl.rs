//! `urlid psl`: the public suffix list on which identifiers depend: which one is used, and a comparison of
//! two.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use urlid::snapshot::Snapshot;
use urlid::suffix::{Section, SuffixList, SuffixRule, diff};
use urlid::sxurl::Sxurl;

use crate::args::{Globals, PslArgs};
use crate::input::UrlInputs;
use crate::input::columns::ProseArg;
use crate::input::line_run::LineRun;
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Show the public suffix list or compare two lists
#[derive(Debug, Args)]
pub(crate) struct PslVerb {
    #[command(subcommand)]
    command: PslCommand,
}

#[derive(Debug, Subcommand)]
enum PslCommand {
    Show(PslShowArgs),
    Diff(Box<PslDiffArgs>),
}

/// Runs the verb.
pub(crate) fn run(args: &PslVerb, globals: &Globals) -> Result<Exit, Failure> {
    match &args.command {
        PslCommand::Show(args) => run_show(args, globals),
        PslCommand::Diff(args) => run_diff(args, globals),
    }
}

/// Show the public suffix list in use: the built-in one, or the one of --psl
#[derive(Debug, Args)]
struct PslShowArgs {
    #[command(flatten)]
    format: FormatArg,
}

/// Prints version, digest and numbers of rules.
fn run_show(args: &PslShowArgs, globals: &Globals) -> Result<Exit, Failure> {
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

/// Compare two public suffix lists: added and removed rules, and URLs whose SXURL changes
///
/// A row has four columns. A removed rule has `gone`, the rule, its section and an empty field. An added rule
/// has `came`, the rule, an empty field and its section. A changed id has `id`, the URL, the id by the old list
/// and the id by the new list.
///
/// Example: urlid psl diff compiled new.dat urls.txt
#[derive(Debug, Args)]
struct PslDiffArgs {
    /// The old list, a file, or `compiled` for the built-in one
    old: PathBuf,

    /// The new list, a file, or `compiled` for the built-in one
    new: PathBuf,

    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    input_format: ProseArg,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the differences.
fn run_diff(args: &PslDiffArgs, globals: &Globals) -> Result<Exit, Failure> {
    // Both lists are arguments, so --psl would be without effect, which is an error on every verb.
    globals.psl.check_no_list()?;
    let (old, new) = (list(&args.old, &globals.psl)?, list(&args.new, &globals.psl)?);
    // Standard input is read only as `-`. Without inputs, only the rules are compared.
    if !args.urls.sources.is_given() {
        let mut out = Output::stdout()?;
        print_rules(&mut out, args, &old, &new)?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    let inputs = args.urls.lines()?.of_prose(args.input_format.is_prose());
    let mut run = LineRun::begin(inputs, FilesInUse::reading([&args.old, &args.new]), None)?;
    let mut rows = print_rules(&mut run.out, args, &old, &new)?;
    run.each_text(&mut |out, url| {
        let (old, new) = (Sxurl::encode_with(url, &old)?, Sxurl::encode_with(url, &new)?);
        if old != new {
            let (old, new) = (old.to_hex(), new.to_hex());
            rows.write(out, &[Value::Text("id"), Value::Text(url), Value::Text(&old), Value::Text(&new)])?;
        }
        Ok(())
    })?;
    run.finish(Exit::Done)
}

/// Prints the rules that came and went, and returns the table for more rows.
fn print_rules(
    out: &mut Output,
    args: &PslDiffArgs,
    old: &SuffixList,
    new: &SuffixList,
) -> Result<Rows, Failure> {
    let columns = ["change", "subject", "old", "new"].map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(out, args.format.format, &columns)?;
    let changes = diff(old, new);
    let section = |rule: &SuffixRule<'_>| Value::Text(section_name(rule.section));
    for rule in &changes.gone {
        rows.write(out, &[Value::Text("gone"), Value::Text(rule.text), section(rule), Value::Null])?;
    }
    for rule in &changes.came {
        rows.write(out, &[Value::Text("came"), Value::Text(rule.text), Value::Null, section(rule)])?;
    }
    Ok(rows)
}

fn list(path: &Path, psl: &PslArgs) -> Result<Cow<'static, SuffixList>, Failure> {
    if path.as_os_str() == "compiled" { Ok(psl.compiled()) } else { psl.read(path).map(Cow::Owned) }
}

fn section_name(section: Section) -> &'static str {
    match section {
        Section::Icann => "icann",
        Section::Private => "private",
    }
}
