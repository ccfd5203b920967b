//! `urlid ref goto`: the targets of references from a base, by the Theory of URLs.

use clap::Args;
use urlid::reference::{Context, Reference};
use urlid_ops::explain::GotoMode;

use crate::args::theory::{context, goto_mode};
use crate::input::TextInputs;
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::output::rows::FormatArg;
use crate::output::table::{self, Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::message;
use crate::report::refusals::Refusal;

/// Print the target of references from a base: goto of the Theory of URLs
///
/// The base may be relative. Nothing is normalised, and dot segments are kept; `urlid resolve` resolves as browsers
/// do. A reference without a target is refused with ERR_NO_URL.
///
/// Example: urlid ref goto http://h/a/b '../c?q' '//g' '#f'
#[derive(Debug, Args)]
pub(super) struct GotoArgs {
    /// The base, a URL or a relative reference
    base: String,

    #[command(flatten)]
    references: TextInputs,

    /// The definition of goto to use
    #[arg(long, default_value = "strict", value_name = "MODE", value_parser = goto_mode())]
    mode: GotoMode,

    /// How to parse a base without a scheme; references are parsed relative to the base
    #[arg(long, default_value = "web", value_name = "CONTEXT", value_parser = context())]
    context: Context,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the target of each reference.
pub(super) fn run(args: &GotoArgs) -> Result<Exit, Failure> {
    // A wrong base would refuse every reference, so it is an error of the command line.
    let base = Reference::parse(&args.base, args.context);
    let base = base.map_err(|error| Failure::usage(format!("base: {}", message::describe(&error))))?;
    let targets = Targets { base, mode: args.mode };
    table::print_rows(
        LineRun::begin(args.references.lines()?, FilesInUse::default(), None)?,
        args.format.format,
        "reference",
        &|| Box::new(&targets),
    )
}

struct Targets<'a> {
    base: Reference<'a>,
    mode: GotoMode,
}

impl Targets<'_> {
    fn target(&self, text: &str) -> Result<String, Refusal> {
        let reference = Reference::parse(text, self.base.context())?;
        Ok(self.mode.goto(&self.base, &reference)?.into_string())
    }
}

impl Values for &Targets<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("url")]
    }

    fn values(&mut self, text: &str, cells: &mut dyn Cells) -> Option<Refusal> {
        table::push(self.target(text), cells)
    }
}
