//! `urlid explain`: which characters of a URL became which digits, and what an identifier says.
//!
//! `url` and `id` find out what there is to say and put it into a `report`, which knows how to show it.

mod id;
mod report;
mod url;

use clap::Args;
use urlid::suffix::SuffixList;
use urlid_lines::Line;

use crate::args::Globals;
use crate::exit::{Exit, Failure};
use crate::input::{self, LineSink, TextInputs};
use crate::output::Output;
use crate::refusals::{Place, Refusal, Refusals};

use report::{Report, Show};

/// Explain URLs and identifiers: which characters became which slice
///
/// Of a URL, every part is shown with the digits that it became. Of a SXURL, the fields are shown, and public suffixes
/// whose hash is that of the identifier: an identifier hides nothing that can be guessed. Url-hashes and hashed URIs are
/// explained too. For example: urlid explain 'https://www.example.co.uk:8443/a?q#f'
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    texts: TextInputs,

    /// Print a JSON object for each text instead
    #[arg(long)]
    json: bool,
}

/// Explains each text.
pub(crate) fn run(args: &ExplainArgs, globals: &Globals) -> Result<Exit, Failure> {
    let sources = args.texts.sources()?;
    let rules = args.texts.rules();
    let progress = sources.progress();
    let list = globals.psl.list()?;
    let show = if args.json { Show::Json } else { Show::Text(globals.color.on(&std::io::stdout())) };
    let refusals = Refusals::new(rules.rejects.as_deref(), progress.clone())?;
    let mut explainer = Explainer { out: Output::stdout()?, refusals, list: &list, show, is_first: true };
    let read = input::each_line(&sources, rules.options(), &progress, &mut explainer);
    progress.finish();
    let exit = read?;
    explainer.out.flush()?;
    Ok(exit.max(explainer.refusals.finish()?))
}

struct Explainer<'a> {
    out: Output,
    refusals: Refusals,
    list: &'a SuffixList,
    show: Show,
    is_first: bool,
}

impl LineSink for Explainer<'_> {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        let Some(text) = input::text_of(place, line, &mut self.refusals)? else { return Ok(()) };
        if text.is_empty() {
            return Ok(());
        }
        match explain(text, self.list) {
            Ok(report) => {
                if !self.is_first && self.show != Show::Json {
                    self.out.write(b"\n")?;
                }
                self.is_first = false;
                self.out.write(report.render(self.show).as_bytes())
            }
            Err(refusal) => self.refusals.refuse(place, refusal.code, &refusal.message, line.bytes),
        }
    }

    fn pause(&mut self) -> Result<(), Failure> {
        self.out.flush()
    }
}

/// Finds out what a text is, identifiers first, and what there is to say about it.
fn explain(text: &str, list: &SuffixList) -> Result<Report, Refusal> {
    id::sxurl(text, list)
        .or_else(|| id::hashed_uri(text))
        .or_else(|| id::url_hash(text))
        .map_or_else(|| url::explain(text, list), Ok)
}
