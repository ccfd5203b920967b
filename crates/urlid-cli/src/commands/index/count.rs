//! `urlid index count`: how many URLs answer, whole or by one of their parts.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use urlid_index::{Index, Part};

use super::find::{Conditions, question, say_dropped};
use super::{cannot_open, cannot_read, check_damage};
use crate::exit::{Exit, Failure};
use crate::output::{Column, Output, Rows, Shown, Value};
use crate::table::FormatArg;

/// Count URLs, all of those that answer or by one of their parts
///
/// Groups are made by the parts themselves, never by their hashes, and come with the largest first. Exits with 1 if nothing was
/// found. For example: urlid index count urls.urlid --tld org --by domain --limit 20
#[derive(Debug, Args)]
pub(crate) struct CountArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    conditions: Conditions,

    /// Count each value of this part by itself
    #[arg(long, value_enum, value_name = "PART")]
    by: Option<PartArg>,

    /// Show at most this many groups
    #[arg(long, value_name = "COUNT", requires = "by")]
    limit: Option<usize>,

    #[command(flatten)]
    format: FormatArg,
}

/// A part of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PartArg {
    Scheme,
    Tld,
    Domain,
    Sub,
    Host,
    Port,
}

impl From<PartArg> for Part {
    fn from(part: PartArg) -> Self {
        match part {
            PartArg::Scheme => Part::Scheme,
            PartArg::Tld => Part::Tld,
            PartArg::Domain => Part::Domain,
            PartArg::Sub => Part::Sub,
            PartArg::Host => Part::Host,
            PartArg::Port => Part::Port,
        }
    }
}

/// Prints the number, or the groups and their numbers.
pub(crate) fn run(args: &CountArgs) -> Result<Exit, Failure> {
    let index = Index::open(&args.index).map_err(|error| cannot_open(&error))?;
    let question = question(&args.conditions, &index)?;
    let found = match args.by {
        None => {
            let found = index.count(&question).map_err(|error| cannot_read(&error))?;
            let columns = [Column { name: "rows", shown: Shown::Always }];
            let mut rows = Rows::new(Output::stdout()?, args.format.format, &columns)?;
            rows.row(&[Value::Number(found.rows)])?;
            rows.flush()?;
            found
        }
        Some(part) => {
            let (groups, found) = index.group(&question, part.into()).map_err(|error| cannot_read(&error))?;
            let columns = ["name", "rows"].map(|name| Column { name, shown: Shown::Always });
            let mut rows = Rows::new(Output::stdout()?, args.format.format, &columns)?;
            for group in groups.iter().take(args.limit.unwrap_or(usize::MAX)) {
                rows.row(&[Value::Text(&group.name), Value::Number(group.rows)])?;
            }
            rows.flush()?;
            found
        }
    };
    say_dropped(found.dropped);
    check_damage(found.damaged)?;
    Ok(if found.rows > 0 { Exit::Done } else { Exit::Nothing })
}
