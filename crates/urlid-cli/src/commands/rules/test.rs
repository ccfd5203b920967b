//! `urlid rules test`: the effect of rules, or of any form, on the URLs of a crawl.

use std::path::PathBuf;

use clap::Args;
use urlid_canonical::{Form, FormStep, Profile, Rules};
use urlid_learn::{Counts, Judge, JudgeReport, RuleReport};

use super::answer::{DeclaredField, Examples, Host, RuleResult, TestAnswer, Unjudged, read, summary};
use super::page;
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::commands::captures::CaptureInputs;
use crate::input::line_run::LineRun;
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::json;
use crate::output::rows::AnswerFormat;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Test rules, or any canonical form, on a crawl: which URLs become one, and did they have the same content?
///
/// Simulates a crawler that skips each URL whose form it has already seen, in the order of time, and compares
/// its skips with the captures. Precision is the share of skips that were right. Recall is the share of the
/// duplicate pages that were skipped. Lost is the number of contents without a remaining URL. For WARC files,
/// also prints the hosts that declare No-Vary-Search, and the captures that contradict it.
///
/// A host is left out if its contents cannot be compared. This is so if most of its URLs that were captured
/// twice had different digests, or if the digests are of payloads and none of its URLs was captured twice.
///
/// Exits with 1 if the precision is less than --min-precision, and with 3 if no host could be judged.
///
/// Example: urlid rules test site.rules later.warc.gz --html report.html
///
/// Example: urlid rules test --as surt-0.3.1 --column url --content digest crawl.tsv
#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// The file of rules; with --as, the first input
    #[arg(value_name = "FILE")]
    first: PathBuf,

    #[command(flatten)]
    inputs: CaptureInputs,

    /// Test this canonical form instead of a file of rules
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    form: Option<FormName>,

    #[command(flatten)]
    lists: FormLists,

    /// Exit with 1 if the precision is less than this number from 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    min_precision: Option<f64>,

    /// Also write the result as a web page: one file without scripts that loads no other files
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Show or mask values in examples that may be secrets of visitors
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    examples: Examples,

    /// Print the answer in this format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: AnswerFormat,
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Tests the rules.
pub(super) fn run(args: &TestArgs) -> Result<Exit, Failure> {
    let (form, rules) = form_and_rules(args)?;
    let first = args.form.is_some().then_some(args.first.as_path());
    let mut others = args.lists.paths();
    if first.is_none() {
        others.push(&args.first);
    }
    let mut files = FilesInUse::reading(others);
    files.write("--html", args.html.as_deref())?;
    let mut run = LineRun::begin(args.inputs.inputs(first)?, files, None)?;
    // Opened first, so that a path that cannot be written is reported before hours of reading.
    let html = Output::open(args.html.as_deref())?;
    let mut report = JudgeReport::default();
    args.inputs.each_domain(
        &mut run,
        true,
        &|lines| {
            let shows_values = args.examples.are_full();
            Judge { keys: form.canonicalizer(), rules: rules.as_ref(), shows_values }.judge(&lines.captures())
        },
        &mut |more| {
            report.add(more);
            Ok(())
        },
    )?;
    let writes_page = args.html.as_deref().is_some_and(|path| !run.keeps(path));
    let exit = run.finish(Exit::Done)?;
    let answer = answer(&form, rules.as_ref(), report);
    if writes_page {
        let mut html = html;
        html.write(page::of(&answer).as_bytes())?;
        html.publish()?;
    }
    let mut out = Output::stdout()?;
    match args.format {
        AnswerFormat::Json => out.write(json::line(&answer).as_bytes())?,
        AnswerFormat::Text => lines(&answer).iter().try_for_each(|line| out.line(line))?,
    }
    out.flush()?;
    let judged = match (answer.numbers.precision, args.min_precision) {
        // Without any judgement, the check has neither passed nor failed.
        (None, _) => Exit::Rejected,
        (Some(precision), Some(least)) if precision < least => Exit::Nothing,
        _ => Exit::Done,
    };
    Ok(exit.max(judged))
}

fn form_and_rules(args: &TestArgs) -> Result<(Form, Option<Rules>), Failure> {
    if let Some(name) = &args.form {
        return Ok((args.lists.form(name)?, None));
    }
    // A file of rules lacks a form that could use a list, so giving a list is an error.
    args.lists.optional_form(None)?;
    let rules = read(&args.first)?;
    let form = Form::new(Profile::named("web")?, vec![FormStep::Rules(rules.clone())])?;
    Ok((form, Some(rules)))
}

fn answer(form: &Form, rules: Option<&Rules>, report: JudgeReport) -> TestAnswer {
    let total = report.total();
    let host = |(host, counts): (String, Counts)| Host { host, numbers: counts.into() };
    let mut found = report.rules;
    let row = |(place, rule): (usize, urlid_canonical::SiteRule<'_>)| {
        let RuleReport { judged, wrong, examples, counters } = found.remove(&place).unwrap_or_default();
        RuleResult {
            line: rule.line,
            rule: rule.to_string(),
            judged,
            wrong,
            examples,
            counterexamples: counters,
        }
    };
    let mut rows: Vec<RuleResult> = rules.into_iter().flat_map(Rules::rules).enumerate().map(row).collect();
    // Rules with counter-examples come first, followed by the rules with the most effect.
    rows.sort_by_key(|row| (std::cmp::Reverse((row.wrong, row.judged)), row.line));
    TestAnswer {
        form: form.to_string(),
        numbers: total.into(),
        rules: rows,
        counterexamples: report.counters,
        no_vary_search: report.declared.into_iter().map(DeclaredField::from).collect(),
        hosts: report.hosts.into_iter().map(host).collect(),
        unjudged_hosts: report.unjudged.into_iter().map(|(host, urls)| Unjudged { host, urls }).collect(),
    }
}

fn lines(answer: &TestAnswer) -> Vec<String> {
    let mut lines = vec![answer.form.clone(), summary(&answer.numbers)];
    if !answer.unjudged_hosts.is_empty() {
        let urls = answer.unjudged_hosts.iter().map(|host| host.urls).sum();
        let hosts = message::count(answer.unjudged_hosts.len() as u64, "host");
        lines.push(format!("not judged by this digest: {hosts} with {}", message::count(urls, "URL")));
    }
    let escaped = |text: &str| Escaped(text.as_bytes()).to_string();
    for row in answer.rules.iter().filter(|row| row.judged > 0) {
        lines.push(format!("{:>8} {:>6}  {}", row.judged, row.wrong, escaped(&row.rule)));
        for (kept, skipped) in &row.counterexamples {
            lines.push(format!("{:17}{} != {}", "", escaped(kept), escaped(skipped)));
        }
    }
    let unused = answer.rules.iter().filter(|row| row.judged == 0).count();
    if unused > 0 {
        lines.push(format!("{} joined nothing that was judged", message::count(unused as u64, "rule")));
    }
    for (kept, skipped) in &answer.counterexamples {
        lines.push(format!("{:17}{} != {}", "", escaped(kept), escaped(skipped)));
    }
    for declared in &answer.no_vary_search {
        let field = format!("No-Vary-Search: {}", declared.field);
        lines.push(format!("{} declares {}: {}", declared.host, escaped(&field), declared.verdict()));
        for (one, other) in &declared.counterexamples {
            lines.push(format!("{:17}{} != {}", "", escaped(one), escaped(other)));
        }
    }
    lines
}
