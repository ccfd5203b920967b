//! Functions of SXURLs and url-hashes.

use urlid::sxurl::{Field, Flags, Slice, Sxurl};
use urlid::url_hash::UrlHash;

use crate::functions::error::ArgumentError;
use crate::functions::evaluator::Named;
use crate::functions::names::choose;

pub(crate) fn sxurl(url: &str) -> Option<[u8; 32]> {
    Sxurl::encode(url).ok().map(Sxurl::to_bytes)
}

pub(crate) fn url_hash(url: &str) -> Option<[u8; 32]> {
    UrlHash::encode(url).ok().map(|hash| *hash.as_bytes())
}

pub(crate) fn slice(id: Sxurl, field: &Field) -> Option<i64> {
    Some(number(id.field(*field)))
}

/// A value that no URL can have has no number.
pub(crate) fn probe(slice: &Slice, value: &str) -> Option<i64> {
    Some(number(slice.hash(&slice.map_value(value).ok()?)))
}

pub(crate) fn decode(id: Sxurl, field: &Decoded) -> Option<String> {
    Some(match *field {
        Decoded::Version => id.version().to_string(),
        Decoded::Scheme => id.scheme().name().to_owned(),
        Decoded::Has(flag) => id.header().flags.contains(flag).to_string(),
        Decoded::Port => id.port()?.to_string(),
        Decoded::Digits(slice) => id.to_hex()[slice.hex_range()].to_owned(),
    })
}

/// Fields have at most 60 bits.
fn number(bits: u64) -> i64 {
    bits as i64
}

impl Named for Field {
    const NAME: &'static str = "name";

    fn parse(name: &str) -> Result<Self, ArgumentError> {
        choose("slice", name, Field::ALL.map(|field| (field.name(), field)))
    }
}

impl Named for Slice {
    const NAME: &'static str = "name";

    fn parse(name: &str) -> Result<Self, ArgumentError> {
        choose("slice", name, Slice::ALL.map(|slice| (slice.label(), slice)))
    }
}

/// A property of the URL of an SXURL.
#[derive(Clone, Copy)]
pub(crate) enum Decoded {
    Version,
    Scheme,
    Has(Flags),
    Port,
    Digits(Slice),
}

impl Named for Decoded {
    const NAME: &'static str = "field";

    fn parse(name: &str) -> Result<Self, ArgumentError> {
        let header = [
            ("version", Decoded::Version),
            ("scheme", Decoded::Scheme),
            ("has_sub", Decoded::Has(Flags::SUB)),
            ("has_params", Decoded::Has(Flags::PARAMS)),
            ("has_frag", Decoded::Has(Flags::FRAG)),
            ("has_port", Decoded::Has(Flags::PORT)),
            ("port", Decoded::Port),
        ];
        let slices = Slice::ALL.map(|slice| (slice.label(), Decoded::Digits(slice)));
        choose("field", name, header.into_iter().chain(slices))
    }
}
