//! `urlid detect`: which formats a text can be.

use clap::Args;
use urlid::compat::detect;
use urlid_lines::Line;

use crate::exit::{Exit, Failure};
use crate::input::{self, LineSink, TextInputs};
use crate::json;
use crate::output::{Column, Output, Rows, Shown, Value};
use crate::refusals::{Place, Refusals};
use crate::table::FormatArg;

/// Say which formats a text can be: an id of ours, of a published crate, a hashed URI, a URL
///
/// Some formats cannot be told apart by their text, so all that fit are named, the most telling first. Exits with 1 if
/// no text has any. For example: urlid detect 004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000
#[derive(Debug, Args)]
pub(crate) struct DetectArgs {
    #[command(flatten)]
    texts: TextInputs,

    #[command(flatten)]
    format: FormatArg,
}

/// Prints the formats of each text.
pub(crate) fn run(args: &DetectArgs) -> Result<Exit, Failure> {
    let sources = args.texts.sources()?;
    let rules = args.texts.rules();
    let progress = sources.progress();
    let columns = [
        Column { name: "line", shown: Shown::InJson },
        Column { name: "text", shown: Shown::NotInText },
        Column { name: "formats", shown: Shown::Always },
    ];
    let mut detector = Detector {
        rows: Rows::new(Output::stdout()?, args.format.format, &columns)?,
        refusals: Refusals::new(rules.rejects.as_deref(), progress.clone())?,
        has_match: false,
    };
    let read = input::each_line(&sources, rules.options(), &progress, &mut detector);
    progress.finish();
    let exit = read?;
    detector.rows.flush()?;
    let found = if detector.has_match { Exit::Done } else { Exit::Nothing };
    Ok(exit.max(found).max(detector.refusals.finish()?))
}

struct Detector {
    rows: Rows,
    refusals: Refusals,
    has_match: bool,
}

impl LineSink for Detector {
    fn line(&mut self, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        let text = input::text_of(place, line, &mut self.refusals)?;
        let formats = text.map(detect).unwrap_or_default();
        self.has_match |= !formats.is_empty();
        let names = formats.iter().map(|format| format.name());
        let as_text = names.clone().collect::<Vec<_>>().join(" ");
        let as_json = json::list(names.map(json::string));
        let formats = Value::List { text: &as_text, json: &as_json };
        self.rows.row(&[Value::Number(place.line), text.map_or(Value::Null, Value::Text), formats])
    }

    fn pause(&mut self) -> Result<(), Failure> {
        self.rows.flush()
    }
}
