//! Functions of SXURLs and url-hashes.

use urlid::sxurl::{Field, Flags, Slice, Sxurl};
use urlid::url_hash::UrlHash;

use crate::error::ArgumentError;
use crate::function::Evaluate;
use crate::names::{Parsed, choose};
use crate::value::{Output, Value};

pub(crate) fn sxurl() -> Evaluate {
    Box::new(|arguments| match arguments {
        [Value::Text(url)] => Ok(Sxurl::encode(url).ok().map(Sxurl::to_bytes).into()),
        _ => Ok(Output::Null),
    })
}

pub(crate) fn url_hash() -> Evaluate {
    Box::new(|arguments| match arguments {
        [Value::Text(url)] => Ok(UrlHash::encode(url).ok().map(|hash| *hash.as_bytes()).into()),
        _ => Ok(Output::Null),
    })
}

pub(crate) fn slice() -> Evaluate {
    let mut field = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Bytes(id), Value::Text(name)] => {
            let field = *field.get(name, parse_field)?;
            Ok(read(id).map(|id| number(id.field(field))).into())
        }
        _ => Ok(Output::Null),
    })
}

pub(crate) fn probe() -> Evaluate {
    let mut slice = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Text(name), Value::Text(value)] => {
            let slice = *slice.get(name, parse_slice)?;
            Ok(probe_value(slice, value).map(number).into())
        }
        _ => Ok(Output::Null),
    })
}

pub(crate) fn decode() -> Evaluate {
    let mut field = Parsed::default();
    Box::new(move |arguments| match arguments {
        [Value::Bytes(id), Value::Text(name)] => {
            let field = *field.get(name, parse_decoded)?;
            Ok(read(id).and_then(|id| field.of(id)).into())
        }
        _ => Ok(Output::Null),
    })
}

/// Reads an SXURL that passes the checks of the specification.
fn read(id: &[u8]) -> Option<Sxurl> {
    Sxurl::try_from(id).ok()
}

/// Fields have at most 60 bits.
fn number(bits: u64) -> i64 {
    bits as i64
}

fn parse_field(name: &str) -> Result<Field, ArgumentError> {
    choose("slice", name, Field::ALL.map(|field| (field.name(), field)))
}

fn parse_slice(name: &str) -> Result<Slice, ArgumentError> {
    choose("slice", name, Slice::ALL.map(|slice| (slice.label(), slice)))
}

/// Returns the number to compare a slice with; a value that no URL can have has none.
fn probe_value(slice: Slice, value: &str) -> Option<u64> {
    Some(slice.hash(&slice.map_value(value).ok()?))
}

/// What an SXURL says of its URL.
#[derive(Clone, Copy)]
enum Decoded {
    Version,
    Scheme,
    Has(Flags),
    Port,
    Digits(Slice),
}

impl Decoded {
    fn of(self, id: Sxurl) -> Option<String> {
        Some(match self {
            Decoded::Version => id.version().to_string(),
            Decoded::Scheme => id.scheme().name().to_owned(),
            Decoded::Has(flag) => id.header().flags.contains(flag).to_string(),
            Decoded::Port => id.port()?.to_string(),
            Decoded::Digits(slice) => id.to_hex()[slice.hex_range()].to_owned(),
        })
    }
}

fn parse_decoded(name: &str) -> Result<Decoded, ArgumentError> {
    let header = [
        ("version", Decoded::Version),
        ("scheme", Decoded::Scheme),
        ("has_sub", Decoded::Has(Flags::SUB)),
        ("has_params", Decoded::Has(Flags::PARAMS)),
        ("has_frag", Decoded::Has(Flags::FRAG)),
        ("has_port", Decoded::Has(Flags::PORT)),
        ("port", Decoded::Port),
    ];
    choose(
        "field",
        name,
        header.into_iter().chain(Slice::ALL.map(|slice| (slice.label(), Decoded::Digits(slice)))),
    )
}
