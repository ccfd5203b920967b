//! The cases of a web platform test file: its objects; the strings between them are comments.

use serde_json::Value;

/// Returns the objects of a file.
///
/// # Panics
/// If the text is not a JSON array.
pub fn objects(text: &str) -> Vec<Value> {
    // Two inputs of IdnaTestV2 hold lone surrogates, which no Rust string can: they stand for any bad
    // character.
    let text = text.replace("\\ud900", "\\ufffd");
    let values: Vec<Value> = serde_json::from_str(&text).expect("the file is a JSON array");
    values.into_iter().filter(Value::is_object).collect()
}

/// Returns a string field, if it is there and is not null.
pub fn string<'a>(case: &'a Value, field: &str) -> Option<&'a str> {
    case[field].as_str()
}
