//! The tokens of URLs, as vectors write them and as surfaces take and give them.
//!
//! Vectors write the value of an authority as `{username, password, hostname, port}`; to a surface each token is a pair of texts.

use serde_json::{Value, json};
use urlid::reference::{Authority, TokenKind};

use crate::vectors::surface::{Fault, Values};

/// The inputs and results that are tokens.
const KEYS: [&str; 4] = ["url", "url1", "url2", "url3"];

/// Turns the tokens among the inputs of a vector into pairs of texts.
///
/// # Errors
/// A value is not a list of tokens, or an authority has no text: it has a password and no user.
pub(crate) fn to_pairs(input: &mut Values) -> Result<(), Fault> {
    for key in KEYS {
        if let Some(tokens @ Value::Array(_)) = input.get_mut(key) {
            *tokens = tokens.as_array().into_iter().flatten().map(pair).collect::<Result<_, _>>()?;
        }
    }
    Ok(())
}

fn pair(token: &Value) -> Result<Value, Fault> {
    let malformed = || Fault::Failed(format!("{token} is not a token"));
    let [kind, value] = token.as_array().map(Vec::as_slice).unwrap_or_default() else {
        return Err(malformed());
    };
    let name = kind.as_str().and_then(TokenKind::from_name).ok_or_else(malformed)?;
    match (name, value) {
        (TokenKind::Authority, Value::Object(_)) => authority(value).ok_or_else(malformed)?,
        (TokenKind::Authority, _) => Err(malformed()),
        (_, value) => value.as_str().map(|text| json!([kind, text])).ok_or_else(malformed),
    }
}

fn authority(value: &Value) -> Option<Result<Value, Fault>> {
    let optional = |key: &str| match &value[key] {
        Value::Null => Some(None),
        text => text.as_str().map(Some),
    };
    let port = match &value["port"] {
        Value::Number(port) => Some(port.to_string()),
        Value::Null => None,
        _ => return None,
    };
    let authority = Authority {
        user: optional("username")?,
        password: optional("password")?,
        host: value["hostname"].as_str()?,
        port: port.as_deref(),
    };
    // Any other violation is in the text, where the surface finds it.
    let has_text = authority.user.is_some() || authority.password.is_none();
    let checked = if has_text { Ok(()) } else { authority.check() };
    Some(checked.map(|()| json!(["authority", authority.to_string()])).map_err(Fault::from))
}

/// Turns the tokens among the results of a surface into what vectors write.
pub(crate) fn to_vector(found: &mut Values) {
    for key in ["url", "upto", "left", "right"] {
        for token in found.get_mut(key).and_then(Value::as_array_mut).into_iter().flatten() {
            if token[0] == "authority" {
                token[1] = parts(token[1].as_str().unwrap_or_default());
            }
        }
    }
}

fn parts(text: &str) -> Value {
    let authority = Authority::split(text);
    // An empty port is null in the model; a port that is not a number is shown as it was written.
    let port = authority.port.filter(|port| !port.is_empty());
    let port = port.map(|text| authority.port_number().map_or_else(|| json!(text), |number| json!(number)));
    json!({
        "username": authority.user,
        "password": authority.password,
        "hostname": authority.host,
        "port": port,
    })
}
