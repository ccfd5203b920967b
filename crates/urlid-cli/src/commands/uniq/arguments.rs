//! The arguments of `urlid uniq`.

use std::path::PathBuf;

use clap::Args;
use urlid_canonical::Form;

use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::input::columns::ColumnArgs;
use crate::input::{UrlInputs, parse_memory};
use crate::output::OutArg;
use crate::output::rows::FormatArg;
use crate::report::exit::Failure;

/// Print the first line of each URL: two lines are the same URL if they have the same canonical form
///
/// Lines are printed as they came and in their order, each as soon as it is read while the forms before it fit in memory.
/// Blank lines and refused lines are not printed.
///
/// Example: urlid uniq urls.txt.zst
///
/// Example: urlid uniq --as surt-0.3.1 --count crawl.warc.gz
///
/// Example: urlid uniq --seen seen --resume urls.txt
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

    /// Remember what was seen in this folder, 16 bytes for each URL, and print only lines that no earlier run has seen
    ///
    /// The folder is made if it does not exist. A line is stored before it is printed. It counts as delivered when it is written
    /// and the output is still open after the lines that are stored together with it; --resume prints the others. Data written to
    /// a pipe counts as delivered, even if the reader never reads it. If the reader closes the output, the exit code is 4. A line
    /// that a killed run left unfinished at the end of a file is completed. One process at a time writes to the folder;
    /// `urlid index show`, `verify` and `compact` work on it.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["count", "out"])]
    pub(super) seen: Option<PathBuf>,

    /// With --seen, first print the lines that earlier runs stored and did not deliver because they were killed, or their output
    /// was closed or full; a line may be printed twice, none is lost
    #[arg(long, requires = "seen")]
    pub(super) resume: bool,

    /// With --seen, wait until no other process writes to the folder; otherwise that is an error (ERR_IN_USE)
    #[arg(long, requires = "seen")]
    pub(super) wait: bool,

    /// The memory for what was seen, up to that of the machine; the suffixes K, M and G are powers of 1024.
    /// What does not fit goes to files that are deleted at the end, and is printed then
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    pub(super) memory: usize,

    #[command(flatten)]
    pub(super) format: FormatArg,

    #[command(flatten)]
    pub(super) out: OutArg,
}

impl UniqArgs {
    /// Returns the form that is given, or `web`.
    pub(super) fn form(&self) -> Result<Form, Failure> {
        let form = self.lists.optional_form(self.form.as_ref())?;
        form.map_or_else(|| Ok("web".parse()?), Ok)
    }
}
