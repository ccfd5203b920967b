//! Options of the verbs of the Theory of URLs: how texts are parsed, and which goto is used.

use clap::Args;
use clap::builder::TypedValueParser;
use urlid::reference::{Class, Context};
use urlid_ops::explain::GotoMode;

use crate::args::choice;
use crate::input::TextInputs;
use crate::output::rows::FormatArg;

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

/// Returns the parser of a definition of goto.
pub(crate) fn goto_mode() -> impl TypedValueParser<Value = GotoMode> {
    choice([
        ("strict", GotoMode::Strict, "goto: a reference with a scheme replaces the base"),
        (
            "nonstrict",
            GotoMode::Nonstrict,
            "goto': a reference with the scheme of the base is read without its scheme",
        ),
    ])
}
