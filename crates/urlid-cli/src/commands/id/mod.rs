//! `urlid id`: identifiers of URLs, a line out for each line in.
//!
//! `kinds` makes each identifier. Rows go line by line through `table`; where one kind is wanted that has a batch encoder,
//! `batch` prints the same bytes faster.

mod batch;
mod kinds;

use clap::Args;

use crate::cpu;
use crate::exit::{Exit, Failure};
use crate::globals::Globals;
use crate::input::UrlInputs;
use crate::refusals::Refusal;
use crate::rows::FormatArg;
use crate::session::Session;
use crate::table::{self, ValueColumn, Values};

use kinds::{Kind, Maker};

/// Print the identifiers of URLs, one line for each input line, in the same order
///
/// A line without an identifier is refused: its output line is empty, the reason is printed on standard error, and
/// the exit code is 3. A blank line stays blank. Equal identifiers do not prove that two URLs are equal, and an
/// identifier does not hide its URL.
///
/// Example: urlid id --kind sxurl,url-hash --format csv urls.txt.zst
#[derive(Debug, Args)]
pub(crate) struct IdArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// The kinds of identifiers, one column each; repeatable, or a comma-separated list
    #[arg(short, long, value_enum, value_delimiter = ',', default_value = "sxurl", value_name = "KIND")]
    kind: Vec<Kind>,

    #[command(flatten)]
    options: kinds::KindOptions,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the identifiers of each line.
pub(crate) fn run(args: &IdArgs, globals: &Globals) -> Result<Exit, Failure> {
    let kernels = cpu::kernels()?;
    let maker = Maker::new(&args.options, globals.psl.list()?)?;
    let others: Vec<_> = [globals.psl.path(), args.options.key.path()].into_iter().flatten().collect();
    let session = Session::begin(&args.urls, &others)?;
    let format = args.format.format;
    match args.kind.as_slice() {
        [Kind::Sxurl] => batch::print_sxurls(session, format, &maker, kernels),
        [Kind::UrlHash] => batch::print_url_hashes(session, format, &maker, kernels),
        kinds => table::run(session, format, "url", Ids { kinds, maker: &maker }),
    }
}

/// The identifiers of one line, a value each.
struct Ids<'a> {
    kinds: &'a [Kind],
    maker: &'a Maker,
}

impl Values for Ids<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        self.kinds.iter().map(|kind| ValueColumn::text(kind.name())).collect()
    }

    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal> {
        let line = self.maker.line(text);
        let mut first = None;
        for kind in self.kinds {
            let refusal = table::push(line.id(*kind), values);
            first = first.or(refusal);
        }
        first
    }
}
