//! The resolution examples of RFC 3986, section 5.4, and RFC 2396, appendix C.

use serde_json::Value;
use urlid::generic::{Mode, resolve};
use urlid_testing::conformance;

#[test]
fn rfc3986_section_5_4() {
    let Some(examples) = examples("rfc3986-5.4.json") else { return };
    assert_eq!(examples.len(), 42);
    for example in examples {
        check(&example, Mode::Strict, example["strict"].as_str());
        check(&example, Mode::Nonstrict, example["nonstrict"].as_str());
    }
}

#[test]
fn rfc2396_appendix_c() {
    let Some(examples) = examples("rfc2396-appendix-c.json") else { return };
    assert_eq!(examples.len(), 42);
    for example in examples {
        // A reference to the current document does not have a target of its own, so the base is used.
        let current_document = format!("http://a/b/c/d;p?q{}", example["ref"].as_str().unwrap_or_default());
        check(&example, Mode::Rfc2396, Some(example["target"].as_str().unwrap_or(&current_document)));
    }
}

fn examples(file: &str) -> Option<Vec<Value>> {
    let document: Value = serde_json::from_str(&conformance("examples of RFC 3986 and RFC 2396 (84)", file)?)
        .expect("the file is JSON");
    Some(document["vectors"].as_array().expect("the file has vectors").clone())
}

fn check(example: &Value, mode: Mode, expected: Option<&str>) {
    let (base, reference) = (example["base"].as_str().expect("base"), example["ref"].as_str().expect("ref"));
    assert_eq!(resolve(base, reference, mode).ok().as_deref(), expected, "{reference} on {base}, {mode:?}");
}
