//! Canonical forms against the packages of Python and Node that they freeze: a sample of all code points, and
//! generated URLs.
//!
//! At length, and with the implementations for Java and Go: `cargo xtask proof profiles`.

use conformance::live::{Findings, Selection, compare_code_points, compare_generated};
use urlid_generators::cases;

#[test]
#[ignore = "at length: .ci/run"]
fn live_packages_give_the_same_forms() {
    let (selection, findings) = (Selection::of_this_commit(), Findings::default());
    selection.each_oracle(|oracle| {
        compare_generated(oracle, cases(2_000), &findings);
        compare_code_points(oracle, &selection, &findings);
    });
    let found = findings.list();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
