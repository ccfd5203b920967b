//! What the verbs of the Theory of URLs share: how texts are parsed, and which goto is meant.

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use urlid::reference::{Class, Context, NoUrl, Reference, ReferenceBuf};

use crate::choice::choice;
use crate::input::TextInputs;
use crate::rows::FormatArg;

/// Texts of the Theory of URLs: where they are, how they are parsed, and how their rows are written.
#[derive(Debug, Args)]
pub(crate) struct TheoryTexts {
    #[command(flatten)]
    pub(crate) texts: TextInputs,

    /// How to parse a text without a scheme
    #[arg(long, default_value = "web", value_name = "CONTEXT", value_parser = context())]
    pub(crate) context: Context,

    #[command(flatten)]
    pub(crate) format: FormatArg,
}

/// Returns the parser of a context.
pub(crate) fn context() -> impl TypedValueParser<Value = Context> {
    choice([
        (
            "web",
            Context::Whatwg(Class::Web),
            "As relative to an http, https, ws, wss or ftp URL: a backslash is a slash",
        ),
        ("file", Context::Whatwg(Class::File), "As relative to a file URL: drive letters are recognised too"),
        ("generic", Context::Whatwg(Class::Generic), "As relative to any other URL"),
        ("rfc3986", Context::Rfc3986, "By RFC 3986, for every scheme"),
    ])
}

/// Which goto.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GotoMode {
    /// goto: a reference with a scheme replaces the base
    #[default]
    Strict,
    /// goto': a reference with the scheme of the base is read without its scheme
    Nonstrict,
}

impl GotoMode {
    /// Returns where `reference` leads from `base`.
    pub(crate) fn goto(self, base: &Reference<'_>, reference: &Reference<'_>) -> Result<ReferenceBuf, NoUrl> {
        match self {
            GotoMode::Strict => base.goto(reference),
            GotoMode::Nonstrict => base.goto_nonstrict(reference),
        }
    }
}
