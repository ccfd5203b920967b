//! The web platform tests of URLs: href and every component, and domain to ASCII.

use conformance::cases::{objects, string};
use conformance::ratchet::Ratchet;
use serde_json::Value;
use urlid::web::Url;
use urlid_testing::conformance;

#[test]
fn urltestdata() {
    check_parser("urltestdata.json", 891);
}

#[test]
fn ada_extra_urltestdata() {
    check_parser("ada_extra_urltestdata.json", 28);
}

#[test]
fn differential_3way() {
    check_parser("differential-3way.json", 2097);
}

#[test]
fn toascii() {
    check_hosts("toascii.json", "", 87);
}

#[test]
fn idna_test_v2() {
    check_hosts("IdnaTestV2.json", include_str!("../expected_failures/IdnaTestV2.txt"), 2670);
}

#[test]
fn idna_test_v2_removed() {
    check_hosts("IdnaTestV2-removed.json", "", 20);
}

fn check_parser(file: &str, total: usize) {
    let Some(text) = conformance("web platform tests of URLs", file) else { return };
    let mut ratchet = Ratchet::default();
    for case in objects(&text) {
        let input = string(&case, "input").expect("a case has an input");
        let base = string(&case, "base");
        let name = format!("{input} on {base:?}");
        ratchet.record(&name, check_case(&case, input, base));
    }
    ratchet.check("", total);
}

fn check_case(case: &Value, input: &str, base: Option<&str>) -> Result<(), String> {
    let parsed = match base {
        Some(base) => Url::parse(base).and_then(|base| base.join(input)),
        None => Url::parse(input),
    };
    match (parsed, case["failure"].as_bool()) {
        (Err(_), Some(true)) => Ok(()),
        (Err(error), _) => Err(format!("rejected: {error}")),
        (Ok(url), Some(true)) => Err(format!("accepted as {url}")),
        (Ok(url), _) => check_components(case, &url),
    }
}

fn check_components(case: &Value, url: &Url) -> Result<(), String> {
    for (field, found) in components(url) {
        if let Some(expected) = string(case, field)
            && expected != found
        {
            return Err(format!("{field} is {found:?}, expected {expected:?}"));
        }
    }
    match Url::parse(url.as_str()) {
        Ok(again) if again == *url => Ok(()),
        again => Err(format!("{url} reparses as {again:?}")),
    }
}

/// The attributes of the standard's API.
fn components(url: &Url) -> [(&'static str, String); 10] {
    let host = url.host_str().unwrap_or_default();
    let port = url.port().map(|port| port.to_string()).unwrap_or_default();
    let with_port = if port.is_empty() { host.to_owned() } else { format!("{host}:{port}") };
    let prefixed = |prefix: &str, text: Option<&str>| match text {
        Some(text) if !text.is_empty() => format!("{prefix}{text}"),
        _ => String::new(),
    };
    [
        ("href", url.as_str().to_owned()),
        ("protocol", format!("{}:", url.scheme())),
        ("username", url.username().to_owned()),
        ("password", url.password().unwrap_or_default().to_owned()),
        ("host", with_port),
        ("hostname", host.to_owned()),
        ("port", port),
        ("pathname", url.path().to_owned()),
        ("search", prefixed("?", url.query())),
        ("hash", prefixed("#", url.fragment())),
    ]
}

fn check_hosts(file: &str, expected_failures: &str, total: usize) {
    let Some(text) = conformance("web platform tests of URLs", file) else { return };
    let mut ratchet = Ratchet::default();
    for case in objects(&text) {
        let input = string(&case, "input").expect("a case has an input");
        if !input.is_empty() {
            ratchet.record(input, check_host(input, string(&case, "output")));
        }
    }
    ratchet.check(expected_failures, total);
}

/// The host is tried in the same way as in WPT: in a URL, with the delimiters of URLs escaped.
fn check_host(input: &str, expected: Option<&str>) -> Result<(), String> {
    let escaped: String = input
        .chars()
        .map(|character| match character {
            ':' | '/' | '?' | '#' | '\\' => format!("%{:02X}", character as u32),
            _ => character.to_string(),
        })
        .collect();
    match (Url::parse(&format!("https://{escaped}/x")), expected) {
        (Err(_), None) => Ok(()),
        (Ok(url), Some(expected)) if url.host_str() == Some(expected) => Ok(()),
        (found, expected) => Err(format!("found {found:?}, expected {expected:?}")),
    }
}
