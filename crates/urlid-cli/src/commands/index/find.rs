//! `urlid index find`: URLs by their parts.

use std::path::PathBuf;

use clap::Args;

use super::conditions::{Conditions, print_hints, print_notes, print_rows, report_dropped};
use super::questions::{self, Answers};
use super::store::StoreArgs;
use crate::output::rows::{Format, FormatArg};
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Find URLs by their parts, in the order of their identifiers; URLs without one come last
///
/// URLs of a dataset come in its order. All conditions must hold; without conditions, all URLs are printed. Host parts are mapped as in URLs. Exits with
/// 1 if nothing was found.
///
/// Example: urlid index find urls.db --domain google --tld com --path /search
#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    conditions: Conditions,

    /// Answer the questions in this file, one per line: pairs like tld=com, separated by tabs
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,

    /// Print the identifiers too
    #[arg(long)]
    ids: bool,

    /// Stop after this many URLs, for each question if there are several
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,

    /// Print the plan of the query on standard error
    #[arg(long, hide_short_help = true)]
    explain: bool,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the answers.
pub(crate) fn run(args: &FindArgs) -> Result<Exit, Failure> {
    let question = args.conditions.question()?;
    let index = args.store.open()?;
    if let Some(file) = &args.questions {
        if !question.is_unconditional() {
            return Err(Failure::usage("--questions goes without other conditions"));
        }
        let answers = Answers {
            ids: args.ids,
            limit: args.limit.unwrap_or(u64::MAX),
            explain: args.explain,
            format: args.format.format,
        };
        return questions::run(&index, file, &answers);
    }
    if args.explain {
        message::print(&format!("plan: {}", index.plan(&question)?));
    }
    let shown = (args.format.format, args.ids, args.limit);
    // A dataset keeps no identifiers and computes that of each row, so only if they are shown.
    let with_ids = args.ids || args.format.format != Format::Text;
    let Some(found) = print_rows(shown, |each| index.find(&question, with_ids, each))? else {
        return Ok(Exit::Nothing);
    };
    report_dropped(found.dropped);
    print_notes(&args.conditions, &index, found.rows > 0)?;
    if found.rows > 0 {
        return Ok(Exit::Done);
    }
    print_hints(&args.conditions, &index)?;
    Ok(Exit::Nothing)
}
