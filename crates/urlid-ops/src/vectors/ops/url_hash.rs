//! url-hash, and what crate `url-hash` 0.1.0 emits.

use serde_json::json;
use urlid::compat::CrateUrlHash;
use urlid::url_hash::UrlHash;
use urlid::web::Url;

use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Values, values};

pub(super) fn url_hash(input: &Input<'_>) -> Result<Values, Fault> {
    let url = Url::parse(input.text("url")?)?;
    let hash = UrlHash::from(&url);
    Ok(values([
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

pub(super) fn url_hash_crate(input: &Input<'_>) -> Result<Values, Fault> {
    let url = Url::parse(input.text("url")?)?;
    let hash = CrateUrlHash::from(&url);
    Ok(values([
        ("canonical", json!(url.as_str())),
        ("hex", json!(hash.to_hex())),
        ("display", json!(hash.to_string())),
    ]))
}
