//! Explanations of a text, and comparisons of two, as data.

use serde::Serialize;
use serde_json::Value;
use urlid::suffix::SuffixList;

use super::resolve::form_of;
use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Values};

/// Explains a text. Offsets are those of the surface: of bytes here, of characters elsewhere, which are the same in ASCII.
pub(super) fn explain(input: &Input<'_>) -> Result<Values, Fault> {
    object(&crate::explain::explain(input.text("text")?, SuffixList::compiled())?)
}

/// Compares two URLs.
pub(super) fn diff(input: &Input<'_>) -> Result<Values, Fault> {
    let (a, b, form) = (input.text("a")?, input.text("b")?, form_of(input)?);
    object(&crate::explain::Diff::of(a, b, &form, SuffixList::compiled()))
}

fn object(value: &impl Serialize) -> Result<Values, Fault> {
    match serde_json::to_value(value) {
        Ok(Value::Object(values)) => Ok(values),
        other => Err(Fault::Failed(format!("expected an object, found {other:?}"))),
    }
}
