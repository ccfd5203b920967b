//! `urlid index export`: writes all rows of an index for other programs.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use urlid_store::dataset::is_dataset;
use urlid_store::file::Index;
use urlid_store::question::Question;

use super::conditions::{begin_rows, write_row};
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::progress::Progress;
use crate::output::rows::Format;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::signals;
use urlid_store::Urls;

/// Export all rows of an index for other programs
///
/// A SQLite file has a row with readable columns for each URL, for Datasette and other programs that show
/// tables. It appears under its name when it is complete, and never replaces a file. The other formats are
/// written to standard output. `urlid index build DIR INDEX` makes Parquet files for engines that read them.
///
/// Example: urlid index export urls.db --format sqlite --out readable.db
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The index file, or the folder of a dataset
    #[arg(value_name = "INDEX")]
    pub(super) index: PathBuf,

    /// Export in this format
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: ExportFormat,

    /// Write the SQLite file under this name
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The formats of `urlid index export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// A SQLite file with an integer key and a column for each part
    Sqlite,
    /// One JSON object per line
    #[value(alias = "json")]
    Ndjson,
    /// Comma-separated values with a header
    Csv,
    /// One URL per line, which `urlid index add` can read
    Urls,
    /// Recognised for the error alone, which names the verb that makes Parquet files.
    #[value(hide = true)]
    Parquet,
}

/// Exports.
pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let format = match args.format {
        ExportFormat::Parquet => return Err(no_parquet(&args.index)),
        ExportFormat::Sqlite if is_dataset(&args.index) => {
            let other = "urlid index add --column url makes an index of a dataset, which can be exported so";
            return Err(
                Failure::usage("--format: expected urls, csv or ndjson for a dataset").with_hint(other)
            );
        }
        ExportFormat::Sqlite => return sqlite(args, &Index::open(&args.index)?),
        ExportFormat::Ndjson => Format::Ndjson,
        ExportFormat::Csv => Format::Csv,
        ExportFormat::Urls => Format::Text,
    };
    let index = Urls::open(&args.index, &[])?;
    if args.out.is_some() {
        return Err(Failure::usage("--out needs --format sqlite"));
    }
    let mut out = Output::stdout()?;
    let mut rows = begin_rows(&mut out, format, false)?;
    let mut written = Ok(());
    // A dataset does not store identifiers and computes one for each row, so they are only requested if they
    // are shown.
    let with_ids = format != Format::Text;
    let found = index.find(&Question::default(), with_ids, &mut |row| {
        written = match args.format {
            ExportFormat::Urls if !is_line(row.url) => Err(no_line(row.url)),
            _ => write_row(&mut rows, &mut out, &row),
        };
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    // A failed output ended the search, so it is reported first. Rows before damage are flushed before the
    // error of the damage.
    written?;
    out.flush()?;
    found?;
    Ok(Exit::Done)
}

/// Returns whether a line with this URL reads back as this URL, because LF and CR end a line.
fn is_line(url: &str) -> bool {
    !url.contains(['\n', '\r'])
}

fn no_line(url: &str) -> Failure {
    let url = Escaped(url.as_bytes());
    Failure::failed(format!("a URL cannot be a line: found `{url}`"))
        .with_hint("the other formats can hold it")
}

/// Returns the error for Parquet, which one verb makes.
fn no_parquet(index: &Path) -> Failure {
    let hint = if is_dataset(index) {
        "the files of a dataset are Parquet already".to_owned()
    } else {
        format!("they are made by urlid index build DIR {} [--ids]", Escaped::path(index))
    };
    Failure::usage("--format parquet: expected a dataset, whose files are Parquet").with_hint(hint)
}

fn sqlite(args: &ExportArgs, index: &Index) -> Result<Exit, Failure> {
    let file = args.out.as_deref().ok_or_else(|| Failure::usage("--format sqlite needs --out FILE"))?;
    signals::stop_gracefully();
    let progress = Progress::count(index.rows().ok(), "rows written");
    let rows = urlid_store::file::export_sqlite_with(index, file, &mut |rows| progress.advance(rows));
    progress.finish();
    let rows = rows?;
    // The file has its name.
    signals::too_late();
    let mut out = Output::stdout()?;
    out.line(&format!("{}: {}", Escaped::path(file), message::count(rows, "row")))?;
    out.flush()?;
    Ok(Exit::Done)
}
