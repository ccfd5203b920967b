//! `urlid redact`: URLs, and lines of text and logs, without the secrets at known positions.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid::hashed_uri::Key;
use urlid::redact::{NameList, Redactor};

use crate::args::choice;
use crate::input::batch::{Batch, RejectedTexts};
use crate::input::bounded::{read_bytes, read_lines};
use crate::input::columns::{LogBaseArg, TableArgs};
use crate::input::line_run::LineRun;
use crate::input::sources::{Source, Sources};
use crate::input::{InputOptions, UrlInputs};
use crate::output::Output;
use crate::output::enrich;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::output::table::{Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

/// Replace secrets at known positions of URLs, text and logs: secrets elsewhere stay
///
/// User information in a URL becomes REDACTED:REDACTED@, and the value of a secret parameter of the query or
/// the fragment becomes REDACTED. All other bytes stay unchanged. Each line is a URL or a relative reference. A
/// line with a blank, a TAB, ", <, >, { or } is rejected and not printed; --rejects writes it to a file
/// unredacted.
///
/// With --input-format text or the name of a log, lines are text. Their URLs, their request targets, and the
/// tokens after `Authorization: Bearer` and `Basic` are redacted. With --column the original URLs stay next to
/// the new column. With --key, a second redaction replaces the digits of the first.
///
/// Example: urlid redact 'https://me:pass@example.com/a?sig=0f&b=1'
///
/// Example: urlid redact --input-format combined access.log.gz -o clean.log
#[derive(Debug, Args)]
pub(crate) struct RedactArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// Use this list of secret parameters [default: otel-1.44; common-1 for text and logs]
    #[arg(long, value_name = "LIST", value_parser = choice([
        ("otel-1.44", NameList::Otel144, "The names of OpenTelemetry's conventions, compared with case"),
        ("common-1", NameList::Common1, "The names that public scrubbers mask, compared without case, `-` and `_`"),
    ]))]
    secrets: Option<NameList>,

    /// Also redact the parameters named in this file, one name per line
    ///
    /// Names are decoded, and compared as the list compares names. Blanks around a name are ignored.
    #[arg(long, value_name = "FILE")]
    names: Option<PathBuf>,

    /// Redact only the parameters named in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["names", "secrets"])]
    only_names: Option<PathBuf>,

    /// Replace a secret by its HMAC-SHA-256 under the key in this file, in hexadecimal
    ///
    /// Equal secrets stay equal. The file has at least 32 bytes, and all of them are the key.
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
    table: TableArgs,

    #[command(flatten)]
    base: LogBaseArg,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints each line without its secrets.
pub(crate) fn run(args: &RedactArgs) -> Result<Exit, Failure> {
    let columns = &args.table.columns;
    let is_log = columns.is_prose() || columns.log_format().is_some();
    let is_text = is_log && !columns.is_given();
    let default = if is_log { NameList::Common1 } else { NameList::Otel144 };
    let list = args.secrets.unwrap_or(default);
    let names = args.names.as_deref().or(args.only_names.as_deref());
    let names = names.map(read_names).transpose()?.unwrap_or_default();
    // Called after the names are read, because the names of a file are also listed.
    if args.list {
        return print_names(args, list, &names);
    }
    let mut redactor = Redactor::default().with_list(list);
    redactor = match &args.only_names {
        Some(_) => redactor.with_names(names),
        None => redactor.and_names(names),
    };
    if let Some(path) = &args.key {
        let key = Key::new(&read_bytes(path)?).map_err(|error| Failure::of_file(path, &error))?;
        redactor = redactor.with_key(&key);
    }
    let files = FilesInUse::reading([&args.names, &args.only_names, &args.key].into_iter().flatten());
    if is_text {
        return redact_lines(args, &redactor, files);
    }
    let make = || Box::new(&redactor) as _;
    let inputs = args.urls.lines_or_values(columns)?.of_base(&args.base);
    let inputs = InputOptions { have_secrets: true, ..inputs };
    check_files(&inputs.sources)?;
    enrich::run(inputs, files, &args.table, args.format.format, "url", &make)
}

/// Prints lines of text or of a log, each with its secrets replaced, and otherwise byte for byte.
fn redact_lines(args: &RedactArgs, redactor: &Redactor, files: FilesInUse) -> Result<Exit, Failure> {
    let unfit = match (args.format.format, &args.urls.url_lines().schemes[..]) {
        (Format::Text, []) => None,
        (Format::Text, _) => Some("--schemes"),
        _ => Some("--format"),
    };
    if let Some(option) = unfit {
        return Err(Failure::usage(format!(
            "--input-format: text is written line by line: {option} cannot be used with it"
        )));
    }
    let log = args.table.columns.log_format();
    let inputs = InputOptions { have_secrets: true, is_prose: true, ..args.urls.lines()? };
    check_files(&inputs.sources)?;
    let mut run = LineRun::begin(inputs, files, args.table.out.path())?;
    run.options.as_written = true;
    let leaves_out = run.leaves_rejected_out();
    run.each_output(&|| {
        Box::new(move |batch: &Batch, out: &mut Vec<u8>, rejected: &mut RejectedTexts| {
            out.clear();
            let references = batch.origin.references_in_lines;
            let redact = |line: &[u8], out: &mut Vec<u8>| {
                // A line that is not of the format of its log is text.
                let targets = log.and_then(|log| log.targets(line)).unwrap_or_default();
                redactor.redact_line(line, &targets, references, out);
            };
            let Some((chunk, _)) = batch.plain_lines() else {
                return batch.each_raw_text(|text| {
                    redact(text, out);
                    out.push(b'\n');
                });
            };
            let mut too_long = chunk.rejected_lines().peekable();
            for (index, line) in chunk.bytes().split_inclusive(|&byte| byte == b'\n').enumerate() {
                if let Some((_, error)) = too_long.next_if(|(other, _)| *other == index) {
                    rejected.push((index, error.into()));
                    if leaves_out {
                        continue;
                    }
                }
                let text = line.strip_suffix(b"\n").unwrap_or(line);
                redact(text, out);
                out.extend_from_slice(&line[text.len()..]);
            }
        })
    })?;
    run.finish(Exit::Done)
}

/// Fails if an argument does not name a file. It may be a URL without its scheme, so it is not shown.
fn check_files(sources: &Sources) -> Result<(), Failure> {
    let is_missing = |source: &Source| source.path().is_some_and(|path| path.metadata().is_err());
    match sources.0.iter().any(is_missing) {
        true => Err(Failure::failed(
            "an argument is not the name of a file that can be read (a URL starts with its scheme; a reference is read \
             from a file or `-`)",
        )),
        false => Ok(()),
    }
}

/// Reads the names of parameters, without the blanks around them. Blank lines are skipped.
fn read_names(path: &Path) -> Result<Vec<String>, Failure> {
    let lines = read_lines(path)?;
    let names: Vec<String> =
        lines.iter().map(|line| line.trim()).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    // An empty file of names would print every secret parameter.
    if names.is_empty() {
        let path = Escaped::path(path);
        return Err(Failure::failed(format!("{path}: ERR_LIST_LINE: expected the name of a parameter")));
    }
    Ok(names)
}

/// Prints a row for each name, with the list that it is on, or the file.
fn print_names(args: &RedactArgs, list: NameList, given: &[String]) -> Result<Exit, Failure> {
    let mut out = Output::stdout()?;
    let columns = ["list", "name"].map(|name| Column { name, shown: Shown::Always });
    let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
    if args.only_names.is_none() {
        for name in list.names() {
            rows.write(&mut out, &[Value::Text(list.name()), Value::Text(name)])?;
        }
    }
    let file = args.names.as_deref().or(args.only_names.as_deref()).map(Path::to_string_lossy);
    for name in given {
        rows.write(&mut out, &[Value::Text(file.as_deref().unwrap_or_default()), Value::Text(name)])?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

impl Values for &Redactor {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("redacted")]
    }

    fn shows_text(&self) -> bool {
        // The text next to its redacted form would still show the secrets.
        false
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        cells.push_result(self.redact(text).map_err(Rejection::from))
    }
}
