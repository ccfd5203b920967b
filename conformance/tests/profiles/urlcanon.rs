//! The published cases of iipc/urlcanon: keys of the package surt, and canonical URLs of Safe Browsing.

use serde_json::Value;
use urlid::canonical::Form;

/// Cases in which `safe-browsing-v4` follows Google's client: it drops the `?` of an empty query and makes Punycode of a host
/// that is not ASCII.
const GOOGLE_DIFFERS: [&str; 2] = ["http://www.google.com/q?", "http://\u{1}\u{80}.com/"];

#[test]
fn published_cases_have_their_forms() {
    let Some(text) = urlid_testing::conformance("profiles/iipc-urlcanon/surt.json") else { return };
    let cases: Value = serde_json::from_str(&text).expect("the file is JSON");
    compare(&cases["defaultIASurt"], "surt-0.3.1", &[], 16);
    compare(&cases["google"], "safe-browsing-v4", &GOOGLE_DIFFERS, 32);
}

fn compare(cases: &Value, form: &str, differs: &[&str], total: usize) {
    let form: Form = form.parse().expect("the profile is in the list");
    let cases = cases.as_object().expect("a group is an object");
    assert_eq!(cases.len(), total);
    for (text, expected) in cases {
        let is_equal = form.canonicalize(text).ok().as_deref() == expected.as_str();
        assert_eq!(is_equal, !differs.contains(&text.as_str()), "{form}: {text:?}");
    }
}
