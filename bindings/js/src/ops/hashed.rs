//! The Hashed URI: making, reading and matching.

use serde_json::json;
use urlid::hashed_uri::{Algorithm, HashedUri, Keep, Key, Options, Variant};

use crate::arguments::Arguments;
use crate::choice::choose;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] =
    &[("hashed_uri", hashed_uri), ("hashed_uri_parse", parse), ("hashed_uri_matches", matches)];

/// Reads the name of a variant; `n` if it is not given.
pub(super) fn variant(arguments: &mut Arguments<'_>) -> Result<Variant, Fault> {
    const VARIANTS: [(&str, Variant); 3] = [("n", Variant::N), ("p", Variant::P), ("none", Variant::None)];
    choose("variant", arguments.optional_text()?.unwrap_or("n"), &VARIANTS)
}

/// Reads two flags: whether the query is kept, and whether the fragment is.
pub(super) fn keep(arguments: &mut Arguments<'_>) -> Keep {
    Keep { query: arguments.flag(), fragment: arguments.flag() }
}

/// Reads a key that may not be given.
pub(super) fn key(arguments: &mut Arguments<'_>) -> Result<Option<Key>, Fault> {
    Ok(arguments.optional_bytes().map(Key::new).transpose()?)
}

/// Arguments: a URI, base, algorithm, variant, whether query and fragment are kept, and a key.
fn hashed_uri(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (uri, base) = (arguments.text()?, arguments.optional_text()?);
    let algorithm = arguments.optional_text()?.map(str::parse).transpose()?.unwrap_or(Algorithm::Sha1);
    let (variant, keep, key) = (variant(arguments)?, keep(arguments), key(arguments)?);
    let options = Options { base, algorithm, keep, variant, key: key.as_ref(), ..Options::default() };
    Ok(described(&HashedUri::encode_with(uri, &options)?))
}

/// Argument: the text of a hashed URI.
fn parse(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(described(&HashedUri::parse(arguments.text()?)?))
}

/// Arguments: the text of a hashed URI, a URI, base, variant, and a key.
fn matches(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let hashed = HashedUri::parse(arguments.text()?)?;
    let (uri, base) = (arguments.text()?, arguments.optional_text()?);
    let (variant, key) = (variant(arguments)?, key(arguments)?);
    let options = Options { base, variant, key: key.as_ref(), ..Options::default() };
    Ok(output::json(&hashed.matches_with(uri, &options)?))
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
