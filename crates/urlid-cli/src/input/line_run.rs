//! One run of a command over its inputs: what it reads, what it prints, and which lines it rejects.
//!
//! A command begins a run, passes it a sink for the lines, and finishes it.

use std::path::{Path, PathBuf};

use urlid::{Error, ErrorCode, Url};
use urlid_io::lines::{Archives, Input, LineError, LineOptions, TrailingText};
use urlid_store::dataset::is_dataset;

use crate::input::assume::{Completion, UrlLineArgs};
use crate::input::batch::{Batch, BatchContent};
use crate::input::columns::ColumnArgs;
use crate::input::sources::{Opened, Source, Sources};
use crate::input::{ArchiveArgs, InputOptions};
use crate::output::Output;
use crate::output::escape::Escaped;
use crate::output::files::FilesInUse;
use crate::output::progress::Progress;
use crate::report::exit::{Exit, Failure};
use crate::report::hints::{self, FIRST_LINES, InputWarning, SchemeHint};
use crate::report::lost::LostRanges;
use crate::report::message;
use crate::report::rejections::{Ended, Place, Rejection, Rejections, print_failed};
use crate::report::signals;
use crate::report::ways::{self, Needs};

/// One run of a command over its inputs.
pub(crate) struct LineRun {
    /// In the order of the command line.
    pub(crate) sources: Sources,
    /// How lines are read.
    pub(crate) options: LineOptions,
    /// The columns whose values are the lines, if the sources are tables.
    pub(crate) columns: Option<ColumnArgs>,
    /// The scheme of texts without one.
    pub(crate) completion: Completion,
    /// The schemes of the lines that are read; all if there are none.
    pub(super) schemes: Vec<String>,
    /// Lines with other schemes.
    pub(super) unselected: u64,
    pub(crate) out: Output,
    pub(crate) progress: Progress,
    pub(super) rejections: Rejections,
    /// The ranges that are lost of damaged archives, if reading goes on behind damage.
    pub(crate) lost: Option<LostRanges>,
    /// `None` if the lines are not URLs.
    warning: Option<InputWarning>,
    /// Bytes of the sources before the one that is read.
    bytes_before: u64,
    /// The exit code for the sources that could not be read.
    exit: Exit,
    /// What the verb reads, for the way on from a source of another kind.
    pub(crate) needs: Needs,
    /// Whether nothing is read after a source that cannot be read to its end.
    needs_all: bool,
    /// The batches that wait for their turn, beyond one for each worker.
    pub(crate) spare: usize,
    scheme_hint: SchemeHint,
    /// Whether no message quotes a text of the input.
    pub(super) hides_texts: bool,
    /// Whether the texts are the URLs in lines.
    pub(crate) is_prose: bool,
    /// The URL whose host the targets of a log get.
    pub(super) log_base: Option<Url>,
    /// Inputs that are open already, by their names.
    opened: Vec<(PathBuf, Input)>,
    /// `None` once it was printed.
    beside_hint: Option<&'static str>,
    /// `None` once it was printed.
    field_hint: Option<&'static str>,
}

impl LineRun {
    /// Begins to work on `inputs`. `files` are the other files that the command reads or writes, and `out` is
    /// written instead of standard output.
    pub(crate) fn begin(
        inputs: InputOptions<'_>,
        mut files: FilesInUse,
        out: Option<&Path>,
    ) -> Result<Self, Failure> {
        let InputOptions {
            sources,
            columns,
            rules,
            archives,
            url_lines,
            may_lack_scheme,
            are_urls,
            have_secrets,
            is_prose,
            log_base,
            opened,
            invalid,
        } = inputs;
        if is_prose {
            check_prose(archives, url_lines)?;
        }
        let progress = sources.progress();
        for path in sources.0.iter().filter_map(Source::file) {
            files.read(path)?;
            // The other files of a dataset would be lost as well.
            path.parent().filter(|folder| is_dataset(folder)).map_or(Ok(()), |folder| files.read(folder))?;
        }
        files.write("--out", out)?;
        let recovery = archives.map(ArchiveArgs::recovery);
        let lost = recovery.map(|recovery| recovery.begin(&mut files, &progress)).transpose()?.flatten();
        let rejections = Rejections::new(invalid, rules.rejects_file.as_deref(), files, progress.clone())?;
        let warning = (are_urls && !is_prose).then(|| InputWarning::new(progress.clone()));
        let sitemaps = url_lines.map(|lines| lines.sitemaps.get()).unwrap_or_default();
        let archives = match archives {
            _ if is_prose => Archives::Text,
            archives => archives.map_or(LineOptions::default().archives, ArchiveArgs::records),
        };
        let trailing_text =
            url_lines.filter(|_| are_urls && !is_prose).map(|lines| lines.trailing_text(may_lack_scheme));
        let (trailing_text, beside_hint) = match trailing_text.unwrap_or_default() {
            how if have_secrets && how != TrailingText::Keep => (TrailingText::OnlyUrls, hints::LOG_LINE),
            how => (how, hints::TRAILING_TEXT),
        };
        let options = LineOptions {
            max_line: rules.max_line,
            archives,
            trailing_text,
            sitemaps,
            ..LineOptions::default()
        };
        let out = Output::open(out)?;
        let completion = url_lines.map(Completion::new).unwrap_or_default();
        let schemes = url_lines.map_or_else(Vec::new, |lines| lines.schemes.clone());
        if columns.is_some() && !schemes.is_empty() {
            return Err(Failure::usage("--schemes selects lines, and with --column there are rows"));
        }
        let may_assume = url_lines.is_some() && are_urls && !is_prose;
        let scheme_hint = SchemeHint::new(may_assume && completion.assumed_scheme.is_none() && !have_secrets);
        Ok(LineRun {
            sources,
            options,
            columns: columns.cloned(),
            out,
            progress,
            rejections,
            lost,
            warning,
            bytes_before: 0,
            exit: Exit::Done,
            needs: Needs::Urls,
            needs_all: false,
            spare: 0,
            scheme_hint,
            hides_texts: have_secrets,
            is_prose,
            log_base: log_base.cloned(),
            opened,
            completion,
            schemes,
            unselected: 0,
            beside_hint: Some(beside_hint),
            field_hint: Some(hints::FIELD),
        })
    }

    /// From here on, the first source that cannot be read to its end is the last one that is read. Files that
    /// do not exist are reported at once, before hours of work on the others; returns whether there are all.
    pub(crate) fn need_all_sources(&mut self) -> bool {
        self.needs_all = true;
        let sources = std::mem::take(&mut self.sources);
        for source in &sources.0 {
            if let Some(Err(error)) = source.path().map(Path::metadata) {
                self.report_unread(source, &urlid_io::error::read(error).into());
            }
        }
        self.sources = sources;
        self.exit < Exit::Failed
    }

    /// From here on, nothing is said about lines that do not look like URLs.
    pub(crate) fn expect_no_urls(&mut self) {
        self.warning = None;
    }

    /// Returns whether the rows of rejected lines are left out.
    pub(crate) fn leaves_rejected_out(&self) -> bool {
        self.rejections.are_left_out()
    }

    /// Returns whether a source could not be read to its end, and not even by `--recover`.
    pub(crate) fn has_unread_source(&self) -> bool {
        self.exit == Exit::Failed
    }

    /// Returns whether a source, or a part of it, could not be read.
    pub(crate) fn has_unread(&self) -> bool {
        self.has_unread_source() || self.lost.as_ref().is_some_and(LostRanges::are_any)
    }

    /// Shows how much of a source was read, in bytes as stored.
    pub(crate) fn show_progress(&self, bytes: u64) {
        self.progress.set(self.bytes_before + bytes);
    }

    /// Passes each source to `read`, which returns its size in bytes. A source that cannot be read is
    /// reported, and the next one is read.
    pub(crate) fn each_source(
        &mut self,
        read: &mut dyn FnMut(&mut Self, &Source) -> Result<u64, Ended>,
    ) -> Result<(), Failure> {
        let sources = std::mem::take(&mut self.sources);
        for source in &sources.0 {
            match read(self, source) {
                Ok(bytes) => self.bytes_before += bytes,
                // A signal interrupts the read, which then returns an error of the source.
                Err(_) if signals::is_stopping() => return Err(Failure::Stopped),
                Err(Ended::Failed(failure)) => return Err(failure),
                Err(Ended::Rejected(error)) => {
                    self.report_unread(source, &error);
                    if self.needs_all {
                        break;
                    }
                }
            }
        }
        self.progress.finish();
        self.sources = sources;
        Ok(())
    }

    /// Opens a source of lines.
    pub(crate) fn open<'s>(&mut self, source: &'s Source) -> Result<Opened<'s>, Error> {
        let known = self.opened.iter().position(|(name, _)| name == source.name());
        let mut opened = match known {
            Some(index) => Opened::Input(self.opened.swap_remove(index).1),
            None => source.open()?,
        };
        if let (Opened::Input(input), Some(lost)) = (&mut opened, &self.lost) {
            lost.collect(input, source.name());
        }
        // From a second opening, since damage in the first bytes is an error of their reader. A pipe has none.
        let path =
            source.path().filter(|_| source.is_regular_file() && self.options.archives != Archives::Text);
        let namespace = path.and_then(|path| Input::open(path).ok()?.foreign_namespace().ok()?);
        if let Some(namespace) = namespace {
            let (name, namespace) = (Escaped::path(source.name()), Escaped(namespace.as_bytes()));
            let note =
                format!("{name}: a sitemap in the namespace `{namespace}`, read as one of sitemaps.org");
            self.progress.suspend(|| message::print(&note));
        }
        Ok(opened)
    }

    /// Looks for signs that texts are not what their giver means, and prints a hint.
    pub(super) fn examine(&mut self, batch: &Batch) {
        let Some(warning) = &mut self.warning else { return };
        let (lines, is_input) = match &batch.content {
            BatchContent::Lines(_, first) => (*first <= FIRST_LINES, true),
            BatchContent::Arguments(_) => (true, false),
            _ => (false, false),
        };
        if !lines || batch.is_examined.replace(true) {
            return;
        }
        for line in batch.lines().take_while(|line| line.number <= FIRST_LINES) {
            if is_input {
                warning.read(&batch.origin.name, &line, self.options.trailing_text);
            }
            if let Some(hint) = line.text.ok().and_then(|text| self.scheme_hint.read(text)) {
                self.progress.suspend(|| message::print(&hint));
            }
        }
    }

    /// Rejects a line with the bytes `text`.
    pub(crate) fn reject(
        &mut self,
        place: Place<'_>,
        text: &[u8],
        rejection: &Rejection,
    ) -> Result<(), Failure> {
        self.count_for_warning(place);
        self.rejections.reject(place, text, rejection)?;
        if place.is_argument {
            return Ok(());
        }
        let hint = match rejection.line_error() {
            Some(LineError::TrailingText { .. } | LineError::NotOneUrl { .. }) => {
                self.beside_hint.take().map(str::to_owned)
            }
            Some(LineError::Field { .. }) => self.field_hint.take().map(str::to_owned),
            _ => self.scheme_hint.next(text),
        };
        if let Some(hint) = hint {
            self.progress.suspend(|| message::print(&hint));
        }
        if let Some(warning) = &mut self.warning {
            warning.joined(place, text);
        }
        Ok(())
    }

    /// Writes a text that is reported elsewhere to the file for rejected lines.
    pub(crate) fn keep_rejected(
        &mut self,
        place: Place<'_>,
        text: &[u8],
        code: ErrorCode,
    ) -> Result<(), Failure> {
        self.rejections.keep(place, text, code)
    }

    pub(super) fn count_for_warning(&mut self, rejected: Place<'_>) {
        if let Some(warning) = &mut self.warning {
            warning.rejected(rejected);
        }
    }

    /// Reports a source that cannot be read, or not to its end.
    fn report_unread(&mut self, source: &Source, error: &Rejection) {
        let hint = match source.path().filter(|path| !path.exists()) {
            Some(path) => hints::of_missing_file(path),
            None if self.columns.is_some() => match error.code() {
                ErrorCode::FileKind => hints::OTHER_TABLES.to_owned(),
                ErrorCode::Column if ways::has_urls(source.name()) => hints::NO_TABLE.to_owned(),
                _ => String::new(),
            },
            None => match ways::on(source.name(), self.needs) {
                Some(way) => format!(" (it {way})"),
                None if error.code() == ErrorCode::FileKind => hints::OTHER_KINDS.to_owned(),
                None => String::new(),
            },
        };
        self.report_failed(source.name(), error, &hint);
    }

    /// Reports that a source, or a part of it, cannot be read.
    pub(crate) fn report_failed(&mut self, name: &Path, error: &Rejection, hint: &str) {
        print_failed(&self.progress, name, error, hint);
        self.exit = self.exit.max(Exit::Failed);
    }

    /// Returns whether a file of this name is there and stays as it is, because a source could not be read to
    /// its end, and says so. A new name gets what could be read.
    pub(crate) fn keeps(&self, path: &Path) -> bool {
        let keeps = self.has_unread_source() && path.exists();
        if keeps {
            let path = Escaped::path(path).to_string();
            message::print(&format!("{path}: kept as it was, because an input could not be read to its end"));
        }
        keeps
    }

    /// Gives the file that is written its name, unless it would [replace](Self::keeps) a complete one. Returns
    /// whether it has it.
    pub(crate) fn publish(&mut self) -> Result<bool, Failure> {
        if self.out.path().is_some_and(|path| self.keeps(path)) {
            return self.leave_out().map(|()| false);
        }
        std::mem::replace(&mut self.out, Output::stdout()?).publish()?;
        Ok(true)
    }

    /// Leaves out the file that is written: it never has its name.
    pub(crate) fn leave_out(&mut self) -> Result<(), Failure> {
        if self.out.path().is_some() {
            self.out = Output::stdout()?;
        }
        Ok(())
    }

    /// Ends the run, and returns the greatest of `exit` and the codes for unread sources and rejected lines.
    ///
    /// A file that is written has its name then, unless it would [replace](Self::keeps) a complete one.
    pub(crate) fn finish(mut self, exit: Exit) -> Result<Exit, Failure> {
        self.progress.finish();
        let exit = if self.has_unread() { exit.max(Exit::Failed) } else { exit };
        self.lost.as_ref().map_or(Ok(()), LostRanges::publish)?;
        self.publish()?;
        if self.unselected > 0 {
            let (lines, schemes) = (message::count(self.unselected, "line"), self.schemes.join(" or "));
            message::print(&format!("{lines} left out: expected the scheme {schemes}"));
        }
        let rejected = self.rejections.finish()?;
        if let Some(warning) = self.warning {
            warning.finish();
        }
        Ok(exit.max(rejected))
    }
}

/// Returns an error if an option is given that text does not have.
fn check_prose(archives: Option<&ArchiveArgs>, lines: Option<&UrlLineArgs>) -> Result<(), Failure> {
    let of_lines = lines.and_then(|lines| match (&lines.assume, lines.sitemaps.sitemaps) {
        (Some(_), _) => Some("--assume"),
        (None, Some(_)) => Some("--sitemaps"),
        (None, None) => lines.keeps_text().then_some("--trailing-text"),
    });
    match of_lines.or(archives.and_then(ArchiveArgs::given)) {
        Some(option) => Err(Failure::usage(format!(
            "--input-format text: {option} is not for text, of which only URLs with their schemes are read"
        ))),
        None => Ok(()),
    }
}
