//! The cases of a web platform test file, which are its objects. The strings between them are comments.

use serde_json::Value;

/// Returns the objects of a file.
///
/// # Panics
/// Panics if the text is not a JSON array.
pub fn objects(text: &str) -> Vec<Value> {
    // Two inputs of IdnaTestV2 contain lone surrogates, which a Rust string cannot contain. They stand for any
    // invalid character, so a different one replaces them.
    let text = text.replace("\\ud900", "\\ufffd");
    let values: Vec<Value> = serde_json::from_str(&text).expect("the file is a JSON array");
    values.into_iter().filter(Value::is_object).collect()
}

/// Returns a string field, if it exists and is not null.
pub fn string<'a>(case: &'a Value, field: &str) -> Option<&'a str> {
    case[field].as_str()
}
