//! Theory of URLs: validity, ord and upto, goto and goto', and how a text reads.

use serde_json::{Value, json};
use urlid::Coded;
use urlid::reference::{Class, Context, NoUrl, Reference, ReferenceBuf, TokenKind};

use super::tokens::{TokenList, to_json};
use super::{Found, found};
use crate::input::{Fault, Input};

pub(super) fn valid(input: &Input<'_>) -> Result<Found, Fault> {
    let list = TokenList::read(input.value("url")?)?;
    Ok(found([("valid", json!(list.check().is_ok()))]))
}

pub(super) fn upto(input: &Input<'_>) -> Result<Found, Fault> {
    let url = TokenList::read(input.value("url")?)?.to_reference()?;
    let url = url.as_reference();
    let order = input.named("order", TokenKind::from_name)?;
    Ok(found([("ord", json!(url.ord().name())), ("upto", to_json(&url.upto(order)))]))
}

pub(super) fn goto(input: &Input<'_>) -> Result<Found, Fault> {
    apply(input, |base, reference| base.goto(reference))
}

pub(super) fn goto_nonstrict(input: &Input<'_>) -> Result<Found, Fault> {
    apply(input, |base, reference| base.goto_nonstrict(reference))
}

fn apply(
    input: &Input<'_>,
    operation: impl Fn(&Reference<'_>, &Reference<'_>) -> Result<ReferenceBuf, NoUrl>,
) -> Result<Found, Fault> {
    let base = TokenList::read(input.value("url1")?)?.to_reference()?;
    let reference = TokenList::read(input.value("url2")?)?.to_reference()?;
    let result = operation(&base.as_reference(), &reference.as_reference());
    let result = result.map_err(|error| Fault::Refused(error.code().as_str()))?;
    let url = result.as_reference();
    Ok(found([("url", to_json(&url)), ("text", json!(result.as_str())), ("valid", json!(url.is_valid()))]))
}

pub(super) fn parse(input: &Input<'_>) -> Result<Found, Fault> {
    let context = input.named("context", context_from_name)?;
    let url = parse_in(input.text("text")?, context)?;
    let valid: Value = url.is_valid().into();
    Ok(found([("url", to_json(&url)), ("valid", valid), ("ord", json!(url.ord().name()))]))
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
