//! Runs a file of test vectors over the library or over a binding of it, so that every surface is compared with the same values.
//!
//! ```json
//! {"format": 1, "vectors": [
//!   {"id": "root", "op": "urlhash", "class": "plain", "input": {"url": "HTTP://h"}, "expect": {"canonical": "http://h/"}},
//!   {"id": "none", "op": "sxurl.encode", "class": "scheme", "input": {"url": "ws://h/"}, "error": "ERR_INVALID_SCHEME"}
//! ]}
//! ```
//!
//! A vector names an operation, its input and the expected result: values, or the code of an error. A vector that cannot be checked
//! is a failure, never a pass: an operation, an input or an expected value that is unknown, or nothing that is expected.
//! [`ops`] lists the operations; the library runs them, or another [`Surface`]. Reads no files and prints nothing.
//!
//! ```
//! let report = urlid_ops::vectors::run(r#"{"format": 1, "vectors": []}"#);
//! assert_eq!(report.to_string(), "0 passed, 0 failed");
//! ```

mod input;
pub mod ops;
mod report;
mod surface;
mod tokens;
mod vector;

pub use report::{Failure, Report};
pub use surface::{Fault, Surface, Values};

use serde_json::Value;

/// Runs every vector of a file, given as its text, over the library.
///
/// A text that is not a file of vectors gives a report with one failure, so no mistake ends in "0 failed".
pub fn run(text: &str) -> Report {
    run_over(&ops::Library, text)
}

/// Runs every vector of a file over a surface.
pub fn run_over(surface: &dyn Surface, text: &str) -> Report {
    let mut report = Report::default();
    match vectors(text) {
        Ok(vectors) => {
            vectors
                .iter()
                .for_each(|vector| report.record(vector::id(vector), vector::check(surface, vector)));
        }
        Err(reason) => report.record("file", Err(reason)),
    }
    report.fail_repeated_ids();
    report
}

/// Reads the file's outer form.
fn vectors(text: &str) -> Result<Vec<Value>, String> {
    let mut file: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    if file["format"] != 1 {
        return Err(format!("format is {}, expected 1", file["format"]));
    }
    match file["vectors"].take() {
        Value::Array(vectors) => Ok(vectors),
        other => Err(format!("`vectors` is {other}, expected a list")),
    }
}
