//! `urlid canon`: named canonical forms.

mod diff;
mod expressions;
pub(crate) mod form;

use clap::{Args, Subcommand};
use form::{FormLists, FormName, form_names, parse_form};
use urlid::hashed_uri::Keep;
use urlid_canonical::{Canonicalizer, Form, FormStep, Idna, Kind};

use crate::args::{Globals, hashed};
use crate::input::UrlInputs;
use crate::input::columns::TableArgs;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::output::table::{Cells, ValueColumn, Values};
use crate::output::{Output, enrich};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

/// Print the canonical form of URLs, one line for each input line
///
/// A form is the name of a profile, whose rules never change. Steps may follow, as in web+drop-fragment.
/// `--list` prints the profiles, and `urlid explain --as FORM` shows how each rule changes a URL.
///
/// Example: urlid canon --as web+drop-tracking@firefox-46740ded 'https://docs.rs/?utm_source=x&q=y'
///
/// Example: urlid canon --as surt-0.3.1 'http://www.Example.com:80/a/../b?d&c'
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct CanonArgs {
    #[command(subcommand)]
    command: Option<CanonCommand>,

    #[command(flatten)]
    urls: UrlInputs,

    /// Print this canonical form; `--list` prints the names
    #[arg(long = "as", value_name = "FORM", default_value = "web", value_parser = form_names(parse_form), hide_possible_values = true)]
    form: FormName,

    #[command(flatten)]
    lists: FormLists,

    /// List the profiles, and the steps that can follow them
    #[arg(
        long,
        conflicts_with_all = [
            "form", "keep", "base", "FormLists", "inputs", "file", "max_line", "rejects_file", "records",
            "RecoverArgs", "assume", "refang", "trailing_text", "schemes", "invalid", "ColumnArgs", "prefix", "OutArg",
        ]
    )]
    list: bool,

    /// Keep these optional parts of a URI in hashed forms; a comma-separated list
    #[arg(long, value_delimiter = ',', value_name = "PARTS", value_parser = hashed::kept_part(), hide_short_help = true)]
    keep: Vec<Keep>,

    /// Resolve relative references against this absolute URI
    ///
    /// For the form web, with or without steps, and for the hashed forms.
    #[arg(long, value_name = "URI", hide_short_help = true)]
    base: Option<String>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    format: FormatArg,
}

#[derive(Debug, Subcommand)]
enum CanonCommand {
    Diff(diff::CanonDiffArgs),
    Expressions(expressions::ExpressionsArgs),
}

impl CanonArgs {
    /// Returns whether the verb splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        matches!(&self.command, Some(CanonCommand::Expressions(args)) if args.splits_hosts())
    }
}

/// Prints the canonical form of each line.
pub(crate) fn run(args: &CanonArgs, globals: &Globals) -> Result<Exit, Failure> {
    match &args.command {
        Some(CanonCommand::Diff(args)) => return diff::run(args),
        Some(CanonCommand::Expressions(args)) => return expressions::run(args, globals),
        None => {}
    }
    if args.list {
        return print_profiles(args.format.format);
    }
    let form = args.lists.form(&args.form)?;
    let (keep, base) = (hashed::union(&args.keep), args.base.as_deref());
    form.check_options(base, keep).map_err(|error| Failure::new(Exit::Usage, &error))?;
    hashed::check_base(base, |text, base| form.canonicalize_with(text, base, keep))?;
    let maker = || match (base, keep) {
        (None, Keep::NONE) => CanonMaker::Form(Box::new(form.canonicalizer())),
        _ => CanonMaker::WithOptions { form: &form, keep, base },
    };
    let is_surtkey = form.to_string() == "ia-surt-1.3";
    // Common Crawl has these keys under this name.
    let in_tables = is_surtkey.then_some("surtkey");
    let make = || Box::new(Canon { maker: maker(), in_tables }) as _;
    let files = FilesInUse::reading(args.lists.paths());
    let inputs = args.urls.lines_or_values(&args.table.columns)?.of_form(&form);
    enrich::run(inputs, files, &args.table, args.format.format, "url", &make)
}

struct Canon<'a> {
    maker: CanonMaker<'a>,
    /// The name of the column in tables, if it differs.
    in_tables: Option<&'static str>,
}

/// A maker of canonical forms.
enum CanonMaker<'a> {
    Form(Box<Canonicalizer<'a>>),
    WithOptions { form: &'a Form, keep: Keep, base: Option<&'a str> },
}

impl Canon<'_> {
    /// Appends the canonical form of a text. After a rejection the appended text is incomplete.
    fn push_canonical(&mut self, text: &str, out: &mut String) -> Result<(), Rejection> {
        match &mut self.maker {
            CanonMaker::Form(canonicalizer) => canonicalizer.canonicalize_into(text, out)?,
            CanonMaker::WithOptions { form, keep, base } => {
                out.push_str(&form.canonicalize_with(text, *base, *keep)?);
            }
        }
        Ok(())
    }
}

impl Values for Canon<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn { in_tables: self.in_tables, ..ValueColumn::text("canonical") }]
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        cells.write(|out| self.push_canonical(text, out)).err()
    }
}

/// Prints a row for each profile, then for each step.
fn print_profiles(format: Format) -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    let columns = [
        ("name", Shown::Always),
        ("kind", Shown::Always),
        ("about", Shown::Always),
        ("idempotent", Shown::NotInText),
        ("suffix_list", Shown::NotInText),
        ("idna", Shown::NotInText),
        ("runtime", Shown::NotInText),
        ("frozen_since", Shown::NotInText),
    ];
    let mut rows = Rows::begin(&mut out, format, &columns.map(|(name, shown)| Column { name, shown }))?;
    for profile in urlid_canonical::Profile::all() {
        let kind = match profile.kind {
            Kind::Url => "url",
            Kind::Key => "key",
        };
        let idna = match profile.idna {
            Idna::None => Value::Null,
            Idna::Idna2003 => Value::Text("2003"),
            Idna::Idna2008 => Value::Text("2008"),
            Idna::Uts46 => Value::Text("uts46"),
        };
        let flag = |value: bool| Value::Json(if value { "true" } else { "false" });
        rows.write(
            &mut out,
            &[
                Value::Text(profile.name),
                Value::Text(kind),
                Value::Text(profile.about),
                flag(profile.is_idempotent),
                flag(profile.needs_suffix_list),
                idna,
                profile.runtime.map_or(Value::Null, Value::Text),
                Value::Text(profile.frozen_since),
            ],
        )?;
    }
    for (step, about) in FormStep::ALL {
        let mut row = [Value::Null; 8];
        row[..3].copy_from_slice(&[Value::Text(step), Value::Text("step"), Value::Text(about)]);
        rows.write(&mut out, &row)?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
