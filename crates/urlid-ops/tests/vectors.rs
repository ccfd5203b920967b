//! Every file of `vectors/` passes, and the runner fails what it should fail.

use urlid_ops::vectors::{Surface, Values, VectorFault};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors");

/// Runs all files of `vectors/`, each of which must hold vectors that all pass.
#[test]
fn every_vector_of_the_repository_passes() {
    let (mut files, mut failed) = (0, String::new());
    for entry in std::fs::read_dir(FOLDER).expect("the folder of vectors is readable") {
        let path = entry.expect("the folder of vectors is readable").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read_to_string(&path).expect("a file of vectors is text");
            let report = urlid_ops::vectors::run(&text);
            if !report.failures().is_empty() || report.passed() == 0 {
                failed += &format!("{}:\n{report}\n", path.display());
            }
            files += 1;
        }
    }
    assert!(failed.is_empty(), "{failed}");
    assert!(files >= 4, "public, seed, differ and found are there: found {files} files");
}

/// Runs one vector in a file of its own.
fn run_one(vector: &str) -> String {
    urlid_ops::vectors::run(&format!(r#"{{"format": 1, "vectors": [{vector}]}}"#)).to_string()
}

#[track_caller]
fn assert_fails(vector: &str, reason: &str) {
    assert_eq!(run_one(vector), format!("failed: v: {reason}\n0 passed, 1 failed"));
}

#[test]
fn a_right_vector_passes() {
    let vector = r#"{"id": "v", "op": "urlhash", "class": "c", "input": {"url": "HTTP://h"},
        "expect": {"canonical": "http://h/", "printed": "anything"}}"#;
    assert_eq!(run_one(vector), "1 passed, 0 failed");
}

#[test]
fn a_right_error_passes() {
    let vector =
        r#"{"id": "v", "op": "sxurl.encode", "input": {"url": "ws://h/"}, "error": "ERR_INVALID_SCHEME"}"#;
    assert_eq!(run_one(vector), "1 passed, 0 failed");
}

#[test]
fn a_wrong_value_fails() {
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {"url": "HTTP://h"}, "expect": {"canonical": "http://h"}}"#,
        r#"`canonical` is "http://h/", expected "http://h""#,
    );
}

#[test]
fn a_wrong_error_fails() {
    assert_fails(
        r#"{"id": "v", "op": "sxurl.encode", "input": {"url": "ws://h/"}, "error": "ERR_PORT"}"#,
        r#"rejected with ERR_INVALID_SCHEME, expected "ERR_PORT""#,
    );
    assert_fails(
        r#"{"id": "v", "op": "sxurl.slice", "input": {"label": "frag", "value": "modules", "bits": 24}, "error": "ERR_PORT"}"#,
        r#"gave {"hex":"0250b1"}, expected "ERR_PORT""#,
    );
    assert_fails(
        r#"{"id": "v", "op": "sxurl.encode", "input": {"url": "ws://h/"}, "expect": {"id": ""}}"#,
        "rejected with ERR_INVALID_SCHEME, expected values",
    );
}

#[test]
fn a_vector_that_cannot_be_checked_fails() {
    assert_fails(r#"{"id": "v", "op": "rot13", "input": {}, "expect": {"x": 1}}"#, "op `rot13` is unknown");
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {"url": "http://h"}}"#,
        "vector has neither `expect` nor `error`",
    );
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {"url": "http://h"}, "expect": {"printed": "x"}}"#,
        "`expect` has nothing to compare",
    );
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {"url": "http://h"}, "expect": {"hexx": "x"}}"#,
        "`hexx` is not among the results of this op",
    );
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {"uri": "http://h"}, "expect": {"hex": "x"}}"#,
        "op `urlhash` does not read the input `uri`",
    );
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {}, "error": "ERR_URL_PARSE"}"#,
        "input `url` is missing",
    );
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {"url": 7}, "error": "ERR_URL_PARSE"}"#,
        "input `url` is 7, expected a string",
    );
    assert_fails(
        r#"{"id": "v", "op": "urlhash", "input": {"url": "x"}, "expect": {}, "error": "ERR_URL_PARSE"}"#,
        "vector has both `expect` and `error`",
    );
    assert_fails(
        r#"{"id": "v", "op": "sxurl.slice", "input": {"label": "frag", "value": "", "bits": 16}, "expect": {"hex": ""}}"#,
        "slice `frag` has 24 bits, not 16",
    );
    assert_fails(
        r#"{"id": "v", "op": "theory.valid", "input": {"url": [["planet", "x"]]}, "expect": {"valid": false}}"#,
        r#"["planet","x"] is not a token"#,
    );
}

/// A surface that rejects every call: no vector may pass by the library's own answers.
struct Rejecting;

impl Surface for Rejecting {
    fn run(&self, _: &str, _: &Values) -> Result<Values, VectorFault> {
        Err(VectorFault::Rejected("ERR_REJECTING".to_owned()))
    }
}

#[test]
fn every_operation_reads_its_values_from_the_surface() {
    for entry in std::fs::read_dir(FOLDER).expect("the folder of vectors is readable") {
        let path = entry.expect("the folder of vectors is readable").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read_to_string(&path).expect("a file of vectors is text");
            let file: serde_json::Value = serde_json::from_str(&text).expect("the file is JSON");
            let report = urlid_ops::vectors::run_over(&Rejecting, &text);
            // Where a rejection is a result, it can be the expected one.
            let is_expected = |vector: &&serde_json::Value| {
                vector["expect"]["valid"] == false || vector["op"] == "theory.property"
            };
            let expected = file["vectors"].as_array().into_iter().flatten().filter(is_expected).count();
            assert!(report.passed() <= expected, "{}: {} passed", path.display(), report.passed());
        }
    }
}

#[test]
fn a_malformed_vector_file_is_one_failure() {
    let last_line = |text: &str| urlid_ops::vectors::run(text).to_string().lines().last().map(str::to_owned);
    for text in [
        "",
        "[]",
        "{}",
        r#"{"format": 2, "vectors": []}"#,
        r#"{"format": 1}"#,
        r#"{"format": 1, "vectors": {}}"#,
    ] {
        assert_eq!(last_line(text).as_deref(), Some("0 passed, 1 failed"), "{text}");
    }
}

#[test]
fn a_repeated_id_fails() {
    let vector = r#"{"id": "v", "op": "urlhash", "input": {"url": "x"}, "error": "ERR_URL_PARSE"}"#;
    let report = urlid_ops::vectors::run(&format!(r#"{{"format": 1, "vectors": [{vector}, {vector}]}}"#));
    assert_eq!(report.to_string(), "failed: v: a different vector has this id\n1 passed, 1 failed");
}

#[test]
fn a_password_without_a_user_is_seen_though_no_text_can_hold_it() {
    let vector = r#"{"id": "v", "op": "theory.valid", "input": {"url": [["authority",
        {"username": null, "password": "p", "hostname": "h", "port": null}]]}, "expect": {"valid": false}}"#;
    assert_eq!(run_one(vector), "1 passed, 0 failed");
}

/// The pairs that must stay apart: a hundred for each system, and those that share an SXURL identifier.
#[test]
fn there_are_a_hundred_pairs_for_each_system() {
    let text = include_str!("../../../vectors/differ.json");
    let file: serde_json::Value = serde_json::from_str(text).expect("the file is JSON");
    let vectors = file["vectors"].as_array().expect("the file has vectors");
    let count = |system: &str, is_same: bool| {
        let counts = |vector: &&serde_json::Value| {
            let same = [&vector["expect"]["same_form"], &vector["expect"]["same_id"]].contains(&&true.into());
            vector["input"]["system"] == system && same == is_same
        };
        vectors.iter().filter(counts).count()
    };
    for system in ["theory", "urlhash", "hashed", "sxurl"] {
        assert!(count(system, false) >= 100, "{system}: {}", count(system, false));
    }
    assert!(count("sxurl", true) >= 10);
    assert_eq!([count("theory", true), count("urlhash", true), count("hashed", true)], [0, 0, 0]);
}

#[test]
fn the_readme_of_the_vectors_names_every_operation_and_input() {
    let page = include_str!("../../../vectors/README.md");
    for op in urlid_ops::vectors::ops::ALL {
        let name = format!("`{}`", op.name);
        let row = page.lines().find(|line| line.starts_with('|') && line.contains(&name));
        let row = row.unwrap_or_else(|| panic!("{} is not there", op.name));
        for input in op.inputs {
            assert!(row.contains(input), "{}: {input} is not there", op.name);
        }
    }
}
