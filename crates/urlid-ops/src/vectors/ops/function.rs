//! The functions of SQL, by name.

use crate::functions::{Output, Value};
use serde_json::{Value as Json, json};
use urlid::hex;

use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Values, values};

/// Calls a function. Bytes are objects with hexadecimal digits: `{"hex": "00ff"}`.
pub(super) fn function(input: &Input<'_>) -> Result<Values, Fault> {
    let function = input.named("name", crate::functions::function)?;
    let arguments = input.value("arguments")?;
    let arguments =
        arguments.as_array().ok_or_else(|| Fault::Failed("input `arguments` is not a list".to_owned()))?;
    let bytes = arguments.iter().map(bytes).collect::<Result<Vec<_>, _>>()?;
    let arguments: Vec<Value<'_>> = arguments
        .iter()
        .zip(&bytes)
        .map(|(argument, bytes)| match (argument, bytes) {
            (_, Some(bytes)) => Value::Bytes(bytes),
            (Json::Null, _) => Value::Null,
            (Json::String(text), _) => Value::Text(text),
            _ => Value::Other,
        })
        .collect();
    Ok(values([("result", shown(&function.call().run(&arguments)?))]))
}

/// Returns the bytes of an argument that has some.
fn bytes(argument: &Json) -> Result<Option<Vec<u8>>, Fault> {
    let Some(digits) = argument.get("hex").and_then(Json::as_str) else { return Ok(None) };
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    let bytes = pairs.iter().map(byte).collect::<Option<Vec<u8>>>().filter(|_| rest.is_empty());
    bytes.map(Some).ok_or_else(|| Fault::Failed(format!("`{}` is not hexadecimal", digits.escape_debug())))
}

fn shown(output: &Output<'_>) -> Json {
    match output {
        Output::Null => Json::Null,
        Output::Text(text) => json!(text),
        Output::Id(id) => json!({ "hex": hex::encode(id) }),
        Output::Integer(number) => json!(number),
        Output::Boolean(flag) => json!(flag),
    }
}
