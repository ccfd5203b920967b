//! Compares canonical forms with the packages of Python and Node that they freeze, for a sample of all code
//! points and for generated URLs.
//!
//! The long form, with the implementations for Java and Go, is `cargo xtask proof profiles`.

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
