//! One vector: its operation is run and what comes out is compared with what is expected.

use serde_json::{Map, Value};

use crate::input::{Fault, Input};
use crate::ops;

/// Keys of `expect` that inform the reader and are not compared.
const INFORMATIVE: [&str; 3] = ["alt_keep_last_empty", "note", "printed"];

/// Returns the vector's id; a vector without one is called by nothing.
pub(crate) fn id(vector: &Value) -> &str {
    vector["id"].as_str().unwrap_or("")
}

/// Runs a vector. The reason of a failure is one line: what was found, what was expected.
pub(crate) fn check(vector: &Value) -> Result<(), String> {
    if id(vector).is_empty() {
        return Err("vector has no id".to_owned());
    }
    let name = vector["op"].as_str().unwrap_or("");
    let op = ops::find(name).ok_or_else(|| format!("op `{}` is not known", name.escape_debug()))?;
    let input = vector["input"].as_object().ok_or("vector has no input")?;
    if let Some(key) = input.keys().find(|key| !op.inputs.contains(&key.as_str())) {
        return Err(format!("op `{name}` does not read the input `{}`", key.escape_debug()));
    }

    let found = (op.run)(&Input::new(input));
    match (found, vector.get("expect"), vector.get("error")) {
        (Err(Fault::Input(reason)), ..) => Err(reason),
        (Ok(found), Some(Value::Object(expected)), None) => compare(&found, expected),
        (Err(Fault::Refused(code)), None, Some(expected)) if expected == code => Ok(()),
        (Err(Fault::Refused(code)), None, Some(expected)) => {
            Err(format!("refused with {code}, expected {expected}"))
        }
        (Err(Fault::Refused(code)), Some(Value::Object(_)), None) => {
            Err(format!("refused with {code}, expected values"))
        }
        (Ok(found), None, Some(expected)) => {
            Err(format!("gave {}, expected {expected}", Value::Object(found)))
        }
        (_, Some(_), Some(_)) => Err("vector has both `expect` and `error`".to_owned()),
        (_, None, None) => Err("vector has neither `expect` nor `error`".to_owned()),
        (_, Some(expected), None) => Err(format!("`expect` is {expected}, expected an object")),
    }
}

/// Compares every expected value. At least one must be there to compare.
fn compare(found: &Map<String, Value>, expected: &Map<String, Value>) -> Result<(), String> {
    let mut compared = expected.iter().filter(|(key, _)| !INFORMATIVE.contains(&key.as_str())).peekable();
    if compared.peek().is_none() {
        return Err("`expect` has nothing to compare".to_owned());
    }
    for (key, wanted) in compared {
        match found.get(key) {
            Some(value) if value == wanted => {}
            Some(value) => return Err(format!("`{key}` is {value}, expected {wanted}")),
            None => return Err(format!("`{}` is not among the results of this op", key.escape_debug())),
        }
    }
    Ok(())
}
