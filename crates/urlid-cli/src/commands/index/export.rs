//! `urlid index export`: writes all rows of an index for other programs.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use urlid_dataset::is_dataset;
use urlid_index::{Index, Question};

use super::conditions::{begin_rows, write_row};
use super::store::open_store;
use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::output::Output;
use crate::progress::Progress;
use crate::rows::Format;
use crate::signals;

/// Export all rows of an index for other programs
///
/// Parquet files have typed columns for the slices, are sorted by domain, and record the versions of the data that
/// identifiers depend on. A SQLite file has a row with readable columns for each URL, for Datasette and other programs
/// that show tables. Both appear under their names when they are complete, and never replace a file. The other formats
/// are written to standard output.
///
/// Example: urlid index export urls.db --format parquet --out urls.parquet
///
/// Example: urlid index export urls.db --format sqlite --out readable.db
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The index, or the folder of a dataset
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// The format of the output
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: ExportFormat,

    /// The Parquet or SQLite file to write; with --rows-per-file, the names of the Parquet files are derived from it
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Start a new Parquet file after this many rows
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    rows_per_file: Option<u64>,

    /// Leave the column `id` out of Parquet files; the slices hold the same bits
    #[arg(long)]
    no_id: bool,
}

/// The formats of `urlid index export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// Parquet files
    Parquet,
    /// A SQLite file with an integer key and a column for each part
    Sqlite,
    /// One JSON object per line
    #[value(alias = "json")]
    Ndjson,
    /// Comma-separated values with a header
    Csv,
    /// One URL per line, which `urlid index add` can read
    Urls,
}

/// Exports.
pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Failure> {
    let format = match args.format {
        ExportFormat::Parquet | ExportFormat::Sqlite if is_dataset(&args.index) => {
            let other = "the files of a dataset are Parquet already; urlid index add --column url makes an index of them";
            return Err(
                Failure::usage("--format: expected urls, csv or ndjson for a dataset").with_hint(other)
            );
        }
        ExportFormat::Parquet => return parquet(args, &Index::open(&args.index)?),
        ExportFormat::Sqlite => return sqlite(args, &Index::open(&args.index)?),
        ExportFormat::Ndjson => Format::Ndjson,
        ExportFormat::Csv => Format::Csv,
        ExportFormat::Urls => Format::Text,
    };
    let index = open_store(&args.index, &[])?;
    check_parquet_options(args)?;
    if args.out.is_some() {
        return Err(Failure::usage("--out goes with --format parquet or sqlite"));
    }
    let mut out = Output::stdout()?;
    let mut rows = begin_rows(&mut out, format, false)?;
    let mut written = Ok(());
    let with_ids = format != Format::Text;
    let found = index.find(&Question::default(), with_ids, &mut |row| {
        written = match args.format {
            ExportFormat::Urls if !is_line(row.url) => Err(no_line(row.url)),
            _ => write_row(&mut rows, &mut out, &row),
        };
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    out.flush()?;
    found?;
    Ok(Exit::Done)
}

/// Returns whether a line with this URL reads back as this URL. Readers of lines remove a CR before LF.
fn is_line(url: &str) -> bool {
    !url.contains('\n') && !url.ends_with('\r')
}

fn no_line(url: &str) -> Failure {
    let url = Escaped(url.as_bytes());
    Failure::failed(format!("a URL cannot be a line: found `{url}`"))
        .with_hint("the other formats can hold it")
}

fn check_parquet_options(args: &ExportArgs) -> Result<(), Failure> {
    if args.rows_per_file.is_some() || args.no_id {
        Err(Failure::usage("--rows-per-file and --no-id go with --format parquet"))
    } else {
        Ok(())
    }
}

fn sqlite(args: &ExportArgs, index: &Index) -> Result<Exit, Failure> {
    check_parquet_options(args)?;
    let file = args.out.as_deref().ok_or_else(|| Failure::usage("--format sqlite needs --out FILE"))?;
    signals::stop_gracefully();
    let progress = Progress::count(index.rows().ok(), "rows written");
    let rows = urlid_index::export_sqlite_with(index, file, &mut |rows| progress.advance(rows));
    progress.finish();
    let rows = rows?;
    // The file has its name.
    signals::too_late();
    let mut out = Output::stdout()?;
    out.line(&format!("{}: {rows} rows", Escaped::path(file)))?;
    out.flush()?;
    Ok(Exit::Done)
}

fn parquet(args: &ExportArgs, index: &Index) -> Result<Exit, Failure> {
    let out = args.out.as_deref().ok_or_else(|| Failure::usage("--format parquet needs --out FILE"))?;
    signals::stop_gracefully();
    let options = urlid_index::ParquetOptions { rows_per_file: args.rows_per_file, with_id: !args.no_id };
    let progress = Progress::count(index.rows().ok(), "rows written");
    let exported = urlid_index::export_parquet_with(index, out, options, &mut |rows| progress.advance(rows));
    progress.finish();
    let exported = exported?;
    // The files have their names.
    signals::too_late();
    let mut out = Output::stdout()?;
    for file in &exported.files {
        out.line(&format!("{}: {} rows", Escaped::path(&file.path), file.rows))?;
    }
    out.flush()?;
    Ok(Exit::Done)
}
