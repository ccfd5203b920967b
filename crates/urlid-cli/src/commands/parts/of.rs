//! `urlid parts --of`: hosts, which are split at their public suffix, SXURLs, whose fields are read (SXURL,
//! section 7), and other texts, whose formats are named.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use urlid::compat::detect;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Slice, Sxurl};
use urlid::web::Part;
use urlid_ops::explain::failed_check;

use super::args::PartsArgs;
use crate::args::Globals;
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::output::rows::{Column, Format, Rows, Shown, Value};
use crate::output::table::{self, Cells, Holds, ValueColumn, Values};
use crate::output::{enrich, json};
use crate::report::exit::{Exit, Failure};
use crate::report::rejections::Rejection;

/// Prints the parts of each host. A text is read as [`SuffixList::split`] reads it. A host that is itself a
/// public suffix lacks a domain, and an IP address lacks all of the parts.
pub(super) fn run_on_hosts(args: &PartsArgs, globals: &Globals) -> Result<Exit, Failure> {
    let list = globals.psl.list()?;
    let make = || Box::new(Splitter { list: list.clone() }) as _;
    let files = FilesInUse::reading(globals.psl.path());
    enrich::run(args.inputs()?, files, &args.table, args.format.format, "host", &make)
}

struct Splitter {
    list: Cow<'static, SuffixList>,
}

const HOST_PARTS: [Part; 5] = [Part::Sub, Part::Domain, Part::Tld, Part::RegisteredDomain, Part::HostKind];

impl Values for Splitter {
    fn columns(&self) -> Vec<ValueColumn> {
        let shown = |part| match part {
            Part::RegisteredDomain | Part::HostKind => Shown::NotInText,
            _ => Shown::Always,
        };
        HOST_PARTS.map(|part| ValueColumn { shown: shown(part), ..ValueColumn::text(part.name()) }).into()
    }

    fn suffix_list(&self) -> Option<&SuffixList> {
        Some(&self.list)
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let split = match self.list.split(text) {
            Ok(split) => split,
            Err(error) => return Some(error.into()),
        };
        // In the order of `HOST_PARTS`.
        let values = [split.sub(), split.domain(), split.tld(), split.registered_domain(), split.kind()];
        values.iter().for_each(|value| cells.push(*value));
        None
    }
}

/// The columns of numbers, in the order of the slices.
const NUMBERS: [&str; 6] =
    ["tld_number", "domain_number", "sub_number", "path_number", "params_number", "frag_number"];

/// Prints the fields of each id: slices as hexadecimal digits, and in csv, tsv and ndjson also as numbers. An
/// id that fails a check of the specification is rejected with the code of that check.
pub(super) fn run_on_ids(args: &PartsArgs) -> Result<Exit, Failure> {
    if args.table.columns.is_given() {
        return Err(Failure::usage("--column: SXURLs are read from lines"));
    }
    let run = LineRun::begin(args.inputs()?, FilesInUse::default(), args.table.out.path())?;
    table::print_rows(run, args.format.format, "id", &|| Box::new(Fields))
}

/// Makes the fields of ids.
struct Fields;

impl Values for Fields {
    fn columns(&self) -> Vec<ValueColumn> {
        let number = |name| ValueColumn { holds: Holds::Number, ..ValueColumn::text(name) };
        // Printed without quotes, so that ndjson has booleans and not texts.
        let flag = |name| ValueColumn { holds: Holds::Json, ..ValueColumn::text(name) };
        let flags = ["has_sub", "has_params", "has_frag", "has_port"].map(flag);
        let slices = Slice::ALL.map(|slice| ValueColumn::text(slice.label()));
        let numbers = NUMBERS.map(|name| ValueColumn { shown: Shown::NotInText, ..number(name) });
        let mut columns = vec![number("version"), ValueColumn::text("scheme")];
        columns.extend(flags.into_iter().chain([number("port")]).chain(slices).chain(numbers));
        columns
    }

    fn is_upright(&self) -> bool {
        true
    }

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let id = match Sxurl::from_hex(text) {
            Ok(id) => id,
            Err(error) => return Some(error.into()),
        };
        cells.push(Some(&id.version().to_string()));
        cells.push(Some(id.scheme().name()));
        for flag in [id.has_sub(), id.has_params(), id.has_frag(), id.has_port()] {
            cells.push(Some(if flag { "true" } else { "false" }));
        }
        cells.push(id.port().map(|port| port.to_string()).as_deref());
        let digits = id.to_hex();
        Slice::ALL.iter().for_each(|slice| cells.push(Some(&digits[slice.hex_range()])));
        Slice::ALL.iter().for_each(|slice| cells.push(Some(&id.slice(*slice).to_string())));
        None
    }
}

/// Prints the formats of each text. Some formats look alike, so all matching ones are printed, the most
/// specific first. For hexadecimal digits that are not an SXURL, the failed check is also printed. Exits with
/// 1 if no text has any of the formats.
pub(super) fn run_on_texts(args: &PartsArgs) -> Result<Exit, Failure> {
    if args.table.columns.is_given() {
        // Each thread has a maker, and the exit code depends on the texts of all of them.
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
    run.each_record(&mut |run, line| {
        let text = line.text.as_deref().ok();
        let formats = text.map(detect).unwrap_or_default();
        if !formats.is_empty() {
            exit = Exit::Done;
        }
        let names = formats.iter().map(|format| format.name());
        let failed = text.and_then(failed_check).map(|error| error.code().as_str());
        // The other formats have a separate column with the code.
        let why = failed.filter(|_| args.format.format == Format::Text);
        let why = why.map(|code| format!("(no sxurl: {code})"));
        let as_text = names.clone().chain(why.as_deref()).collect::<Vec<_>>().join(" ");
        let as_json = json::list(names.map(json::string));
        let formats = Value::List { text: &as_text, json: &as_json };
        if text.is_some() || !run.leaves_rejected_out() {
            let text = text.map_or(Value::Null, Value::Text);
            let failed = failed.map_or(Value::Null, Value::Text);
            rows.write(&mut run.out, &[Value::Number(line.number), text, formats, failed])?;
        }
        line.text.map_or_else(|error| Err(Rejection::from(error).into()), |_| Ok(()))
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

    fn values(&mut self, text: &str, cells: &mut Cells<'_>) -> Option<Rejection> {
        let names: Vec<&str> = detect(text).iter().map(|format| format.name()).collect();
        if !names.is_empty() {
            self.is_found.store(true, Ordering::Relaxed);
        }
        cells.push((!names.is_empty()).then(|| names.join(" ")).as_deref());
        None
    }
}
