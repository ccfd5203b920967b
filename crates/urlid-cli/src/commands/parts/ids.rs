//! `urlid parts --of id`: the fields of SXURLs (SXURL, section 7).

use urlid::sxurl::{Slice, Sxurl};

use super::args::PartsArgs;
use crate::input::line_run::LineRun;
use crate::output::files::FilesInUse;
use crate::output::rows::Shown;
use crate::output::table::{self, Cells, Holds, ValueColumn, Values};
use crate::report::exit::{Exit, Failure};
use crate::report::refusals::Refusal;

/// The columns of numbers, in the order of the slices.
const NUMBERS: [&str; 6] =
    ["tld_number", "domain_number", "sub_number", "path_number", "params_number", "frag_number"];

/// Prints the fields of each id: slices as hexadecimal digits, and in csv, tsv and ndjson as numbers too. An
/// id that fails a check of the specification is refused with the code of that check.
pub(super) fn run(args: &PartsArgs) -> Result<Exit, Failure> {
    if args.table.is_given()? {
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

    fn values(&mut self, text: &str, cells: &mut dyn Cells) -> Option<Refusal> {
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
