//! `urlid canon`: named canonical forms.

use std::borrow::Cow;

use clap::{Args, ValueEnum};
use urlid::generic;
use urlid::hashed_uri::{Keep, Variant, canonicalize};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid::web::Url;

use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::hashed;
use crate::input::UrlInputs;
use crate::refusals::Refusal;
use crate::rows::FormatArg;
use crate::session::Session;
use crate::table::{self, Values};

/// Bring URLs into a canonical form: one line out for each line in
///
/// The forms are those that the identifiers are made of, each by its own specification; they are not interchangeable.
/// For example: urlid canon --as web 'HTTP://Example.com:80/%7ea/../b c'
#[derive(Debug, Args)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// The form
    #[arg(long = "as", value_enum, value_name = "FORM")]
    form: Form,

    /// What the hashed forms keep of a URI beside the rest; a list with commas
    #[arg(long, value_delimiter = ',', value_name = "PARTS", value_parser = hashed::kept_part())]
    keep: Vec<Keep>,

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
    /// The components of a SXURL as text, which is what an index stores
    Sxurl,
}

/// Prints the canonical form of each line.
pub(crate) fn run(args: &CanonArgs, globals: &Globals) -> Result<Exit, Failure> {
    let canon = Canon {
        form: args.form,
        keep: hashed::union(&args.keep),
        base: args.base.as_deref(),
        list: globals.psl.list()?,
    };
    let session = Session::begin(&args.urls, globals.psl.path().as_slice())?;
    table::run(session, args.format.format, "url", canon)
}

struct Canon<'a> {
    form: Form,
    keep: Keep,
    base: Option<&'a str>,
    list: Cow<'static, SuffixList>,
}

impl Canon<'_> {
    fn canonical(&self, text: &str) -> Result<String, Refusal> {
        let hashed = |variant| canonicalize(text, self.base, self.keep, variant);
        Ok(match self.form {
            Form::Web => Url::parse(text)?.into_string(),
            Form::Generic => generic::normalise(text)?,
            Form::HashedN => hashed(Variant::N)?.into_string(),
            Form::HashedP => hashed(Variant::P)?.into_string(),
            Form::Sxurl => Components::parse(text, &self.list)?.to_normal_text(),
        })
    }
}

impl Values for Canon<'_> {
    fn columns(&self) -> Vec<&str> {
        vec!["canonical"]
    }

    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal> {
        table::push(self.canonical(text), values)
    }
}
