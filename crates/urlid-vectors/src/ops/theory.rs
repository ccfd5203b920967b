//! Theory of URLs: validity, ord and upto, goto and goto', and how a text reads.

use serde_json::{Value, json};
use urlid::Coded;
use urlid::reference::{Class, Context, Reference, ReferenceBuf, TokenKind, TokenUrl, Violation};

use super::{Found, found, tokens};
use crate::input::{Fault, Input};

pub(super) fn valid(input: &Input<'_>) -> Result<Found, Fault> {
    let url = tokens::read_tokens(input.value("url")?)?.and_then(TokenUrl::new);
    Ok(found([("valid", json!(url.is_ok()))]))
}

pub(super) fn upto(input: &Input<'_>) -> Result<Found, Fault> {
    let url = tokens::read(input.value("url")?)?;
    let order = input.named("order", TokenKind::from_name)?;
    Ok(found([("ord", json!(url.ord().name())), ("upto", tokens::to_json(&url.upto(order)))]))
}

pub(super) fn goto(input: &Input<'_>) -> Result<Found, Fault> {
    apply(input, TokenUrl::goto)
}

pub(super) fn goto_nonstrict(input: &Input<'_>) -> Result<Found, Fault> {
    apply(input, TokenUrl::goto_nonstrict)
}

fn apply(
    input: &Input<'_>,
    operation: impl Fn(&TokenUrl, &TokenUrl) -> Result<TokenUrl, Violation>,
) -> Result<Found, Fault> {
    let base = tokens::read(input.value("url1")?)?;
    let reference = tokens::read(input.value("url2")?)?;
    let url = operation(&base, &reference).map_err(|error| Fault::Refused(error.code().as_str()))?;
    // What the constructor of a `TokenUrl` accepts is valid; not every URL has a text.
    let text = tokens::to_reference(&url).map(ReferenceBuf::into_string);
    Ok(found([("url", tokens::to_json(&url)), ("text", json!(text)), ("valid", json!(true))]))
}

pub(super) fn parse(input: &Input<'_>) -> Result<Found, Fault> {
    let context = input.named("context", context_from_name)?;
    let url = parse_in(input.text("text")?, context)?;
    let valid: Value = url.is_valid().into();
    Ok(found([("url", tokens::reference_to_json(&url)), ("valid", valid), ("ord", json!(url.ord().name()))]))
}

pub(super) fn parse_in(text: &str, context: Context) -> Result<Reference<'_>, Fault> {
    Reference::parse(text, context).map_err(|error| Fault::Refused(error.code().as_str()))
}

/// Returns the context that a vector names; `web`, `file` and `generic` are WHATWG's reading for a base of that class.
pub(super) fn context_from_name(name: &str) -> Option<Context> {
    match name {
        "web" => Some(Context::Whatwg(Class::Web)),
        "file" => Some(Context::Whatwg(Class::File)),
        "generic" => Some(Context::Whatwg(Class::Generic)),
        "rfc3986" => Some(Context::Rfc3986),
        _ => None,
    }
}
