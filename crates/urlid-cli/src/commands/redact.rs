//! `urlid redact`: URLs, and lines of text and logs, without the secrets at known positions.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::hashed_uri::Key;
use urlid::redact::{NameList, Redactor};
use urlid_io::error::LOG_LINE;
use urlid_io::lines::InputKind;
use urlid_io::tables::LogFormat;

use crate::args::choice;
use crate::input::batch::{Batch, RejectedTexts};
use crate::input::bounded::{read_bytes, read_lines};
use crate::input::columns::{LogBaseArg, TableArgs};
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Source, Sources};
use crate::input::{InputOptions, UrlInputs};
use crate::output::Output;
use crate::output::enrich;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, FormatArg, Rows, Shown, Value};
use crate::output::table::{Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Rejection;

/// Replace secrets in URLs, text and logs, at known positions only
///
/// User information in a URL becomes REDACTED:REDACTED@, and the value of a secret parameter of the query or
/// the fragment becomes REDACTED. All other bytes stay unchanged. Each line is a URL or a relative reference. A
/// line with a blank, a TAB, ", <, >, { or } is rejected and not printed; --rejects writes it to a file
/// unredacted.
///
/// With --input-format text or the name of a log, lines are text. Their URLs, their request targets, and the
/// tokens after `Authorization: Bearer` and `Basic` are redacted. A log is also recognised by its first line,
/// and lines without its format are then rejected. With --column the original URLs stay next to the new column.
/// With --key, redact only once: a second redaction replaces each digest by a digest of the digest, which does
/// not match the first output.
///
/// Example: urlid redact 'https://me:pass@example.com/a?sig=0f&b=1'
///
/// Example: urlid redact access.log.gz -o clean.log
#[derive(Debug, Args)]
pub(crate) struct RedactArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// Use this list of secret parameters [default: otel-1.44; common-1 for text and logs]
    #[arg(long, value_name = "LIST", value_parser = choice([
        ("otel-1.44", NameList::Otel144, "The names in OpenTelemetry's conventions, compared with case"),
        ("common-1", NameList::Common1, "The names that public scrubbers mask; case, `-` and `_` are ignored"),
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

/// Lines that are redacted as text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TextLines {
    Text,
    /// A line that is not of the format is text.
    Log(LogFormat),
    /// A log that is recognised by its first line. A line that is not of the format is rejected, because the input
    /// may be something else.
    Recognised(LogFormat),
}

/// Prints each line without its secrets.
pub(crate) fn run(args: &RedactArgs) -> Result<Exit, Failure> {
    let columns = &args.table.columns;
    let named = match columns.log_format() {
        None => columns.is_prose().then_some(TextLines::Text),
        Some(log) => Some(TextLines::Log(log)),
    };
    let list = |text: Option<TextLines>| {
        args.secrets.unwrap_or(if text.is_some() { NameList::Common1 } else { NameList::Otel144 })
    };
    let names = args.names.as_deref().or(args.only_names.as_deref());
    let names = names.map(read_names).transpose()?.unwrap_or_default();
    // Called after the names are read, because the names of a file are also listed.
    if args.list {
        return print_names(args, list(named), &names);
    }
    let is_table = columns.is_given();
    let inputs = match named {
        Some(_) if !is_table => InputOptions { is_prose: true, ..args.urls.lines()? },
        _ => args.urls.lines_or_values(columns)?.of_base(&args.base),
    };
    let mut inputs = InputOptions { have_secrets: true, ..inputs };
    check_files(&inputs.sources)?;
    let mut text = named;
    // With these options every line is a URL.
    let are_urls =
        args.urls.url_lines().keeps_text() || inputs.archives.is_some_and(|it| it.given().is_some());
    if named.is_none() && !is_table && !are_urls {
        text = recognise(&mut inputs)?.map(TextLines::Recognised);
    }
    let mut redactor = match list(text) {
        // The default is compared without a set, which is faster.
        NameList::Otel144 => Redactor::default(),
        list => Redactor::default().with_list(list),
    };
    redactor = match &args.only_names {
        Some(_) => redactor.with_names(names),
        None if names.is_empty() => redactor,
        None => redactor.and_names(names),
    };
    if let Some(path) = &args.key {
        let key = Key::new(&read_bytes(path)?).map_err(|error| Failure::of_file(path, &error))?;
        redactor = redactor.with_key(&key);
    }
    let files = FilesInUse::reading([&args.names, &args.only_names, &args.key].into_iter().flatten());
    match text {
        Some(text) if !is_table => redact_lines(args, &redactor, inputs, text, files),
        _ => {
            let make = || Box::new(&redactor) as _;
            enrich::run(inputs, files, &args.table, args.format.format, "url", &make)
        }
    }
}

/// Returns the format of the log that all inputs are, by their first lines.
fn recognise(inputs: &mut InputOptions<'_>) -> Result<Option<LogFormat>, Failure> {
    let mut found: Vec<(&Source, Option<LogFormat>)> = Vec::new();
    for source in &inputs.sources.0 {
        let format = match source.open() {
            Ok(Opened::Input(mut input)) => {
                let kind = input.kind();
                if !source.is_regular_file() {
                    inputs.opened.push((source.name().to_owned(), input));
                }
                match kind {
                    Ok(InputKind::Lines(first)) => LogFormat::of_line(&first),
                    // An input that cannot be read is reported where it is read.
                    Ok(InputKind::Empty) | Err(_) => continue,
                    Ok(_) => None,
                }
            }
            Ok(Opened::Texts(_)) => None,
            Err(_) => continue,
        };
        found.push((source, format));
    }
    let Some((source, Some(log))) = found.iter().find(|(_, format)| format.is_some()) else {
        return Ok(None);
    };
    let name = |source: &Source| match source.file() {
        Some(path) => Escaped::path(path).to_string(),
        None => "an argument".to_owned(),
    };
    let log_name = log.name();
    match found.iter().find(|(_, format)| *format != Some(*log)) {
        None => {
            message::print(&format!("{}: read as a log ({log_name}), by its first line", name(source)));
            inputs.is_prose = true;
            Ok(Some(*log))
        }
        Some((other, _)) => Err(Failure::usage(format!(
            "{} is a log ({log_name}), and {} is not: redact them one by one, or all as --input-format {log_name}",
            name(source),
            name(other),
        ))),
    }
}

/// Prints lines of text or of a log, each with its secrets replaced, and otherwise byte for byte.
fn redact_lines(
    args: &RedactArgs,
    redactor: &Redactor,
    inputs: InputOptions<'_>,
    text: TextLines,
    files: FilesInUse,
) -> Result<Exit, Failure> {
    let url_lines = args.urls.url_lines();
    let unfit = match (args.format.format, &url_lines.schemes[..]) {
        (Format::Text, []) => url_lines.refang.then_some("--refang"),
        (Format::Text, _) => Some("--schemes"),
        _ => Some("--format"),
    };
    if let Some(option) = unfit {
        return Err(Failure::usage(format!(
            "--input-format: text is written line by line: {option} cannot be used with it"
        )));
    }
    let mut run = LineRun::begin(inputs, files, args.table.out.path())?;
    run.options.as_written = true;
    let leaves_out = run.leaves_rejected_out();
    run.each_output(&|| {
        Box::new(move |batch: &Batch, out: &mut Vec<u8>, rejected: &mut RejectedTexts| {
            out.clear();
            let references = batch.origin.references_in_lines;
            let Some((chunk, _)) = batch.plain_lines() else {
                return batch.each_raw_text(|text| {
                    redactor.redact_line(text, &[], references, out);
                    out.push(b'\n');
                });
            };
            let mut too_long = chunk.rejected_lines().peekable();
            for (index, line) in chunk.bytes().split_inclusive(|&byte| byte == b'\n').enumerate() {
                let content = line.strip_suffix(b"\n").unwrap_or(line);
                let content = content.strip_suffix(b"\r").unwrap_or(content);
                let too_long = too_long.next_if(|(other, _)| *other == index);
                let rejection = match (too_long, targets(text, content)) {
                    (Some((_, error)), _) => error.into(),
                    (None, Some(targets)) => {
                        redactor.redact_line(content, &targets, references, out);
                        out.extend_from_slice(&line[content.len()..]);
                        continue;
                    }
                    (None, None) => LOG_LINE.error().into(),
                };
                rejected.push((index, rejection));
                if !leaves_out {
                    out.extend_from_slice(&line[content.len()..]);
                }
            }
        })
    })?;
    run.finish(Exit::Done)
}

/// Returns the targets of a line that are read whole, or `None` if the line is rejected.
fn targets(text: TextLines, line: &[u8]) -> Option<Vec<Range<usize>>> {
    match text {
        TextLines::Text => Some(Vec::new()),
        TextLines::Log(log) => Some(log.targets(line).unwrap_or_default()),
        // Zeek has lines with `#` before and after its rows.
        TextLines::Recognised(LogFormat::Zeek) if line.starts_with(b"#") => Some(Vec::new()),
        TextLines::Recognised(_) if line.is_empty() => Some(Vec::new()),
        TextLines::Recognised(log) => log.targets(line),
    }
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
