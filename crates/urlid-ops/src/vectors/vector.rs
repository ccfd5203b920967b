//! Runs the operation of one vector and compares its results with the expected ones.
//!
//! Vectors write the value of an authority as `{username, password, hostname, port}`. For a surface, each
//! token is a pair of texts.

use serde_json::{Value, json};
use urlid::reference::{Authority, TokenKind};

use super::ops::{self, Op};
use super::surface::{Surface, Values, VectorFault, values};

/// Keys of `expect` that inform the reader and are not compared.
const INFORMATIVE: [&str; 3] = ["alt_keep_last_empty", "note", "printed"];

/// Returns the vector's id. Empty if it has none.
pub(crate) fn id(vector: &Value) -> &str {
    vector["id"].as_str().unwrap_or("")
}

/// Runs a vector. The reason of a failure is one line with the found and the expected value.
pub(crate) fn check(surface: &dyn Surface, vector: &Value) -> Result<(), String> {
    if id(vector).is_empty() {
        return Err("vector has no id".to_owned());
    }
    let name = vector["op"].as_str().unwrap_or("");
    let op = ops::find(name).ok_or_else(|| format!("op `{}` is unknown", name.escape_debug()))?;
    let input = vector["input"].as_object().ok_or("vector has no input")?;
    // An input that is not read has no effect, so a misspelled name would silently check the default.
    if let Some(key) = input.keys().find(|key| !op.inputs.contains(&key.as_str())) {
        return Err(format!("op `{name}` does not read the input `{}`", key.escape_debug()));
    }

    match (run(surface, op, input), vector.get("expect"), vector.get("error")) {
        // This arm is first, because vectors never expect that an operation cannot run.
        (Err(VectorFault::Failed(reason)), ..) => Err(reason),
        (Ok(found), Some(Value::Object(expected)), None) => compare(&found, expected),
        (Err(VectorFault::Rejected(code)), None, Some(expected)) if *expected == code => Ok(()),
        (Err(VectorFault::Rejected(code)), None, Some(expected)) => {
            Err(format!("rejected with {code}, expected {expected}"))
        }
        (Err(VectorFault::Rejected(code)), Some(Value::Object(_)), None) => {
            Err(format!("rejected with {code}, expected values"))
        }
        (Ok(found), None, Some(expected)) => {
            Err(format!("gave {}, expected {expected}", Value::Object(found)))
        }
        (_, Some(_), Some(_)) => Err("vector has both `expect` and `error`".to_owned()),
        (_, None, None) => Err("vector has neither `expect` nor `error`".to_owned()),
        (_, Some(expected), None) => Err(format!("`expect` is {expected}, expected an object")),
    }
}

/// Runs an operation on the inputs of a vector, and returns the results as vectors write them.
fn run(surface: &dyn Surface, op: &Op, input: &Values) -> Result<Values, VectorFault> {
    let mut input = input.clone();
    let found = to_pairs(&mut input).and_then(|()| op.run_on(surface, &input));
    match found {
        Ok(mut found) => {
            to_vector(&mut found);
            Ok(found)
        }
        // The operation tests whether the tokens are a URL, so a rejection is its result and not an error.
        Err(VectorFault::Rejected(_)) if op.name == "theory.valid" => Ok(values([("valid", json!(false))])),
        Err(fault) => Err(fault),
    }
}

/// Compares every expected value. There must be at least one value to compare.
fn compare(found: &Values, expected: &Values) -> Result<(), String> {
    let mut compared = expected.iter().filter(|(key, _)| !INFORMATIVE.contains(&key.as_str())).peekable();
    // Notes are not compared, so a vector with only notes would pass with any result.
    if compared.peek().is_none() {
        return Err("`expect` has nothing to compare".to_owned());
    }
    for (key, wanted) in compared {
        // Only expected values are compared. Operations may return more values than a vector tests.
        match found.get(key) {
            Some(value) if value == wanted => {}
            Some(value) => return Err(format!("`{key}` is {value}, expected {wanted}")),
            None => return Err(format!("`{}` is not among the results of this op", key.escape_debug())),
        }
    }
    Ok(())
}

/// The inputs and results that are tokens.
const KEYS: [&str; 4] = ["url", "url1", "url2", "url3"];

/// Turns the tokens among the inputs of a vector into pairs of texts.
///
/// # Errors
/// If a value is not a list of tokens, or if an authority cannot be written because it has a password without
/// a user.
fn to_pairs(input: &mut Values) -> Result<(), VectorFault> {
    for key in KEYS {
        // In the operations of other systems `url` is a text and stays unchanged.
        if let Some(tokens @ Value::Array(_)) = input.get_mut(key) {
            *tokens = tokens.as_array().into_iter().flatten().map(pair).collect::<Result<_, _>>()?;
        }
    }
    Ok(())
}

fn pair(token: &Value) -> Result<Value, VectorFault> {
    let malformed = || VectorFault::Failed(format!("{token} is not a token"));
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

fn authority(value: &Value) -> Option<Result<Value, VectorFault>> {
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
    // Other violations can be written as a text, so the surface has to find them.
    let has_text = authority.user.is_some() || authority.password.is_none();
    let checked = if has_text { Ok(()) } else { authority.check() };
    Some(checked.map(|()| json!(["authority", authority.to_string()])).map_err(VectorFault::from))
}

/// Turns the tokens among the results of a surface into the notation of vectors.
fn to_vector(found: &mut Values) {
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
    // An empty port is null in the model. A port that is not a number is shown as written.
    let port = authority.port.filter(|port| !port.is_empty());
    let port = port.map(|text| authority.port_number().map_or_else(|| json!(text), |number| json!(number)));
    json!({
        "username": authority.user,
        "password": authority.password,
        "hostname": authority.host,
        "port": port,
    })
}
