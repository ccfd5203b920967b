//! SXURL: encoding, decoding, slices and key ranges.

use serde_json::json;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, HostPart, Sxurl, key_ranges};

use crate::arguments::Arguments;
use crate::choice::slice;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    ("sxurl", sxurl),
    ("sxurl_from_hex", from_hex),
    ("sxurl_from_bytes", from_bytes),
    ("sxurl_described", described),
    ("components", components),
    ("sxurl_layout", layout),
    ("probe", probe),
    ("slice_hash", slice_hash),
    ("key_ranges", ranges),
];

/// Argument: a URL.
fn sxurl(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(Sxurl::encode(arguments.text()?)?.as_bytes()[..].into())
}

/// Argument: 64 hexadecimal digits.
fn from_hex(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(Sxurl::from_hex(arguments.text()?)?.as_bytes()[..].into())
}

/// Argument: 32 bytes.
fn from_bytes(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(Sxurl::try_from(arguments.bytes()?)?.as_bytes()[..].into())
}

/// Argument: 32 bytes.
fn described(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let id = Sxurl::try_from(arguments.bytes()?)?;
    Ok(output::json(&json!({
        "version": id.version(),
        "header": id.header().bits(),
        "scheme": id.scheme().name(),
        "port": id.port(),
        "hasSub": id.has_sub(),
        "hasParams": id.has_params(),
        "hasFrag": id.has_frag(),
        "hasPort": id.has_port(),
    })))
}

/// Argument: a URL.
fn components(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let parts = Components::parse(arguments.text()?, SuffixList::compiled())?;
    Ok(output::json(&json!({
        "scheme": parts.scheme().name(),
        "host": parts.host(),
        "sub": parts.sub(),
        "domain": parts.domain(),
        "tld": parts.tld(),
        "port": parts.port(),
        "path": parts.path(),
        "query": parts.query(),
        "fragment": parts.fragment(),
        "hasUserinfo": parts.has_userinfo(),
        "normalText": parts.to_normal_text(),
    })))
}

/// Returns the fields in the order of the digits: name, first digit, and the digit after the last.
fn layout(_: &mut Session, _: &mut Arguments<'_>) -> Result<Output, Fault> {
    let field = |field: Field| (field.name(), field.hex_range().start, field.hex_range().end);
    Ok(output::json(&Field::ALL.map(field)))
}

/// Arguments: a slice and a value, which is mapped as the slice's values are. Returns the digits of its hash.
fn probe(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let slice = slice(arguments.text()?)?;
    Ok(slice.hash_hex(&slice.map_value(arguments.text()?)?).into())
}

/// Arguments: a slice and a value as it stands. Returns the digits of its hash.
fn slice_hash(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(slice(arguments.text()?)?.hash_hex(arguments.text()?).into())
}

/// Arguments: a public suffix, and perhaps a domain. Returns the first and the last id of each range.
fn ranges(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let tld = HostPart::map(arguments.text()?)?;
    let domain = arguments.optional_text()?.map(HostPart::map).transpose()?;
    let ranges = key_ranges(&tld, domain.as_ref());
    let ends: Vec<[u8; 32]> = ranges.flat_map(|range| [*range.start(), *range.end()]).collect();
    Ok(Output::Bytes(ends.into_flattened()))
}
