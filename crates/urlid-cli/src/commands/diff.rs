//! `urlid diff`: two URLs side by side, with the identifiers and canonical forms under which they are equal.
//! For many URLs, the host of each as several specifications and libraries read it.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use urlid::suffix::SuffixList;
use urlid_canonical::{HostReader, NoVarySearch, NoVarySearchSyntax};
use urlid_ops::explain::{Comparison, Fact, PartPair, UrlDiff};

use super::canon::form::{FormLists, FormName, form_names, parse_form};
use super::explain::{self, escaped, rejection_text};
use crate::args::host_text::HostText;
use crate::input::line_run::LineRun;
use crate::input::sources::{BareArgument, Sources, urls};
use crate::input::{InputOptions, LineRules};
use crate::output::Output;
use crate::output::color::{self, ASIDE, BOLD, GREEN, RED, YELLOW, paint};
use crate::output::files::FilesInUse;
use crate::output::json;
use crate::output::rows::{AnswerFormat, Format};
use crate::output::table::{self, Cells, Holds, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::{Invalid, Rejection};

/// Compare two URLs: are they the same, under which form, and what differs?
///
/// Prints the parts of both as they are written. Then it prints whether the two are the same under the form,
/// for each kind of identifier, and with --all under each canonical form, with the differences that count and
/// those that are ignored. Exits with 0 if the URLs are the same under the form, with 1 if they differ, and
/// with 3 if the form is not defined for one of them.
///
/// With --hosts it reads any number of URLs, and prints the host of each as the URL Standard, RFC 3986,
/// CPython, Java and Go read it. If a filter and a client read different hosts, the filter can be bypassed.
/// Exits with 1 if a reader rejects a URL, or if readers disagree about a host. In JSON, a reader that rejects
/// the URL has null, and a reader that finds no host has an empty text.
///
/// Example: urlid diff http://www.example.com/a/ https://example.com/a
#[derive(Debug, Args)]
#[command(mut_arg("max_line", |arg| arg.requires("hosts")), mut_arg("rejects_file", |arg| arg.requires("hosts")))]
pub(crate) struct DiffArgs {
    /// Two URLs; with --hosts any number of URLs and files with one URL per line
    ///
    /// A URL without a scheme is read as https://, with a note. With --hosts, URLs are read unchanged, and no
    /// argument means standard input.
    #[arg(value_name = "URL", required_unless_present = "hosts")]
    urls: Vec<OsString>,

    /// Print the host of each URL as several specifications and libraries read it
    #[arg(long, conflicts_with_all = ["form", "tracking", "site_rules", "no_vary_search"])]
    hosts: bool,

    #[command(flatten)]
    rules: LineRules,

    /// Compare the URLs under this canonical form; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", default_value = "web", value_parser = form_names(parse_form), hide_possible_values = true)]
    form: FormName,

    #[command(flatten)]
    lists: FormLists,

    /// Compare by this No-Vary-Search value instead of a form
    ///
    /// If the value is invalid, queries are compared as text.
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["form", "tracking", "site_rules"])]
    no_vary_search: Option<String>,

    /// Also read the syntax of the first browser implementations, in which params may be a boolean
    #[arg(long, requires = "no_vary_search", hide_short_help = true)]
    browser_syntax: bool,

    /// Also compare under every other canonical form
    #[arg(long, conflicts_with = "hosts")]
    all: bool,

    /// Print the answer in this format; json has all forms
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: AnswerFormat,
}

/// Compares the URLs.
pub(crate) fn run(args: &DiffArgs) -> Result<Exit, Failure> {
    if args.hosts {
        return compare_hosts(args);
    }
    if args.all && args.format == AnswerFormat::Json {
        return Err(Failure::usage("--all needs --format text, because --format json has all forms"));
    }
    let [a, b] = &args.urls[..] else {
        return Err(Failure::usage("expected two URLs, or --hosts with any number of URLs"));
    };
    let (Some(a), Some(b)) = (a.to_str(), b.to_str()) else {
        return Err(Failure::usage("a URL is not UTF-8"));
    };
    let form = match &args.no_vary_search {
        Some(field) => {
            let syntax = match args.browser_syntax {
                true => NoVarySearchSyntax::Browsers,
                false => NoVarySearchSyntax::Ietf,
            };
            if !NoVarySearch::is_valid(field, syntax) {
                note_invalid(field);
            }
            NoVarySearch::parse_as(field, syntax).to_form()
        }
        None => args.lists.form(&args.form)?,
    };
    let [a, b] = urls([a, b]);
    let diff = UrlDiff::new(&a, &b, &form, SuffixList::compiled());
    let shown = match args.format {
        AnswerFormat::Json => json::line(&diff),
        AnswerFormat::Text => color::for_stdout(to_text(&diff, args.all)),
    };
    let mut out = Output::stdout()?;
    out.write(shown.as_bytes())?;
    out.flush()?;
    // Printed on standard error as well, as for rejected lines.
    for (text, fact) in [(&diff.a, &diff.verdict.a), (&diff.b, &diff.verdict.b)] {
        if let Fact::Rejected(rejection) = fact {
            message::print(&format!("{}: {}", escaped(text), rejection_text(rejection)));
        }
    }
    Ok(match diff.verdict.same {
        Some(true) => Exit::Done,
        Some(false) => Exit::Nothing,
        // URLs are neither equal nor different if one of them lacks a form.
        None => Exit::Rejected,
    })
}

/// Prints the consequence of an invalid field, and a possible cause.
fn note_invalid(field: &str) {
    let advice = match field.split_once(':') {
        Some((name, _)) if name.trim().eq_ignore_ascii_case("no-vary-search") => ": give only its value",
        _ if NoVarySearch::is_valid(field, NoVarySearchSyntax::Browsers) => ": --browser-syntax reads it",
        _ => "",
    };
    message::print(&format!(
        "note: the No-Vary-Search field is invalid, so queries are compared as text{advice}"
    ));
}

fn to_text(diff: &UrlDiff, has_forms: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    let width =
        diff.parts.iter().map(|pair| shown_part(pair.a.as_deref()).chars().count()).max().unwrap_or(0);
    lines.extend(diff.parts.iter().map(|pair| part_line(pair, width)));
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.push(verdict_line(diff));
    if !diff.joined_by.is_empty() {
        lines.push(format!("    joined by {}", diff.joined_by.join(" ")));
    }
    lines.extend(diff.verdict.decided_by.iter().map(explain::rule_line));
    let groups: &[_] = if has_forms { &[&diff.identifiers, &diff.forms] } else { &[&diff.identifiers] };
    let names = groups.iter().flat_map(|group| group.iter());
    let width = names.map(|comparison| comparison.name.len()).max().unwrap_or(0);
    for group in groups {
        lines.push(String::new());
        lines.extend(group.iter().map(|comparison| line(comparison, width)));
    }
    lines.join("\n") + "\n"
}

/// The sign marks the differences, so that they are visible without colour.
fn part_line(pair: &PartPair, width: usize) -> String {
    let (a, b) = (shown_part(pair.a.as_deref()), shown_part(pair.b.as_deref()));
    let padding = " ".repeat(width.saturating_sub(a.chars().count()));
    if pair.same {
        format!("  {:<9} {}", pair.part, a)
    } else {
        format!("{} {:<9} {}{padding}  {}", paint(YELLOW, "≠"), pair.part, paint(BOLD, &a), paint(BOLD, &b))
            .trim_end()
            .to_owned()
    }
}

/// An absent part is shown as a hyphen, an empty one as two quotes.
fn shown_part(part: Option<&str>) -> String {
    match part {
        None => "-".to_owned(),
        Some("") => "\"\"".to_owned(),
        Some(text) => escaped(text),
    }
}

fn verdict_line(diff: &UrlDiff) -> String {
    let verdict = &diff.verdict;
    let answer = match verdict.same {
        Some(true) => paint(GREEN, &format!("same under {}", verdict.name)),
        Some(false) => paint(RED, &format!("different under {}", verdict.name)),
        None => paint(RED, &format!("not comparable under {}", verdict.name)),
    };
    match reasons(verdict) {
        reasons if reasons.is_empty() => answer,
        reasons => format!("{answer}: {reasons}"),
    }
}

fn line(comparison: &Comparison, width: usize) -> String {
    // The longest answer has nine letters.
    let answer = match comparison.same {
        Some(true) => paint(GREEN, "same     "),
        Some(false) => paint(RED, "different"),
        None => paint(RED, "rejected  "),
    };
    let reasons = paint(ASIDE, &reasons(comparison));
    format!("  {:<width$}  {answer}  {reasons}", comparison.name).trim_end().to_owned()
}

fn reasons(comparison: &Comparison) -> String {
    let rejected = [("first", &comparison.a), ("second", &comparison.b)].into_iter().find_map(
        |(which, fact)| match fact {
            Fact::Rejected(rejection) => Some(format!("{which}: {}", rejection_text(rejection))),
            Fact::Text(_) => None,
        },
    );
    let ignores = match comparison.ignores.join(", ") {
        names if names.is_empty() => None,
        names => Some(format!("ignores {names}")),
    };
    let differs = Some(comparison.differs.join(", ")).filter(|names| !names.is_empty());
    [rejected, differs, ignores].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn compare_hosts(args: &DiffArgs) -> Result<Exit, Failure> {
    let inputs = InputOptions {
        sources: Sources::from_arguments(&args.urls, BareArgument::Text, false, &[])?,
        columns: None,
        rules: &args.rules,
        archives: None,
        url_lines: None,
        may_lack_scheme: false,
        are_urls: true,
        have_secrets: false,
        is_prose: false,
        log_base: None,
        opened: Vec::new(),
        invalid: Invalid::default(),
    };
    let format = match args.format {
        AnswerFormat::Text => Format::Text,
        AnswerFormat::Json => Format::Ndjson,
    };
    let differ = AtomicBool::new(false);
    let make = || Box::new(Hosts { differ: &differ }) as _;
    let exit = table::print_rows(LineRun::begin(inputs, FilesInUse::default(), None)?, format, "url", &make)?;
    // The workers have ended by now, so relaxed stores are enough.
    Ok(exit.max(if differ.into_inner() { Exit::Nothing } else { Exit::Done }))
}

/// The texts of the host that the URL Standard reads, in addition to the hosts of all readers.
const HOST_TEXTS: [HostText; 2] = [HostText::Unicode, HostText::Scripts];

/// Makes the columns of the hosts that readers see.
struct Hosts<'a> {
    /// Whether the readers disagree about any of the texts.
    differ: &'a AtomicBool,
}

impl Values for Hosts<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        let agree = ValueColumn { holds: Holds::Json, ..ValueColumn::text("hosts_agree") };
        let readers = HostReader::ALL.map(|reader| ValueColumn::text(reader.name()));
        let texts = HOST_TEXTS.map(|text| ValueColumn::text(text.name()));
        [agree].into_iter().chain(readers).chain(texts).collect()
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let hosts = HostReader::ALL.map(|reader| reader.host(text));
        let agree = HostReader::agree(hosts.iter().map(Option::as_deref));
        if !agree {
            self.differ.store(true, Ordering::Relaxed);
        }
        cells.push(Some(if agree { "true" } else { "false" }));
        hosts.iter().for_each(|host| cells.push(host.as_deref()));
        HOST_TEXTS.iter().for_each(|host| cells.push(host.of(text).ok().flatten().as_deref()));
        None
    }
}
