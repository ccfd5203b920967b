//! The arguments of `urlid uniq`.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use urlid::web::Part;
use urlid_canonical::Form;

use super::choices::Wanted;
use super::digests::Per;
use super::rows::Content;
use crate::args::templates::TemplatesArg;
use crate::args::{choice, part_name, splits_hosts};
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_form};
use crate::input::columns::{ColumnArgs, LogBaseArg};
use crate::input::sources::Source;
use crate::input::{UrlInputs, parse_memory};
use crate::output::enrich::check_name;
use crate::output::rows::{Format, FormatArg};
use crate::output::{OutArg, name_format};
use crate::report::exit::Failure;

/// Print the first line for each distinct URL: lines with the same canonical form are the same URL
///
/// Lines are printed unchanged and in input order. Each line is printed as soon as it is read, unless the forms
/// of the earlier lines exceed --memory. Blank lines and rejected lines are left out. With --column, rows of
/// tables are printed instead of lines.
///
/// Example: urlid uniq urls.txt.zst
///
/// Example: urlid uniq --as surt-0.3.1 --counts crawl.warc.gz
///
/// Example: urlid uniq --column url pages.csv
///
/// Example: urlid uniq --seen seen --resume urls.txt
///
/// Example: urlid uniq --per registered_domain --limit 100 crawl.warc.gz
///
/// Example: urlid uniq --not-in last-month.txt this-month.txt
#[derive(Debug, Args)]
pub(crate) struct UniqArgs {
    #[command(flatten)]
    pub(super) urls: UrlInputs,

    #[command(flatten)]
    pub(super) columns: ColumnArgs,

    #[command(flatten)]
    pub(super) base: LogBaseArg,

    /// Print the URLs instead of the rows of a table
    ///
    /// By default, the first row of each URL is printed with all its columns, in the format of the table. This
    /// needs one column, and tables of the same kind with equal columns; otherwise the URLs are printed.
    #[arg(long, requires = "chosen_columns", help_heading = "Tables")]
    pub(super) values: bool,

    /// Compare URLs under this canonical form [default: web+drop-fragment]
    ///
    /// `urlid canon --list` prints the names. The default for a store is its recorded form.
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_form), hide_possible_values = true)]
    pub(super) form: Option<FormName>,

    #[command(flatten)]
    pub(super) lists: FormLists,

    /// Add a column with the number of lines of each form
    #[arg(short = 'c', long)]
    pub(super) counts: bool,

    /// Print only the number of lines
    #[arg(long)]
    pub(super) count: bool,

    /// Print only some lines of each site
    ///
    /// With --limit the first lines, with --sample a fixed sample. A site is the URLs with the same value of
    /// this part, URLs without a host, or a host without the part. `template` counts each kind of page
    /// separately (--templates).
    #[arg(
        long,
        value_name = "PART",
        value_parser = choice(SITES.map(|per| (part_name(per.name()), per, "")))
    )]
    pub(super) per: Option<Per>,

    #[command(flatten)]
    pub(super) templates: TemplatesArg,

    /// Print at most this many lines of each site (--per)
    #[arg(long, value_name = "COUNT", requires = "per", value_parser = value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,

    /// Print a sample of this many lines, or with --per of this many lines per site
    ///
    /// The sample is the same on every run. It has the lines whose forms have the smallest BLAKE3 digests, so
    /// it does not depend on the order of the input. It is printed at the end, in input order. Without --per,
    /// the sample is kept in memory.
    #[arg(long, value_name = "COUNT", value_parser = parse_count)]
    pub(super) sample: Option<usize>,

    /// Print only lines whose form is not in this file or store
    ///
    /// A store is an index, dataset or seen-set, compared under its recorded form. A file is read like the
    /// inputs; if it cannot be read to its end, no line is printed. Lines are printed at the end of the input.
    /// If PATH is a seen-set, each line is printed as soon as it is read. Forms are compared by digests of 16
    /// bytes.
    #[arg(long, value_name = "PATH")]
    pub(super) not_in: Option<PathBuf>,

    /// Print only lines whose form is also in this file or store
    ///
    /// A store is an index, dataset or seen-set.
    #[arg(long, value_name = "PATH")]
    pub(super) also_in: Option<PathBuf>,

    /// Print only lines that no earlier run has seen
    ///
    /// The forms are remembered in this folder, which is created if it is missing, with 16 bytes per URL. A
    /// line is stored before it is printed. It is delivered once it is written and the output is still open;
    /// --resume prints the others. One process writes at a time.
    #[arg(long, value_name = "FOLDER")]
    pub(super) seen: Option<PathBuf>,

    /// First print the stored lines that were not delivered
    ///
    /// Earlier runs stored them, but were killed, or their output was closed or full. A line may be printed
    /// twice, but none is lost.
    #[arg(long, requires = "seen")]
    pub(super) resume: bool,

    /// Wait while a different process writes to the folder of --seen, instead of failing with ERR_IN_USE
    #[arg(long, requires = "seen", hide_short_help = true)]
    pub(super) wait: bool,

    /// Use at most this much memory for forms
    ///
    /// K, M and G are powers of 1024. The machine's memory is the maximum. Forms that do not fit are written to
    /// files, which are deleted at the end, and their lines are printed then.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = parse_memory)]
    pub(super) memory: usize,

    #[command(flatten)]
    pub(super) format: FormatArg,

    #[command(flatten)]
    pub(super) out: OutArg,
}

/// The possible sites: parts of hosts, and templates.
const SITES: [Per; 6] = [
    Per::Part(Part::RegisteredDomain),
    Per::Part(Part::Host),
    Per::Part(Part::Domain),
    Per::Part(Part::Tld),
    Per::Part(Part::Origin),
    Per::Template,
];

impl UniqArgs {
    /// Returns whether the command splits hosts by the suffix list.
    pub(crate) fn splits_hosts(&self) -> bool {
        // `--per host` compares whole hosts, so --psl is an error, because it would have no effect.
        matches!(self.per, Some(Per::Part(part)) if splits_hosts(part))
    }

    /// Returns an error for options that exclude each other, with the reason.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let other = self.other().map(|(option, ..)| option);
        let is_part = [self.per.map(|_| "--per"), self.sample.map(|_| "--sample"), other];
        let is_part = is_part.into_iter().flatten().next();
        let has_format = self.format.format != Format::Text;
        let message = match is_part {
            _ if self.not_in.is_some() && self.also_in.is_some() => {
                "--not-in and --also-in cannot be used together; pipe the output to a second uniq"
                    .to_owned()
            }
            _ if self.limit.is_some() && self.sample.is_some() => {
                "--limit and --sample cannot be used together: --limit selects the first lines, --sample a fixed sample".to_owned()
            }
            _ if self.per.is_some() && self.limit.is_none() && self.sample.is_none() => {
                "--per needs --limit or --sample, the number of lines of each site".to_owned()
            }
            _ if self.templates.templates.is_some() != (self.per == Some(Per::Template)) => {
                "--per template and --templates FILE need each other".to_owned()
            }
            _ if self.count && self.counts => {
                "--count and --counts cannot be used together: --count prints only a number".to_owned()
            }
            _ if self.count && has_format => "--count and --format cannot be used together: --count prints only a number".to_owned(),
            Some(part) if self.counts => format!(
                "--counts and {part} cannot be used together: lines are counted in the whole input, but {part} prints a part of it; pipe the output to a second uniq"
            ),
            _ if self.seen.is_none() => return Ok(()),
            _ if self.counts => {
                "--seen and --counts cannot be used together: a line is printed before later lines can be counted".to_owned()
            }
            _ if self.count => {
                "--seen and --count cannot be used together: lines would be stored but never printed".to_owned()
            }
            Some("--per") => {
                "--seen and --per cannot be used together: a seen-set does not store how many lines of a site were printed"
                    .to_owned()
            }
            Some("--sample") => {
                "--seen and --sample cannot be used together: lines outside the sample would be stored but never printed"
                    .to_owned()
            }
            Some(other) => format!(
                "--seen and {other} cannot be used together: lines are stored before they are compared; pipe the output of uniq {other} to uniq --seen"
            ),
            None => return Ok(()),
        };
        Err(Failure::usage(message))
    }

    /// Returns the kind of output for these inputs.
    pub(super) fn content(&self, sources: &[Source]) -> Result<Content, Failure> {
        if !self.columns.is_given() || self.values || self.count {
            return Ok(Content::Texts);
        }
        let content = Content::of_tables(&self.columns, sources);
        let (out, has_format) = (self.out.path(), self.format.format != Format::Text);
        match content {
            // The format in the name of the output was left to the rows of the tables, which are not printed.
            Content::Texts if !has_format && out.is_some_and(|out| name_format(out).0.is_some()) => {
                Err(Failure::usage(
                    "--out: URLs are printed instead of rows; add --values to select their format by the name of the output",
                ))
            }
            Content::Texts => Ok(content),
            _ if has_format => Err(Failure::usage(
                "--format: rows keep the format of their table; add --values to print URLs",
            )),
            Content::ParquetRows => check_name(out, None).map(|()| content),
            // Their dialect is known when the first table is open.
            Content::Rows => Ok(content),
        }
    }

    /// Returns the file or store that lines are compared with, with its option.
    pub(super) fn other(&self) -> Option<(&'static str, &Path, Wanted)> {
        match (&self.not_in, &self.also_in) {
            (Some(path), _) => Some(("--not-in", path, Wanted::NotIn)),
            (_, Some(path)) => Some(("--also-in", path, Wanted::AlsoIn)),
            (None, None) => None,
        }
    }

    /// Returns the form that is given, if one is.
    pub(super) fn given_form(&self) -> Result<Option<Form>, Failure> {
        // Checked even without --as, because a tracking list or rules that are not used by a form are an
        // error.
        self.lists.optional_form(self.form.as_ref())
    }

    /// Returns the form that is given, or `web+drop-fragment`.
    pub(super) fn form(&self) -> Result<Form, Failure> {
        self.given_form()?.map_or_else(|| Ok("web+drop-fragment".parse()?), Ok)
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    text.parse().map(NonZero::<usize>::get).map_err(|_| "expected a number of 1 or more".to_owned())
}
