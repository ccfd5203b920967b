//! `urlid id`: identifiers of URLs, with a line out for each line in.
//!
//! `kinds` makes each identifier, or many at once if only one kind is requested and it has a batch encoder.

mod kinds;

use std::borrow::Cow;

use clap::Args;
use urlid::batch::Kernels;
use urlid::suffix::SuffixList;
use urlid_canonical::{Canonicalizer, Form};
use urlid_ops::IdKind;

use crate::args::{Globals, kernels};
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_url_form};
use crate::input::UrlInputs;
use crate::input::columns::TableArgs;
use crate::output::enrich;
use crate::output::files::FilesInUse;
use crate::output::rows::FormatArg;
use crate::output::table::{self, CellColumns, Cells, Holds, ReadText, Reject, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

use kinds::{EncoderInput, IdEncoder, IdMaker};

/// Print the identifiers of URLs, one line for each input line, in the same order
///
/// The output line of a rejected line is empty, the reason is printed on standard error, and the exit code is
/// 3. A blank line stays blank. Equal identifiers do not prove that two URLs are equal, and an identifier does
/// not hide its URL.
///
/// With `--as` the identifiers are computed from a canonical form, and the names of their columns include the
/// form.
///
/// Example: urlid id --kind sxurl,url-hash --format csv urls.txt.zst
///
/// Example: urlid id --column url links.csv > links-with-ids.csv
///
/// Example: urlid id --as web+drop-fragment --kind url-hash --format csv 'https://docs.rs/#start'
#[derive(Debug, Args)]
pub(crate) struct IdArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// Print these kinds of identifiers, one column each; repeatable, or a comma-separated list
    #[arg(short, long, value_parser = kinds::kind(), value_delimiter = ',', default_value = "sxurl", value_name = "KIND")]
    kind: Vec<IdKind>,

    /// Compute the identifiers from this canonical form; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_url_form), hide_possible_values = true)]
    form: Option<FormName>,

    #[command(flatten)]
    lists: FormLists,

    #[command(flatten)]
    options: kinds::KindOptions,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    format: FormatArg,
}

impl IdArgs {
    /// Returns whether the command splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        self.kind.contains(&IdKind::Sxurl)
    }
}

/// Prints the identifiers of each line.
pub(crate) fn run(args: &IdArgs, globals: &Globals) -> Result<Exit, Failure> {
    let kernels = kernels()?;
    let form = args.lists.optional_form(args.form.as_ref())?;
    args.options.check(&args.kind)?;
    let maker = IdMaker::new(&args.options, globals.psl.list()?)?;
    let others = [globals.psl.path(), args.options.key.path()];
    let files = FilesInUse::reading(others.into_iter().flatten().chain(args.lists.paths()));
    let make = || Box::new(Ids::new(&args.kind, form.as_ref(), &maker, kernels)) as _;
    let inputs = args.urls.lines_or_values(&args.table.columns)?;
    enrich::run(inputs, files, &args.table, args.format.format, "url", &make)
}

/// Returns the name of a column: the kind of its identifiers, and their canonical form.
fn column(kind: IdKind, form: Option<&Form>) -> Cow<'static, str> {
    match form {
        Some(form) => format!("{} of {form}", kind.name()).into(),
        None => kind.name().into(),
    }
}

/// The identifiers of one line, a value each.
struct Ids<'a> {
    kinds: &'a [IdKind],
    form: Option<&'a Form>,
    maker: &'a IdMaker,
    canonicalizer: Option<Canonicalizer<'a>>,
    canonical: String,
    kernels: Kernels,
    /// The encoder of many identifiers at once, if each text has only one. It is made on first use, because
    /// for a single URL its construction takes longer than all other work.
    encoder: Option<IdEncoder>,
    /// The buffer for the lines of the encoder.
    written: Vec<u8>,
}

impl<'a> Ids<'a> {
    fn new(kinds: &'a [IdKind], form: Option<&'a Form>, maker: &'a IdMaker, kernels: Kernels) -> Self {
        let canonicalizer = form.map(Form::canonicalizer);
        let (canonical, written) = (String::new(), Vec::new());
        Ids { kinds, form, maker, canonicalizer, canonical, kernels, encoder: None, written }
    }

    /// Returns the batch encoder, if one exists for the requested identifiers.
    fn encoder(&mut self) -> Option<&mut IdEncoder> {
        // It makes one kind from the text of a line, which a form would have to replace first.
        if let (None, [kind], None) = (&self.encoder, self.kinds, self.form) {
            self.encoder = IdEncoder::new(*kind, self.maker, self.kernels);
        }
        self.encoder.as_mut()
    }
}

impl Values for Ids<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        let column = |kind: &IdKind| {
            let is_number = *kind == IdKind::UrlVeryShortHashInt64;
            let holds = if is_number { Holds::Long } else { Holds::Text };
            ValueColumn { holds, ..ValueColumn::text(column(*kind, self.form)) }
        };
        self.kinds.iter().map(column).collect()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(self.maker.list())
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let text = match &mut self.canonicalizer {
            Some(canonicalizer) => {
                self.canonical.clear();
                if let Err(error) = canonicalizer.canonicalize_into(text, &mut self.canonical) {
                    return Some(error.into());
                }
                &self.canonical
            }
            None => text,
        };
        let line = self.maker.line(text);
        let mut first = None;
        for kind in self.kinds {
            let rejection = cells.push_result(line.id(*kind));
            // A line is rejected once, however many kinds it lacks.
            first = first.or(rejection);
        }
        first
    }

    fn lines(&mut self, lines: &[u8], out: &mut Vec<u8>, reject: &mut Reject<'_>) -> bool {
        let Some(encoder) = self.encoder() else { return false };
        encoder.write(EncoderInput::Lines(lines), out, reject);
        true
    }

    fn rows(&mut self, texts: Vec<ReadText<'_>>, cells: &mut CellColumns, reject: &mut Reject<'_>) {
        if self.encoder().is_none() {
            return table::each_row(self, texts, cells, reject);
        }
        let Some(encoder) = &mut self.encoder else { return };
        self.written.clear();
        // A text that cannot be read is an empty one for the writer.
        let readable: Vec<&str> = texts.iter().map(|text| text.as_deref().unwrap_or_default()).collect();
        let mut rejected = Vec::new();
        let input = EncoderInput::Texts(&readable);
        encoder.write(input, &mut self.written, &mut |index, reason| rejected.push((index, reason)));
        // Written together, because that is many times as fast as one by one.
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &self.written) {
            let id = str::from_utf8(&self.written[start..end]).ok();
            Cells::Columns(cells).push(id.filter(|id| !id.is_empty()));
            cells.end_row();
            start = end + 1;
        }
        let unreadable = texts.into_iter().enumerate();
        rejected.extend(unreadable.filter_map(|(index, text)| Some((index, text.err()?))));
        // The rejections of the writer and the unreadable texts are two lists, but rows are rejected in their
        // order.
        rejected.sort_by_key(|(index, _)| *index);
        rejected.into_iter().for_each(|(index, reason)| reject(index, reason));
    }
}
