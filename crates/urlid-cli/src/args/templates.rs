//! The file of templates of verbs that have the part `template`.

use std::path::PathBuf;

use clap::Args;
use urlid_canonical::Templates;

use crate::input::bounded::read_text_up_to;
use crate::report::exit::Failure;

/// The option of verbs that have the part `template`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct TemplatesArg {
    /// Read the templates for the part `template` from this file, made by `urlid templates`
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) templates: Option<PathBuf>,
}

impl TemplatesArg {
    /// Returns the templates of the file, if one is given.
    pub(crate) fn read(&self) -> Result<Option<Templates>, Failure> {
        let Some(path) = &self.templates else { return Ok(None) };
        let text = read_text_up_to(path, Templates::MOST_BYTES)?;
        Templates::parse(&text).map(Some).map_err(|error| Failure::of_file(path, &error))
    }
}
