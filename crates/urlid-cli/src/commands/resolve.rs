//! `urlid resolve`: references against a base.

use clap::{Args, ValueEnum};
use urlid::generic::{self, Mode};
use urlid::web::Url;

use crate::exit::{Exit, Failure};
use crate::input::TextInputs;
use crate::refusals::Refusal;
use crate::table::{self, FormatArg, Work};

/// Resolve references against a base URL
///
/// For example: urlid resolve http://a/b/c/d;p?q ../g
#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// The base, an absolute URL
    base: String,

    #[command(flatten)]
    references: TextInputs,

    /// The rules
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    mode: ModeArg,

    #[command(flatten)]
    format: FormatArg,
}

/// Which rules resolve a reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// The WHATWG URL standard, as browsers do; the result is in its normal form
    #[default]
    Web,
    /// RFC 3986, strict
    Strict,
    /// RFC 3986 for backward compatibility: the base's own scheme is ignored in a reference
    Nonstrict,
    /// RFC 2396
    Rfc2396,
}

/// Prints the resolved URL of each reference.
pub(crate) fn run(args: &ResolveArgs) -> Result<Exit, Failure> {
    let resolver = match args.mode {
        ModeArg::Web => match Url::parse(&args.base) {
            Ok(base) => Resolver::Web(Box::new(base)),
            Err(error) => return Err(bad_base(Refusal::of(&error))),
        },
        ModeArg::Strict => Resolver::Generic(&args.base, Mode::Strict),
        ModeArg::Nonstrict => Resolver::Generic(&args.base, Mode::Nonstrict),
        ModeArg::Rfc2396 => Resolver::Generic(&args.base, Mode::Rfc2396),
    };
    table::run(
        &args.references.sources()?,
        args.references.rules(),
        args.format.format,
        "reference",
        resolver,
    )
}

fn bad_base(refusal: Refusal) -> Failure {
    Failure::usage(format!("base: {}: {}", refusal.code, refusal.message))
}

enum Resolver<'a> {
    Web(Box<Url>),
    Generic(&'a str, Mode),
}

impl Work for Resolver<'_> {
    fn columns(&self) -> Vec<String> {
        vec!["url".to_owned()]
    }

    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal> {
        let resolved = match self {
            Resolver::Web(base) => base.join(text).map(Url::into_string).map_err(|error| Refusal::of(&error)),
            Resolver::Generic(base, mode) => {
                generic::resolve(base, text, *mode).map_err(|error| Refusal::of(&error))
            }
        };
        table::push(resolved, values)
    }
}
