//! The Hashed URI: making, reading and matching.

use serde_json::json;
use urlid::hashed_uri::{Algorithm, HashedUri, Keep, Options, Variant, canonicalize};
use urlid::hex;

use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Values, values};

pub(super) fn make(input: &Input<'_>) -> Result<Values, Fault> {
    let (uri, base) = (input.text("uri")?, input.optional_text("base")?);
    let keep = Keep { query: input.flag("keep_query")?, fragment: input.flag("keep_frag")? };
    let variant = variant(input)?;
    let algorithm: Algorithm = input.optional_text("alg")?.unwrap_or("sha1").parse()?;
    let canonical = canonicalize(uri, base, keep, variant)?;
    let options = Options { base, algorithm, keep, variant, ..Options::default() };
    let hashed = HashedUri::encode_with(uri, &options)?;
    Ok(values([("canonical", json!(canonical.as_str())), ("hashed", json!(hashed.to_string()))]))
}

pub(super) fn parse(input: &Input<'_>) -> Result<Values, Fault> {
    let hashed = HashedUri::parse(input.text("text")?)?;
    let digest = hex::encode(hashed.digest());
    Ok(values([
        ("alg", json!(hashed.algorithm().name())),
        ("digest", json!(digest)),
        ("frag", json!(hashed.keep().fragment)),
        ("query", json!(hashed.keep().query)),
        ("known", json!(hashed.is_known())),
        ("canonical", json!(hashed.to_string())),
    ]))
}

pub(super) fn matches(input: &Input<'_>) -> Result<Values, Fault> {
    let hashed = HashedUri::parse(input.text("hashed")?)?;
    Ok(values([("match", json!(hashed.matches(input.text("uri")?, variant(input)?)?))]))
}

/// Reads the name of a variant.
fn variant(input: &Input<'_>) -> Result<Variant, Fault> {
    input.named_or("variant", Variant::N, |name| name.parse().ok())
}
