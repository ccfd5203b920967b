//! `urlid index count`: the number of URLs that meet the conditions, in total or by one of their parts.

use clap::Args;
use urlid_store::question::GroupBy;

use super::conditions::{Conditions, print_hints, print_notes, report_dropped};
use super::store::StoreArgs;
use crate::args::choice;
use crate::output::Output;
use crate::output::progress::Progress;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Count the URLs that meet all conditions, in total or by one of their parts
///
/// URLs are grouped by the text of the part, not by its hash; the largest group is first. Exits with 1 if
/// nothing was found.
///
/// Example: urlid index count urls.db --tld org --by registered-domain --limit 20
#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    conditions: Conditions,

    /// Count each value of this part separately
    #[arg(long, value_name = "PART", value_parser = choice(GroupBy::ALL.map(|part| (part.name(), part, ""))))]
    by: Option<GroupBy>,

    /// Print at most this many groups
    #[arg(long, value_name = "COUNT", requires = "by")]
    limit: Option<usize>,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the number, or the groups and their numbers.
pub(crate) fn run(args: &CountArgs) -> Result<Exit, Failure> {
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
    report_dropped(found.dropped);
    print_notes(&args.conditions, &index, found.rows > 0)?;
    if found.rows > 0 {
        return Ok(Exit::Done);
    }
    print_hints(&args.conditions, &index)?;
    Ok(Exit::Nothing)
}
