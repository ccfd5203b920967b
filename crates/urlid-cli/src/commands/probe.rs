//! `urlid probe`: what a slice of SXURLs is compared with (SXURL, section 7).

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use urlid::hex;
use urlid::sxurl::{HostPart, Slice, key_ranges};

use crate::exit::{Exit, Failure};
use crate::message;
use crate::output::Output;
use crate::rows::{Column, FormatArg, Rows, Shown, Value};

/// Print the hash of a value, to compare a slice of SXURLs with
///
/// Values of tld, domain and sub are mapped as hosts are; path, params and frag are hashed as written, a path with
/// its leading slash. In SQL, compare the digits with SUBSTR(id, HEX_START + 1, HEX_END - HEX_START).
///
/// Examples: urlid probe domain google --format csv; urlid probe tld org --ranges
#[derive(Debug, Args)]
pub(crate) struct ProbeArgs {
    /// The slice
    #[arg(value_parser = slice())]
    slice: Slice,

    /// The value
    value: String,

    /// Print the 48 ranges of ids with the value, one for each header; with slice tld, or domain and --tld
    #[arg(long)]
    ranges: bool,

    /// The tld of the ranges of a domain
    #[arg(long, requires = "ranges")]
    tld: Option<String>,

    #[command(flatten)]
    format: FormatArg,
}

fn slice() -> impl TypedValueParser<Value = Slice> {
    PossibleValuesParser::new(Slice::ALL.map(Slice::label))
        .try_map(|label| Slice::from_label(&label).ok_or("no such slice"))
}

/// Prints the hash of the value, or the ranges of ids.
pub(crate) fn run(args: &ProbeArgs) -> Result<Exit, Failure> {
    match (args.slice, &args.tld) {
        _ if !args.ranges => print_hash(args),
        (Slice::Tld, None) => print_ranges(args, &args.value, None),
        (Slice::Domain, Some(tld)) => print_ranges(args, tld, Some(&args.value)),
        _ => Err(Failure::usage("--ranges: expected slice tld, or slice domain and --tld".to_owned())),
    }
}

fn print_hash(args: &ProbeArgs) -> Result<Exit, Failure> {
    let value = match args.slice {
        Slice::Tld | Slice::Domain | Slice::Sub => map(&args.value)?.as_str().to_owned(),
        Slice::Path | Slice::Params | Slice::Frag => args.value.clone(),
    };
    let columns = [
        Column { name: "slice", shown: Shown::NotInText },
        Column { name: "value", shown: Shown::NotInText },
        Column { name: "digits", shown: Shown::Always },
        Column { name: "number", shown: Shown::Always },
        Column { name: "hex_start", shown: Shown::NotInText },
        Column { name: "hex_end", shown: Shown::NotInText },
    ];
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
    let range = args.slice.hex_range();
    rows.write(
        &mut out,
        &[
            Value::Text(args.slice.label()),
            Value::Text(&value),
            Value::Text(&args.slice.hash_hex(&value)),
            Value::Number(args.slice.hash(&value)),
            Value::Number(range.start as u64),
            Value::Number(range.end as u64),
        ],
    )?;
    out.flush()?;
    Ok(Exit::Done)
}

fn print_ranges(args: &ProbeArgs, tld: &str, domain: Option<&str>) -> Result<Exit, Failure> {
    let (tld, domain) = (map(tld)?, domain.map(map).transpose()?);
    let columns = ["first", "last"].map(|name| Column { name, shown: Shown::Always });
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin(&mut out, args.format.format, &columns)?;
    for range in key_ranges(&tld, domain.as_ref()) {
        let (first, last) = (hex::encode(range.start()), hex::encode(range.end()));
        rows.write(&mut out, &[Value::Text(&first), Value::Text(&last)])?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

fn map(text: &str) -> Result<HostPart<'_>, Failure> {
    HostPart::map(text).map_err(|error| Failure::usage(message::describe(&error)))
}
