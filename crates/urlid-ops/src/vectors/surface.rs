//! The library or a binding of it as the subject of the vectors, and the inputs and results of its
//! operations.

use serde_json::{Map, Value};
use urlid::Coded;

/// Values by name: the inputs of an operation, or its results.
pub type Values = Map<String, Value>;

/// The reason that an operation returned no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VectorFault {
    /// The surface rejected the input with this code.
    Rejected(String),
    /// The vector lacks something that the operation needs, or the surface failed without a code. The reason
    /// is one line.
    Failed(String),
}

impl<E: Coded> From<E> for VectorFault {
    fn from(error: E) -> Self {
        Self::Rejected(error.code().to_string())
    }
}

/// The subject of the vectors: the library or a binding of it.
pub trait Surface {
    /// Runs one of the operations that [`ops::ALL`](crate::vectors::ops::ALL) lists as the surface's own, on
    /// the inputs of a vector.
    ///
    /// The tokens of a URL are a list of pairs, `[[kind, text], …]`. A missing input means the surface's
    /// default.
    ///
    /// # Errors
    /// If the surface rejected the input, or failed.
    fn run(&self, op: &str, input: &Values) -> Result<Values, VectorFault>;
}

/// Collects named values.
pub(crate) fn values<const N: usize>(values: [(&str, Value); N]) -> Values {
    values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The inputs of an operation by name.
pub(crate) struct Input<'v>(&'v Values);

impl<'v> Input<'v> {
    pub(crate) fn new(input: &'v Values) -> Self {
        Self(input)
    }

    /// Returns a value that is present and not null.
    pub(crate) fn get(&self, key: &str) -> Option<&'v Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    pub(crate) fn value(&self, key: &str) -> Result<&'v Value, VectorFault> {
        self.get(key).ok_or_else(|| VectorFault::Failed(format!("input `{key}` is missing")))
    }

    pub(crate) fn text(&self, key: &str) -> Result<&'v str, VectorFault> {
        let value = self.value(key)?;
        value
            .as_str()
            .ok_or_else(|| VectorFault::Failed(format!("input `{key}` is {value}, expected a string")))
    }

    pub(crate) fn optional_text(&self, key: &str) -> Result<Option<&'v str>, VectorFault> {
        // An input of a wrong type is an error, not an absent input.
        self.get(key).map(|_| self.text(key)).transpose()
    }

    /// Reads a flag, which is false if it is absent.
    pub(crate) fn flag(&self, key: &str) -> Result<bool, VectorFault> {
        let Some(value) = self.get(key) else { return Ok(false) };
        value
            .as_bool()
            .ok_or_else(|| VectorFault::Failed(format!("input `{key}` is {value}, expected true or false")))
    }

    pub(crate) fn number(&self, key: &str) -> Result<u64, VectorFault> {
        let value = self.value(key)?;
        value
            .as_u64()
            .ok_or_else(|| VectorFault::Failed(format!("input `{key}` is {value}, expected a number")))
    }

    /// Reads a text that is one of a few names.
    pub(crate) fn named<T>(
        &self,
        key: &str,
        from_name: impl Fn(&str) -> Option<T>,
    ) -> Result<T, VectorFault> {
        let name = self.text(key)?;
        from_name(name).ok_or_else(|| {
            VectorFault::Failed(format!("input `{key}` is `{}`, which names nothing", name.escape_debug()))
        })
    }

    /// Reads such a text, or uses the default if it is absent.
    pub(crate) fn named_or<T>(
        &self,
        key: &str,
        default: T,
        from_name: impl Fn(&str) -> Option<T>,
    ) -> Result<T, VectorFault> {
        if self.get(key).is_some() { self.named(key, from_name) } else { Ok(default) }
    }
}
