//! Checks that no two files of a crate import each other, directly or indirectly.

use tidy::circles::Imports;
use tidy::imports;

#[test]
fn files_do_not_import_each_other_in_circles() {
    let imports = imports::all();
    let circles = imports.circles();
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
