//! Options that several verbs share, and the values made from them. This file has the options of every verb,
//! and the variable that chooses the instructions of the fast paths.

pub(crate) mod hashed;
pub(crate) mod host_text;
pub(crate) mod templates;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anstream::ColorChoice;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use urlid::batch::{Cpu, Kernels};
use urlid::suffix::{Sections, SuffixList};
use urlid::web::Part;

use crate::input::bounded::read_text;
use crate::output::escape::Escaped;
use crate::report::exit::Failure;

/// Options of every verb.
#[derive(Debug, Args)]
pub(crate) struct Globals {
    #[command(flatten)]
    pub(crate) psl: PslArgs,

    /// Colour the output
    #[arg(
        long,
        global = true,
        hide_short_help = true,
        default_value = "auto",
        value_name = "WHEN",
        value_parser = choice([
            ("auto", ColorChoice::Auto, "When writing to a terminal, unless the variable NO_COLOR is set"),
            ("always", ColorChoice::Always, "Always"),
            ("never", ColorChoice::Never, "Never"),
        ]),
        help_heading = "Global options"
    )]
    pub(crate) color: ColorChoice,

    /// Print only errors, and the reason for exit code 3
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,
}

/// The name of the list without suffixes. A file of that name is `./none`.
const NONE: &str = "none";

/// The choice of the list.
#[derive(Debug, Args)]
pub(crate) struct PslArgs {
    /// Split hosts by the public suffix list in this file
    ///
    /// The default is the built-in list. With `none`, the last label of a host is its suffix.
    #[arg(
        long,
        global = true,
        value_name = "FILE|none",
        help_heading = "Global options",
        hide_short_help = true
    )]
    psl: Option<PathBuf>,

    /// Use these sections of the public suffix list
    #[arg(
        long = "psl-sections",
        global = true,
        hide_short_help = true,
        default_value = "all",
        value_name = "SECTIONS",
        value_parser = choice([
            ("icann", Sections::Icann, "Only the ICANN section: the registered domain of a.github.io is github.io"),
            ("all", Sections::All, "Also the private section: github.io is a suffix, a.github.io a registered domain"),
        ]),
        help_heading = "Global options"
    )]
    sections: Sections,
}

impl PslArgs {
    /// Returns the list that was chosen.
    pub(crate) fn list(&self) -> Result<Cow<'static, SuffixList>, Failure> {
        match self.path() {
            None if self.psl.is_some() && self.sections == Sections::Icann => {
                Err(Failure::usage("--psl-sections cannot be used with --psl none, which lacks sections"))
            }
            Some(path) => self.read(path).map(Cow::Owned),
            None if self.psl.is_some() => Ok(Cow::Owned(SuffixList::none())),
            None => Ok(self.compiled()),
        }
    }

    /// Returns an error if a list or sections were chosen, for a command that would not use them.
    pub(crate) fn check_default(&self) -> Result<(), Failure> {
        self.check_no_list()?;
        match self.sections {
            Sections::Icann => Err(no_effect("--psl-sections")),
            _ => Ok(()),
        }
    }

    /// Returns an error if a list was chosen, for a command that would use only the sections.
    pub(crate) fn check_no_list(&self) -> Result<(), Failure> {
        match self.psl {
            Some(_) => Err(no_effect("--psl")),
            None => Ok(()),
        }
    }

    /// Returns the compiled list.
    pub(crate) fn compiled(&self) -> Cow<'static, SuffixList> {
        Cow::Borrowed(SuffixList::compiled_with(self.sections))
    }

    /// Reads a list from a file.
    pub(crate) fn read(&self, path: &Path) -> Result<SuffixList, Failure> {
        let text = read_text(path)?;
        SuffixList::parse(&text, self.sections).map_err(|error| Failure::of_file(path, &error))
    }

    /// Returns the file that the list is read from.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.psl.as_deref().filter(|path| *path != Path::new(NONE))
    }
}

fn no_effect(option: &str) -> Failure {
    Failure::usage(format!("{option} has no effect with this verb or these options"))
}

/// Returns the kernels that `URLID_CPU` names, or the fastest ones of this machine.
pub(crate) fn kernels() -> Result<Kernels, Failure> {
    // An empty value counts as unset, as for NO_COLOR.
    let Some(value) = std::env::var_os("URLID_CPU").filter(|value| !value.is_empty()) else {
        return Ok(Kernels::detect());
    };
    let wrong = |what: &str| {
        let value = Escaped(value.as_encoded_bytes());
        Failure::usage(format!("URLID_CPU is `{value}`: {what}"))
    };
    let cpu: Cpu = value
        .to_str()
        .and_then(|name| name.parse().ok())
        .ok_or_else(|| wrong(&format!("expected one of {}", available())))?;
    Kernels::new(cpu).ok_or_else(|| wrong("this machine cannot run it"))
}

/// Returns the names that this machine accepts.
fn available() -> String {
    Cpu::available().map(Cpu::name).collect::<Vec<_>>().join(", ")
}

/// Returns the name of a part for `choice`: with underscores, and with hyphens if that spelling is also
/// accepted.
pub(crate) fn part_name(name: &'static str) -> &'static str {
    match name {
        "host_kind" => "host_kind|host-kind",
        "registered_domain" => "registered_domain|registered-domain",
        "first_directory" => "first_directory|first-directory",
        _ => name,
    }
}

/// Returns whether a part depends on the suffix list.
pub(crate) fn splits_hosts(part: Part) -> bool {
    matches!(part, Part::Sub | Part::Domain | Part::Tld | Part::RegisteredDomain)
}

/// Returns a parser of names, each for a value of a library's own type. The help lists each name with its
/// text. Other names of a value follow it after a `|` and are not listed.
pub(crate) fn choice<T, const N: usize>(
    choices: [(&'static str, T, &'static str); N],
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names = choices.iter().map(|(names, _, help)| {
        let mut names = names.split('|');
        let value = PossibleValue::new(names.next().unwrap_or_default()).aliases(names);
        // In the long help clap gives each value a separate line if one of them has a text, and otherwise one
        // line to all.
        if help.is_empty() { value } else { value.help(*help) }
    });
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(move |text| {
        let found = choices.iter().find(|(names, ..)| names.split('|').any(|name| name == text));
        found.map(|(_, value, _)| value.clone()).ok_or("no such name")
    })
}
