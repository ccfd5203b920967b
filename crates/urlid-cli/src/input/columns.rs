//! `--column`: tables instead of lines.

use std::path::Path;

use clap::{ArgGroup, Args};
use urlid::Error;
use urlid::Url;
use urlid_io::error;
use urlid_io::lines::{Compression, FileKind, Input, InputKind};
use urlid_io::tables::{Cell, ColumnChoice, Dialect, HeaderRow, LogFormat, Separator, TableLayout};

use crate::args::choice;
use crate::output::OutArg;
use crate::report::exit::Failure;

/// The choice of columns.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("chosen_columns").args(["column", "column_number"]).multiple(true))]
pub(crate) struct ColumnArgs {
    /// Read a table, with URLs in this column; repeatable
    ///
    /// The first record of CSV and TSV has the names of the columns. In ndjson, a column is a member of each
    /// object. Nested members, and columns in a group of Parquet, are named by their path with dots. A folder
    /// of a dataset is read file by file.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["records", "sitemaps", "recover", "trailing_text"], help_heading = "Tables")]
    column: Vec<String>,

    /// Read the column of this number, from 1
    #[arg(long, value_name = "N", value_parser = parse_number, conflicts_with_all = ["records", "sitemaps", "recover", "trailing_text"], help_heading = "Tables", hide_short_help = true)]
    column_number: Vec<usize>,

    /// Read the input in this format [default: by its content; lines without --column]
    ///
    /// The logs are tables with named columns, one of them `url`.
    #[arg(
        long,
        value_name = "FORMAT",
        hide_short_help = true,
        requires_ifs = ["csv", "tsv", "ndjson", "parquet"].map(|format| (format, "chosen_columns")),
        value_parser = choice([
            ("csv", TableFormat::Text(Dialect::CSV), "Comma-separated values (RFC 4180)"),
            ("tsv", TableFormat::Text(Dialect::Tsv), "Tab-separated values without quotes"),
            ("ndjson", TableFormat::Text(Dialect::Ndjson), "A JSON object on each line"),
            ("parquet", TableFormat::Parquet, "Parquet"),
            ("text", TableFormat::Prose, "Text with URLs: logs, JSON, Markdown, HTML, mail"),
            ("combined", TableFormat::Text(Dialect::Log(LogFormat::Combined)), "The log of Apache or nginx"),
            ("squid", TableFormat::Text(Dialect::Log(LogFormat::Squid)), "The log of Squid"),
            ("zeek", TableFormat::Text(Dialect::Log(LogFormat::Zeek)), "http.log of Zeek"),
            ("crawl-log", TableFormat::Text(Dialect::Log(LogFormat::CrawlLog)), "crawl.log of Heritrix"),
        ]),
        help_heading = "Tables"
    )]
    input_format: Option<TableFormat>,

    /// The character between the fields of CSV, such as `;`, or `\t` for tab-separated values with quotes
    #[arg(
        long,
        value_name = "CHARACTER",
        value_parser = parse_separator,
        requires = "chosen_columns",
        conflicts_with = "input_format",
        help_heading = "Tables",
        hide_short_help = true
    )]
    delimiter: Option<Separator>,

    /// Read the first record of CSV or TSV as a row, not as names of columns
    #[arg(
        long,
        requires = "column_number",
        conflicts_with = "column",
        help_heading = "Tables",
        hide_short_help = true
    )]
    no_header: bool,
}

/// The choice of columns, and where the result is written.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    /// Start the names of new columns with this text and an underscore [default: the name of the column]
    #[arg(
        long,
        value_name = "TEXT",
        requires = "chosen_columns",
        help_heading = "Tables",
        hide_short_help = true
    )]
    pub(crate) prefix: Option<String>,

    #[command(flatten)]
    pub(crate) out: OutArg,
}

/// The format of the table that `--column` reads and the output is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableFormat {
    Text(Dialect),
    Parquet,
    /// Lines of text that contain URLs.
    Prose,
}

/// The choice of text for verbs that read no tables.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProseArg {
    /// Read the input in this format [default: one URL per line]
    #[arg(
        long,
        value_name = "FORMAT",
        hide_short_help = true,
        value_parser = choice([("text", true, "Text with URLs: logs, JSON, Markdown, HTML, mail")])
    )]
    input_format: Option<bool>,
}

impl ProseArg {
    /// Returns whether URLs are found in lines.
    pub(crate) fn is_prose(&self) -> bool {
        self.input_format.is_some()
    }
}

/// The host of a log that does not have it.
#[derive(Clone, Debug, Args)]
pub(crate) struct LogBaseArg {
    /// Put the scheme and host of this URL before request targets of a log that lack them
    #[arg(
        long,
        value_name = "URL",
        value_parser = parse_host,
        requires = "chosen_columns",
        hide_short_help = true,
        help_heading = "Tables"
    )]
    pub(crate) base: Option<Url>,
}

fn parse_host(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    if url.host().is_some() { Ok(url) } else { Err("expected a URL with a host".to_owned()) }
}

fn parse_number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..) => Ok(number),
        _ => Err("expected a number of 1 or more".to_owned()),
    }
}

fn parse_separator(text: &str) -> Result<Separator, String> {
    let mut characters = text.chars();
    let separator = match (characters.next(), characters.next()) {
        (Some(character), None) => Separator::new(character),
        _ if text == "\\t" => Separator::new('\t'),
        _ => None,
    };
    separator.ok_or_else(|| "expected one ASCII character other than a quote or a line end".to_owned())
}

impl ColumnArgs {
    /// Returns the choice of one column: by its number in a table without names, otherwise by its name.
    pub(crate) fn one(column: &str) -> Self {
        let (column, column_number) = match parse_number(column) {
            Ok(number) => (Vec::new(), vec![number]),
            Err(_) => (vec![column.to_owned()], Vec::new()),
        };
        let no_header = column.is_empty();
        ColumnArgs { column, column_number, input_format: None, delimiter: None, no_header }
    }

    /// Returns the chosen columns in order, starting with the columns chosen by name. Empty if lines are
    /// read.
    pub(crate) fn choices(&self) -> Vec<ColumnChoice> {
        let names = self.column.iter().cloned().map(ColumnChoice::Name);
        names.chain(self.column_number.iter().copied().map(ColumnChoice::Number)).collect()
    }

    /// Returns the choice with more columns after the columns chosen by name.
    pub(crate) fn with(&self, names: &[&str]) -> Self {
        let column = self.column.iter().cloned().chain(names.iter().map(|name| (*name).to_owned())).collect();
        ColumnArgs { column, ..self.clone() }
    }

    /// Returns whether a column was chosen.
    pub(crate) fn is_given(&self) -> bool {
        !self.column.is_empty() || !self.column_number.is_empty()
    }

    /// Returns whether URLs are found in lines.
    pub(crate) fn is_prose(&self) -> bool {
        self.input_format == Some(TableFormat::Prose)
    }

    /// Returns the format of the log that is named.
    pub(crate) fn log_format(&self) -> Option<LogFormat> {
        match self.input_format {
            Some(TableFormat::Text(Dialect::Log(format))) => Some(format),
            _ => None,
        }
    }

    /// Checks that a format that is named can be read with the columns that are chosen.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.input_format {
            Some(TableFormat::Prose) if self.is_given() => Err(Failure::usage(
                "--input-format text cannot be used with --column, because text has no columns",
            )),
            Some(TableFormat::Text(Dialect::Log(format))) if !self.is_given() => {
                Err(Failure::usage(format!(
                    "--input-format {0} needs --column with a column such as url (redact --input-format {0} reads whole lines)",
                    format.name()
                )))
            }
            _ => Ok(()),
        }
    }

    /// Returns whether the first record names the columns.
    pub(crate) fn header(&self) -> HeaderRow {
        if self.no_header { HeaderRow::None } else { HeaderRow::Names }
    }

    /// Returns the format of a file: the named one, or Parquet if the file starts like Parquet. `None` leaves
    /// the recognition to the reader.
    pub(crate) fn format_of(&self, path: Option<&Path>) -> Option<TableFormat> {
        let delimited = self.delimiter.map(|separator| TableFormat::Text(Dialect::Csv(separator)));
        delimited
            .or(self.input_format)
            .or_else(|| path.is_some_and(is_parquet).then_some(TableFormat::Parquet))
    }
}

/// Returns whether a file is Parquet. A file that cannot be read is reported when it is opened.
fn is_parquet(path: &Path) -> bool {
    // Opening a pipe here would consume its first bytes.
    path.metadata().is_ok_and(|data| data.is_file())
        && Input::open(path).is_ok_and(|mut input| {
            let is_plain = input.compression() == Compression::Plain;
            is_plain && input.kind() == Ok(InputKind::Other(FileKind::Parquet))
        })
}

/// The columns that at least one row had.
#[derive(Default)]
pub(crate) struct SeenColumns {
    has_rows: bool,
    columns: Vec<bool>,
}

impl SeenColumns {
    /// Records the values of a row.
    pub(crate) fn row(&mut self, cells: &[Cell<'_>]) {
        self.has_rows |= !cells.is_empty();
        self.columns.resize(cells.len().max(self.columns.len()), false);
        for (seen, cell) in self.columns.iter_mut().zip(cells) {
            *seen |= *cell != Cell::Missing;
        }
    }

    /// Adds the columns that were seen in other rows.
    pub(crate) fn take(&mut self, other: &SeenColumns) {
        self.has_rows |= other.has_rows;
        self.columns.resize(other.columns.len().max(self.columns.len()), false);
        self.columns.iter_mut().zip(&other.columns).for_each(|(seen, other)| *seen |= other);
    }

    /// Returns an error if there were rows, but one of the columns was missing in all of them.
    pub(crate) fn check(&self, layout: &TableLayout) -> Result<(), Error> {
        let absent = self.columns.iter().position(|seen| !seen).filter(|_| self.has_rows);
        match absent.and_then(|place| layout.names().get(place)) {
            Some(column) => Err(error::NO_MEMBER.error().with_subject(column.clone())),
            None => Ok(()),
        }
    }
}
