//! Compares the library's results for every code point with the recorded digests.
//!
//! After an intended change, and after the proof: `cargo run --release --package conformance --bin live
//! write-digests`.

use conformance::digests::differences;

/// The maximum number of shown differences.
const SHOWN: usize = 20;

#[test]
#[ignore = "at length: .ci/run"]
fn every_code_point_has_the_form_that_is_recorded() {
    let differences = differences();
    let shown = differences[..differences.len().min(SHOWN)].join("\n");
    assert!(differences.is_empty(), "{} blocks have other answers\n{shown}", differences.len());
}
