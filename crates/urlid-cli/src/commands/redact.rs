//! `urlid redact`: URLs without their secrets.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid::hashed_uri::Key;
use urlid::redact::{LIST_NAME, Redactor, SECRET_NAMES};

use crate::input::bounded::{read_bytes, read_lines};
use crate::input::columns::TableArgs;
use crate::input::sources::{Source, Sources};
use crate::input::{InputOptions, UrlInputs};
use crate::output::Output;
use crate::output::enrich;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::output::table::{Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

/// Print URLs without their secrets: user information, and the values of secret parameters
///
/// User information becomes REDACTED:REDACTED@, and the value of a secret parameter of the query or the
/// fragment REDACTED. No other byte changes. A line that is not a URL or a relative reference is rejected, and
/// nothing of it is printed; --rejects writes it to a file as it is. So is a line of a log: one with a blank,
/// a TAB, ", <, >, { or } is not a URL. With --column the URLs stay beside the new column. With --key a
/// second redaction replaces the digits of the first.
///
/// Example: urlid redact 'https://me:pass@example.com/a?sig=0f&b=1'
#[derive(Debug, Args)]
pub(crate) struct RedactArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// A file with the names of secret parameters, one a line, decoded, in place of the list otel-1.44: case
    /// counts, and blanks around a name do not
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,

    /// Replace a secret by 64 hexadecimal digits, its HMAC-SHA-256 under the key in this file, at least 32 bytes,
    /// all of which are the key: equal secrets stay equal
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// List the names of secret parameters
    #[arg(
        long,
        conflicts_with_all = [
            "key", "inputs", "file", "max_line", "rejects_file", "records", "RecoverArgs", "assume", "refang",
            "trailing_text", "schemes", "invalid", "ColumnArgs", "prefix", "OutArg",
        ]
    )]
    list: bool,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    table: TableArgs,
}

/// Prints each line without its secrets.
pub(crate) fn run(args: &RedactArgs) -> Result<Exit, Failure> {
    let mut redactor = Redactor::default();
    let names = args.names.as_deref().map(read_names).transpose()?;
    // After the names are read, because those of a file are listed too.
    if args.list {
        return print_names(args, names.as_deref());
    }
    if let Some(names) = names {
        redactor = redactor.with_names(names);
    }
    if let Some(path) = &args.key {
        let key = Key::new(&read_bytes(path)?).map_err(|error| Failure::of_file(path, &error))?;
        redactor = redactor.with_key(&key);
    }
    let files = FilesInUse::reading([&args.names, &args.key].into_iter().flatten());
    let make = || Box::new(&redactor) as _;
    let inputs = InputOptions { have_secrets: true, ..args.urls.lines_or_values(&args.table.columns)? };
    check_files(&inputs.sources)?;
    enrich::run(inputs, files, &args.table, args.format.format, "url", &make)
}

/// Fails if an argument names no file. It may be a URL without its scheme, so it is not shown.
fn check_files(sources: &Sources) -> Result<(), Failure> {
    let is_missing = |source: &Source| source.path().is_some_and(|path| path.metadata().is_err());
    match sources.0.iter().any(is_missing) {
        true => Err(Failure::failed(
            "an argument is not the name of a file that can be read (a URL begins with its scheme; a reference is read \
             from a file or `-`)",
        )),
        false => Ok(()),
    }
}

/// Reads the names of parameters, without the blanks around them. A blank line has none.
fn read_names(path: &Path) -> Result<Vec<String>, Failure> {
    let lines = read_lines(path)?;
    let names: Vec<String> =
        lines.iter().map(|line| line.trim()).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    // Without a name every secret parameter would be printed.
    if names.is_empty() {
        let path = Escaped::path(path);
        return Err(Failure::failed(format!("{path}: ERR_LIST_LINE: expected the name of a parameter")));
    }
    Ok(names)
}

/// Prints a row for each name, with the list that it is on.
fn print_names(args: &RedactArgs, given: Option<&[String]>) -> Result<Exit, Failure> {
    let list = args.names.as_deref().map_or(LIST_NAME.into(), Path::to_string_lossy);
    let mut out = Output::stdout()?;
    let columns = ["list", "name"].map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
    let names: Vec<&str> =
        given.map_or_else(|| SECRET_NAMES.to_vec(), |names| names.iter().map(String::as_str).collect());
    for name in names {
        rows.write(&mut out, &[Value::Text(&list), Value::Text(name)])?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

impl Values for &Redactor {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("redacted")]
    }

    fn shows_text(&self) -> bool {
        // The text beside its redacted form would still show the secrets.
        false
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        cells.push_result(self.redact(text).map_err(Rejection::from))
    }
}
