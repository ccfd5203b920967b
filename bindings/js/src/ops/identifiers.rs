//! Identifiers: SXURL, url-hash and its short forms, the Hashed URI. The comment of an operation lists its
//! arguments.

use serde_json::json;
use urlid::hashed_uri::{Algorithm, HashedUri, Keep, Key, Options, Variant};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, HostPart, Sxurl, key_ranges};
use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use urlid::web::Url;

use crate::arguments::{Arguments, choose, slice};
use crate::output::{self, Fault, Output};
use crate::session::Op;

/// Evaluates an expression for the type of url-hash with the number of bytes in the next argument.
macro_rules! by_length {
    ($arguments:ident, $Hash:ident => $result:expr) => {
        Ok(match choose("length", $arguments.text()?, &[("32", 32), ("16", 16), ("8", 8)])? {
            32 => {
                type $Hash = UrlHash;
                $result
            }
            16 => {
                type $Hash = UrlShortHash;
                $result
            }
            _ => {
                type $Hash = UrlVeryShortHash;
                $result
            }
        })
    };
}

pub(super) const OPS: &[Op] = &[
    // A URL.
    ("sxurl", |_, arguments| Ok(Sxurl::encode(arguments.text()?)?.as_bytes()[..].into())),
    // 64 hexadecimal digits.
    ("sxurl_from_hex", |_, arguments| Ok(Sxurl::from_hex(arguments.text()?)?.as_bytes()[..].into())),
    // 32 bytes.
    ("sxurl_from_bytes", |_, arguments| Ok(Sxurl::try_from(arguments.bytes()?)?.as_bytes()[..].into())),
    // 32 bytes.
    ("sxurl_described", |_, arguments| {
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
    }),
    // A URL.
    ("components", |_, arguments| {
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
    }),
    // No arguments. Returns the fields in the order of the digits: name, start digit and end digit
    // (exclusive).
    ("sxurl_layout", |_, _| {
        let field = |field: Field| (field.name(), field.hex_range().start, field.hex_range().end);
        Ok(output::json(&Field::ALL.map(field)))
    }),
    // A slice and a value, which is mapped like the slice's values. Returns the digits of its hash.
    ("probe", |_, arguments| {
        let slice = slice(arguments.text()?)?;
        Ok(slice.hash_hex(&slice.map_value(arguments.text()?)?).into())
    }),
    // A slice and an unchanged value. Returns the digits of its hash.
    ("slice_hash", |_, arguments| Ok(slice(arguments.text()?)?.hash_hex(arguments.text()?).into())),
    // A public suffix, and optionally a domain. Returns the first and the last id of each range.
    ("key_ranges", |_, arguments| {
        let tld = HostPart::map(arguments.text()?)?;
        let domain = arguments.optional_text()?.map(HostPart::map).transpose()?;
        let ranges = key_ranges(&tld, domain.as_ref());
        let ends: Vec<[u8; 32]> = ranges.flat_map(|range| [*range.start(), *range.end()]).collect();
        Ok(Output::Bytes(ends.into_flattened()))
    }),
    // A URL, and a base for a relative one.
    ("url_hash", |_, arguments| {
        let (url, base) = (arguments.text()?, arguments.optional_text()?);
        let hash = match base {
            Some(base) => UrlHash::from(&Url::parse(base)?.join(url)?),
            None => UrlHash::encode(url)?,
        };
        Ok(hash.as_bytes()[..].into())
    }),
    // The number of bytes, and decimal words.
    (
        "url_hash_parse",
        |_, arguments| by_length!(arguments, Hash => arguments.text()?.parse::<Hash>()?.as_bytes()[..].into()),
    ),
    // The number of bytes, and hexadecimal digits.
    (
        "url_hash_from_hex",
        |_, arguments| by_length!(arguments, Hash => Hash::from_hex(arguments.text()?)?.as_bytes()[..].into()),
    ),
    // The number of bytes, and the bytes.
    (
        "url_hash_from_bytes",
        |_, arguments| by_length!(arguments, Hash => Hash::try_from(arguments.bytes()?)?.as_bytes()[..].into()),
    ),
    // The number of bytes, and the bytes. Returns the decimal words.
    (
        "url_hash_text",
        |_, arguments| by_length!(arguments, Hash => Hash::try_from(arguments.bytes()?)?.to_string().into()),
    ),
    // A URI, base, algorithm, variant, whether query and fragment are kept, and a key.
    ("hashed_uri", |_, arguments| {
        let (uri, base) = (arguments.text()?, arguments.optional_text()?);
        let algorithm = arguments.optional_text()?.map(str::parse).transpose()?.unwrap_or(Algorithm::Sha1);
        let (variant, keep, key) = (variant(arguments)?, keep(arguments), key(arguments)?);
        let options = Options { base, algorithm, keep, variant, key: key.as_ref() };
        Ok(described(&HashedUri::encode_with(uri, &options)?))
    }),
    // The text of a hashed URI.
    ("hashed_uri_parse", |_, arguments| Ok(described(&HashedUri::parse(arguments.text()?)?))),
    // The text of a hashed URI, a URI, base, variant, and a key.
    ("hashed_uri_matches", |_, arguments| {
        let hashed = HashedUri::parse(arguments.text()?)?;
        let (uri, base) = (arguments.text()?, arguments.optional_text()?);
        let (variant, key) = (variant(arguments)?, key(arguments)?);
        let options = Options { base, variant, key: key.as_ref(), ..Options::default() };
        Ok(output::json(&hashed.matches_with(uri, &options)?))
    }),
];

/// Reads the name of a variant, by default `n`.
pub(super) fn variant(arguments: &mut Arguments<'_>) -> Result<Variant, Fault> {
    const VARIANTS: [(&str, Variant); 3] = [("n", Variant::N), ("p", Variant::P), ("none", Variant::None)];
    choose("variant", arguments.optional_text()?.unwrap_or("n"), &VARIANTS)
}

/// Reads two flags, whether the query and whether the fragment is kept.
pub(super) fn keep(arguments: &mut Arguments<'_>) -> Keep {
    Keep { query: arguments.flag(), fragment: arguments.flag() }
}

/// Reads a key that may be missing.
pub(super) fn key(arguments: &mut Arguments<'_>) -> Result<Option<Key>, Fault> {
    Ok(arguments.optional_bytes().map(Key::new).transpose()?)
}

fn described(hashed: &HashedUri) -> Output {
    output::json(&json!({
        "text": hashed.to_string(),
        "algorithm": hashed.algorithm().name(),
        "digest": hashed.digest(),
        "keepQuery": hashed.keep().query,
        "keepFragment": hashed.keep().fragment,
        "isKnown": hashed.is_known(),
    }))
}
