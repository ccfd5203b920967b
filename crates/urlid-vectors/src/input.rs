//! The input of a vector, read by name and type, and what can keep an operation from giving values.

use serde_json::{Map, Value};

/// Why an operation gave no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The library refused the input, with this code.
    Refused(&'static str),
    /// The vector does not say what the operation needs, so nothing was run.
    Input(String),
}

/// The input object of a vector.
pub(crate) struct Input<'v>(&'v Map<String, Value>);

impl<'v> Input<'v> {
    pub(crate) fn new(input: &'v Map<String, Value>) -> Self {
        Self(input)
    }

    /// Returns any value that is there and not null.
    pub(crate) fn get(&self, key: &str) -> Option<&'v Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn value(&self, key: &str) -> Result<&'v Value, Fault> {
        self.get(key).ok_or_else(|| Fault::Input(format!("input `{key}` is missing")))
    }

    pub(crate) fn text(&self, key: &str) -> Result<&'v str, Fault> {
        let value = self.value(key)?;
        value.as_str().ok_or_else(|| Fault::Input(format!("input `{key}` is {value}, expected a string")))
    }

    pub(crate) fn optional_text(&self, key: &str) -> Result<Option<&'v str>, Fault> {
        self.get(key).map(|_| self.text(key)).transpose()
    }

    pub(crate) fn flag(&self, key: &str) -> Result<bool, Fault> {
        let value = self.value(key)?;
        value
            .as_bool()
            .ok_or_else(|| Fault::Input(format!("input `{key}` is {value}, expected true or false")))
    }

    pub(crate) fn number(&self, key: &str) -> Result<u64, Fault> {
        let value = self.value(key)?;
        value.as_u64().ok_or_else(|| Fault::Input(format!("input `{key}` is {value}, expected a number")))
    }

    /// Reads a text that names one of a few things.
    pub(crate) fn named<T>(&self, key: &str, from_name: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
        let name = self.text(key)?;
        from_name(name).ok_or_else(|| {
            Fault::Input(format!("input `{key}` is `{}`, which names nothing", name.escape_debug()))
        })
    }
}
