//! One vector: its operation is run and its results are compared with the expected ones.

use serde_json::{Value, json};

use crate::vectors::ops::{self, Op};
use crate::vectors::surface::{Fault, Surface, Values, values};
use crate::vectors::tokens;

/// Keys of `expect` that inform the reader and are not compared.
const INFORMATIVE: [&str; 3] = ["alt_keep_last_empty", "note", "printed"];

/// Returns the vector's id; empty if it has none.
pub(crate) fn id(vector: &Value) -> &str {
    vector["id"].as_str().unwrap_or("")
}

/// Runs a vector. The reason of a failure is one line: what was found, what was expected.
pub(crate) fn check(surface: &dyn Surface, vector: &Value) -> Result<(), String> {
    if id(vector).is_empty() {
        return Err("vector has no id".to_owned());
    }
    let name = vector["op"].as_str().unwrap_or("");
    let op = ops::find(name).ok_or_else(|| format!("op `{}` is unknown", name.escape_debug()))?;
    let input = vector["input"].as_object().ok_or("vector has no input")?;
    if let Some(key) = input.keys().find(|key| !op.inputs.contains(&key.as_str())) {
        return Err(format!("op `{name}` does not read the input `{}`", key.escape_debug()));
    }

    match (run(surface, op, input), vector.get("expect"), vector.get("error")) {
        (Err(Fault::Failed(reason)), ..) => Err(reason),
        (Ok(found), Some(Value::Object(expected)), None) => compare(&found, expected),
        (Err(Fault::Refused(code)), None, Some(expected)) if *expected == code => Ok(()),
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

/// Runs an operation on the inputs of a vector, and returns the results as vectors write them.
fn run(surface: &dyn Surface, op: &Op, input: &Values) -> Result<Values, Fault> {
    let mut input = input.clone();
    let found = tokens::to_pairs(&mut input).and_then(|()| op.run_on(surface, &input));
    match found {
        Ok(mut found) => {
            tokens::to_vector(&mut found);
            Ok(found)
        }
        // Here a refusal is the result.
        Err(Fault::Refused(_)) if op.name == "theory.valid" => Ok(values([("valid", json!(false))])),
        Err(fault) => Err(fault),
    }
}

/// Compares every expected value. At least one must be there to compare.
fn compare(found: &Values, expected: &Values) -> Result<(), String> {
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
