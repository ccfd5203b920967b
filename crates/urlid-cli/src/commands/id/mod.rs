//! `urlid id`: identifiers of URLs, a line out for each line in.
//!
//! `kinds` makes each identifier. Rows go line by line through `table`; where one kind is wanted that has a batch encoder,
//! `batch` prints the same bytes faster.

mod batch;
mod kinds;

use std::borrow::Cow;

use clap::Args;
use urlid::suffix::SuffixList;
use urlid_canonical::{Canonicalizer, Form};
use urlid_ops::IdKind;

use crate::args::cpu;
use crate::args::globals::Globals;
use crate::commands::canon::form::{FormLists, FormName, form_names, parse_url_form};
use crate::input::UrlInputs;
use crate::input::columns::TableArgs;
use crate::input::session::Session;
use crate::output::enrich;
use crate::output::replace::FilesInUse;
use crate::output::rows::FormatArg;
use crate::output::table::{self, CellColumns, Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::{PRINTED, Refusal};

use kinds::Maker;

/// Print the identifiers of URLs, one line for each input line, in the same order
///
/// A line without an identifier is refused: its output line is empty, the reason is printed on standard error, and
/// the exit code is 3. A blank line stays blank. Equal identifiers do not prove that two URLs are equal, and an
/// identifier does not hide its URL.
///
/// With `--as` the identifiers are those of a canonical form, and the names of their columns say so.
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

    /// The kinds of identifiers, one column each; repeatable, or a comma-separated list
    #[arg(short, long, value_parser = kinds::kind(), value_delimiter = ',', default_value = "sxurl", value_name = "KIND")]
    kind: Vec<IdKind>,

    /// Make the identifiers of this canonical form of each URL; `urlid canon --list` prints the names
    #[arg(long = "as", value_name = "FORM", value_parser = form_names(parse_url_form), hide_possible_values = true)]
    form: Option<FormName>,

    #[command(flatten)]
    lists: FormLists,

    #[command(flatten)]
    options: kinds::KindOptions,

    #[command(flatten)]
    format: FormatArg,

    #[command(flatten)]
    table: TableArgs,
}

/// Prints the identifiers of each line.
pub(crate) fn run(args: &IdArgs, globals: &Globals) -> Result<Exit, Failure> {
    let kernels = cpu::kernels()?;
    let form = args.lists.optional_form(args.form.as_ref())?;
    args.options.check(&args.kind)?;
    let maker = Maker::new(&args.options, globals.psl.list()?)?;
    let others = [globals.psl.path(), args.options.key.path()];
    let files = FilesInUse::reading(others.into_iter().flatten().chain(args.lists.paths()));
    if args.table.is_given()? {
        return enrich::run(&args.table, args.format.format, args.urls.tables()?, files, &|| {
            let ids = Ids::new(&args.kind, form.as_ref(), &maker);
            let writer = match (args.kind.as_slice(), &form) {
                ([kind], None) => batch::writer(*kind, &maker, kernels),
                _ => None,
            };
            Box::new(Ids { writer, ..ids })
        });
    }
    let session = Session::begin(args.urls.lines()?, files, args.table.out.path())?;
    let format = args.format.format;
    match (args.kind.as_slice(), &form) {
        ([IdKind::Sxurl], None) => batch::print_sxurls(session, format, &maker, kernels),
        ([IdKind::UrlHash], None) => batch::print_url_hashes(session, format, &maker, kernels),
        ([IdKind::HashedUri], None) if maker.has_batched_hashed_uris() => {
            batch::print_hashed_uris(session, format, &maker, kernels)
        }
        (kinds, form) => {
            table::run(session, format, "url", &|| Box::new(Ids::new(kinds, form.as_ref(), &maker)))
        }
    }
}

/// Returns the name of a column: the kind, and the canonical form that its identifiers are of.
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
    maker: &'a Maker,
    canonicalizer: Option<Canonicalizer<'a>>,
    canonical: String,
    /// The writer of many identifiers at once, if each text has only one.
    writer: Option<batch::WriteIds<'a>>,
    lines: Vec<u8>,
}

impl<'a> Ids<'a> {
    fn new(kinds: &'a [IdKind], form: Option<&'a Form>, maker: &'a Maker) -> Self {
        let canonicalizer = form.map(Form::canonicalizer);
        let (canonical, lines) = (String::new(), Vec::new());
        Ids { kinds, form, maker, canonicalizer, canonical, writer: None, lines }
    }
}

impl Values for Ids<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        self.kinds.iter().map(|kind| ValueColumn::text(column(*kind, self.form))).collect()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(self.maker.list())
    }

    fn values(&mut self, text: &str, cells: &mut dyn Cells) -> Option<Refusal> {
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
            let refusal = table::push(line.id(*kind), cells);
            first = first.or(refusal);
        }
        first
    }

    fn rows(&mut self, texts: &[&str], cells: &mut CellColumns, refuse: &mut dyn FnMut(usize, Refusal)) {
        let Some(writer) = &mut self.writer else { return table::each_row(self, texts, cells, refuse) };
        let (mut lines, mut refused) = (std::mem::take(&mut self.lines), Vec::new());
        lines.clear();
        writer(texts, &mut lines, &mut refused);
        let mut refused = refused.into_iter().zip(0..).peekable();
        // The last line has an end too, behind which `split` finds an empty piece more.
        for (index, line) in lines.split(|&byte| byte == b'\n').take(texts.len()).enumerate() {
            match refused.next_if(|((other, _), _)| *other == index) {
                // The writer gives no reasons. Only the first may be printed, so only these texts are encoded once more.
                Some((_, count)) if count < PRINTED => {
                    self.values(texts[index], cells).into_iter().for_each(|refusal| refuse(index, refusal));
                }
                Some(((_, code), _)) => refuse(index, Refusal::Code(code)),
                None if line.is_empty() => {}
                None => cells.push(str::from_utf8(line).ok()),
            }
            cells.end_row();
        }
        self.lines = lines;
    }
}
