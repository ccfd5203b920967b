//! `urlid index count` and `urlid index show`: numbers of URLs.

use clap::Args;
use urlid_store::question::{Group, GroupBy};

use super::conditions::{Conditions, StoreArgs, finish_search};
use crate::args::{choice, part_name};
use crate::output::Output;
use crate::output::progress::Progress;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Count the URLs that meet all conditions, in total or by one of their parts
///
/// URLs are grouped by the text of the part, not by its hash, and the largest group is first. Exits with 1 if
/// no URL is found.
///
/// Example: urlid index count urls.db --tld org --by registered_domain --limit 20
#[derive(Debug, Args)]
pub(crate) struct IndexCountArgs {
    #[command(flatten)]
    pub(super) store: StoreArgs,

    #[command(flatten)]
    conditions: Conditions,

    /// Count each value of this part separately
    #[arg(long, value_name = "PART", value_parser = choice(GroupBy::ALL.map(|part| (part_name(part.name()), part, ""))))]
    by: Option<GroupBy>,

    /// Print at most this many groups
    #[arg(long, value_name = "COUNT", requires = "by")]
    limit: Option<usize>,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the number, or the groups and their numbers.
pub(crate) fn run_count(args: &IndexCountArgs) -> Result<Exit, Failure> {
    let question = args.conditions.question()?;
    let index = args.store.open()?;
    let mut out = Output::stdout()?;
    let progress = Progress::work("counting");
    let found = match args.by {
        None => {
            let found = index.count(&question)?;
            progress.finish();
            let columns = [Column { name: "rows", shown: Shown::Always }];
            let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
            rows.write(&mut out, &[Value::Number(found.rows)])?;
            found
        }
        Some(part) => {
            let (groups, found) = index.group(&question, part)?;
            progress.finish();
            let columns = ["name", "rows"].map(|name| Column { name, shown: Shown::Always });
            let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
            for group in groups.iter().take(args.limit.unwrap_or(usize::MAX)) {
                rows.write(&mut out, &[Value::Text(&group.name), Value::Number(group.rows)])?;
            }
            found
        }
    };
    out.flush()?;
    finish_search(&args.conditions, &index, &found)
}

/// Show how many URLs an index has, their canonical form, and the largest domains and public suffixes
///
/// Reads every row. Domains and public suffixes are counted by name, not by hash. `urlid seen show` is for
/// seen-sets.
///
/// Example: urlid index show urls.db
#[derive(Debug, Args)]
pub(crate) struct IndexShowArgs {
    #[command(flatten)]
    pub(super) store: StoreArgs,

    /// Print at most this many domains, and this many public suffixes
    #[arg(long, value_name = "COUNT", default_value = "10")]
    limit: usize,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints rows of three values: the kind of count, the name and the number of rows.
pub(crate) fn run_show(args: &IndexShowArgs) -> Result<Exit, Failure> {
    let index = args.store.open()?;
    let progress = Progress::work("reading the index");
    let stats = index.stats();
    progress.finish();
    let stats = stats?;
    let mut out = Output::stdout()?;
    let mut counts = Counts::begin(&mut out, args.format.format)?;
    counts.row("rows", "", stats.rows)?;
    counts.row("without_sxurl", "", stats.without_sxurl)?;
    counts.row("url_bytes", "", stats.url_bytes)?;
    if let Some(form) = &index.about()?.canonical_form {
        counts.row("canonical_form", form, stats.rows)?;
    }
    let mut groups = |count: &str, groups: &[Group]| {
        groups.iter().take(args.limit).try_for_each(|group| counts.row(count, &group.name, group.rows))
    };
    groups("scheme", &stats.schemes)?;
    groups("tld", &stats.tlds)?;
    groups("registered_domain", &stats.domains)?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Rows of three values: the kind of count, the name and the number.
pub(crate) struct Counts<'o> {
    rows: Rows,
    out: &'o mut Output,
}

impl<'o> Counts<'o> {
    pub(crate) fn begin(out: &'o mut Output, format: Format) -> Result<Self, Failure> {
        let columns = ["count", "name", "rows"].map(|name| Column { name, shown: Shown::Always });
        Ok(Counts { rows: Rows::begin(out, format, &columns)?, out })
    }

    pub(crate) fn row(&mut self, count: &str, name: &str, number: u64) -> Result<(), Failure> {
        self.rows.write(self.out, &[Value::Text(count), Value::Text(name), Value::Number(number)])
    }
}
