//! `urlid list make`: a list of URLs.

use clap::{Args, ValueEnum};
use urlid::Coded;
use urlid::hashed_uri::{Algorithm, AlgorithmError};
use urlid::list::{Builder, Date, Ladder, Rules};

use super::open::KeyArg;
use super::uris;
use crate::args::Globals;
use crate::commands::id::kinds::{KeepArg, VariantArg};
use crate::exit::{Exit, Failure};
use crate::input::UrlInputs;
use crate::message;
use crate::output::Output;

/// Make a hidden list of URLs: a header, and a hashed URI on each line
///
/// Equal URLs give equal bytes, in whatever order they come. For example:
/// urlid list make --ladder --alg sha1,x-sha256 bad-urls.txt > bad.list
#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// The canonicalisation of URLs
    #[arg(long, value_enum, default_value_t, value_name = "VARIANT")]
    variant: VariantArg,

    /// The algorithms, an entry by each; a list with commas [default: sha1, or x-hmac-sha256 with --key]
    #[arg(long, value_delimiter = ',', value_name = "ALGORITHM", value_parser = parse_algorithm)]
    alg: Vec<Algorithm>,

    /// What of a URL is hashed beside the rest, where it is there; a list with commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PARTS")]
    keep: Vec<KeepArg>,

    /// Match also what is below an entry: a URL below its directory, or below its host too
    #[arg(long, value_enum, value_name = "LADDER", num_args = 0..=1, require_equals = true, default_missing_value = "path")]
    ladder: Option<LadderArg>,

    /// The absolute URI that relative ones are resolved against
    #[arg(long, value_name = "URI")]
    base: Option<String>,

    #[command(flatten)]
    key: KeyArg,

    /// The date to be written into the header, as 2026-01-31
    #[arg(long, value_name = "DATE")]
    date: Option<Date>,
}

/// What a list matches beside its own URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LadderArg {
    /// What is below an entry that ends with a slash
    Path,
    /// That, and the same on hosts below the entry's host
    Hosts,
}

/// Makes the list.
pub(crate) fn run(args: &MakeArgs, globals: &Globals) -> Result<Exit, Failure> {
    let rules = Rules {
        variant: args.variant.into(),
        keep: KeepArg::all(&args.keep),
        ladder: match args.ladder {
            None => Ladder::None,
            Some(LadderArg::Path) => Ladder::Path,
            Some(LadderArg::Hosts) => Ladder::Hosts,
        },
    };
    let key = args.key.read()?;
    let algorithms = match (args.alg.as_slice(), &key) {
        ([], None) => vec![Algorithm::Sha1],
        ([], Some(_)) => vec![Algorithm::XHmacSha256],
        (algorithms, _) => algorithms.to_vec(),
    };
    let builder = Builder::new(rules, &algorithms, key.as_ref())
        .map_err(|error| Failure::usage(format!("{}: {error}", error.code())))?;
    let builder = builder.with_suffixes(&*globals.psl.list()?);
    let mut builder = match args.date {
        Some(date) => builder.with_date(date),
        None => builder,
    };

    let (exit, refusals) = uris::each(&args.urls, |uri| builder.add(uri, args.base.as_deref()))?;
    let exit = exit.max(refusals.finish()?);

    let list = builder.finish();
    let mut out = Output::stdout()?;
    list.write_text(out.writer())?;
    out.flush()?;
    message::say(&format!("made a list of {} entries", list.len()));
    Ok(exit)
}

/// Reads the name of an algorithm; whether it can be computed depends on the key.
fn parse_algorithm(text: &str) -> Result<Algorithm, String> {
    text.parse().map_err(|error: AlgorithmError| error.to_string())
}
