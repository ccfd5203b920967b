//! The Hashed URI: making, reading and matching.

use serde_json::json;
use urlid::Coded;
use urlid::hashed_uri::{Algorithm, AlgorithmError, HashedUri, Keep, Variant, canonicalize};

use super::{Found, found};
use crate::input::{Fault, Input};

pub(super) fn make(input: &Input<'_>) -> Result<Found, Fault> {
    let (uri, base) = (input.text("uri")?, input.optional_text("base")?);
    let keep = Keep { query: input.flag("keep_query")?, fragment: input.flag("keep_frag")? };
    let variant = variant(input)?;
    let algorithm: Algorithm =
        input.text("alg")?.parse().map_err(|error: AlgorithmError| Fault::Refused(error.code().as_str()))?;
    let canonical =
        canonicalize(uri, base, keep, variant).map_err(|error| Fault::Refused(error.code().as_str()))?;
    let hashed = HashedUri::make(uri, base, &algorithm, keep, variant)
        .map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(found([("canonical", json!(canonical.as_str())), ("hashed", json!(hashed.to_string()))]))
}

pub(super) fn parse(input: &Input<'_>) -> Result<Found, Fault> {
    let hashed =
        HashedUri::parse(input.text("text")?).map_err(|error| Fault::Refused(error.code().as_str()))?;
    let digest: String = hashed.digest().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(found([
        ("alg", json!(hashed.algorithm().name())),
        ("digest", json!(digest)),
        ("frag", json!(hashed.keep().fragment)),
        ("query", json!(hashed.keep().query)),
        ("known", json!(hashed.is_known())),
        ("canonical", json!(hashed.to_string())),
    ]))
}

pub(super) fn matches(input: &Input<'_>) -> Result<Found, Fault> {
    let hashed =
        HashedUri::parse(input.text("hashed")?).map_err(|error| Fault::Refused(error.code().as_str()))?;
    let is_match = hashed
        .matches(input.text("uri")?, variant(input)?)
        .map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(found([("match", json!(is_match))]))
}

/// Reads the name of a variant.
pub(super) fn variant(input: &Input<'_>) -> Result<Variant, Fault> {
    input.named("variant", |name| name.parse().ok())
}
