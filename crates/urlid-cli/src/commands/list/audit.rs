//! `urlid list audit`: the entries of a list that an adversary can learn.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid_lists::{Audit, Findings, HiddenList, Scratch, seconds_for_names};

use super::matcher::MatcherArgs;
use super::open;
use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::hashed::check_base;
use crate::input::UrlInputs;
use crate::message;
use crate::output::Output;
use crate::session::Session;

/// Show what an adversary can learn from a list: the entries revealed by a dictionary of URLs, and the cost of
/// guessing
///
/// Prints each revealed entry with its URL in canonical form, then a summary. Exits with 1 if anything is
/// revealed.
///
/// Example: urlid list audit bad.list well-known-urls.txt.zst
///
/// Example: urlid list audit --domains bad.list -f domains.txt
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The list, in either form
    #[arg(value_name = "LIST")]
    list: PathBuf,

    #[command(flatten)]
    urls: UrlInputs,

    /// Read domains instead of URLs: try the home page of each, by http and https, with and without www
    #[arg(long, conflicts_with = "base")]
    domains: bool,

    /// The number of digests that the adversary computes per second
    #[arg(long, value_name = "DIGESTS", default_value_t = 1e10, value_parser = parse_rate)]
    rate: f64,

    /// Print only the summary
    #[arg(long)]
    summary: bool,

    /// The absolute URI that relative references are resolved against
    #[arg(long, value_name = "URI")]
    base: Option<String>,

    #[command(flatten)]
    matcher: MatcherArgs,
}

/// Audits.
pub(crate) fn run(args: &AuditArgs, globals: &Globals) -> Result<Exit, Failure> {
    let (list, exit) = open::list_beside(&args.list, &args.urls.sources)?;
    if let (Some(id), None) = (list.header().key_id(), args.matcher.key.path()) {
        let mut out = Output::stdout()?;
        out.line(&format!("{} entries, keyed: without key {id} no guess can be tested", list.len()))?;
        out.flush()?;
        return Ok(exit);
    }
    let matcher = args.matcher.matcher(&args.list, &list, globals)?;
    let mut scratch = Scratch::default();
    check_base(args.base.as_deref(), |text, base| matcher.find(&mut scratch, text, base).map(drop))?;
    let mut audit = Audit::new(&matcher);

    let others = [Some(args.list.as_path()), args.matcher.key.path(), globals.psl.path()];
    let others: Vec<&Path> = others.into_iter().flatten().collect();
    let mut session = Session::begin(&args.urls, &others, None)?;
    session.each_text(|_, text| match args.domains {
        true => Ok(audit.guess_domain(text)?),
        false => Ok(audit.guess(text, args.base.as_deref())?),
    })?;

    if !args.summary {
        for (entry, canonical) in audit.revealed() {
            session.out.line(&format!("{entry}\t{canonical}"))?;
        }
    }
    let findings = audit.findings();
    summary(&findings, &list, args.rate).iter().try_for_each(|line| session.out.line(line))?;
    session.finish(exit.max(if findings.revealed > 0 { Exit::Nothing } else { Exit::Done }))
}

/// The numbers, in words.
fn summary(findings: &Findings, list: &HiddenList, rate: f64) -> Vec<String> {
    let Findings { entries, not_checkable, candidates, digests, revealed, home_pages } = *findings;
    let share = if entries == 0 { 0.0 } else { revealed as f64 / entries as f64 * 100.0 };
    let forms = 4.0 * list.header().algorithms().len() as f64;
    let mut lines = vec![
        format!(
            "{revealed} of {entries} entries revealed ({share:.1} %), {home_pages} of them home pages like http://www.domain/"
        ),
        format!(
            "{} tried, {}: {} at {rate:e} digests a second",
            message::count(candidates, "URL"),
            message::count(digests, "digest"),
            duration(findings.seconds(rate))
        ),
    ];
    if not_checkable > 0 {
        lines.push(format!("{} by unknown algorithms not tried", message::count(not_checkable, "entry")));
    }
    lines.push("all home pages under one public suffix, with and without https and www:".to_owned());
    lines.extend([6, 8, 10, 12].map(|characters| {
        let seconds = seconds_for_names(characters, forms, rate);
        format!("  names of up to {characters} characters: {}", duration(seconds))
    }));
    lines
}

/// Writes a duration in the unit that fits it.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(86_400.0 * 365.25, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    match UNITS.iter().find(|(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, name)) => format!("{:.0} {name}", seconds / unit),
        None if seconds >= 0.1 => format!("{seconds:.1} seconds"),
        None => "less than 0.1 seconds".to_owned(),
    }
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate: Option<f64> = text.parse().ok();
    rate.filter(|rate| rate.is_finite() && *rate >= 1.0)
        .ok_or_else(|| "expected a number of 1 or more".to_owned())
}
