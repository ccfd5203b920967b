//! What the verbs of the Theory of URLs share: how texts are parsed, and which goto is meant.

use clap::ValueEnum;
use urlid::reference::{Class, Context, NoUrl, Reference, ReferenceBuf};

/// The context of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContextArg {
    /// As relative to an http, https, ws, wss or ftp URL: a backslash is a slash
    #[default]
    Web,
    /// As relative to a file URL: drive letters are recognised too
    File,
    /// As relative to any other URL
    Generic,
    /// By RFC 3986, for every scheme
    Rfc3986,
}

impl From<ContextArg> for Context {
    fn from(context: ContextArg) -> Self {
        match context {
            ContextArg::Web => Context::Whatwg(Class::Web),
            ContextArg::File => Context::Whatwg(Class::File),
            ContextArg::Generic => Context::Whatwg(Class::Generic),
            ContextArg::Rfc3986 => Context::Rfc3986,
        }
    }
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
