//! `urlid match`: finds the URLs of hashed URIs.

use std::path::{Path, PathBuf};

use clap::Args;
use urlid::hashed_uri::{HashedUri, Hasher, Variant};
use urlid_io::lines::{Input, LineOptions};
use urlid_lists::{HiddenList, Intake, ListMatcher, Rules, Scratch};

use crate::escape::Escaped;
use crate::exit::{Exit, Failure};
use crate::hashed::{self, check_base};
use crate::input::UrlInputs;
use crate::key::KeyArg;
use crate::progress::Progress;
use crate::refusals::{OnRefused, Place, Refusal, Refusals};
use crate::session::Session;

/// Print the URLs that match a hashed URI, or any of the hashed URIs in a file
///
/// A hashed URI does not record the variant it was made with, so the variant is an option. Exits with 0 if any URL
/// is selected and with 1 if none is, like grep.
///
/// Example: urlid match 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481' http://www.thus.net
///
/// Example: urlid match --uris hashed.txt crawl.txt.zst
#[derive(Debug, Args)]
#[command(
    override_usage = "urlid match [OPTIONS] <HASHED> [URL|FILE]...\n       urlid match [OPTIONS] --uris <FILE> [URL|FILE]..."
)]
pub(crate) struct MatchArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// Read the hashed URIs from this file, one per line; all arguments are then URLs. Lines that begin with # are
    /// comments; `-` is standard input
    #[arg(long, value_name = "FILE")]
    uris: Option<PathBuf>,

    /// Select the URLs that do not match
    #[arg(short = 'v', long)]
    invert: bool,

    /// Print only how many URLs are selected
    #[arg(short, long)]
    count: bool,

    /// The variant that the hashed URIs were made with
    #[arg(long, default_value = "n", value_name = "VARIANT", value_parser = hashed::variant())]
    variant: Variant,

    /// The absolute URI that relative references are resolved against
    #[arg(long, value_name = "URI")]
    base: Option<String>,

    #[command(flatten)]
    key: KeyArg,
}

/// Matches.
pub(crate) fn run(args: &MatchArgs) -> Result<Exit, Failure> {
    let (hashed, urls, exit) = match &args.uris {
        Some(path) => {
            let input = args.urls.sources.open_beside(path, "the hashed URIs")?;
            let (hashed, exit) = read_uris(path, input)?;
            (hashed, args.urls.clone(), exit)
        }
        None => {
            let first = args.urls.split_first();
            let (first, urls) =
                first.ok_or_else(|| Failure::usage("expected a hashed URI, or --uris and a file"))?;
            let hashed: HashedUri = first
                .to_string_lossy()
                .parse()
                .map_err(|error: urlid::Error| Failure::of(Exit::Usage, &error))?;
            check_algorithm(&hashed).map_err(|error| Failure::of(Exit::Usage, &error))?;
            (vec![hashed], urls, Exit::Done)
        }
    };
    let key = args.key.read()?;
    let rules = Rules { variant: args.variant, intake: Intake::Rfc3986, ..Rules::default() };
    let list = HiddenList::from_hashed_uris(hashed, rules, key.as_ref());
    let list = list.map_err(|error| Failure::of(Exit::Usage, &error))?;
    let matcher = ListMatcher::new(&list, key.as_ref()).map_err(|error| Failure::of(Exit::Usage, &error))?;
    let mut scratch = Scratch::default();
    check_base(args.base.as_deref(), |text, base| matcher.find(&mut scratch, text, base).map(drop))?;

    let others: Vec<&Path> = [args.uris.as_deref(), args.key.path()].into_iter().flatten().collect();
    let mut session = Session::begin(&urls, &others)?;
    let mut selected = 0_u64;
    session.each_text(|out, text| {
        let is_match = matcher.find(&mut scratch, text, args.base.as_deref())?.is_some();
        if is_match != args.invert {
            selected += 1;
            if !args.count {
                match out.is_terminal() {
                    true => out.line(&Escaped(text.as_bytes()).to_string())?,
                    false => out.line(text)?,
                }
            }
        }
        Ok(())
    })?;
    if args.count {
        session.out.line(&selected.to_string())?;
    }
    session.finish(exit.max(if selected > 0 { Exit::Done } else { Exit::Nothing }))
}

/// Reads hashed URIs, one on each line. Lines that are none, or whose algorithm cannot be computed, are refused and
/// reported.
fn read_uris(path: &Path, input: Input) -> Result<(Vec<HashedUri>, Exit), Failure> {
    let mut refusals = Refusals::new(OnRefused::Fail, None, &[], Progress::hidden())?;
    let mut lines = input.lines(LineOptions::default());
    let mut uris = Vec::new();
    while let Some(line) = lines.next_line().map_err(|error| Failure::of_file(path, &error))? {
        // The rules of a list are in its header, which the options of this command do not repeat.
        if line.number == 1 && line.bytes.starts_with(b"# urlid-list:") {
            let message =
                format!("{}: ERR_LIST_HEADER: expected hashed URIs alone, found a list", Escaped::path(path));
            return Err(Failure::failed(message).with_hint("`urlid list check` reads lists"));
        }
        let place = Place::in_file(path, line.number);
        match line.text.map_err(Refusal::from).and_then(read_uri) {
            Ok(uri) => uris.extend(uri),
            Err(refusal) => refusals.refuse(place, line.bytes, &refusal)?,
        }
    }
    Ok((uris, refusals.finish()?))
}

/// Reads a hashed URI that can be matched; a blank line and a comment are none.
fn read_uri(text: &str) -> Result<Option<HashedUri>, Refusal> {
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let uri = HashedUri::parse(text)?;
    check_algorithm(&uri)?;
    Ok(Some(uri))
}

/// Checks that the library computes the algorithm; whether there is a key is checked for all hashed URIs at once.
fn check_algorithm(uri: &HashedUri) -> Result<(), urlid::Error> {
    match uri.is_known() {
        true => Ok(()),
        false => Hasher::new(uri.algorithm(), None).map(drop),
    }
}
