//! Inside a crate, no two files import each other, directly or through others.

use std::collections::BTreeSet;

use tidy::circles::Imports;
use tidy::imports;

/// The number of groups that are not cut yet, by crate. It only goes down.
const KNOWN: &[(&str, usize)] = &[("crates/urlid-index/", 1)];

#[test]
fn files_do_not_import_each_other_in_circles() {
    let imports = imports::all();
    let mut circles = imports.circles();
    for (folder, count) in KNOWN {
        let is_there = |group: &BTreeSet<String>| group.iter().all(|file| file.starts_with(folder));
        let found: Vec<_> = circles.extract_if(.., |group| is_there(group)).collect();
        let shown: Vec<String> = found.iter().map(|group| imports.inside(group)).collect();
        assert!(found.len() <= *count, "files in {folder} import each other:\n{}", shown.join("\n"));
    }
    let shown: Vec<String> = circles.iter().map(|group| imports.inside(group)).collect();
    assert!(circles.is_empty(), "files import each other:\n{}", shown.join("\n"));
}

#[test]
fn a_circle_is_found_whatever_its_length() {
    let mut imports = Imports::default();
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("f", "f")] {
        imports.add(from, to, "x");
    }
    let circles: Vec<Vec<String>> =
        imports.circles().into_iter().map(|group| group.into_iter().collect()).collect();
    assert_eq!(circles, [["a", "b", "c"]]);
}
