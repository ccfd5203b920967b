//! `urlid canon`: named canonical forms.

use std::borrow::Cow;

use clap::{Args, ValueEnum};
use urlid::generic;
use urlid::suffix::List;
use urlid::sxurl::Components;
use urlid::web::Url;

use crate::args::Globals;
use crate::exit::{Exit, Failure};
use crate::input::UrlInputs;
use crate::refusals::Refusal;
use crate::table::{self, FormatArg, Work};

/// Bring URLs into a canonical form: one line out for each line in
///
/// The forms are those that the identifiers are made of, each by its own specification; none stands in for another.
/// For example: urlid canon --as web 'HTTP://Example.com:80/%7ea/../b c'
#[derive(Debug, Args)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// The form
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Form,

    #[command(flatten)]
    format: FormatArg,
}

/// A canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The WHATWG normal form, of which a url-hash is made
    Web,
    /// The syntax-based normal form of RFC 3986, section 6.2.2
    Generic,
    /// What the components of a SXURL say, and an index stores
    Sxurl,
}

/// Prints the canonical form of each line.
pub(crate) fn run(args: &CanonArgs, globals: &Globals) -> Result<Exit, Failure> {
    let canon = Canon { form: args.form, list: globals.psl.list()? };
    table::run(&args.urls.sources()?, args.urls.rules(), args.format.format, "url", canon)
}

struct Canon {
    form: Form,
    list: Cow<'static, List>,
}

impl Work for Canon {
    fn columns(&self) -> Vec<String> {
        vec!["canonical".to_owned()]
    }

    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal> {
        let canonical = match self.form {
            Form::Web => {
                Url::parse(text).map(Url::into_string).map_err(|error| Refusal::of(error.code(), &error))
            }
            Form::Generic => generic::normalise(text).map_err(|error| Refusal::of(error.code(), &error)),
            Form::Sxurl => Components::parse(text, &self.list)
                .map(|parts| parts.to_normal_text())
                .map_err(|error| Refusal::of(error.code(), &error)),
        };
        table::push(canonical, values)
    }
}
