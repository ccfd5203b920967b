//! Snapshots: the line that files carry.

use serde_json::json;
use urlid::snapshot::Snapshot;

use crate::vectors::input::Input;
use crate::vectors::surface::{Fault, Values, values};

pub(super) fn parse(input: &Input<'_>) -> Result<Values, Fault> {
    let snapshot: Snapshot = input.text("text")?.parse()?;
    Ok(values([("line", json!(snapshot.to_string())), ("unicode", json!(snapshot.unicode))]))
}
