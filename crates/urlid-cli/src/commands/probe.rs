//! `urlid probe`: prints the value with which a slice of SXURLs is compared (SXURL, section 7).

use clap::Args;
use urlid::hex;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, HostPart, Slice, key_ranges};
use urlid_store::question::{Condition, Question};

use crate::args::{Globals, choice};
use crate::output::Output;
use crate::output::rows::{Column, FormatArg, Rows, Shown, Value};
use crate::report::exit::{Exit, Failure};
use crate::report::hints;
use crate::report::message;

/// Print the hash of a value, to compare a slice of SXURLs with
///
/// Values of tld, domain and sub are mapped like hosts. Values of path, params and frag are hashed as written,
/// a path with its leading slash. A port is not hashed. In SQL, compare the printed digits with SUBSTR(id,
/// HEX_START + 1, HEX_END - HEX_START). csv and ndjson also have HEX_START, HEX_END and the hash as a decimal
/// number. A hint is printed for a value that URLs cannot have.
///
/// Example: urlid probe domain google --format csv
///
/// Example: urlid probe port 8443
///
/// Example: urlid probe tld org --ranges
#[derive(Debug, Args)]
pub(crate) struct ProbeArgs {
    /// The slice of the SXURL
    #[arg(value_parser = choice(slices()))]
    slice: (Field, Condition),

    /// The value to hash
    value: String,

    /// Print the 48 ranges of ids with this value, one per header; for tld, or domain with --tld
    #[arg(long)]
    ranges: bool,

    /// The tld for the ranges of a domain
    #[arg(long, requires = "ranges")]
    tld: Option<String>,

    #[command(flatten)]
    format: FormatArg,
}

impl ProbeArgs {
    /// Returns whether the command splits hosts by the suffix list that was chosen.
    pub(super) fn splits_hosts(&self) -> bool {
        !self.ranges
    }
}

/// The fields that contain a part or its hash, and the conditions of an index on these parts.
const PROBED: [(Field, Condition); 7] = [
    (Field::Tld, Condition::Tld),
    (Field::Domain, Condition::Domain),
    (Field::Sub, Condition::Sub),
    (Field::Port, Condition::Port),
    (Field::Path, Condition::Path),
    (Field::Params, Condition::Query),
    (Field::Frag, Condition::Fragment),
];

/// Returns the names of slices: the names in SXURL, and the names of these parts elsewhere.
fn slices() -> [(&'static str, (Field, Condition), &'static str); 9] {
    let [tld, domain, sub, port, path, params, frag] = PROBED.map(|probed| (probed.0.name(), probed, ""));
    let (query, fragment) = (("query", params.1, ""), ("fragment", frag.1, ""));
    [tld, domain, sub, port, path, params, query, frag, fragment]
}

/// Prints the digits of the value, or the ranges of ids.
pub(crate) fn run(args: &ProbeArgs, globals: &Globals) -> Result<Exit, Failure> {
    match (args.slice.0, &args.tld) {
        _ if !args.ranges => print_digits(args, &*globals.psl.list()?),
        (Field::Tld, None) => print_ranges(args, &args.value, None),
        (Field::Domain, Some(tld)) => print_ranges(args, tld, Some(&args.value)),
        _ => Err(Failure::usage("--ranges: expected slice tld, or slice domain and --tld".to_owned())),
    }
}

fn print_digits(args: &ProbeArgs, list: &SuffixList) -> Result<Exit, Failure> {
    let (field, condition) = args.slice;
    let range = field.hex_range();
    let (value, number) = match Slice::from_label(field.name()) {
        Some(slice) => {
            let value = slice.map_value(&args.value).map_err(|error| {
                let failure = Failure::new(Exit::Usage, &error);
                let meant = hints::of_host(field.name(), condition, &args.value);
                meant.into_iter().fold(failure, Failure::with_hint)
            })?;
            let hash = slice.hash(&value);
            (value, hash)
        }
        None => {
            // A port is stored as a number and not as a hash, so the rules of conditions check it.
            let question = Question::new([(condition, args.value.as_str())]);
            let question = question.map_err(|error| Failure::new(Exit::Usage, &error))?;
            let port = question.port().filter(|port| *port > 0).ok_or_else(|| {
                Failure::usage(
                    "ERR_PORT: found port 0, expected 1 to 65535: an SXURL has 0 if its URL lacks a port",
                )
            })?;
            (args.value.as_str().into(), port.into())
        }
    };
    let columns = [
        Column { name: "slice", shown: Shown::NotInText },
        Column { name: "value", shown: Shown::NotInText },
        Column { name: "digits", shown: Shown::Always },
        Column { name: "number", shown: Shown::NotInText },
        Column { name: "hex_start", shown: Shown::NotInText },
        Column { name: "hex_end", shown: Shown::NotInText },
    ];
    let mut out = Output::stdout()?;
    let mut rows = Rows::begin_for_people(&mut out, args.format.format, &columns)?;
    let digits = format!("{number:0width$x}", width = range.len());
    rows.write(
        &mut out,
        &[
            Value::Text(field.name()),
            Value::Text(&value),
            Value::Text(&digits),
            Value::Number(number),
            Value::Number(range.start as u64),
            Value::Number(range.end as u64),
        ],
    )?;
    out.flush()?;
    if let Some(hint) = hint(args.slice, &value, list) {
        message::print(&format!("hint: {hint}"));
    }
    Ok(Exit::Done)
}

/// Returns the reason why URLs never have the value in this part.
fn hint((field, condition): (Field, Condition), value: &str, list: &SuffixList) -> Option<String> {
    match Question::check_part(condition, value) {
        Err(error) => Some(error.to_string()),
        Ok(_) if field == Field::Path && value.is_empty() => Some("an empty path counts as `/`".to_owned()),
        Ok(_) => {
            urlid_store::question::hints(&[(condition, value)], list, |condition| name_of(condition, field))
                .pop()
                .or_else(|| unknown_to_urls(field, value, list))
        }
    }
}

/// Returns the name of the slice for a part.
fn name_of(condition: Condition, other: Field) -> String {
    PROBED.iter().find(|probed| probed.1 == condition).map_or(other, |probed| probed.0).name().to_owned()
}

/// Returns a hint if a URL that is written with the value has a different value there, or does not have an
/// SXURL.
fn unknown_to_urls(field: Field, value: &str, list: &SuffixList) -> Option<String> {
    let url = match field {
        Field::Tld => format!("https://a.{value}/"),
        // No rule of a suffix list covers `example`.
        Field::Domain => format!("https://{value}.example/"),
        Field::Sub => format!("https://{value}.a.example/"),
        Field::Path => format!("https://a.example{value}"),
        Field::Params => format!("https://a.example/?{value}"),
        Field::Frag => format!("https://a.example/#{value}"),
        _ => return None,
    };
    if value.is_empty() {
        return None;
    }
    let name = field.name();
    match Components::parse(&url, list) {
        Err(error) => Some(format!("URLs with an SXURL cannot have this {name}: {error}")),
        // `a.ck` is a suffix, and so the tld. A different hint covers whether `ck` is one.
        Ok(_) if field == Field::Tld => None,
        Ok(parts) => {
            let is_same = Slice::from_label(name).is_none_or(|slice| parts.part(slice) == value);
            (!is_same).then(|| format!("URLs cannot have this {name}"))
        }
    }
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
