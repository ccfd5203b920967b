//! What the library makes of every code point, against the digests that are recorded.
//!
//! After a change on purpose, and after the proof: `URLID_WRITE_DIGESTS=1 cargo test --package conformance --test profiles digests`.

use conformance::digests::{differences, write_all};

/// Differences past this many are not shown.
const SHOWN: usize = 20;

#[test]
fn every_code_point_has_the_form_that_is_recorded() {
    if std::env::var_os("URLID_WRITE_DIGESTS").is_some() {
        write_all();
    }
    let differences = differences();
    let shown = differences[..differences.len().min(SHOWN)].join("\n");
    assert!(differences.is_empty(), "{} blocks have other answers\n{shown}", differences.len());
}
