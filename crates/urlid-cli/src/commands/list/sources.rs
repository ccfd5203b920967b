//! The inputs of `urlid list make` and `urlid list clean`: lists of several formats in one run, each named or
//! recognised by its first lines.

use std::ffi::OsString;
use std::path::Path;
use std::slice;

use clap::Args;
use urlid::ErrorCode;
use urlid_io::lines::{LineError, TrailingText};
use urlid_lists::{Covers, Effect, ImportReport, ListFormat, ListImport, OnSuffix, Reason, Widening};

use crate::args::choice;
use crate::input::UrlInputs;
use crate::input::batch::{BatchText, TextError};
use crate::input::columns::ColumnArgs;
use crate::input::line_run::LineRun;
use crate::input::sources::{Source, Sources};
use crate::output::escape::Escaped;
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::{Ended, Place};

/// The lines by which a format is recognised.
const HEAD: usize = 200;

/// The inputs, their formats, and what is listed of them.
#[derive(Debug, Args)]
pub(super) struct ListInputs {
    #[command(flatten)]
    pub(super) urls: UrlInputs,

    /// Read inputs not named as FORMAT:FILE in this format [default: by their first lines]
    #[arg(
        long,
        value_name = "FORMAT",
        conflicts_with_all = ["assume", "refang", "trailing_text"],
        value_parser = choice([
            ("urls", ListFormat::Urls, "URLs"),
            ("hosts", ListFormat::Hosts, "A file of hosts: each exactly, by http and https"),
            ("domains", ListFormat::Domains, "A domain a line, with the hosts below it; also ranks, *.x and .x"),
            ("abp", ListFormat::Abp, "Filters of Adblock Plus: ||host^, with the hosts below it, and URLs"),
            ("dnsmasq", ListFormat::Dnsmasq, "address=, server= and local= of dnsmasq, with the hosts below"),
            ("rpz", ListFormat::Rpz, "A response policy zone: x exactly, *.x the hosts below it"),
            ("unbound", ListFormat::Unbound, "local-zone: with the hosts below it, local-data: exactly"),
            ("urlhaus", ListFormat::Urlhaus, "The CSV of URLhaus: its URLs"),
        ])
    )]
    pub(super) input_format: Option<ListFormat>,

    /// What an entry covers [default: as the inputs say, url for URLs]
    #[arg(
        long,
        value_name = "WHAT",
        value_parser = choice([
            ("url", Covers::Url, "Its own URL"),
            ("directory", Covers::Directory, "Also URLs below an entry that ends with a slash"),
            ("subdomains", Covers::Subdomains, "Also these URLs on subdomains of the entry's host"),
        ])
    )]
    pub(super) covers: Option<Covers>,

    /// Leave out or keep entries for a host that is a public suffix
    ///
    /// Such as `co.uk` or `http://github.io/`. The default is leave-out, or keep if the entry is only for this
    /// host.
    #[arg(
        long,
        value_name = "HOW",
        value_parser = choice([
            ("leave-out", OnSuffix::LeaveOut, "Leave them out and report them, because they contain the domains of many owners"),
            ("keep", OnSuffix::Keep, "List them"),
        ]),
        hide_short_help = true
    )]
    suffixes: Option<OnSuffix>,

    /// Also list entries that can only be approximated, and count what the list blocks more or less
    #[arg(long)]
    pub(super) approximate: bool,

    /// Leave out entries that a broader entry covers
    ///
    /// With --covers subdomains, http://example.com/ covers http://ads.example.com/ and http://example.com/a.
    /// The list matches the same URLs. The number of entries left out is printed.
    #[arg(long)]
    pub(super) compact: bool,
}

/// How a source is read.
#[derive(Default)]
pub(super) struct SourceFormat {
    /// `None` if it is recognised.
    format: Option<ListFormat>,
    column: Option<ColumnArgs>,
}

/// Receives a line of a source with its number.
pub(super) type TakeListLine<'t> = dyn FnMut(&mut ListImport<'_>, u64, &str) -> Result<(), Ended> + 't;

impl ListInputs {
    /// Returns the sources, and how each is read. Texts that need a base or a scheme are URLs.
    pub(super) fn sources(&self, has_base: bool) -> Result<(Sources, Vec<SourceFormat>), Failure> {
        let (arguments, files) = self.urls.given();
        let lines = self.urls.url_lines();
        let is_completed = lines.assume.is_some() || lines.refang;
        let usual = self.input_format.or((has_base || is_completed).then_some(ListFormat::Urls));
        let plain = |source: Source| {
            let is_url = matches!(source, Source::Arguments(_));
            let format = usual.or(is_url.then_some(ListFormat::Urls));
            (source, SourceFormat { format, column: None })
        };
        if let Some(unknown) = arguments.iter().find_map(unknown_format) {
            return Err(Failure::usage(unknown)
                .with_hint("--input-format lists the formats, and csv:COLUMN:FILE is a column"));
        }
        if !arguments.iter().any(|argument| named(argument).is_some()) {
            let (sources, formats) = self.urls.lines()?.sources.0.into_iter().map(plain).unzip();
            return Ok((Sources(sources), formats));
        }
        let mut all = Vec::new();
        for argument in arguments {
            match named(argument) {
                Some((format, "-")) => all.push((Source::Stdin, format)),
                Some((format, name)) => all.push((Source::File(name.into()), format)),
                None => all.extend(self.urls.sources_of(slice::from_ref(argument))?.0.into_iter().map(plain)),
            }
        }
        all.extend(files.iter().cloned().map(Source::File).map(plain));
        let (sources, formats) = all.into_iter().unzip();
        Ok((Sources(sources), formats))
    }

    /// Sets the treatment of suffixes and filters.
    pub(super) fn set_up<'s>(&self, import: ListImport<'s>) -> ListImport<'s> {
        let widening = if self.approximate { Widening::Approximate } else { Widening::LeaveOut };
        let import = import.with_widening(widening);
        let import = match self.suffixes {
            Some(on_suffix) => import.with_suffixes(on_suffix),
            None => import,
        };
        match self.urls.rejects_file() {
            Some(_) => import.with_left_out(),
            None => import,
        }
    }
}

/// Splits an argument that names its format: `hosts:FILE`, or `csv:COLUMN:FILE`.
fn named(argument: &OsString) -> Option<(SourceFormat, &str)> {
    let (format, name) = argument.to_str()?.split_once(':')?;
    if format == "csv" {
        let (column, name) = name.split_once(':').filter(|(column, _)| !column.is_empty())?;
        return Some((SourceFormat { format: None, column: Some(ColumnArgs::one(column)) }, name));
    }
    Some((SourceFormat { format: Some(format.parse().ok()?), column: None }, name))
}

/// Returns the message for an argument that names an unknown format before an existing file. Any other text with
/// a colon is a URL.
fn unknown_format(argument: &OsString) -> Option<String> {
    let (format, name) = argument.to_str()?.split_once(':')?;
    // A single letter is a drive of Windows.
    let is_unknown = format.len() > 1 && named(argument).is_none() && Path::new(name).is_file();
    is_unknown.then(|| format!("{}: the format `{format}` is unknown", Escaped(argument.as_encoded_bytes())))
}

/// A line whose source is not recognised yet, with the reason why it is not one URL.
type HeadLine = (u64, String, Option<TextError>);

/// Passes the lines of all sources to `take`, once the format of their source is known. Returns the format
/// that the first lines of a source have, if a different one is named.
pub(super) fn read(
    run: &mut LineRun,
    formats: &[SourceFormat],
    import: &mut ListImport<'_>,
    take: &mut TakeListLine<'_>,
) -> Result<Option<ListFormat>, Failure> {
    let mut other = None;
    let usual = run.options.trailing_text;
    let mut sources = (0..).zip(formats);
    run.each_source(&mut |run, source| {
        let Some((index, SourceFormat { format, column })) = sources.next() else { return Ok(0) };
        run.columns.clone_from(column);
        let is_list = format.is_some_and(|format| format != ListFormat::Urls);
        run.options.trailing_text = if is_list { TrailingText::Keep } else { usual };
        let (mut head, mut sample): (Option<Vec<HeadLine>>, Vec<String>) = (Some(Vec::new()), Vec::new());
        if let Some(format) = *format {
            import.begin_source(index, format);
            head = None;
        }
        let batches = run.open_batches(source)?;
        let read = run.drive_records(batches, &mut |run, line| {
            let plain = plain_text(&line).map(str::to_owned);
            // A line that is not text is rejected in its turn.
            if let Some(head) = head.take_if(|head| plain.is_none() || head.len() == HEAD) {
                recognise(run, import, (index, source), head, take)?;
            }
            match (plain.filter(|plain| !plain.is_empty()), &mut head) {
                (Some(plain), Some(head)) => head.push((line.number, plain, line.text.err())),
                (Some(plain), None) if import.format() != ListFormat::Urls => {
                    take(import, line.number, &plain)?;
                    if format.is_some() && sample.len() < HEAD {
                        sample.push(plain);
                    }
                }
                _ => match &*line.text? {
                    "" => {}
                    text => return take(import, line.number, text),
                },
            }
            Ok(())
        })?;
        head.map_or(Ok(()), |head| recognise(run, import, (index, source), head, take))?;
        let found = ListFormat::recognise(sample.iter().map(String::as_str));
        other = other.or(found.filter(|found| Some(*found) != *format));
        Ok(read)
    })?;
    Ok(other)
}

/// Returns a line unchanged for the other formats of lists, in which text may follow a URL, or a line has
/// names and values.
fn plain_text<'l>(line: &'l BatchText<'_>) -> Option<&'l str> {
    match &line.text {
        Ok(text) => Some(text),
        Err(TextError::Line(
            LineError::TrailingText { .. } | LineError::NotOneUrl { .. } | LineError::Field { .. },
        )) => str::from_utf8(line.bytes).ok(),
        Err(_) => None,
    }
}

/// Ends a run without an output, because its source has no entry that can be listed. `other` is the format that
/// the lines look like.
pub(super) fn list_nothing(
    report: &ImportReport,
    mut run: LineRun,
    is_text: bool,
    other: Option<ListFormat>,
) -> Result<Exit, Failure> {
    run.leave_out()?;
    print_report(report, &mut run, is_text, message::print_error)?;
    let has = |wanted: Reason| report.differences().any(|(reason, ..)| reason == wanted);
    let advice = match other {
        _ if has(Reason::PublicSuffix) => ": --suffixes keep lists public suffixes".to_owned(),
        _ if has(Reason::Coverage) => {
            ": --approximate lists what the format cannot express exactly".to_owned()
        }
        Some(other) => format!(": the lines look like the format {other}"),
        None => String::new(),
    };
    message::print_error(&format!(
        "the source has no entry that can be listed, so the list is not written{advice}"
    ));
    run.finish(Exit::Nothing)
}

/// Reads the first lines of a source in the format of most of them.
fn recognise(
    run: &mut LineRun,
    import: &mut ListImport<'_>,
    (index, source): (usize, &Source),
    head: Vec<HeadLine>,
    take: &mut TakeListLine<'_>,
) -> Result<(), Failure> {
    let found = ListFormat::recognise(head.iter().map(|(_, line, _)| line.as_str()));
    let format = found.unwrap_or(ListFormat::Urls);
    import.begin_source(index, format);
    for (number, line, error) in head {
        let taken = match error.filter(|_| format == ListFormat::Urls) {
            Some(error) => Err(error.into()),
            None => take(import, number, &line),
        };
        match taken {
            Ok(()) => {}
            Err(Ended::Failed(failure)) => return Err(failure),
            Err(Ended::Rejected(rejection)) => {
                run.reject(Place::in_file(source.name(), number), line.as_bytes(), &rejection)?;
            }
        }
    }
    Ok(())
}

/// Prints a report. With `print`, it has each reason with its number and a few examples, and the parts that
/// rules about hosts do not cover. Every line that is left out is written to the file for rejected lines.
pub(super) fn print_report(
    report: &ImportReport,
    run: &mut LineRun,
    is_text: bool,
    print: impl Fn(&str),
) -> Result<(), Failure> {
    for (reason, count, examples) in report.differences() {
        let effect = match reason.effect() {
            Effect::LeftOut => "left out",
            Effect::More => "blocks more than the source:",
            Effect::Less => "blocks less than the source:",
        };
        let more = if count > examples.len() as u64 { ", …" } else { "" };
        print(&format!("{effect} {count} {}: {}{more}", reason.words(count), examples.join(", ")));
    }
    if report.hosts() > 0 && !is_text {
        let hosts = message::count(report.hosts(), "host");
        print(&format!("{hosts} by http and https: other ports and schemes are not covered"));
    }
    for line in report.left_out() {
        let Some(source) = run.sources.0.get(line.place.source) else { continue };
        let name = source.name().to_owned();
        let place = Place::in_file(&name, line.place.line);
        run.keep_rejected(place, line.text.as_bytes(), ErrorCode::ListLine)?;
    }
    Ok(())
}
