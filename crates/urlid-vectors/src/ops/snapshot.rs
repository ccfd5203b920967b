//! Snapshots: the line that files carry.

use serde_json::json;
use urlid::Coded;
use urlid::snapshot::Snapshot;

use super::{Found, found};
use crate::input::{Fault, Input};

pub(super) fn parse(input: &Input<'_>) -> Result<Found, Fault> {
    let parsed: Result<Snapshot, _> = input.text("text")?.parse();
    let snapshot = parsed.map_err(|error| Fault::Refused(error.code().as_str()))?;
    Ok(found([("line", json!(snapshot.to_string())), ("unicode", json!(snapshot.unicode))]))
}
