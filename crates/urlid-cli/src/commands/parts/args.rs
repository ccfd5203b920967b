//! The arguments of `urlid parts`.

use clap::{Args, ValueEnum};
use urlid::sxurl::Sxurl;

use super::part::Template;
use crate::args::choice;
use crate::args::templates::TemplatesArg;
use crate::input::columns::{LogBaseArg, TableArgs};
use crate::input::sources::BareArgument;
use crate::input::{InputOptions, UrlInputs};
use crate::output::rows::FormatArg;
use crate::report::exit::Failure;

/// Print the parts of URLs, hosts and identifiers: scheme, user, host, port, domain, path, query and so on
///
/// The columns are scheme, user, host, host_kind, port, sub, domain, tld, registered_domain, path, file, query,
/// fragment and origin. ndjson adds query_pairs with the names and values of the query. A missing part is
/// empty, or null in ndjson. In tables, a column's name starts with the name of the column that is read and
/// `_`. On a terminal, each part has a line.
///
/// Parts are those of the WHATWG normal form, so the port is empty if it is the scheme's default. Private
/// suffixes such as github.io count for domain, tld and registered_domain; --psl-sections icann ignores them.
///
/// With --of, lines are hosts, SXURLs or arbitrary texts instead of URLs. Hosts, also inside URLs, are split
/// into sub, domain and tld. SXURLs are decoded into version, scheme, flags, port and slices. With `--of text`,
/// the names of all identifier formats that a text fits are printed.
///
/// Example: urlid parts --format ndjson 'https://user@www.Example.co.uk:8443/a/b?q=1#f'
///
/// Example: urlid parts --get '{host} {tld} {query:utm_source}' urls.txt
///
/// Example: urlid parts --column url crawl.parquet --out parts.parquet
///
/// Example: urlid parts --as cc-host-2026-05 --column url links.csv
///
/// Example: urlid parts --of host www.example.co.uk
#[derive(Debug, Args)]
pub(crate) struct PartsArgs {
    #[command(flatten)]
    pub(super) urls: UrlInputs,

    /// Read lines of this kind [default: url, or id if all arguments are SXURLs]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(super) of: Option<Of>,

    /// Print parts as they are written, except sub, domain, tld, registered_domain and origin
    #[arg(long)]
    pub(super) raw: bool,

    /// Print only this part, or this text with parts in braces
    ///
    /// Names are the column names, url, template (with --templates) and query:NAME, the decoded value of
    /// parameter NAME. {{ and }} are braces; \t, \n and \\ are tab, line feed and backslash. A missing part is
    /// empty. NAME=TEMPLATE names the column.
    #[arg(long, value_name = "TEMPLATE")]
    pub(super) get: Option<Template>,

    #[command(flatten)]
    pub(super) templates: TemplatesArg,

    /// Print the parts by this definition
    #[arg(
        long = "as",
        value_name = "FORM",
        default_value = "web",
        conflicts_with_all = ["raw", "get"],
        value_parser = choice([
            ("web", PartsForm::Web, "The WHATWG normal form"),
            ("cc-host-2026-05", PartsForm::Crawl, "Common Crawl's index: its 15 columns, url_host_name and so on"),
        ])
    )]
    pub(super) form: PartsForm,

    #[command(flatten)]
    pub(super) table: TableArgs,

    #[command(flatten)]
    pub(super) base: LogBaseArg,

    #[command(flatten)]
    pub(super) format: FormatArg,
}

/// What the lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Of {
    /// Absolute URLs
    Url,
    /// Hosts, also with a port, path or user, or in URLs: sub, domain, tld
    Host,
    /// SXURLs: their fields
    Id,
    /// Any texts: the formats that each can have, the most specific first; exits with 1 if no text has a format
    Text,
}

/// The form of the parts that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartsForm {
    Web,
    Crawl,
}

impl PartsArgs {
    /// Returns whether hosts are split by the suffix list that was chosen.
    pub(crate) fn splits_hosts(&self) -> bool {
        let is_in_template = |template: &Template| template.splits_hosts();
        match self.of() {
            Of::Url => self.get.as_ref().is_none_or(is_in_template),
            Of::Host => true,
            Of::Id | Of::Text => false,
        }
    }

    /// Returns the kind of the lines.
    pub(super) fn of(&self) -> Of {
        let is_id = |text: &str| Sxurl::from_hex(text).is_ok();
        self.of.unwrap_or(if self.urls.sources.are_all(is_id) { Of::Id } else { Of::Url })
    }

    /// Returns the inputs: tables, or lines for which arguments without a scheme are URLs or texts.
    pub(super) fn inputs(&self) -> Result<InputOptions<'_>, Failure> {
        let otherwise = if self.of() == Of::Url { BareArgument::Url } else { BareArgument::Text };
        Ok(self.urls.lines_or_values_by(otherwise, &self.table.columns)?.of_base(&self.base))
    }
}
