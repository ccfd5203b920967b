//! Explanations, formats that a text can have, and what the package depends on.

use serde_json::{Map, json};
use urlid::ErrorCode;
use urlid::compat;
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid_ops::explain::{Goto, GotoMode, explain};

use crate::arguments::Arguments;
use crate::output::{self, Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    ("explain", explain_text),
    ("explain_goto", explain_goto),
    ("detect", detect),
    ("snapshot", snapshot),
    ("codes", codes),
];

/// Argument: a text.
fn explain_text(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(output::json(&explain(arguments.text()?, SuffixList::compiled())?))
}

/// Arguments: base, reference, nonstrict.
fn explain_goto(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (base, reference) = (arguments.text()?, arguments.text()?);
    let mode = if arguments.flag() { GotoMode::Nonstrict } else { GotoMode::Strict };
    Ok(output::json(&Goto::of(base, reference, mode)?))
}

/// Argument: a text.
fn detect(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let formats = compat::detect(arguments.text()?);
    Ok(output::json(&formats.into_iter().map(|format| format.name()).collect::<Vec<_>>()))
}

/// Argument: the line of a snapshot; without it, that of this build.
fn snapshot(_: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let snapshot = match arguments.optional_text()? {
        Some(line) => line.parse()?,
        None => Snapshot::of(SuffixList::compiled()),
    };
    let entries: Map<_, _> =
        snapshot.entries().into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect();
    Ok(output::json(&json!({ "line": snapshot.to_string(), "entries": entries })))
}

/// Returns the texts of all codes, in the order of their numbers.
fn codes(_: &mut Session, _: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(output::json(&ErrorCode::ALL.map(ErrorCode::as_str)[..]))
}
