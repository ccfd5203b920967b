//! `urlid parts`: the parts of absolute URLs, a column each, or as a template names them.
//!
//! `part` has the parts and their names, and the template of `--get`. What the lines are instead of URLs is
//! in `of`.

mod of;
mod part;

use std::borrow::Cow;

use clap::{Args, ValueEnum};
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::web::Part;
use urlid_canonical::CrawlColumns;

use self::part::{Parts, Template, Written};
use crate::args::{Globals, choice};
use crate::input::columns::TableArgs;
use crate::input::sources::BareArgument;
use crate::input::{InputOptions, UrlInputs};
use crate::output::files::FilesInUse;
use crate::output::rows::{Format, FormatArg, Shown};
use crate::output::table::{Cells, Holds, MakeBoxedValues, ValueColumn, Values};
use crate::output::{enrich, json};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

/// Prints the parts of each line.
pub(crate) fn run(args: &PartsArgs, globals: &Globals) -> Result<Exit, Failure> {
    if args.of() != Of::Url && (args.raw || args.get.is_some() || args.form != PartsForm::Web) {
        return Err(Failure::usage("--raw, --get and --as go with URLs: --of url"));
    }
    match args.of() {
        Of::Url => run_on_urls(args, globals),
        Of::Host => of::run_on_hosts(args, globals),
        Of::Id => of::run_on_ids(args),
        Of::Text => of::run_on_texts(args),
    }
}

fn run_on_urls(args: &PartsArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let written = if args.raw { Written::Raw } else { Written::Normal };
    match args.form {
        PartsForm::Web => {
            let is_line = !args.table.is_given()? && args.format.format == Format::Text;
            let template = args.get.as_ref();
            print(args, globals, &|| Box::new(PartsOf::new(written, template, is_line, list.clone())))
        }
        PartsForm::Crawl => {
            let columns = CrawlColumns::new(&list);
            print(args, globals, &|| Box::new(CrawlParts { columns: &columns, list: &list }))
        }
    }
}

fn print(args: &PartsArgs, globals: &Globals, make: &MakeBoxedValues<'_>) -> Result<Exit, Failure> {
    let files = FilesInUse::reading(globals.psl.path());
    enrich::run(args.inputs()?, files, &args.table, args.format.format, "url", make)
}

/// Makes the columns of Common Crawl's index.
struct CrawlParts<'a> {
    columns: &'a CrawlColumns,
    list: &'a SuffixList,
}

impl Values for CrawlParts<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        let column = |name: &'static str| ValueColumn {
            // The only column of Common Crawl here that is not a text.
            holds: if name == "url_port" { Holds::Number } else { Holds::Text },
            // Before it stands the name of the column that is read.
            in_tables: name.strip_prefix("url_"),
            ..ValueColumn::text(name)
        };
        CrawlColumns::NAMES.map(column).into()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(self.list)
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Refusal> {
        match self.columns.row(text) {
            Ok(row) => {
                row.iter().for_each(|value| cells.push(value.as_deref()));
                None
            }
            Err(error) => Some(error.into()),
        }
    }
}

/// Makes the parts of URLs.
struct PartsOf<'a> {
    written: Written,
    template: Option<&'a Template>,
    /// Whether the values stand in lines of text.
    is_line: bool,
    list: Cow<'static, SuffixList>,
    has_pairs: bool,
}

impl<'a> PartsOf<'a> {
    fn new(
        written: Written,
        template: Option<&'a Template>,
        is_line: bool,
        list: Cow<'static, SuffixList>,
    ) -> Self {
        PartsOf { written, template, is_line, list, has_pairs: true }
    }
}

impl Values for PartsOf<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        if self.template.is_some() {
            return vec![ValueColumn { holds: Holds::Lines, ..ValueColumn::text("get") }];
        }
        let parts = Part::ALL.map(|part| ValueColumn {
            // As written, a port may have zeros before it.
            holds: match (part, self.written) {
                (Part::Port, Written::Normal) => Holds::Number,
                _ => Holds::Text,
            },
            in_tables: Some(part.column_name(self.list.sections())),
            ..ValueColumn::text(part.name())
        });
        let pairs =
            ValueColumn { shown: Shown::InJson, holds: Holds::Json, ..ValueColumn::text("query_pairs") };
        parts.into_iter().chain([pairs]).collect()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(&self.list)
    }

    fn leave_out_json(&mut self) {
        self.has_pairs = false;
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Refusal> {
        let mut parsed = None;
        let parts = match Parts::parse(text, self.written, &self.list, &mut parsed) {
            Ok(parts) => parts,
            Err(error) => return Some(error.into()),
        };
        match (self.template, self.written) {
            (Some(template), _) => cells.push(Some(&template.expand(&parts, self.is_line))),
            (None, Written::Normal) => cells.push_pieces(parts.text(), &parts.all()),
            // Raw parts are not pieces of one text: suffixes and domains are those of the normal form.
            (None, Written::Raw) => parts.all().iter().for_each(|part| cells.push(*part)),
        }
        if self.template.is_none() && self.has_pairs {
            cells.push(Some(&query_pairs(&parts)));
        }
        None
    }
}

fn query_pairs(parts: &Parts<'_>) -> String {
    let pair = |(name, value): (String, String)| json::list([json::string(&name), json::string(&value)]);
    json::list(parts.query_pairs().map(pair))
}

/// Print the parts of URLs, hosts and identifiers: scheme, user, host, port, domain, path, query and so on
///
/// The columns are scheme, user, host, host_kind, port, sub, domain, tld, registered_domain, path, file,
/// query, fragment and origin; ndjson has the names and values of the query in query_pairs too. A part that a
/// URL does not have is empty, or null in ndjson. Private suffixes such as github.io count for domain, tld
/// and registered_domain unless --psl-sections icann is given, and the columns of tables say which. Parts are
/// those of the WHATWG normal form: the port is left out if it is the scheme's default. On a terminal, each
/// part has a line.
///
/// --of says what the lines are if not URLs. Hosts, alone or in URLs, are split at their public suffix: sub,
/// domain, tld. SXURLs are decoded: version, scheme, flags, port and slices. Of other texts, the formats that
/// they can have are printed.
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
    urls: UrlInputs,

    /// What the lines are [default: url, or id if all arguments are SXURLs]
    #[arg(long, value_enum, value_name = "WHAT")]
    of: Option<Of>,

    /// Print parts as they are written, apart from sub, domain, tld, registered_domain and origin
    #[arg(long)]
    raw: bool,

    /// Print this text, with the parts that it names in braces, instead of all parts
    ///
    /// The names are those of the columns, {url}, and {query:NAME}, which is the decoded value of the first
    /// parameter whose decoded name is that. In lines of text its control characters are written as %XX, and
    /// as %25 a % that two digits follow; ndjson, CSV and tables have it whole. A part that a URL does not
    /// have is empty. {{ and }} are braces, \t is a tab, \n a line feed and \\ a backslash.
    #[arg(long, value_name = "TEMPLATE")]
    get: Option<Template>,

    /// Print the parts of this form
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
    form: PartsForm,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    table: TableArgs,
}

/// What the lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Of {
    /// Absolute URLs
    Url,
    /// Hosts, and URLs of which only the host is of interest: sub, domain, tld
    Host,
    /// SXURLs: their fields
    Id,
    /// Any texts: the formats that each can have, the most specific first; exits with 1 if none has any
    Text,
}

/// The form whose parts are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartsForm {
    Web,
    Crawl,
}

impl PartsArgs {
    /// Returns whether hosts are split by the suffix list that was chosen.
    pub(crate) fn splits_hosts(&self) -> bool {
        matches!(self.of(), Of::Url | Of::Host)
    }

    /// Returns what the lines are.
    fn of(&self) -> Of {
        let is_id = |text: &str| Sxurl::from_hex(text).is_ok();
        self.of.unwrap_or(if self.urls.sources.are_all(is_id) { Of::Id } else { Of::Url })
    }

    /// Returns the inputs: tables, or lines whose arguments without a scheme are URLs or texts.
    fn inputs(&self) -> Result<InputOptions<'_>, Failure> {
        let otherwise = if self.of() == Of::Url { BareArgument::Url } else { BareArgument::Text };
        self.urls.lines_or_values_by(otherwise, &self.table.columns)
    }
}
