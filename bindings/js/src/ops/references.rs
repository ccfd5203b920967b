//! The Theory of URLs: references, their tokens, and where they lead.

use serde_json::json;
use urlid::reference::{Context, Reference, ReferenceBuf, Token, check_structure};

use crate::arguments::Arguments;
use crate::choice::{CONTEXTS, context, token_kind, word_of};
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    ("reference", reference),
    ("reference_from_tokens", from_tokens),
    ("check_tokens", check_tokens),
    ("upto", upto),
    ("goto", goto),
];

/// Arguments: a text and the context in which it is read.
fn reference(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (text, context) = (arguments.text()?, context(arguments.text()?)?);
    Ok(described(&Reference::parse(text, context)?))
}

/// Arguments: pairs of a kind and a text as JSON, and a context.
fn from_tokens(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (tokens, context) = (arguments.text()?, context(arguments.text()?)?);
    let tokens = pairs(tokens)?;
    Ok(described(&ReferenceBuf::from_tokens(context, read_tokens(&tokens)?)?.as_reference()))
}

/// Argument: pairs of a kind and a text as JSON.
fn check_tokens(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    check_structure(read_tokens(&pairs(arguments.text()?)?)?)?;
    Ok(Output::Null)
}

/// Arguments: a text, its context, and a kind of token.
fn upto(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (text, context) = (arguments.text()?, context(arguments.text()?)?);
    Ok(described(&Reference::parse(text, context)?.upto(token_kind(arguments.text()?)?)))
}

/// Arguments: base, its context, reference, its context, nonstrict. Without a context of its own, the reference is read in
/// that of the base.
fn goto(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let base = Reference::parse(arguments.text()?, context(arguments.text()?)?)?;
    let reference = arguments.text()?;
    let own = arguments.optional_text()?.map(context).transpose()?.unwrap_or(match base.context() {
        Context::Whatwg(_) => Context::Whatwg(base.class()),
        Context::Rfc3986 => Context::Rfc3986,
    });
    let reference = Reference::parse(reference, own)?;
    let target = if arguments.flag() { base.goto_nonstrict(&reference)? } else { base.goto(&reference)? };
    Ok(described(&target.as_reference()))
}

fn pairs(json: &str) -> Result<Vec<(String, String)>, Fault> {
    serde_json::from_str(json).map_err(|error| Fault::Wrong(format!("tokens: {error}")))
}

fn read_tokens(pairs: &[(String, String)]) -> Result<Vec<Token<'_>>, Fault> {
    pairs.iter().map(|(kind, text)| Ok(Token::new(token_kind(kind)?, text))).collect()
}

/// Returns a reference as an object.
fn described(reference: &Reference<'_>) -> Output {
    let tokens: Vec<_> = reference.tokens().map(|token| (token.kind.name(), token.text)).collect();
    let authority = reference.authority();
    output::json(&json!({
        "text": reference.as_str(),
        "context": word_of(&reference.context(), &CONTEXTS),
        "tokens": tokens,
        "isValid": reference.is_valid(),
        "isOpaque": reference.is_opaque(),
        "ord": reference.ord().name(),
        "scheme": reference.scheme(),
        "authority": reference.authority_text(),
        "user": authority.and_then(|authority| authority.user),
        "password": authority.and_then(|authority| authority.password),
        "host": authority.map(|authority| authority.host),
        "port": authority.and_then(|authority| authority.port),
        "drive": reference.drive(),
        "path": reference.path(),
        "segments": reference.segments().collect::<Vec<_>>(),
        "query": reference.query(),
        "fragment": reference.fragment(),
    }))
}
