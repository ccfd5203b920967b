//! `urlid index get`: looks up one URL, or all URLs with one identifier.

use clap::Args;
use urlid::ErrorCode;
use urlid::sxurl::Sxurl;
use urlid_store::Urls;
use urlid_store::question::Row;

use super::conditions::{StoreArgs, begin_rows, print_rows, write_row};
use crate::commands::canon::form::{FormLists, index_failure};
use crate::input::assume::meant_url;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::rows::FormatArg;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Look up a URL, or all URLs with an identifier
///
/// A URL is looked up by its stored text, in the canonical form of the index. If other URLs have the same
/// identifier, their number is printed on standard error. A lookup of an identifier in a dataset reads every
/// row, because the program does not use the columns of `index build --ids`. Exits with 1 if no URL is found.
///
/// Example: urlid index get urls.db https://docs.rs/
#[derive(Debug, Args)]
pub(crate) struct GetArgs {
    #[command(flatten)]
    pub(super) store: StoreArgs,

    /// A URL, or the 64 digits of an SXURL
    #[arg(value_name = "URL|ID")]
    wanted: String,

    /// Also print the identifiers
    #[arg(long)]
    ids: bool,

    /// Print at most this many URLs
    #[arg(long, value_name = "COUNT")]
    limit: Option<u64>,

    #[command(flatten)]
    lists: FormLists,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the rows that are found.
pub(crate) fn run(args: &GetArgs) -> Result<Exit, Failure> {
    let index = args.store.open()?;
    // A URL has a colon, an identifier does not.
    match args.wanted.contains(':') {
        true => url(args, &index),
        false => id(args, &index),
    }
}

fn url(args: &GetArgs, index: &Urls) -> Result<Exit, Failure> {
    let form = args.lists.form_of(&args.store.index)?;
    let lookup = index.get_url(&args.wanted, form.as_ref()).map_err(|error| match error.code() {
        ErrorCode::Io
        | ErrorCode::InUse
        | ErrorCode::IndexFormat
        | ErrorCode::IndexDamaged
        | ErrorCode::CanonName => index_failure(error),
        // All others are about the URL.
        _ => Failure::new(Exit::Rejected, &error),
    })?;
    let mut out = Output::stdout()?;
    let mut rows = begin_rows(&mut out, args.format.format, args.ids)?;
    let is_shown = lookup.is_stored && args.limit != Some(0);
    if is_shown {
        write_row(&mut rows, &mut out, &Row { id: lookup.id, url: &lookup.url })?;
    }
    out.flush()?;
    if lookup.others > 0 {
        let others = if lookup.others == 1 { "URL has" } else { "URLs have" };
        let count = lookup.others;
        message::print(&format!(
            "{count} other {others} the same identifier; `urlid index get` with that shows all"
        ));
    }
    // Others with the identifier are not the URL that was looked up, so they do not count as found.
    Ok(if is_shown { Exit::Done } else { Exit::Nothing })
}

fn id(args: &GetArgs, index: &Urls) -> Result<Exit, Failure> {
    let id = Sxurl::from_hex(&args.wanted).map_err(|error| {
        let failure = Failure::new(Exit::Rejected, &error);
        match meant_url(&args.wanted) {
            Some(url) => failure.with_hint(format!("no scheme: did you mean {}?", Escaped(url.as_bytes()))),
            None => failure,
        }
    })?;
    let shown = (args.format.format, args.ids, args.limit);
    let found = print_rows(shown, |each| index.get_id(&id, each))?;
    Ok(if found.is_some_and(|rows| rows > 0) { Exit::Done } else { Exit::Nothing })
}
