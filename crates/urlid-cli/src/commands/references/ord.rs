//! `urlid ref ord` and `urlid ref upto`: the type of a text's first token, and the prefix below a type.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use urlid::reference::{Context, Reference, TokenKind};

use crate::args::theory::TheoryTexts;
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::output::table::{self, Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

/// Print the order of URLs and references: the type of the first token
///
/// The order of the empty reference is fragment.
///
/// Example: urlid ref ord '//h/a' '?q'
#[derive(Debug, Args)]
pub(super) struct OrdArgs {
    #[command(flatten)]
    texts: TheoryTexts,
}

/// Print the order-limited prefix of URLs and references
///
/// The prefix has all tokens of a type smaller than ORDER; if ORDER is directory, it has the directories too.
///
/// Example: urlid ref upto query 'http://h/a?q#f'
#[derive(Debug, Args)]
pub(super) struct UptoArgs {
    /// The type of token that limits the prefix
    #[arg(value_parser = order())]
    order: TokenKind,

    #[command(flatten)]
    texts: TheoryTexts,
}

fn order() -> impl TypedValueParser<Value = TokenKind> {
    PossibleValuesParser::new(TokenKind::ALL.map(TokenKind::name))
        .try_map(|name| TokenKind::from_name(&name).ok_or("no such type"))
}

/// Prints the order of each text.
pub(super) fn run(args: &OrdArgs) -> Result<Exit, Failure> {
    run_on(&args.texts, "ord", |reference| reference.ord().name().to_owned())
}

/// Prints the prefix of each text.
pub(super) fn run_upto(args: &UptoArgs) -> Result<Exit, Failure> {
    run_on(&args.texts, "prefix", |reference| reference.upto(args.order).as_str().to_owned())
}

fn run_on(
    texts: &TheoryTexts,
    column: &'static str,
    value: impl Fn(&Reference<'_>) -> String + Sync,
) -> Result<Exit, Failure> {
    let of_texts = OfTexts { column, context: texts.context, value };
    table::print_rows(
        LineRun::begin(texts.texts.lines()?, FilesInUse::default(), None)?,
        texts.format.format,
        "text",
        &|| Box::new(&of_texts),
    )
}

struct OfTexts<F> {
    column: &'static str,
    context: Context,
    value: F,
}

impl<F: Fn(&Reference<'_>) -> String + Sync> Values for &OfTexts<F> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text(self.column)]
    }

    fn values(&mut self, text: &str, cells: &mut dyn Cells) -> Option<Refusal> {
        let reference = Reference::parse(text, self.context);
        table::push(reference.map(|reference| (self.value)(&reference)).map_err(Refusal::from), cells)
    }
}
