//! `urlid learn`: rules of sites, learned from crawls.

use clap::Args;
use urlid_learn::{Domain, RuleBook, Wide};

use super::captures::CaptureInputs;
use crate::input::line_run::LineRun;
use crate::output::OutArg;
use crate::output::files::FilesInUse;
use crate::report::exit::{Exit, Failure};
use crate::report::message;

/// Learn which differences between the URLs of a site do not matter
///
/// Writes a file of rules for `--as web+rules --rules FILE`. Each rule has its evidence: the number of contents
/// that agree (n), the number of counter-examples (k) and two URLs. A rule needs seven contents that agree and
/// very few counter-examples, so a host needs some hundred captures. The same captures give the same file, in
/// any order. Exits with 1 if there is too little evidence for any rule.
///
/// Example: urlid learn crawl-*.warc.gz -o site.rules
///
/// Example: urlid learn --with tracking --column url --content digest crawl.tsv -o site.rules
#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    #[command(flatten)]
    inputs: CaptureInputs,

    /// Also drop these names on all hosts without evidence against them
    ///
    /// `tracking` is utm_source, utm_medium, utm_campaign, fbclid, gclid, _, ref and PHPSESSID.
    #[arg(long, value_enum, value_name = "NAMES")]
    with: Option<WithNames>,

    /// Also drop names that many sites agree about, on all hosts
    ///
    /// At least 20 registered domains must agree; each has one vote.
    #[arg(long)]
    everywhere: bool,

    #[command(flatten)]
    out: OutArg,
}

/// Names that are not learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum WithNames {
    /// Names of tracking parameters
    Tracking,
}

/// Learns the rules.
pub(crate) fn run(args: &LearnArgs) -> Result<Exit, Failure> {
    let wide = Wide { tracking: args.with == Some(WithNames::Tracking), everywhere: args.everywhere };
    let mut book = RuleBook::new(wide);
    let mut run = LineRun::begin(args.inputs.inputs(None)?, FilesInUse::default(), args.out.path())?;
    let names = book.wide_names();
    args.inputs.each_domain(
        &mut run,
        false,
        &|lines| Domain::learn(&lines.captures(), names),
        &mut |domain| {
            book.add(domain);
            Ok(())
        },
    )?;
    let (text, rules) = book.finish()?;
    run.out.write(text.as_bytes())?;
    let is_enough = book.joining() > 0;
    let exit = run.finish(if is_enough { Exit::Done } else { Exit::Nothing })?;
    let urls = message::count(book.urls, "URL");
    if is_enough {
        let count = message::count(book.joining() as u64, "rule");
        message::print(&format!("{}: {count} learned; of {urls}, {} are left", rules.name(), book.left));
    } else {
        let contents = message::count(book.contents, "content");
        message::print(&format!(
            "too little evidence for a rule in {urls} with {contents}: expected seven contents that agree about a difference"
        ));
    }
    if book.volatile * 2 > book.repeated && !book.has_text() {
        message::print(&format!(
            "{} of {} captured more than once had a different digest each time, so digests of payloads teach little here: the \
             visible text of WARC files teaches more",
            book.volatile,
            message::count(book.repeated, "URL")
        ));
    }
    Ok(exit)
}
