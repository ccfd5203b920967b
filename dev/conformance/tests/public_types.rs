//! Limits the number of public types of the crate `urlid`, because a user should be able to read its front
//! page.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Structs, enums, unions and traits. A change that needs more has a decision record that lists them.
const MOST: usize = 80;

#[test]
#[ignore = "at length: .ci/run"]
fn the_library_shows_few_public_types() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A separate folder, because other builds may hold the lock of the usual one. It is kept, so that a
    // second run is short.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-types");
    let status = Command::new(env!("CARGO"))
        .args(["doc", "--quiet", "--package", "urlid", "--all-features", "--no-deps", "--target-dir"])
        .arg(&target)
        .env("RUSTDOCFLAGS", "")
        .current_dir(&root)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the documentation is made");
    let page = std::fs::read_to_string(target.join("doc/urlid/all.html")).expect("it lists all items");
    let types: BTreeSet<&str> = page
        .split("<a href=\"")
        .skip(1)
        .filter_map(|rest| rest.split_once('"').map(|(link, _)| link))
        .filter(|link| {
            let file = link.rsplit('/').next().unwrap_or_default();
            ["struct.", "enum.", "union.", "trait."].iter().any(|kind| file.starts_with(kind))
        })
        .collect();
    assert!(types.contains("struct.Error.html"), "{types:?}");
    assert!(types.len() <= MOST, "{} public types, expected at most {MOST}:\n{types:#?}", types.len());
}
