//! `urlid canon expressions`: the texts that Safe Browsing looks up for a URL.

use clap::{Args, ValueEnum};
use urlid::hex;
use urlid_canonical::{HostSuffixes, expressions};

use crate::args::Globals;
use crate::input::columns::ProseArg;
use crate::input::line_run::LineRun;
use crate::input::{InputOptions, UrlInputs};
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};

/// Print the expressions of Safe Browsing for each URL: host suffixes and path prefixes, with their hashes
///
/// A URL has at most 7 × 6 expressions in version 4, and 5 × 6 in version 5. A row has an expression, its hash
/// prefix of four bytes as lists hold it, and its SHA-256.
///
/// Example: urlid canon expressions 'http://a.b.com/1/2.html?param=1'
#[derive(Debug, Args)]
pub(super) struct ExpressionsArgs {
    #[command(flatten)]
    urls: UrlInputs,

    #[command(flatten)]
    input_format: ProseArg,

    /// Use this version of the Safe Browsing protocol
    #[arg(long = "protocol", value_enum, default_value_t, value_name = "VERSION")]
    version: Version,

    #[command(flatten)]
    format: FormatArg,
}

impl ExpressionsArgs {
    /// Returns whether the command splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        self.version == Version::V5
    }
}

/// A version of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Version {
    /// Suffixes of the last seven labels of the host, like Google's client webrisk
    #[default]
    V4,
    /// The registrable domain by the public suffix list, with up to three more labels
    V5,
}

/// Prints the expressions of each URL.
pub(super) fn run(args: &ExpressionsArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let mut run = LineRun::begin(
        InputOptions { may_lack_scheme: true, ..args.urls.lines()?.of_prose(args.input_format.is_prose()) },
        FilesInUse::reading(globals.psl.path()),
        None,
    )?;
    let columns = [
        ("url", Shown::NotInText),
        ("expression", Shown::Always),
        ("prefix", Shown::Always),
        ("hash", Shown::Always),
    ];
    let columns = columns.map(|(name, shown)| Column { name, shown });
    let mut rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
    let suffixes = match args.version {
        Version::V4 => HostSuffixes::LastSevenLabels,
        Version::V5 => HostSuffixes::FromDomain(&list),
    };
    run.each_text(&mut |out, url| {
        for expression in expressions(url, suffixes)? {
            let hash = hex::encode(&expression.hash());
            let values = [url, expression.as_str(), &hash[..8], &hash].map(Value::Text);
            rows.write(out, &values)?;
        }
        Ok(())
    })?;
    run.finish(Exit::Done)
}
