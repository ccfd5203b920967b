//! `urlid resolve`: references against a base.

use clap::{Args, ValueEnum};
use urlid::generic::{self, Mode};
use urlid::web::Url;

use crate::input::TextInputs;
use crate::input::line_run::LineRun;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::rows::FormatArg;
use crate::output::table::{self, Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::rejections::Rejection;

/// Resolve references against a base URL
///
/// An empty argument is a reference; a blank line of a file stays blank.
///
/// Example: urlid resolve 'http://a/b/c/d;p?q' ../g
#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// The base, an absolute URL
    base: String,

    #[command(flatten)]
    references: TextInputs,

    /// Resolve by these rules
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    mode: ModeArg,

    #[command(flatten)]
    format: FormatArg,
}

/// Which rules resolve a reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// The WHATWG URL standard, like browsers; the result is in its normal form
    #[default]
    Web,
    /// RFC 3986, strict
    #[value(alias = "rfc3986")]
    Strict,
    /// RFC 3986 with backward compatibility: a scheme equal to the base's is ignored in a reference
    Nonstrict,
    /// RFC 2396
    Rfc2396,
}

/// Prints the resolved URL of each reference.
pub(crate) fn run(args: &ResolveArgs) -> Result<Exit, Failure> {
    let resolver = match args.mode {
        ModeArg::Web => {
            // A wrong base would reject every reference, so it is an error of the command line.
            let base = Url::parse(&args.base);
            let bad = |error| {
                let failure = Failure::usage(format!("base: {}", message::describe(&error)));
                // The base is the second argument in HTML and in most libraries.
                match args.references.first().filter(|other| Url::parse(other).is_ok()) {
                    Some(other) => {
                        let [base, other] = [args.base.as_str(), other].map(|text| Escaped(text.as_bytes()));
                        failure.with_hint(format!("the base must come first: urlid resolve {other} {base}"))
                    }
                    None => failure,
                }
            };
            Resolver::Web(Box::new(base.map_err(bad)?))
        }
        ModeArg::Strict => Resolver::Generic(&args.base, Mode::Strict),
        ModeArg::Nonstrict => Resolver::Generic(&args.base, Mode::Nonstrict),
        ModeArg::Rfc2396 => Resolver::Generic(&args.base, Mode::Rfc2396),
    };
    let run = LineRun::begin(args.references.lines()?, FilesInUse::default(), None)?;
    table::print_rows(run, args.format.format, "reference", &|| Box::new(&resolver))
}

enum Resolver<'a> {
    Web(Box<Url>),
    Generic(&'a str, Mode),
}

impl Resolver<'_> {
    fn resolve(&self, text: &str) -> Result<String, Rejection> {
        Ok(match self {
            Resolver::Web(base) => base.join(text)?.into_string(),
            Resolver::Generic(base, mode) => generic::resolve(base, text, *mode)?,
        })
    }
}

impl Values for &Resolver<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("url")]
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        cells.push_result(self.resolve(text))
    }
}
