//! `urlid parts --of text`: which formats a text can be.

use std::sync::atomic::{AtomicBool, Ordering};

use urlid::compat::detect;
use urlid_io::lines::Line;
use urlid_ops::explain::failed_check;

use super::args::PartsArgs;
use crate::input::line_run::LineRun;
use crate::output::enrich;
use crate::output::files::FilesInUse;
use crate::output::json;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::output::table::{Cells, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::{Place, Refusal};

/// Prints the formats of each text. Some formats look alike, so all that fit are printed, the most specific
/// first; for hexadecimal digits that are not an SXURL, the check that failed too. Exits with 1 if no text
/// has any of the formats.
pub(super) fn run(args: &PartsArgs) -> Result<Exit, Failure> {
    if args.table.is_given()? {
        let is_found = AtomicBool::new(false);
        let make = || Box::new(Formats { is_found: &is_found }) as _;
        let exit = enrich::run(
            args.inputs()?,
            FilesInUse::default(),
            &args.table,
            args.format.format,
            "text",
            &make,
        )?;
        let is_found = is_found.load(Ordering::Relaxed);
        return Ok(if is_found { exit } else { exit.max(Exit::Nothing) });
    }
    let mut run = LineRun::begin(args.inputs()?, FilesInUse::default(), args.table.out.path())?;
    let columns = [
        Column { name: "line", shown: Shown::InJson },
        Column { name: "text", shown: Shown::NotInText },
        Column { name: "formats", shown: Shown::Always },
        Column { name: "not_sxurl", shown: Shown::NotInText },
    ];
    let mut rows = Rows::begin(&mut run.out, args.format.format, &columns)?;
    let mut exit = Exit::Nothing;
    run.each_line(&mut |run: &mut LineRun, place: Place<'_>, line: &Line<'_>| {
        let formats = match line.text {
            Ok(text) => detect(text),
            Err(error) => {
                run.refuse(place, line.bytes, &error.into())?;
                if run.leaves_refused_out() {
                    return Ok(());
                }
                Default::default()
            }
        };
        if !formats.is_empty() {
            exit = Exit::Done;
        }
        let names = formats.iter().map(|format| format.name());
        let failed = line.text.ok().and_then(failed_check).map(|error| error.code().as_str());
        let why = failed.filter(|_| args.format.format == Format::Text);
        let why = why.map(|code| format!("(no sxurl: {code})"));
        let as_text = names.clone().chain(why.as_deref()).collect::<Vec<_>>().join(" ");
        let as_json = json::list(names.map(json::string));
        let formats = Value::List { text: &as_text, json: &as_json };
        let text = line.text.map_or(Value::Null, Value::Text);
        rows.write(
            &mut run.out,
            &[Value::Number(place.line), text, formats, failed.map_or(Value::Null, Value::Text)],
        )
    })?;
    run.finish(exit)
}

/// The formats of a text, separated by spaces.
struct Formats<'a> {
    /// Whether a text had a known format.
    is_found: &'a AtomicBool,
}

impl Values for Formats<'_> {
    fn columns(&self) -> Vec<ValueColumn> {
        vec![ValueColumn::text("formats")]
    }

    fn values(&mut self, text: &str, cells: &mut dyn Cells) -> Option<Refusal> {
        let names: Vec<&str> = detect(text).iter().map(|format| format.name()).collect();
        if !names.is_empty() {
            self.is_found.store(true, Ordering::Relaxed);
        }
        cells.push((!names.is_empty()).then(|| names.join(" ")).as_deref());
        None
    }
}
