//! The vectors and the page have every function. `urlid-vectors` runs the vectors.

use std::collections::BTreeSet;

use urlid_functions::FUNCTIONS;

#[test]
fn every_function_has_vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/functions.json");
    let text = std::fs::read_to_string(path).expect("the file of vectors");
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let vectors = file["vectors"].as_array().expect("a list of vectors");
    let called: BTreeSet<&str> =
        vectors.iter().filter_map(|vector| vector["input"]["name"].as_str()).collect();
    assert_eq!(called, FUNCTIONS.iter().map(|function| function.name).collect());
}

#[test]
fn the_page_has_every_function_as_it_is() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sql.md");
    let page = std::fs::read_to_string(path).expect("the page");
    for function in FUNCTIONS {
        let row = format!("| `{function}` | {} |", function.about);
        assert!(page.lines().any(|line| line == row), "docs/sql.md lacks the row: {row}");
    }
    let rows = page.lines().filter(|line| line.starts_with("| `urlid_")).count();
    assert_eq!(rows, FUNCTIONS.len());
}
