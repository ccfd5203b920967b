//! URLs as vectors write them, `[[type, value], …]`, and as the library holds them.
//!
//! The value of an authority is `{username, password, hostname, port}`, any other is a string.

use serde_json::{Value, json};
use urlid::Coded;
use urlid::reference::{
    Authority, Class, Context, Reference, ReferenceBuf, TokenKind, TokenUrl, TypedAuthority, TypedHost,
    TypedToken, Violation,
};

use crate::input::Fault;

/// The readings in which a text for a list of tokens is sought. Most lists have one text in all of them; drives are of
/// the third alone, and a name with a `\` is of the first and the last.
const CONTEXTS: [Context; 4] = [
    Context::Whatwg(Class::Generic),
    Context::Whatwg(Class::Web),
    Context::Whatwg(Class::File),
    Context::Rfc3986,
];

/// Reads a URL as a vector writes it.
pub(super) fn read(value: &Value) -> Result<TokenUrl, Fault> {
    read_tokens(value)?.and_then(TokenUrl::new).map_err(|violation| Fault::Refused(violation.code().as_str()))
}

/// Reads a list of tokens, which may break every rule there is; a port too large for its type breaks one at once.
pub(super) fn read_tokens(value: &Value) -> Result<Result<Vec<TypedToken>, Violation>, Fault> {
    let malformed = || Fault::Input(format!("{value} is no list of tokens"));
    let tokens = value.as_array().ok_or_else(malformed)?.iter().map(read_token);
    tokens.collect::<Option<Vec<_>>>().map(|tokens| tokens.into_iter().collect()).ok_or_else(malformed)
}

fn read_token(token: &Value) -> Option<Result<TypedToken, Violation>> {
    let [kind, value] = token.as_array()?.as_slice() else { return None };
    match TokenKind::from_name(kind.as_str()?)? {
        TokenKind::Authority => Some(read_authority(value)?.map(TypedToken::Authority)),
        kind => Some(TypedToken::from_text(kind, value.as_str()?)),
    }
}

fn read_authority(value: &Value) -> Option<Result<TypedAuthority, Violation>> {
    let optional = |key: &str| match &value[key] {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.clone())),
        _ => None,
    };
    let port = match &value["port"] {
        Value::Null => Ok(None),
        Value::Number(number) => {
            let port = number.as_u64().and_then(|number| number.try_into().ok());
            port.map(Some).ok_or(Violation::PortOutOfRange)
        }
        _ => return None,
    };
    let (user, password) = (optional("username")?, optional("password")?);
    let host = TypedHost::of(value["hostname"].as_str()?);
    Some(port.map(|port| TypedAuthority { user, password, host, port }))
}

/// Returns a text that reads as the URL, in the first context that has one.
pub(super) fn to_reference(url: &TokenUrl) -> Option<ReferenceBuf> {
    CONTEXTS.iter().find_map(|context| url.to_reference(*context).ok())
}

/// Returns a URL as vectors write it.
pub(super) fn to_json(url: &TokenUrl) -> Value {
    let token = |token: &TypedToken| match token {
        TypedToken::Authority(authority) => {
            let host = authority.host.to_string();
            let port = authority.port.map(Value::from);
            authority_to_json(authority.user.as_deref(), authority.password.as_deref(), &host, port)
        }
        other => json!([other.kind().name(), other.text()]),
    };
    url.tokens().iter().map(token).collect()
}

/// Returns the tokens of a text, be it a URL or not.
pub(super) fn reference_to_json(reference: &Reference<'_>) -> Value {
    let token = |token: urlid::reference::Token<'_>| match token.kind {
        TokenKind::Authority => {
            let Authority { user, password, host, port } = Authority::split(token.text);
            // An empty port is null in the model; a port that is no number is shown as it was written.
            let number = Authority::split(token.text).port_number().map(Value::from);
            let port = number.or_else(|| port.filter(|port| !port.is_empty()).map(Value::from));
            authority_to_json(user, password, host, port)
        }
        _ => json!([token.kind.name(), token.text]),
    };
    reference.tokens().map(token).collect()
}

fn authority_to_json(user: Option<&str>, password: Option<&str>, host: &str, port: Option<Value>) -> Value {
    let parts = json!({ "username": user, "password": password, "hostname": host, "port": port });
    json!([TokenKind::Authority.name(), parts])
}
