//! What becomes of a text, as data.

use serde_json::Value;
use urlid::suffix::SuffixList;

use crate::input::Input;
use crate::surface::{Fault, Values};

/// Explains a text. Offsets are those of the surface: of bytes here, of characters elsewhere, which are the same in ASCII.
pub(super) fn explain(input: &Input<'_>) -> Result<Values, Fault> {
    let explanation = urlid_explain::explain(input.text("text")?, SuffixList::compiled())?;
    match serde_json::to_value(&explanation) {
        Ok(Value::Object(values)) => Ok(values),
        other => Err(Fault::Failed(format!("an explanation is an object, found {other:?}"))),
    }
}
