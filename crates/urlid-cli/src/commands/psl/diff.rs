//! `urlid psl diff`: the rules that came and went, and the URLs whose identifiers change.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::suffix::{Section, SuffixList, SuffixRule, diff};
use urlid::sxurl::Sxurl;

use crate::args::{Globals, PslArgs};
use crate::input::UrlInputs;
use crate::input::line_run::LineRun;
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Compare two public suffix lists: added and removed rules, and URLs whose SXURL changes
///
/// A row has four columns. A removed rule: `gone`, the rule, its section, empty. An added rule: `came`, the rule,
/// empty, its section. A changed id: `id`, the URL, its id by the old list, its id by the new list.
///
/// Example: urlid psl diff compiled new.dat urls.txt
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The old list, a file; `compiled` is the built-in one
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
    // Both lists are arguments, so --psl has no effect, which is an error on every verb.
    globals.psl.check_no_list()?;
    let (old, new) = (list(&args.old, &globals.psl)?, list(&args.new, &globals.psl)?);
    if !args.urls.sources.is_given() {
        let mut out = Output::stdout()?;
        print_rules(&mut out, args, &old, &new)?;
        out.flush()?;
        return Ok(Exit::Done);
    }
    let mut run = LineRun::begin(args.urls.lines()?, FilesInUse::reading([&args.old, &args.new]), None)?;
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
    args: &DiffArgs,
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
