//! Parsing, resolution and canonical forms: WHATWG, RFC 3986 and RFC 2396.

use serde_json::json;
use urlid::compat;
use urlid::generic::{self, Mode, normalise, remove_dot_segments};
use urlid::web::Url;
use urlid_canonical::Form;

use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Values, values};

pub(super) fn web(input: &Input<'_>) -> Result<Values, Fault> {
    let text = input.text("url")?;
    let url = match input.optional_text("base")? {
        Some(base) => Url::parse(base)?.join(text)?,
        None => Url::parse(text)?,
    };
    Ok(values([
        ("href", json!(url.as_str())),
        ("username", json!(url.username())),
        ("password", json!(url.password())),
        ("host", json!(url.host_str())),
        ("port", json!(url.port())),
        ("path", json!(url.path())),
        ("query", json!(url.query())),
        ("fragment", json!(url.fragment())),
    ]))
}

pub(super) fn resolve(input: &Input<'_>) -> Result<Values, Fault> {
    let (base, reference) = (input.text("base")?, input.text("reference")?);
    let mode = input.named_or("mode", None, |mode| match mode {
        "web" => Some(None),
        "strict" => Some(Some(Mode::Strict)),
        "nonstrict" => Some(Some(Mode::Nonstrict)),
        "rfc2396" => Some(Some(Mode::Rfc2396)),
        _ => None,
    })?;
    let target = match mode {
        None => Url::parse(base)?.join(reference)?.into_string(),
        Some(mode) => generic::resolve(base, reference, mode)?,
    };
    Ok(values([("target", json!(target))]))
}

pub(super) fn normal(input: &Input<'_>) -> Result<Values, Fault> {
    Ok(values([("normal", json!(normalise(input.text("uri")?)?))]))
}

pub(super) fn dots(input: &Input<'_>) -> Result<Values, Fault> {
    Ok(values([("path", json!(remove_dot_segments(input.text("path")?)))]))
}

pub(super) fn canon(input: &Input<'_>) -> Result<Values, Fault> {
    let text = input.text("text")?;
    let form = form_of(input)?;
    Ok(values([("canonical", json!(form.canonicalize(text)?))]))
}

/// Reads the name of a canonical form.
pub(super) fn form_of(input: &Input<'_>) -> Result<Form, Fault> {
    let name = input.optional_text("form")?.unwrap_or("web");
    name.parse().map_err(|error: urlid::Error| Fault::Failed(format!("input `form`: {error}")))
}

pub(super) fn detect(input: &Input<'_>) -> Result<Values, Fault> {
    let formats: Vec<&str> =
        compat::detect(input.text("text")?).into_iter().map(|format| format.name()).collect();
    Ok(values([("formats", json!(formats))]))
}
