//! `urlid index show`: counts of an index.

use clap::Args;
use urlid_store::question::Group;
use urlid_store::seen::{SeenFile, is_seen_set};

use super::store::StoreArgs;
use crate::output::Output;
use crate::output::progress::Progress;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Show how many URLs an index has, their canonical form, and the largest domains and public suffixes
///
/// Reads every row. Domains and public suffixes are counted by name, not by hash. A seen-set has no URLs: the numbers of its
/// keys and files, its form and its snapshot are shown, and as `pending` how many lines `uniq --seen` stored and did not deliver.
///
/// Example: urlid index show urls.db
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    store: StoreArgs,

    /// The maximum number of domains, and of public suffixes, to print
    #[arg(long, value_name = "COUNT", default_value = "10")]
    limit: usize,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints rows of three values: the kind of count, the name and the number of rows.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    if is_seen_set(&args.store.index) {
        return seen_set(args);
    }
    let index = args.store.open()?;
    let progress = Progress::work("reading the index");
    let stats = index.stats();
    progress.finish();
    let stats = stats?;
    let mut out = Output::stdout()?;
    let mut rows = begin(args, &mut out)?;
    let mut row = |count: &str, name: &str, number: u64| {
        rows.write(&mut out, &[Value::Text(count), Value::Text(name), Value::Number(number)])
    };
    row("rows", "", stats.rows)?;
    row("without_sxurl", "", stats.without_sxurl)?;
    row("url_bytes", "", stats.url_bytes)?;
    if let Some(form) = &index.about()?.canonical_form {
        row("canonical_form", form, stats.rows)?;
    }
    let mut groups = |count: &str, groups: &[Group]| {
        groups.iter().take(args.limit).try_for_each(|group| row(count, &group.name, group.rows))
    };
    groups("scheme", &stats.schemes)?;
    groups("tld", &stats.tlds)?;
    groups("registered-domain", &stats.domains)?;
    out.flush()?;
    Ok(Exit::Done)
}

fn begin(args: &ShowArgs, out: &mut Output) -> Result<Rows, Failure> {
    let columns = ["count", "name", "rows"].map(|name| Column { name, shown: Shown::Always });
    Rows::begin(out, args.format.format, &columns)
}

/// Prints the description of a seen-set.
fn seen_set(args: &ShowArgs) -> Result<Exit, Failure> {
    let set = SeenFile::open(&args.store.index)?;
    let mut out = Output::stdout()?;
    let mut rows = begin(args, &mut out)?;
    let mut row = |count: &str, name: &str, number: u64| {
        rows.write(&mut out, &[Value::Text(count), Value::Text(name), Value::Number(number)])
    };
    let keys = set.keys();
    row("keys", "", set.len())?;
    row("key_bytes", "", keys.width() as u64)?;
    row("files", "", set.files() as u64)?;
    row(&keys.of().replace(' ', "_"), keys.name(), set.len())?;
    row("snapshot", &keys.snapshot().to_string(), set.len())?;
    if set.pending_lines() > 0 {
        row("pending", "", set.pending_lines())?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
