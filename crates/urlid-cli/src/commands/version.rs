//! `urlid --version`: the version, and the snapshot of the data that identifiers depend on.

use urlid::snapshot::Snapshot;

use crate::args::Globals;
use crate::output::Output;
use crate::output::json::Object;
use crate::report::exit::{Exit, Failure};

/// Prints the version.
pub(crate) fn run(as_json: bool, globals: &Globals) -> Result<Exit, Failure> {
    let version = env!("CARGO_PKG_VERSION");
    let text = if as_json {
        // The list that the other options of this command line choose is the one that is described.
        let snapshot = Snapshot::new(&*globals.psl.list()?);
        Object::new().text("urlid", version).json("snapshot", &snapshot_json(&snapshot)).finish()
    } else {
        format!("urlid {version}")
    };
    let mut out = Output::stdout()?;
    out.line(&text)?;
    out.flush()?;
    Ok(Exit::Done)
}

/// Returns a snapshot as a JSON object.
fn snapshot_json(snapshot: &Snapshot) -> String {
    snapshot.entries().iter().fold(Object::new(), |object, (key, value)| object.text(key, value)).finish()
}
