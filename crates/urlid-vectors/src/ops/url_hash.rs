//! url-hash, and what crate `url-hash` 0.1.0 emits.

use serde_json::json;
use urlid::Coded;
use urlid::compat::CrateUrlHash;
use urlid::url_hash::UrlHash;
use urlid::web::Url;

use super::{Found, found};
use crate::input::{Fault, Input};

pub(super) fn url_hash(input: &Input<'_>) -> Result<Found, Fault> {
    let url = parse(input)?;
    let hash = UrlHash::from(&url);
    Ok(found([
        ("canonical", json!(url.as_str())),
        ("hex", json!(hash.to_hex())),
        ("words", json!(hash.words())),
        ("display", json!(hash.to_string())),
        ("short_display", json!(hash.short().to_string())),
        ("short_hex", json!(hash.short().to_hex())),
        ("very_short_display", json!(hash.very_short().to_string())),
        ("very_short_hex", json!(hash.very_short().to_hex())),
    ]))
}

pub(super) fn url_hash_crate(input: &Input<'_>) -> Result<Found, Fault> {
    let url = parse(input)?;
    let hash = CrateUrlHash::from(&url);
    Ok(found([
        ("canonical", json!(url.as_str())),
        ("hex", json!(hash.to_hex())),
        ("display", json!(hash.to_string())),
    ]))
}

fn parse(input: &Input<'_>) -> Result<Url, Fault> {
    Url::parse(input.text("url")?).map_err(|error| Fault::Refused(error.code().as_str()))
}
