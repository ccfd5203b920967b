//! The inputs of a command: how the command line names them, and how their lines are read.

pub(crate) mod assume;
pub(crate) mod batch;
pub(crate) mod bounded;
pub(crate) mod columns;
pub(crate) mod driver;
pub(crate) mod line_run;
pub(crate) mod sources;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use urlid::Url;
use urlid_archives::{Records, UnknownType};
use urlid_canonical::Form;
use urlid_io::lines::{Archives, Input, LineOptions};

use crate::input::assume::UrlLineArgs;
use crate::input::columns::{ColumnArgs, LogBaseArg};
use crate::input::sources::{BareArgument, Sources, note_closed_stdin};
use crate::output::files::is_stdin;
use crate::report::exit::Failure;
use crate::report::lost::RecoverArgs;
use crate::report::rejections::{Invalid, InvalidArg};

/// The inputs of a command and the rules for them: the arguments of a
/// [`LineRun`](crate::input::line_run::LineRun).
pub(crate) struct InputOptions<'a> {
    /// The sources of lines or of tables, in the order of the command line.
    pub(crate) sources: Sources,
    /// The columns whose values are processed as lines, if the sources are tables.
    pub(crate) columns: Option<&'a ColumnArgs>,
    /// The rules for reading lines.
    pub(crate) rules: &'a LineRules,
    /// How web archives are read, if the command has a choice.
    pub(crate) archives: Option<&'a ArchiveArgs>,
    /// How lines of URLs are read, if the command has a choice.
    pub(crate) url_lines: Option<&'a UrlLineArgs>,
    /// Whether a text without a scheme is read as a URL.
    pub(crate) may_lack_scheme: bool,
    /// Whether the lines are URLs.
    pub(crate) are_urls: bool,
    /// Whether the lines may have secrets. If so, a line with more than a URL is rejected, and messages do
    /// not quote the texts of the input.
    pub(crate) have_secrets: bool,
    /// Whether the lines are text, and the texts the URLs in it.
    pub(crate) is_prose: bool,
    /// The URL whose host completes the targets of a log.
    pub(crate) log_base: Option<&'a Url>,
    /// Inputs that were opened to look at their first lines and cannot be opened twice, by their names.
    pub(crate) opened: Vec<(PathBuf, Input)>,
    pub(crate) invalid: Invalid,
}

impl<'a> InputOptions<'a> {
    /// Returns lines that are not URLs. The command reads archives in its own way.
    pub(crate) fn new(sources: Sources, rules: &'a LineRules, invalid: &InvalidArg) -> Self {
        let invalid = invalid.invalid;
        InputOptions {
            sources,
            columns: None,
            rules,
            archives: None,
            url_lines: None,
            may_lack_scheme: false,
            are_urls: false,
            have_secrets: false,
            is_prose: false,
            log_base: None,
            opened: Vec::new(),
            invalid,
        }
    }
}

impl<'a> InputOptions<'a> {
    /// Returns the options with the host of logs that do not have it.
    pub(crate) fn of_base(self, base: &'a LogBaseArg) -> Self {
        InputOptions { log_base: base.base.as_ref(), ..self }
    }

    /// Returns the options of lines from which a canonical form is made. Some forms accept texts without a
    /// scheme.
    pub(crate) fn of_form(self, form: &Form) -> Self {
        let may_lack_scheme = self.may_lack_scheme || form.canonicalize("a.example/").is_ok();
        InputOptions { may_lack_scheme, ..self }
    }

    /// Returns the options of lines, or of the URLs in them.
    pub(crate) fn of_prose(self, is_prose: bool) -> Self {
        InputOptions { is_prose, ..self }
    }
}

/// Inputs of a command whose arguments may be URLs or files.
#[derive(Clone, Debug, Args)]
pub(crate) struct UrlInputs {
    #[command(flatten)]
    pub(crate) sources: UrlSources,

    #[command(flatten)]
    invalid: InvalidArg,
}

/// The URLs and files among the arguments.
#[derive(Clone, Debug, Args)]
pub(crate) struct UrlSources {
    /// URLs, or files with one URL per line
    ///
    /// An argument that starts with a scheme of two or more letters and a colon is a URL. `-` or no argument is
    /// standard input. Other arguments are files, also compressed. Archives, sitemaps, feeds, bookmarks and
    /// robots.txt give their URLs. With --assume, an argument that does not name a file is a URL. explain and
    /// parts read a host, with or without a path, as an https URL if no such file exists, and print a note.
    #[arg(value_name = "URL|FILE")]
    inputs: Vec<OsString>,

    #[command(flatten)]
    lines: LineInputs,

    #[command(flatten)]
    url_lines: UrlLineArgs,
}

/// Inputs of a command whose arguments are texts.
#[derive(Debug, Args)]
pub(crate) struct TextInputs {
    /// Texts, or files with one text per line; `-` or no input is standard input
    ///
    /// An argument that names a file is read as this file, with a note. Any other argument is a text.
    #[arg(value_name = "TEXT|FILE")]
    texts: Vec<OsString>,

    #[command(flatten)]
    lines: LineInputs,

    #[command(flatten)]
    invalid: InvalidArg,
}

/// What all commands that read lines have in common.
#[derive(Clone, Debug, Args)]
pub(crate) struct LineInputs {
    /// Also read lines from this file, even if its name looks like a URL; repeatable
    #[arg(short, long, value_name = "FILE", hide_short_help = true)]
    pub(crate) file: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rules: LineRules,

    #[command(flatten)]
    pub(crate) archives: ArchiveArgs,
}

/// How lines are taken.
#[derive(Clone, Debug, Args)]
pub(crate) struct LineRules {
    /// Reject lines longer than this many bytes; K, M and G are powers of 1024
    #[arg(long, value_name = "BYTES", default_value = "1M", value_parser = parse_size, hide_short_help = true)]
    pub(crate) max_line: usize,

    /// Write rejected lines to this file
    ///
    /// Each row has the file, the line number, the code and the escaped text, tab-separated.
    #[arg(long = "rejects", value_name = "FILE", hide_short_help = true)]
    pub(crate) rejects_file: Option<PathBuf>,
}

/// How web archives are read.
#[derive(Clone, Debug, Args)]
pub(crate) struct ArchiveArgs {
    /// Read the URLs of these types of WARC records: `all`, or a comma-separated list
    ///
    /// The default is response, revisit, resource and metadata, but not the type application/warc-fields.
    /// `indexes` or `pages` reads these of WACZ files instead. `none` reads every input as lines.
    #[arg(long, value_name = "TYPES", value_parser = parse_archives, hide_short_help = true)]
    records: Option<Archives>,

    #[command(flatten)]
    recovery: RecoverArgs,
}

impl ArchiveArgs {
    /// Returns the option for archives that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        match (self.records, self.recovery.is_given()) {
            (Some(_), _) => Some("--records"),
            (None, true) => Some("--recover"),
            (None, false) => None,
        }
    }

    /// Returns the form in which web archives are read.
    pub(crate) fn records(&self) -> Archives {
        self.records.unwrap_or(Archives::Urls(Records::default()))
    }

    /// Returns the treatment of damage.
    pub(crate) fn recovery(&self) -> &RecoverArgs {
        &self.recovery
    }
}

fn parse_archives(types: &str) -> Result<Archives, String> {
    match types {
        "none" => Ok(Archives::Text),
        types => types.parse().map(Archives::Urls).map_err(|error: UnknownType| error.to_string()),
    }
}

impl UrlSources {
    /// Returns whether standard input is read.
    pub(crate) fn reads_stdin(&self) -> bool {
        !self.is_given() || self.names("-")
    }

    /// Returns whether an argument is this word.
    pub(crate) fn names(&self, word: &str) -> bool {
        self.inputs.iter().any(|input| input == word)
    }

    /// Returns whether there are arguments and all of them meet a condition.
    pub(crate) fn are_all(&self, condition: impl Fn(&str) -> bool) -> bool {
        let meets = |input: &OsString| input.to_str().is_some_and(&condition);
        self.is_given() && self.lines.file.is_empty() && self.inputs.iter().all(meets)
    }

    /// Puts an argument before the others.
    pub(crate) fn put_first(&mut self, argument: OsString) {
        self.inputs.insert(0, argument);
    }

    /// Returns the sources of lines by a rule for arguments without a scheme. With `--assume` all of these
    /// are URLs.
    fn sources_by(&self, otherwise: BareArgument) -> Result<Sources, Failure> {
        Sources::from_arguments(&self.inputs, otherwise, self.url_lines.assume.is_some(), &self.lines.file)
    }

    /// Opens a file that is read in addition to the URLs, called `what` in messages. `-` is standard input,
    /// which only one of the two can use.
    pub(crate) fn open_beside(&self, path: &Path, what: &str) -> Result<Input, Failure> {
        if is_stdin(path) && self.reads_stdin() {
            Err(Failure::usage(format!("standard input cannot be both {what} and the URLs")))
        } else {
            open(path)
        }
    }

    /// Returns whether any input was named.
    pub(crate) fn is_given(&self) -> bool {
        !self.inputs.is_empty() || !self.lines.file.is_empty()
    }
}

/// Opens a file, or standard input.
pub(crate) fn open(path: &Path) -> Result<Input, Failure> {
    let input = if is_stdin(path) {
        note_closed_stdin();
        Input::stdin()
    } else {
        Input::open(path)
    };
    input.map_err(|error| Failure::of_file(path, &error))
}

impl UrlInputs {
    /// Returns the inputs as lines. Arguments without a scheme are files.
    pub(crate) fn lines(&self) -> Result<InputOptions<'_>, Failure> {
        self.lines_by(BareArgument::File)
    }

    /// Returns the inputs as lines, by a rule for arguments without a scheme.
    pub(crate) fn lines_by(&self, otherwise: BareArgument) -> Result<InputOptions<'_>, Failure> {
        let sources = self.sources.sources_by(otherwise)?;
        Ok(InputOptions { are_urls: otherwise != BareArgument::Text, ..self.of_sources(sources) })
    }

    /// Returns the sources of some of the arguments.
    pub(crate) fn sources_of(&self, arguments: &[OsString]) -> Result<Sources, Failure> {
        let is_assumed = self.sources.url_lines.assume.is_some();
        Sources::from_arguments(arguments, BareArgument::File, is_assumed, &[])
    }

    /// Returns the inputs as lines, or as tables if a column is chosen. Then all arguments name files, or
    /// folders of datasets.
    pub(crate) fn lines_or_values<'a>(
        &'a self,
        columns: &'a ColumnArgs,
    ) -> Result<InputOptions<'a>, Failure> {
        self.lines_or_values_by(BareArgument::File, columns)
    }

    /// The same, by a rule for arguments without a scheme.
    pub(crate) fn lines_or_values_by<'a>(
        &'a self,
        otherwise: BareArgument,
        columns: &'a ColumnArgs,
    ) -> Result<InputOptions<'a>, Failure> {
        columns.check()?;
        if !columns.is_given() {
            return Ok(self.lines_by(otherwise)?.of_prose(columns.is_prose()));
        }
        let sources = Sources::from_tables(&self.sources.inputs, &self.sources.lines.file)?;
        Ok(InputOptions { columns: Some(columns), ..self.of_sources(sources) })
    }

    /// Returns the options with sources that the caller chose.
    pub(crate) fn of_sources(&self, sources: Sources) -> InputOptions<'_> {
        let UrlSources { lines, url_lines, .. } = &self.sources;
        lines.options_of_urls(sources, url_lines, &self.invalid)
    }

    /// Returns the arguments, and the files that are read in addition to them.
    pub(crate) fn given(&self) -> (&[OsString], &[PathBuf]) {
        (&self.sources.inputs, &self.sources.lines.file)
    }

    /// Returns how lines of URLs are read.
    pub(crate) fn url_lines(&self) -> &UrlLineArgs {
        &self.sources.url_lines
    }

    /// Returns the file for rejected lines.
    pub(crate) fn rejects_file(&self) -> Option<&Path> {
        self.sources.lines.rules.rejects_file.as_deref()
    }
}

impl TextInputs {
    /// Returns the first argument, if it is text.
    pub(crate) fn first(&self) -> Option<&str> {
        self.texts.first()?.to_str()
    }

    /// Returns the inputs as lines, which are not URLs.
    pub(crate) fn lines(&self) -> Result<InputOptions<'_>, Failure> {
        let sources = Sources::from_arguments(&self.texts, BareArgument::Text, false, &self.lines.file)?;
        Ok(self.lines.options(sources, &self.invalid))
    }
}

impl LineInputs {
    /// Returns the options of lines of URLs.
    pub(crate) fn options_of_urls<'a>(
        &'a self,
        sources: Sources,
        url_lines: &'a UrlLineArgs,
        invalid: &InvalidArg,
    ) -> InputOptions<'a> {
        InputOptions {
            are_urls: true,
            url_lines: Some(url_lines),
            may_lack_scheme: url_lines.assume.is_some(),
            ..self.options(sources, invalid)
        }
    }

    /// Returns the options of lines that are not URLs.
    pub(crate) fn options(&self, sources: Sources, invalid: &InvalidArg) -> InputOptions<'_> {
        InputOptions { archives: Some(&self.archives), ..InputOptions::new(sources, &self.rules, invalid) }
    }
}

/// Reads the longest line, in bytes.
fn parse_size(text: &str) -> Result<usize, String> {
    parse_bytes(text, LineOptions::MOST)
}

/// Reads an amount of memory, in bytes.
pub(crate) fn parse_memory(text: &str) -> Result<usize, String> {
    parse_bytes(text, most_memory())
}

/// Returns the memory of the machine, but at least 1 GiB, so that every default is accepted. The memory is
/// unlimited if the system does not state it in a file.
fn most_memory() -> usize {
    let kib = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        total.split_ascii_whitespace().next()?.parse::<usize>().ok()
    });
    kib.map_or(usize::MAX, |kib| kib.saturating_mul(1 << 10).max(1 << 30))
}

/// Reads a number of bytes from 1 to `most`.
fn parse_bytes(text: &str, most: usize) -> Result<usize, String> {
    let (digits, shift) = match text.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 10),
        None => match text.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 20),
            None => text.strip_suffix(['g', 'G']).map_or((text, 0), |digits| (digits, 30)),
        },
    };
    let expected = || format!("expected 1 to {}M", most >> 20);
    let number: usize = digits.parse().map_err(|_| expected())?;
    let size = number.checked_mul(1 << shift).ok_or_else(expected)?;
    if (1..=most).contains(&size) { Ok(size) } else { Err(expected()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::sources::Source;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("10"), Ok(10));
        assert_eq!(parse_size("2k"), Ok(2048));
        assert_eq!(parse_size("1M"), Ok(1 << 20));
        assert_eq!(parse_size("1G"), Ok(1 << 30));
        for bad in ["0", "2G", "-1", "", "M", "1x", "99999999999999999999G"] {
            assert_eq!(parse_size(bad), Err("expected 1 to 1024M".to_owned()), "{bad}");
        }
        assert_eq!(parse_bytes("5G", 8 << 30), Ok(5 << 30));
        assert_eq!(parse_bytes("9G", 8 << 30), Err("expected 1 to 8192M".to_owned()));
        assert_eq!(parse_memory("1G"), Ok(1 << 30));
        assert!(parse_memory("999999G").is_err() || !cfg!(target_os = "linux"));
    }

    #[test]
    fn arguments_files_and_standard_input_keep_their_order() {
        let given = ["https://a/", "https://b/", "file.txt", "-", "https://c/"].map(OsString::from);
        let Sources(sources) =
            Sources::from_arguments(&given, BareArgument::File, false, &["http:odd".into()])
                .expect("inputs are given");
        let texts = |texts: &[&str]| Source::Arguments(texts.iter().map(OsString::from).collect());
        let expected = [
            texts(&["https://a/", "https://b/"]),
            Source::File("file.txt".into()),
            Source::Stdin,
            texts(&["https://c/"]),
            Source::File("http:odd".into()),
        ];
        assert_eq!(sources, expected);
    }
}
