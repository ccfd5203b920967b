//! Conditions on URLs, as options; and what is said about the rows that were found by them.

use clap::Args;
use urlid::ErrorCode;
use urlid::sxurl::Scheme;
use urlid_index::{Ask, Index, Question, QuestionError, Row};

use crate::choice::choice;
use crate::exit::{Exit, Failure};
use crate::message;
use crate::output::Output;
use crate::rows::{Column, Format, Rows, Shown, Value};

/// Conditions that a URL must meet.
#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions")]
pub(super) struct Conditions {
    /// The scheme
    #[arg(long, value_name = "SCHEME", value_parser = choice([
        ("https", Scheme::Https, ""),
        ("http", Scheme::Http, ""),
        ("ftp", Scheme::Ftp, ""),
    ]))]
    scheme: Option<Scheme>,

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

impl Conditions {
    /// Returns the conditions as the index takes them.
    pub(super) fn ask(&self) -> Ask<'_> {
        Ask {
            scheme: self.scheme,
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

    /// Returns the question to an index, with values mapped by its list.
    pub(super) fn question(&self, index: &Index) -> Result<Question, Failure> {
        Question::of(&self.ask(), index.list()).map_err(|error| bad_question(&error))
    }
}

/// Makes the failure of conditions that make no sense.
pub(super) fn bad_question(error: &QuestionError) -> Failure {
    let failure = Failure::of(Exit::Usage, error);
    match error {
        QuestionError::DomainIsHost { host, domain, tld } => {
            failure.with_hint(format!("try --domain {domain} --tld {tld}, or --host {host}"))
        }
        _ => failure,
    }
}

/// Begins a table of rows of an index: URLs, with their identifiers if they are wanted or the format has columns.
pub(super) fn begin_rows(out: &mut Output, format: Format, ids: bool) -> Result<Rows, Failure> {
    let shown = if ids { Shown::Always } else { Shown::NotInText };
    let columns = [Column { name: "id", shown }, Column { name: "url", shown: Shown::Always }];
    Rows::begin(out, format, &columns)
}

/// Writes a row of an index.
pub(super) fn write_row(rows: &mut Rows, out: &mut Output, row: &Row<'_>) -> Result<(), Failure> {
    rows.write(out, &[Value::Text(&row.id.to_hex()), Value::Text(row.url)])
}

/// Reports how many candidates only looked like answers.
pub(super) fn report_dropped(dropped: u64) {
    if dropped > 0 {
        let candidates = if dropped == 1 { "candidate" } else { "candidates" };
        message::print(&format!("{dropped} {candidates} left out: their identifiers fit, their URLs do not"));
    }
}

/// Returns an error if rows were met that no loader wrote.
pub(super) fn check_damage(damaged: u64) -> Result<(), Failure> {
    let rows = match damaged {
        0 => return Ok(()),
        1 => "1 row is damaged and was passed over".to_owned(),
        _ => format!("{damaged} rows are damaged and were passed over"),
    };
    Err(Failure::failed(format!("{}: {rows}", ErrorCode::IndexDamaged)))
}
