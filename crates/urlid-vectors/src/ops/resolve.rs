//! Parsing and resolution: WHATWG, RFC 3986 and RFC 2396.

use serde_json::json;
use urlid::Coded;
use urlid::generic::{Mode, normalise, remove_dot_segments, resolve};
use urlid::web::Url;

use super::{Found, found};
use crate::input::{Fault, Input};

pub(super) fn web(input: &Input<'_>) -> Result<Found, Fault> {
    let text = input.text("url")?;
    let url = match input.optional_text("base")? {
        Some(base) => Url::parse(base).and_then(|base| base.join(text)),
        None => Url::parse(text),
    };
    let url = url.map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(found([
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

pub(super) fn generic(input: &Input<'_>) -> Result<Found, Fault> {
    let mode = input.named("mode", |mode| match mode {
        "strict" => Some(Mode::Strict),
        "nonstrict" => Some(Mode::Nonstrict),
        "rfc2396" => Some(Mode::Rfc2396),
        _ => None,
    })?;
    let target = resolve(input.text("base")?, input.text("reference")?, mode);
    Ok(found([("target", json!(target.map_err(|error| Fault::Refused(error.code().as_str()))?))]))
}

pub(super) fn normal(input: &Input<'_>) -> Result<Found, Fault> {
    let normal = normalise(input.text("uri")?).map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(found([("normal", json!(normal))]))
}

pub(super) fn dots(input: &Input<'_>) -> Result<Found, Fault> {
    Ok(found([("path", json!(remove_dot_segments(input.text("path")?)))]))
}
