//! Which public suffix list the program works with: the compiled one, or the file of `--psl`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use urlid::Coded;
use urlid::suffix::{Sections, SuffixList};

use crate::escape::Escaped;
use crate::exit::Failure;

/// The choice of the list.
#[derive(Debug, Args)]
pub(crate) struct PslArgs {
    /// Split hosts by this public suffix list instead of the one that urlid brings along
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    psl: Option<PathBuf>,

    /// The sections of the public suffix list that count
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "SECTIONS",
        help_heading = "Global options"
    )]
    psl_sections: SectionsArg,
}

/// The sections of a public suffix list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SectionsArg {
    /// The suffixes of ICANN's domains only
    Icann,
    /// Those and the suffixes that owners of domains registered
    #[default]
    All,
}

impl PslArgs {
    /// Returns the list that was chosen.
    pub(crate) fn list(&self) -> Result<Cow<'static, SuffixList>, Failure> {
        match &self.psl {
            Some(path) => read(path, self.sections()).map(Cow::Owned),
            None => Ok(Cow::Borrowed(SuffixList::compiled(self.sections()))),
        }
    }

    /// Returns the sections that count.
    pub(crate) fn sections(&self) -> Sections {
        match self.psl_sections {
            SectionsArg::Icann => Sections::Icann,
            SectionsArg::All => Sections::All,
        }
    }
}

/// Reads a list from a file.
pub(crate) fn read(path: &Path, sections: Sections) -> Result<SuffixList, Failure> {
    let name = Escaped::path(path);
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::failed(format!("{name}: cannot read: {error}")))?;
    SuffixList::parse(&text, sections).map_err(|error| {
        Failure::failed(format!("{name}: {}: {}", error.code(), Escaped(error.to_string().as_bytes())))
    })
}
