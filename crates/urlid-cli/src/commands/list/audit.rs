//! `urlid list audit`: the entries of a list that an adversary can learn.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid_lists::{Anonymity, Audit, Findings, ListMatcher, Scratch, seconds_for_names};

use super::open;
use super::shards::ShardFolder;
use super::trust::TrustArgs;
use crate::args::hashed::{KeyArg, check_base};
use crate::input::UrlInputs;
use crate::input::columns::ProseArg;
use crate::input::line_run::LineRun;
use crate::output::Output;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Show what an adversary can learn from a list: the entries revealed by a dictionary of URLs, and the cost of
/// guessing
///
/// Prints each revealed entry with its URL in canonical form, then a summary. Exits with 1 if an entry is
/// revealed.
///
/// With --shards the list is a folder of shards, and the URLs are those that readers look up. The anonymity set
/// of a URL is all given URLs that ask for the same shards, which an observer of the requests cannot tell
/// apart. Prints the smallest and the median size.
///
/// Example: urlid list audit bad.list well-known-urls.txt.zst
///
/// Example: urlid list audit --domains bad.list -f domains.txt
///
/// Example: urlid list audit --shards shards visited.txt
#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// The list, as text or compiled
    #[arg(value_name = "LIST", required_unless_present = "shards")]
    pub(super) list: Option<PathBuf>,

    /// Print the smallest and the median anonymity set of the URLs in the shards in this folder
    ///
    /// All arguments are then URLs.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["domains", "summary", "rate"])]
    shards: Option<PathBuf>,

    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    input_format: ProseArg,

    /// Read domains instead of URLs, also from lines such as `7,example.com`
    ///
    /// The home page of each domain is tried, by http and https, with and without www.
    #[arg(long, conflicts_with_all = ["base", "assume", "refang"])]
    domains: bool,

    /// Assume that the adversary computes this many digests per second
    #[arg(long, value_name = "DIGESTS", default_value_t = 1e10, value_parser = parse_rate)]
    rate: f64,

    /// Print only the summary
    #[arg(long)]
    summary: bool,

    /// Resolve relative references against this absolute URI
    #[arg(long, value_name = "URI")]
    base: Option<String>,

    #[command(flatten)]
    key: KeyArg,
}

/// Audits.
pub(crate) fn run(args: &AuditArgs) -> Result<Exit, Failure> {
    if let Some(folder) = &args.shards {
        return audit_shards(args, folder);
    }
    // The list is required unless shards are given.
    let path = args.list.as_deref().unwrap_or_else(|| Path::new(""));
    let (list, exit) = open::list_beside(path, &args.urls.sources)?;
    if let (Some(id), None) = (list.header().key_id(), args.key.path()) {
        let mut out = Output::stdout()?;
        out.line(&format!(
            "{}, keyed: guesses cannot be tested without key {id}",
            message::count(list.len(), "entry")
        ))?;
        out.flush()?;
        return Ok(exit);
    }
    let matcher = open::matcher(path, &list, &args.key)?;
    let mut scratch = Scratch::default();
    check_base(args.base.as_deref(), |text, base| matcher.find(&mut scratch, text, base).map(drop))?;
    // The base was tried first, because a wrong one would reject each relative guess and make the list look
    // safe.
    let mut audit = Audit::new(&matcher);

    let files = FilesInUse::reading([path].into_iter().chain(args.key.path()));
    let mut run = LineRun::begin(args.urls.lines()?.of_prose(args.input_format.is_prose()), files, None)?;
    if args.domains {
        run.expect_no_urls();
    }
    run.each_text(&mut |_, text| match args.domains {
        true => Ok(audit.guess_domain(text)?),
        false => Ok(audit.guess(text, args.base.as_deref())?),
    })?;

    if !args.summary {
        for (entry, canonical) in audit.revealed() {
            run.out.line(&format!("{entry}\t{canonical}"))?;
        }
    }
    let findings = audit.findings();
    summary(&findings, &matcher, args.rate).iter().try_for_each(|line| run.out.line(line))?;
    run.finish(exit.max(if findings.revealed > 0 { Exit::Nothing } else { Exit::Done }))
}

/// Counts the size of the anonymity set of each URL.
fn audit_shards(args: &AuditArgs, folder: &Path) -> Result<Exit, Failure> {
    let mut urls = args.urls.clone();
    // The first argument was read as the list, but with --shards it is a URL.
    args.list.iter().for_each(|url| urls.sources.put_first(url.clone().into_os_string()));
    let key = args.key.read()?;
    let shards = ShardFolder::open(folder, key.as_ref(), &TrustArgs::default())?;
    let (mut scratch, mut anonymity) = (Scratch::default(), Anonymity::default());
    let files = FilesInUse::reading([folder].into_iter().chain(args.key.path()));
    let mut run = LineRun::begin(urls.lines()?.of_prose(args.input_format.is_prose()), files, None)?;
    run.each_text(&mut |_, text| {
        let asked = shards.matcher.asks(&mut scratch, text, args.base.as_deref())?;
        anonymity.add(text, asked);
        Ok(())
    })?;
    let header = shards.matcher.index().header();
    let count = 1_u64 << shards.matcher.index().bits();
    let lines = [
        format!(
            "{} in {}, {} of them in the index, which every reader has",
            message::count(header.count(), "entry"),
            message::count(count, "shard"),
            shards.matcher.index().entries()
        ),
        format!(
            "{} asked for {} of shards, of at most {}",
            message::count(anonymity.candidates(), "different URL"),
            message::count(anonymity.sets(), "different set"),
            message::count(anonymity.most_asked() as u64, "shard")
        ),
        format!(
            "a URL hides among {} of these at worst, half of them among {} or more",
            anonymity.smallest(),
            anonymity.median()
        ),
        format!("a digest that is not listed matches: {}", shards.matcher.certainty()),
    ];
    lines.iter().try_for_each(|line| run.out.line(line))?;
    run.finish(Exit::Done)
}

/// The numbers, in words.
fn summary(findings: &Findings, matcher: &ListMatcher, rate: f64) -> Vec<String> {
    let list = matcher.list();
    let Findings { entries, not_checkable, candidates, digests, revealed, home_pages } = *findings;
    let share = if entries == 0 { 0.0 } else { revealed as f64 / entries as f64 * 100.0 };
    // By http and https, with and without www, and each of these by every algorithm.
    let forms = 4.0 * list.header().algorithms().len() as f64;
    let mut lines = vec![
        format!(
            "{revealed} of {} revealed ({share:.1} %), {home_pages} of them home pages like http://www.domain/",
            message::count(entries, "entry")
        ),
        format!(
            "{} tried, {}: {} at {rate:e} digests a second",
            message::count(candidates, "URL"),
            message::count(digests, "digest"),
            duration(findings.seconds(rate))
        ),
    ];
    if not_checkable > 0 {
        lines
            .push(format!("{} by unknown algorithms were not tried", message::count(not_checkable, "entry")));
    }
    if !list.is_whole() {
        lines.push(format!(
            "a digest that is not listed matches: {}; a URL, at most: {:.1e}",
            list.certainty(),
            matcher.most_chance()
        ));
        let by_chance = digests as f64 * list.certainty().chance();
        lines.push(format!("of the digests tried, {by_chance:.1} match by chance"));
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
