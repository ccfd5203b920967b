//! The operations of the Theory of URLs: validity, ord and upto, goto and goto', and the reading of a text.

use serde_json::{Value, json};
use urlid::reference::{Class, Context, Reference, ReferenceBuf, TokenKind, TokenUrl, TypedToken, Violation};

use crate::vectors::surface::{Input, Values, VectorFault, values};

/// The contexts in which a text for a URL is looked for. Most URLs have the same text in all of them. Drives
/// occur only in the third, and names with a `\` only in the first and the last.
const CONTEXTS: [Context; 4] = [
    Context::Whatwg(Class::Generic),
    Context::Whatwg(Class::Web),
    Context::Whatwg(Class::File),
    Context::Rfc3986,
];

pub(super) fn valid(input: &Input<'_>) -> Result<Values, VectorFault> {
    url(input, "url")?;
    Ok(values([("valid", json!(true))]))
}

pub(super) fn upto(input: &Input<'_>) -> Result<Values, VectorFault> {
    let url = url(input, "url")?;
    let order = input.named("order", TokenKind::from_name)?;
    Ok(values([("ord", json!(url.ord().name())), ("upto", pairs(&url.upto(order)))]))
}

pub(super) fn goto(input: &Input<'_>) -> Result<Values, VectorFault> {
    apply(input, TokenUrl::goto)
}

pub(super) fn goto_nonstrict(input: &Input<'_>) -> Result<Values, VectorFault> {
    apply(input, TokenUrl::goto_nonstrict)
}

fn apply(
    input: &Input<'_>,
    operation: impl Fn(&TokenUrl, &TokenUrl) -> Result<TokenUrl, Violation>,
) -> Result<Values, VectorFault> {
    let url = operation(&url(input, "url1")?, &url(input, "url2")?)?;
    // A `TokenUrl` is valid, but may lack a text.
    let text = CONTEXTS.iter().find_map(|context| url.to_reference(*context).ok());
    let text = text.map(ReferenceBuf::into_string);
    Ok(values([("url", pairs(&url)), ("text", json!(text)), ("valid", json!(true))]))
}

/// Reads a text. With a base, returns the target of the text from there.
pub(super) fn parse(input: &Input<'_>) -> Result<Values, VectorFault> {
    let context = input.named_or("context", Context::Whatwg(Class::Web), context_from_name)?;
    let mut url = ReferenceBuf::parse(input.text("text")?.to_owned(), context)?;
    if let Some(base) = input.optional_text("base")? {
        // The reference was parsed in the named context instead of the base's context, so that a vector
        // controls it.
        url = Reference::parse(base, context)?.goto(&url.as_reference())?;
    }
    let url = url.as_reference();
    let tokens: Value = url.tokens().map(|token| json!([token.kind.name(), token.text])).collect();
    Ok(values([("url", tokens), ("valid", json!(url.is_valid())), ("ord", json!(url.ord().name()))]))
}

/// Returns the context that a vector names. `web`, `file` and `generic` are WHATWG's reading for a base of
/// that class.
fn context_from_name(name: &str) -> Option<Context> {
    match name {
        "web" => Some(Context::Whatwg(Class::Web)),
        "file" => Some(Context::Whatwg(Class::File)),
        "generic" => Some(Context::Whatwg(Class::Generic)),
        "rfc3986" => Some(Context::Rfc3986),
        _ => None,
    }
}

/// Reads a URL from pairs of texts.
fn url(input: &Input<'_>, key: &str) -> Result<TokenUrl, VectorFault> {
    let value = input.value(key)?;
    let token = |pair: &Value| {
        let kind = TokenKind::from_name(pair[0].as_str()?)?;
        Some(TypedToken::from_text(kind, pair[1].as_str()?))
    };
    let tokens: Option<Vec<_>> = value.as_array().and_then(|pairs| pairs.iter().map(token).collect());
    let malformed = || VectorFault::Failed(format!("input `{key}` is {value}, expected a list of tokens"));
    let tokens = tokens.ok_or_else(malformed)?.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(TokenUrl::new(tokens)?)
}

/// Returns the tokens as pairs of texts.
fn pairs(url: &TokenUrl) -> Value {
    url.tokens().iter().map(|token| json!([token.kind().name(), token.text()])).collect()
}
