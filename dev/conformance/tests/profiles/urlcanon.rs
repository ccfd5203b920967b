//! The published cases of iipc/urlcanon: keys of the package surt, and canonical URLs of Safe Browsing.

use serde_json::Value;
use urlid_canonical::Form;

const SUITE: &str = "cases of iipc/urlcanon (375 and those of idempotence)";

/// Cases in which `safe-browsing-v4` follows Google's client, which drops the `?` of an empty query and
/// encodes a host that is not ASCII in Punycode.
const GOOGLE_DIFFERS: [&str; 2] = ["http://www.google.com/q?", "http://\u{1}\u{80}.com/"];

#[test]
fn published_cases_have_their_forms() {
    let Some(text) = urlid_testing::conformance(SUITE, "profiles/iipc-urlcanon/surt.json") else { return };
    let cases: Value = serde_json::from_str(&text).expect("the file is JSON");
    compare(&cases["defaultIASurt"], "surt-0.3.1", &[], 16);
    compare(&cases["google"], "safe-browsing-v4", &GOOGLE_DIFFERS, 32);
}

/// `semantic` is `semantic_precise` without the fragment.
#[test]
fn published_cases_of_semantic_have_their_forms() {
    let read = |name: &str| -> Option<Value> {
        let text = urlid_testing::conformance(SUITE, &format!("profiles/iipc-urlcanon/{name}.json"))?;
        Some(serde_json::from_str(&text).expect("the file is JSON"))
    };
    let (Some(precise), Some(addresses), Some(idempotent)) =
        (read("semantic_precise"), read("funky_ipv4"), read("idempotence"))
    else {
        return;
    };
    let form: Form = "urlcanon-semantic-0.3.1".parse().expect("the profile is in the list");
    let check = |text: &str, expected: &str| {
        let expected = expected.split('#').next();
        assert_eq!(form.canonicalize(text).ok().as_deref(), expected, "{text:?}");
    };
    let cases = |value: &Value, total: usize| -> Vec<(String, String)> {
        let cases = value.as_object().expect("the file is an object").iter();
        let cases: Vec<_> =
            cases.map(|(text, form)| (text.clone(), form.as_str().unwrap_or_default().to_owned())).collect();
        assert_eq!(cases.len(), total);
        cases
    };
    for (text, expected) in cases(&precise, 280) {
        // Characters up to U+00FF stand for bytes. Bytes that are not UTF-8 are not a text.
        let bytes: Option<Vec<u8>> = text.chars().map(|character| u8::try_from(character).ok()).collect();
        if let Ok(text) = bytes.map_or(Ok(text), String::from_utf8) {
            check(&text, &expected);
        }
    }
    for (host, address) in cases(&addresses, 47).iter().filter(|(_, address)| !address.is_empty()) {
        check(&format!("http://{host}/"), &format!("http://{address}/"));
    }
    // A blank text becomes `http:/`, which becomes `http:///`.
    let texts = idempotent.as_array().expect("the file is a list").iter().filter_map(Value::as_str);
    for text in texts.filter(|text| text.contains(|character| character > ' ')) {
        let once = form.canonicalize(text).expect("the text has a form");
        check(&once, &once);
    }
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
