//! Compares `urlid id` over corpora, line by line, with a second implementation of the SXURL specification.
//!
//! The second implementation is plain on purpose. It cuts the text with string functions and gets hosts from
//! `url`, suffixes from `psl` and digests from `sha2`. Its answers are ids, or the specification's codes.

use std::collections::BTreeMap;
use std::process::{Command, Output, Stdio};

use sha2::{Digest, Sha256};
use urlid_generators::{CORPUS_LINES, CORPUS_SHA256};
use urlid_testing::{corpora, root};

#[test]
fn ids_of_corpora_match_the_second_implementation() {
    corpora().for_each(|text| check_corpus(&text));
}

/// Tests in other languages read the same lines from `cargo xtask corpus`.
#[test]
fn the_made_corpus_is_the_same_everywhere() {
    let text = corpora().next().expect("the first one is made of the samples");
    assert_eq!(text.lines().count(), CORPUS_LINES);
    let digest: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, CORPUS_SHA256);
}

fn check_corpus(text: &str) {
    let output = run_urlid(text);
    let printed = String::from_utf8(output.stdout).expect("ids are ASCII");
    let rejections = String::from_utf8(output.stderr).expect("messages are UTF-8");

    assert_eq!(printed.lines().count(), text.lines().count());
    let mut rejected = BTreeMap::<&str, usize>::new();
    for (number, (url, id)) in text.lines().zip(printed.lines()).enumerate() {
        match second_implementation(url) {
            Ok(expected) => assert_eq!(id, expected, "line {}: {url}", number + 1),
            Err(code) => {
                assert_eq!(id, "", "line {}: {url} should be rejected: {code}", number + 1);
                *rejected.entry(code).or_default() += 1;
            }
        }
    }
    assert_eq!(reported(&rejections), rejected, "{rejections}");
    let expected_status = if rejected.is_empty() { 0 } else { 3 };
    assert_eq!(output.status.code(), Some(expected_status), "{rejections}");
}

/// Reads the numbers of rejected lines by code, from the last message: `urlid: 7 lines rejected: 4 ERR_PORT, 3
/// ERR_HOST_LEN`.
fn reported<'m>(messages: &'m str) -> BTreeMap<&'m str, usize> {
    let by_code =
        messages.lines().last().and_then(|line| line.rsplit_once(": ")).map_or("", |(_, rest)| rest);
    let part =
        |part: &'m str| part.split_once(' ').and_then(|(count, code)| Some((code, count.parse().ok()?)));
    by_code.split(", ").filter_map(part).collect()
}

/// Passes the text to the standard input of the program, which `URLID_CLI` names or which is built as a user
/// would.
fn run_urlid(text: &str) -> Output {
    let mut urlid = match std::env::var_os("URLID_CLI") {
        Some(program) => Command::new(program),
        None => {
            let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
            cargo.args(["run", "--quiet", "--package", "urlid-cli", "--"]);
            cargo
        }
    };
    let mut child = urlid
        .args(["id", "--kind", "sxurl"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cargo starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::io::Write::write_all(&mut stdin, text.as_bytes()).expect("urlid reads its input")
        });
        child.wait_with_output().expect("urlid ends")
    })
}

fn second_implementation(text: &str) -> Result<String, &'static str> {
    let (scheme, rest) = text.split_once(':').ok_or("ERR_INVALID_SCHEME")?;
    let scheme_code = match scheme.to_ascii_lowercase().as_str() {
        "https" => 0,
        "http" => 1,
        "ftp" => 2,
        _ => return Err("ERR_INVALID_SCHEME"),
    };
    let rest = rest.strip_prefix("//").ok_or("ERR_HOST_NOT_DNS")?;
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host_and_port = authority.rsplit('@').next().unwrap_or_default();
    let (raw_host, raw_port) = host_and_port.split_once(':').unwrap_or((host_and_port, ""));
    let host = host(raw_host, host_and_port)?;
    let port = match raw_port {
        "" => 0,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse::<u16>().ok().filter(|port| *port > 0).ok_or("ERR_PORT")?
        }
        _ => return Err("ERR_PORT"),
    };
    let (before_fragment, fragment) = tail.split_once('#').unwrap_or((tail, ""));
    let (path, query) = before_fragment.split_once('?').unwrap_or((before_fragment, ""));
    let path = if path.is_empty() { "/" } else { path };

    let tld = psl::suffix_str(&host).expect("every host has a suffix").to_owned();
    let left = host[..host.len() - tld.len()].trim_end_matches('.');
    let (sub, domain) = left.rsplit_once('.').unwrap_or(("", left));

    let flags = u16::from(!sub.is_empty()) << 4
        | u16::from(!query.is_empty()) << 3
        | u16::from(!fragment.is_empty()) << 2
        | u16::from(port > 0) << 1;
    Ok([
        format!("{:03x}", 1 << 8 | scheme_code << 5 | flags),
        hash("tld", &tld, 4),
        hash("domain", domain, 15),
        hash("sub", sub, 8),
        format!("{port:04x}"),
        hash("path", path, 15),
        hash("params", query, 9),
        hash("frag", fragment, 6),
    ]
    .concat())
}

fn host(raw: &str, with_port: &str) -> Result<String, &'static str> {
    // With two faults, the number of colons decides, because without it the host is unknown.
    if with_port.matches(':').count() > 1 {
        return Err("ERR_HOST_NOT_DNS");
    }
    if raw.is_empty() || raw.len() > 4096 {
        return Err("ERR_HOST_LEN");
    }
    let Ok(url::Host::Domain(host)) = url::Host::parse(raw) else { return Err("ERR_HOST_NOT_DNS") };
    let has_bad_label = host.split('.').any(|label| label.is_empty() || label.len() > 63);
    if has_bad_label || host.len() > 255 { Err("ERR_HOST_LEN") } else { Ok(host) }
}

/// Returns the last digits of the labelled digest.
fn hash(label: &str, value: &str, digits: usize) -> String {
    let digest = Sha256::digest([label.as_bytes(), &[0], value.as_bytes()].concat());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    hex[64 - digits..].to_owned()
}
