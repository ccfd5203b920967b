//! `urlid parts --of id`: the fields of SXURLs (SXURL, section 7).

use urlid::sxurl::{Slice, Sxurl};
use urlid_io::lines::Line;

use super::args::PartsArgs;
use crate::input::session::Session;
use crate::output::replace::FilesInUse;
use crate::output::rows::{Column, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::{Place, Refusal};

/// The columns of numbers, in the order of the slices.
const NUMBERS: [&str; 6] =
    ["tld_number", "domain_number", "sub_number", "path_number", "params_number", "frag_number"];

/// Prints the fields of each id: slices as hexadecimal digits, and in csv, tsv and ndjson as numbers too. An id that fails a check
/// of the specification is refused with the code of that check.
pub(super) fn run(args: &PartsArgs) -> Result<Exit, Failure> {
    if args.table.is_given()? {
        return Err(Failure::usage("--column: SXURLs are read from lines"));
    }
    let mut session = Session::begin(args.inputs()?, FilesInUse::default(), args.table.out.path())?;
    let column = |shown: Shown| move |name| Column { name, shown };
    let flags = ["has_sub", "has_params", "has_frag", "has_port"];
    let columns: Vec<Column<'_>> = [Column { name: "line", shown: Shown::InJson }]
        .into_iter()
        .chain([Column { name: "id", shown: Shown::NotInText }])
        .chain(["version", "scheme"].map(column(Shown::Always)))
        .chain(flags.map(column(Shown::Always)))
        .chain(["port"].map(column(Shown::Always)))
        .chain(Slice::ALL.map(Slice::label).map(column(Shown::Always)))
        .chain(NUMBERS.map(column(Shown::NotInText)))
        .chain([Column { name: "error", shown: Shown::NotInText }])
        .collect();
    let mut rows = Rows::begin_for_people(&mut session.out, args.format.format, &columns)?;
    session.each_line(&mut |session: &mut Session, place: Place<'_>, line: &Line<'_>| {
        let mut row = vec![Value::Number(place.line), line.text.map_or(Value::Null, Value::Text)];
        let digits;
        match decode(line) {
            Ok(None) => {
                row.resize(columns.len(), Value::Null);
                return rows.write_blank(&mut session.out, &row);
            }
            Ok(Some(id)) => {
                digits = id.to_hex();
                row.extend(fields(&id, &digits));
                row.push(Value::Null);
            }
            Err(refusal) => {
                session.refuse(place, line.bytes, &refusal)?;
                if session.leaves_refused_out() {
                    return Ok(());
                }
                row.resize(columns.len() - 1, Value::Null);
                row.push(Value::Text(refusal.code().as_str()));
            }
        }
        rows.write(&mut session.out, &row)
    })?;
    session.finish(Exit::Done)
}

/// Reads an id, or nothing from a blank line.
fn decode(line: &Line<'_>) -> Result<Option<Sxurl>, Refusal> {
    match line.text? {
        "" => Ok(None),
        text => Ok(Some(Sxurl::from_hex(text)?)),
    }
}

/// Returns the fields of an id, of which `digits` are the digits.
fn fields<'a>(id: &Sxurl, digits: &'a str) -> Vec<Value<'a>> {
    let flag = |flag: bool| Value::Json(if flag { "true" } else { "false" });
    let mut row = vec![
        Value::Number(u64::from(id.version())),
        Value::Text(id.scheme().name()),
        flag(id.has_sub()),
        flag(id.has_params()),
        flag(id.has_frag()),
        flag(id.has_port()),
        id.port().map_or(Value::Null, |port| Value::Number(u64::from(port))),
    ];
    row.extend(Slice::ALL.map(|slice| Value::Text(&digits[slice.hex_range()])));
    row.extend(Slice::ALL.map(|slice| Value::Number(id.slice(slice))));
    row
}
