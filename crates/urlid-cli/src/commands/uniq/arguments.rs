//! The arguments of `urlid uniq`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use urlid::web::Part;
use urlid_canonical::Form;

use super::choices::{Per, Wanted};
use crate::args::choice;
use crate::args::templates::TemplatesArg;
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::input::columns::ColumnArgs;
use crate::input::{UrlInputs, parse_memory};
use crate::output::OutArg;
use crate::output::rows::FormatArg;
use crate::report::exit::Failure;

/// Print the first line of each URL: two lines are the same URL if they have the same canonical form
///
/// Lines are printed as they came and in their order, each as soon as it is read while the forms before it
/// fit in memory. Blank lines and rejected lines are not printed.
///
/// Example: urlid uniq urls.txt.zst
///
/// Example: urlid uniq --as surt-0.3.1 --count crawl.warc.gz
///
/// Example: urlid uniq --seen seen --resume urls.txt
///
/// Example: urlid uniq --per registered-domain --limit 100 crawl.warc.gz
///
/// Example: urlid uniq --minus last-month.txt this-month.txt
#[derive(Debug, Args)]
pub(crate) struct UniqArgs {
    #[command(flatten)]
    pub(super) urls: UrlInputs,

    #[command(flatten)]
    pub(super) columns: ColumnArgs,

    /// The canonical form, by default `web`, or that of the seen-set; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    pub(super) form: Option<FormName>,

    #[command(flatten)]
    pub(super) lists: FormLists,

    /// Also print how many lines have each form (at the end of the input)
    #[arg(short, long)]
    pub(super) count: bool,

    /// Print at most --limit lines of each site, the first ones
    ///
    /// A site is a registered domain, or a host. A host without a registered domain is a site, and URLs
    /// without a host are one. With `template` each kind of page of a site counts, by --templates.
    #[arg(
        long,
        value_name = "PART",
        requires = "limit",
        conflicts_with_all = ["count", "seen", "sample", "minus", "both"],
        value_parser = choice([("registered-domain", Per::Part(Part::RegisteredDomain), ""), ("host", Per::Part(Part::Host), ""), ("template", Per::Template, "")])
    )]
    pub(super) per: Option<Per>,

    #[command(flatten)]
    pub(super) templates: TemplatesArg,

    /// With --per, the most lines of each site
    #[arg(long, value_name = "COUNT", requires = "per", value_parser = value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,

    /// Print this many lines, a sample that stays the same
    ///
    /// These are the first lines of the forms with the smallest BLAKE3 digests, so the forms are the same in
    /// any order of the input. They are printed at the end of the input, in its order, and take the memory of
    /// so many lines.
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["count", "seen", "minus", "both"], value_parser = parse_count)]
    pub(super) sample: Option<usize>,

    /// Print only lines whose form is not in this file
    ///
    /// The file is read like the other inputs, with --column as a table. If it cannot be read to its end,
    /// nothing is printed. Lines are printed at the end of the input, in its order. Forms are compared by
    /// digests of 16 bytes, as without a file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seen", "both"])]
    pub(super) minus: Option<PathBuf>,

    /// Print only lines whose form is also in this file, as with --minus
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seen"])]
    pub(super) both: Option<PathBuf>,

    /// Remember what was seen in this folder, 16 bytes for each URL, and print only lines that no earlier run
    /// has seen
    ///
    /// The folder is made if it does not exist. A line is stored before it is printed. It counts as delivered
    /// when it is written and the output is still open after the lines that are stored together with it;
    /// --resume prints the others. Data written to a pipe counts as delivered, even if the reader never reads
    /// it. If the reader closes the output, the exit code is 4. A line that a killed run left unfinished at
    /// the end of a file is completed. One process at a time writes to the folder; `urlid index show`,
    /// `verify` and `compact` work on it.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["count", "out"])]
    pub(super) seen: Option<PathBuf>,

    /// With --seen, first print the lines that earlier runs stored and did not deliver
    ///
    /// They were killed, or their output was closed or full. A line may be printed twice, none is lost.
    #[arg(long, requires = "seen")]
    pub(super) resume: bool,

    /// With --seen, wait until no other process writes to the folder; otherwise that is an error (ERR_IN_USE)
    #[arg(long, requires = "seen")]
    pub(super) wait: bool,

    /// The memory for what was seen, up to that of the machine; the suffixes K, M and G are powers of 1024
    ///
    /// What does not fit goes to files that are deleted at the end, and is printed then.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    pub(super) memory: usize,

    #[command(flatten)]
    pub(super) format: FormatArg,

    #[command(flatten)]
    pub(super) out: OutArg,
}

impl UniqArgs {
    /// Returns whether the command splits hosts by the suffix list.
    pub(crate) fn splits_hosts(&self) -> bool {
        // Hosts are compared whole: with `--per host`, --psl is an error, because it would have no effect.
        self.per == Some(Per::Part(Part::RegisteredDomain))
    }

    /// Returns the file that lines are compared with, with its option.
    pub(super) fn other_file(&self) -> Option<(&'static str, &Path, Wanted)> {
        match (&self.minus, &self.both) {
            (Some(path), _) => Some(("--minus", path, Wanted::Minus)),
            (_, Some(path)) => Some(("--both", path, Wanted::Both)),
            (None, None) => None,
        }
    }

    /// Returns the form that is given, or `web`.
    pub(super) fn form(&self) -> Result<Form, Failure> {
        // Also without --as: a tracking list or rules that no form uses are an error, not ignored.
        let form = self.lists.optional_form(self.form.as_ref())?;
        form.map_or_else(|| Ok("web".parse()?), Ok)
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    text.parse().map(NonZero::<usize>::get).map_err(|_| "expected a number of 1 or more".to_owned())
}
