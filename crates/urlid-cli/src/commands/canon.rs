//! `urlid canon`: named canonical forms.

use std::borrow::Cow;

use clap::{Args, ValueEnum};
use urlid::generic;
use urlid::hashed_uri::{Keep, Variant, canonicalize};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid::web::Url;

use crate::args::Globals;
use crate::commands::id::kinds::KeepArg;
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

    /// What the hashed forms keep of a URI beside the rest; a list with commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "PARTS")]
    keep: Vec<KeepArg>,

    /// The absolute URI that the hashed forms resolve relative ones against
    #[arg(long, value_name = "URI")]
    base: Option<String>,

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
    /// Variant N of the Hashed URI
    HashedN,
    /// Variant P of the Hashed URI
    HashedP,
    /// What the components of a SXURL say, and an index stores
    Sxurl,
}

/// Prints the canonical form of each line.
pub(crate) fn run(args: &CanonArgs, globals: &Globals) -> Result<Exit, Failure> {
    let canon = Canon {
        form: args.form,
        keep: KeepArg::all(&args.keep),
        base: args.base.clone(),
        list: globals.psl.list()?,
    };
    table::run(&args.urls.sources()?, args.urls.rules(), args.format.format, "url", canon)
}

struct Canon {
    form: Form,
    keep: Keep,
    base: Option<String>,
    list: Cow<'static, SuffixList>,
}

impl Canon {
    fn hashed(&self, text: &str, variant: Variant) -> Result<String, Refusal> {
        match canonicalize(text, self.base.as_deref(), self.keep, variant) {
            Ok(canonical) => Ok(canonical.into_string()),
            Err(error) => Err(Refusal::of(&error)),
        }
    }
}

impl Work for Canon {
    fn columns(&self) -> Vec<String> {
        vec!["canonical".to_owned()]
    }

    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal> {
        let canonical = match self.form {
            Form::Web => Url::parse(text).map(Url::into_string).map_err(|error| Refusal::of(&error)),
            Form::Generic => generic::normalise(text).map_err(|error| Refusal::of(&error)),
            Form::HashedN => self.hashed(text, Variant::N),
            Form::HashedP => self.hashed(text, Variant::P),
            Form::Sxurl => Components::parse(text, &self.list)
                .map(|parts| parts.to_normal_text())
                .map_err(|error| Refusal::of(&error)),
        };
        table::push(canonical, values)
    }
}
