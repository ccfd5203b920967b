//! `urlid index get`: one URL, or all that share an identifier.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use urlid::sxurl::Sxurl;
use urlid_index::{GetError, Index, Row};

use super::find::{rows, write};
use super::{cannot_open, cannot_read};
use crate::exit::{Exit, Failure};
use crate::message;
use crate::refusals::Refusal;
use crate::table::FormatArg;

/// Look up a URL, or all URLs of an identifier
///
/// A URL is looked up in its normal text. If others share its identifier, that is said on standard error. Exits with 1 if
/// it is not there. For example: urlid index get urls.urlid https://docs.rs/
#[derive(Debug, Args)]
pub(crate) struct GetArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// A URL, or the 64 digits of a SXURL
    #[arg(value_name = "URL|ID")]
    wanted: String,

    /// Print the identifiers too
    #[arg(long)]
    ids: bool,

    /// Stop after this many URLs
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints what is there.
pub(crate) fn run(args: &GetArgs) -> Result<Exit, Failure> {
    let index = Index::open(&args.index).map_err(|error| cannot_open(&error))?;
    // No URL is 64 characters of hexadecimal digits, for a URL has a colon.
    match args.wanted.contains(':') {
        true => url(args, &index),
        false => id(args, &index),
    }
}

fn url(args: &GetArgs, index: &Index) -> Result<Exit, Failure> {
    let lookup = match index.get_url(&args.wanted) {
        Ok(lookup) => lookup,
        Err(GetError::Store(error)) => return Err(cannot_read(&error)),
        Err(error) => {
            let Refusal { code, message } = Refusal::of(&error);
            return Err(Failure::Told(Exit::Refused, format!("{code}: {message}")));
        }
    };
    let mut rows = rows(args.format.format, args.ids)?;
    let is_shown = lookup.is_stored && args.limit != Some(0);
    if is_shown {
        write(&mut rows, &Row { id: lookup.id, url: &lookup.url })?;
    }
    rows.flush()?;
    if lookup.others > 0 {
        let others = if lookup.others == 1 { "URL has" } else { "URLs have" };
        let count = lookup.others;
        message::say(&format!(
            "{count} other {others} the same identifier; `urlid index get` with that shows all"
        ));
    }
    Ok(if is_shown { Exit::Done } else { Exit::Nothing })
}

fn id(args: &GetArgs, index: &Index) -> Result<Exit, Failure> {
    let id = Sxurl::from_hex(&args.wanted).map_err(|error| {
        let Refusal { code, message } = Refusal::of(&error);
        Failure::Told(Exit::Refused, format!("{code}: {message}"))
    })?;
    let mut rows = rows(args.format.format, args.ids)?;
    let mut left = args.limit.unwrap_or(u64::MAX);
    if left == 0 {
        return Ok(Exit::Nothing);
    }
    let mut failure = None;
    let found = index.get_id(&id, &mut |row| {
        left -= 1;
        match write(&mut rows, &row) {
            Ok(()) if left > 0 => ControlFlow::Continue(()),
            result => {
                failure = result.err();
                ControlFlow::Break(())
            }
        }
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    rows.flush()?;
    let count = found.map_err(|error| cannot_read(&error))?;
    Ok(if count > 0 { Exit::Done } else { Exit::Nothing })
}
