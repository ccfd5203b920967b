//! `urlid id`: identifiers of URLs, a line out for each line in.
//!
//! `kinds` knows how each identifier is made. Rows go line by line through `table`; where one kind is asked for, `batch` gives
//! the same bytes faster, through the threads of `pipeline`, with the help of `rows`.

mod batch;
pub(crate) mod kinds;
mod rows;

use std::io::IsTerminal;

use clap::Args;

use crate::args::Globals;
use crate::cpu;
use crate::exit::{Exit, Failure};
use crate::input::UrlInputs;
use crate::output::Format;
use crate::refusals::Refusal;
use crate::table::{self, FormatArg, Work};

use kinds::{Kind, Maker};

/// Make identifiers of URLs: one line out for each line in, in the same order
///
/// A line that has no identifier is refused: its line out is empty, the reason is told on standard error, and the exit
/// code is 3. A blank line stays blank. An identifier is no proof that two URLs are equal, and it hides nothing.
/// For example: urlid id --kind sxurl,url-hash --format csv urls.txt.zst
#[derive(Debug, Args)]
pub(crate) struct IdArgs {
    #[command(flatten)]
    urls: UrlInputs,

    /// The kinds of identifiers, a column each; may be repeated or a list with commas
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
    let maker = Maker::new(&args.options, globals.psl.list()?);
    let (sources, rules, format) = (args.urls.sources()?, args.urls.rules(), args.format.format);
    if let &[kind] = args.kind.as_slice()
        && (format == Format::Text || (!sources.has_arguments() && !std::io::stdout().is_terminal()))
        && let Some(result) = batch::run(kind, format, &maker, kernels, &sources, rules)
    {
        return result;
    }
    table::run(&sources, rules, format, "url", Ids { kinds: args.kind.clone(), maker })
}

/// The identifiers of one line, a value each.
struct Ids {
    kinds: Vec<Kind>,
    maker: Maker,
}

impl Work for Ids {
    fn columns(&self) -> Vec<String> {
        self.kinds.iter().map(|kind| kind.name().to_owned()).collect()
    }

    fn values(&mut self, text: &str, values: &mut Vec<Option<String>>) -> Option<Refusal> {
        let line = self.maker.line(text);
        let mut first = None;
        for kind in &self.kinds {
            let refusal = table::push(line.id(*kind), values);
            first = first.or(refusal);
        }
        first
    }
}
