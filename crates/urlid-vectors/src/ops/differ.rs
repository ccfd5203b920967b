//! Pairs that must stay apart: what two texts have in common under one system, their identifier or their canonical form.
//!
//! For `theory` the form is the sequence of tokens, after goto where there is a base, and there is no identifier. A text
//! that is refused has no form; a pair of which one is refused is no pair.

use serde_json::{Value, json};
use urlid::Coded;
use urlid::hashed_uri::{Algorithm, HashedUri, Keep, canonicalize};
use urlid::suffix::{Sections, SuffixList};
use urlid::sxurl::Components;
use urlid::url_hash::UrlHash;
use urlid::web::Url;

use super::hashed;
use super::theory::{context_from_name, parse_in};
use super::tokens::reference_to_json;
use super::{Found, found};
use crate::input::{Fault, Input};

/// What a system makes of a text.
struct Identity {
    id: Option<String>,
    form: String,
}

pub(super) fn differ(input: &Input<'_>) -> Result<Found, Fault> {
    let identity = input.named("system", |system| match system {
        "theory" => Some(theory as fn(&Input<'_>, &str) -> Result<Identity, Fault>),
        "urlhash" => Some(url_hash),
        "hashed" => Some(hashed_uri),
        "sxurl" => Some(sxurl),
        _ => None,
    })?;
    let a = identity(input, input.text("a")?)?;
    let b = identity(input, input.text("b")?)?;
    let same_id: Value = match (&a.id, &b.id) {
        (Some(a), Some(b)) => json!(a == b),
        _ => Value::Null,
    };
    Ok(found([("same_form", json!(a.form == b.form)), ("same_id", same_id), ("id", json!(a.id))]))
}

fn theory(input: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let context = match input.get("context") {
        Some(_) => input.named("context", context_from_name)?,
        None => urlid::reference::Context::Rfc3986,
    };
    let url = parse_in(text, context)?;
    let form = match input.optional_text("base")? {
        None => reference_to_json(&url),
        Some(base) => {
            let target =
                parse_in(base, context)?.goto(&url).map_err(|error| Fault::Refused(error.code().as_str()))?;
            reference_to_json(&target.as_reference())
        }
    };
    Ok(Identity { id: None, form: form.to_string() })
}

fn url_hash(_: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let url = Url::parse(text).map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(Identity { id: Some(UrlHash::from(&url).to_hex()), form: url.into_string() })
}

fn hashed_uri(input: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let (variant, base) = (hashed::variant(input)?, input.optional_text("base")?);
    // All that was kept counts, flags included.
    let hashed = HashedUri::make(text, base, &Algorithm::Sha1, Keep::ALL, variant);
    let hashed = hashed.map_err(|error| Fault::Refused(error.code().as_str()))?;
    let form = canonicalize(text, base, Keep::ALL, variant)
        .map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(Identity { id: Some(hashed.to_string()), form: [form.as_str(), form.kept().flags()].concat() })
}

fn sxurl(_: &Input<'_>, text: &str) -> Result<Identity, Fault> {
    let parts = Components::parse(text, SuffixList::compiled(Sections::All))
        .map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(Identity { id: Some(parts.encode().to_hex()), form: parts.to_normal_text() })
}
