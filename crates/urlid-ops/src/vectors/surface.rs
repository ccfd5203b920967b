//! The subject of the vectors, the library or a binding of it, and the results or errors of its operations.

use serde_json::{Map, Value};
use urlid::Coded;

/// Values by name: the inputs of an operation, or its results.
pub type Values = Map<String, Value>;

/// Why an operation gave no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The surface refused the input with this code.
    Refused(String),
    /// The vector does not give what the operation needs, or the surface failed without a code; in one line.
    Failed(String),
}

impl<E: Coded> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Refused(error.code().to_string())
    }
}

/// What is held to the vectors.
pub trait Surface {
    /// Runs one of the operations that [`ops::ALL`](crate::vectors::ops::ALL) lists as its own, on the inputs of a vector.
    ///
    /// The tokens of a URL are a list of pairs, `[[kind, text], …]`. An input that is not there stands for the surface's default.
    ///
    /// # Errors
    /// The surface refused the input, or failed.
    fn run(&self, op: &str, input: &Values) -> Result<Values, Fault>;
}

/// Collects named values.
pub(crate) fn values<const N: usize>(values: [(&str, Value); N]) -> Values {
    values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
