//! `urlid index find`: URLs by their parts.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use urlid::Coded;
use urlid::sxurl::Scheme;
use urlid_index::{Ask, Index, Question, QuestionError, Row};

use super::{cannot_open, cannot_read, check_damage};
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::output::{Column, Format, Output, Rows, Shown, Value};
use crate::table::FormatArg;

/// Find URLs by their parts, in the order of their identifiers
///
/// All conditions must hold; without any, all URLs are printed. Host parts are mapped like those of URLs. Exits with 1 if
/// nothing was found. For example: urlid index find urls.urlid --domain google --tld com --path /search
#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    #[command(flatten)]
    conditions: Conditions,

    /// Answer the questions of a file, one a line: pairs like tld=com with tabs between them
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,

    /// Print the identifiers too
    #[arg(long)]
    pub(super) ids: bool,

    /// Stop after this many URLs, of each question if there are several
    #[arg(long, value_name = "COUNT")]
    pub(super) limit: Option<u64>,

    /// Say on standard error how the answer is found
    #[arg(long)]
    pub(super) explain: bool,

    #[command(flatten)]
    pub(super) format: FormatArg,
}

/// What is asked of a URL.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions")]
pub(super) struct Conditions {
    /// The scheme
    #[arg(long, value_enum, value_name = "SCHEME")]
    scheme: Option<SchemeArg>,

    /// The whole host
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// The public suffix: com, co.uk
    #[arg(long, value_name = "SUFFIX")]
    tld: Option<String>,

    /// The label left of the public suffix: google
    #[arg(long, value_name = "LABEL")]
    domain: Option<String>,

    /// What is left of the domain: www; an empty text means that nothing is
    #[arg(long, value_name = "LABELS")]
    sub: Option<String>,

    /// The port, if one is written in the URL
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    port: Option<u16>,

    /// The path as written
    #[arg(long, value_name = "PATH")]
    path: Option<String>,

    /// The query as written, without its question mark; an empty text means none
    #[arg(long, value_name = "QUERY")]
    query: Option<String>,

    /// The fragment as written, without its number sign; an empty text means none
    #[arg(long, value_name = "FRAGMENT")]
    fragment: Option<String>,
}

/// A scheme of SXURL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemeArg {
    Https,
    Http,
    Ftp,
}

impl From<SchemeArg> for Scheme {
    fn from(scheme: SchemeArg) -> Self {
        match scheme {
            SchemeArg::Https => Scheme::Https,
            SchemeArg::Http => Scheme::Http,
            SchemeArg::Ftp => Scheme::Ftp,
        }
    }
}

impl Conditions {
    /// Returns the question as it is put.
    pub(super) fn ask(&self) -> Ask<'_> {
        Ask {
            scheme: self.scheme.map(Scheme::from),
            tld: self.tld.as_deref(),
            domain: self.domain.as_deref(),
            sub: self.sub.as_deref(),
            host: self.host.as_deref(),
            port: self.port,
            path: self.path.as_deref(),
            query: self.query.as_deref(),
            fragment: self.fragment.as_deref(),
        }
    }
}

/// Prints the answers.
pub(crate) fn run(args: &FindArgs) -> Result<Exit, Failure> {
    let index = Index::open(&args.index).map_err(|error| cannot_open(&error))?;
    if let Some(file) = &args.queries {
        if args.conditions.ask() != Ask::default() {
            return Err(Failure::usage("--queries goes without other conditions"));
        }
        return super::queries::run(&index, file, args);
    }
    let question = question(&args.conditions, &index)?;
    if args.explain {
        message::say(&format!("plan: {}", index.plan(&question)));
    }
    let mut rows = rows(args.format.format, args.ids)?;
    let mut failure = None;
    let mut left = args.limit.unwrap_or(u64::MAX);
    if left == 0 {
        return Ok(Exit::Nothing);
    }
    let found = index
        .find(&question, &mut |row| {
            left -= 1;
            match write(&mut rows, &row) {
                Ok(()) if left > 0 => ControlFlow::Continue(()),
                result => {
                    failure = result.err();
                    ControlFlow::Break(())
                }
            }
        })
        .map_err(|error| cannot_read(&error));
    if let Some(failure) = failure {
        return Err(failure);
    }
    rows.flush()?;
    let found = found?;
    say_dropped(found.dropped);
    check_damage(found.damaged)?;
    Ok(if found.rows > 0 { Exit::Done } else { Exit::Nothing })
}

/// Begins the output of rows of an index: URLs, with their identifiers where asked or where there are columns.
pub(super) fn rows(format: Format, ids: bool) -> Result<Rows, Failure> {
    let shown = if ids { Shown::Always } else { Shown::NotInText };
    let columns = [Column { name: "id", shown }, Column { name: "url", shown: Shown::Always }];
    Rows::new(Output::stdout()?, format, &columns)
}

/// Writes a row of an index.
pub(super) fn write(rows: &mut Rows, row: &Row<'_>) -> Result<(), Failure> {
    rows.row(&[Value::Text(&row.id.to_hex()), Value::Text(row.url)])
}

/// Maps the conditions by the list of the index.
pub(super) fn question(conditions: &Conditions, index: &Index) -> Result<Question, Failure> {
    Question::of(&conditions.ask(), index.list()).map_err(|error| bad_question(&error))
}

/// Says how many candidates only looked like answers.
pub(super) fn say_dropped(dropped: u64) {
    if dropped > 0 {
        let candidates = if dropped == 1 { "candidate" } else { "candidates" };
        message::say(&format!("{dropped} {candidates} left out: their identifiers fit, their URLs do not"));
    }
}

pub(super) fn bad_question(error: &QuestionError) -> Failure {
    let hint = match error {
        QuestionError::DomainIsHost { host, domain, tld } => {
            format!("\n  try: --domain {domain} --tld {tld}\n   or: --host {host}")
        }
        _ => String::new(),
    };
    Failure::usage(format!("{}: {}{hint}", error.code(), Escaped(error.to_string().as_bytes())))
}
