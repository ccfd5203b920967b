//! The result of a call. Its kind is a number, and the rest is bytes.

use std::borrow::Cow;

use serde::Serialize;
use urlid::Coded;
use urlid_ops::explain::Rejection;

/// The result of an operation.
pub(crate) enum Output {
    /// `null`.
    Null,
    /// A string of JavaScript.
    Text(String),
    /// A `Uint8Array`.
    Bytes(Vec<u8>),
    /// Any other value, as JSON.
    Json(String),
}

/// The reason why an operation has no result.
pub(crate) enum Fault {
    /// An input is rejected with a stable code.
    Rejected(Rejection),
    /// An argument is not one of the allowed words.
    Wrong(String),
    /// A required argument is missing.
    Missing,
}

impl<E: Coded + 'static> From<E> for Fault {
    fn from(error: E) -> Self {
        Fault::Rejected(Rejection::new(&error))
    }
}

impl From<&str> for Output {
    fn from(text: &str) -> Self {
        Output::Text(text.to_owned())
    }
}

impl From<String> for Output {
    fn from(text: String) -> Self {
        Output::Text(text)
    }
}

impl From<Option<Cow<'_, str>>> for Output {
    fn from(text: Option<Cow<'_, str>>) -> Self {
        text.map_or(Output::Null, |text| Output::Text(text.into_owned()))
    }
}

impl From<&[u8]> for Output {
    fn from(bytes: &[u8]) -> Self {
        Output::Bytes(bytes.to_vec())
    }
}

/// Returns a value as JSON.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> Output {
    Output::Json(to_json(value))
}

fn to_json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("every key of a value is a text")
}

/// Returns the kind of a result, and its bytes.
pub(crate) fn write(output: Result<Output, Fault>) -> (u32, Vec<u8>) {
    match output {
        Ok(Output::Null) => (0, Vec::new()),
        Ok(Output::Text(text)) => (1, text.into_bytes()),
        Ok(Output::Bytes(bytes)) => (2, bytes),
        Ok(Output::Json(json)) => (3, json.into_bytes()),
        Err(Fault::Rejected(rejection)) => (4, to_json(&rejection).into_bytes()),
        Err(Fault::Wrong(message)) => (5, message.into_bytes()),
        Err(Fault::Missing) => (6, b"an argument is missing".to_vec()),
    }
}
