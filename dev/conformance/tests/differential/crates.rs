//! The published crates `url-hash` 0.1.0, `sxurl` 0.2.0 and `sxurl` 1.1.0. Our versions of their formats
//! agree with them, except for differences that they inherit from `url`.

use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash, url_hash_0_1};
use urlid::suffix::SuffixList;
use urlid::web::Url;
use urlid_generators::{sxurl_url, web_url};

use super::compare_all;
use super::url_crate::known_class;

#[test]
fn url_hash_0_1_gives_our_hashes() {
    compare_all(|choices| {
        let text = web_url(choices);
        let ours = Url::parse(&text).ok();
        let theirs = url::Url::parse(&text).ok();
        let hashes = (
            ours.as_ref().map(|url| CrateUrlHash::from(url).to_string()),
            theirs.clone().map(|url| url_hash::UrlHash::from(url).to_string()),
        );
        if hashes.0 == hashes.1 {
            Ok(None)
        } else {
            known_class(&None, &text, ours.as_ref().map(Url::as_str), theirs.as_ref().map(url::Url::as_str))
                .map(Some)
                .ok_or_else(|| format!("{text:?}: {hashes:?}"))
        }
    });
}

/// The same `url::Url` has the same hash in all three forms, even if its text deviates from the standard.
#[test]
fn url_hash_0_1_gives_our_hashes_of_its_own_urls() {
    let mut cases = 0_u64;
    compare_all(|choices| {
        let Ok(url) = url::Url::parse(&web_url(choices)) else { return Ok(None) };
        cases += 1;
        let ours = url_hash_0_1::UrlHash::from(url.clone());
        let theirs = url_hash::UrlHash::from(url.clone());
        let pairs = [
            (ours.to_string(), theirs.to_string()),
            (ours.short().to_string(), theirs.short().to_string()),
            (ours.very_short().to_string(), theirs.very_short().to_string()),
            (ours.short().very_short().to_string(), theirs.short().very_short().to_string()),
        ];
        if pairs.iter().all(|(ours, theirs)| ours == theirs) {
            Ok(None)
        } else {
            Err(format!("{url}: {pairs:?}"))
        }
    });
    assert!(cases > 1000, "{cases} URLs have hashes");
}

#[test]
fn sxurl_0_2_gives_our_ids() {
    compare(CrateFormat::V0, |text| sxurl_0::encode_url_to_hex(text).ok());
}

#[test]
fn sxurl_1_1_gives_our_ids() {
    compare(CrateFormat::V1_1, |text| sxurl_1::encode_url_to_hex(text).ok());
}

fn compare(format: CrateFormat, encode: impl Fn(&str) -> Option<String>) {
    let mut equal_ids = 0_u64;
    compare_all(|choices| {
        let text = if choices.is(14) { sxurl_url(choices) } else { web_url(choices) };
        let ours = CrateSxurl::encode_with(&text, format, SuffixList::compiled()).ok().map(|id| id.to_hex());
        let theirs = encode(&text);
        equal_ids += u64::from(ours.is_some() && ours == theirs);
        let parsed = (Url::parse(&text).ok(), url::Url::parse(&text).ok());
        if ours == theirs {
            Ok(None)
        } else {
            known_class(
                &None,
                &text,
                parsed.0.as_ref().map(Url::as_str),
                parsed.1.as_ref().map(url::Url::as_str),
            )
            .filter(|_| parsed.0.as_ref().map(Url::as_str) != parsed.1.as_ref().map(url::Url::as_str))
            .map(Some)
            .ok_or_else(|| format!("{text:?}: {ours:?}, the crate says {theirs:?}"))
        }
    });
    assert!(equal_ids > 1000, "{equal_ids} URLs have ids");
}

/// The ids of a host that `docs/spec/sxurl.md` describes: two functions of the crate, which never return the
/// same id.
#[test]
fn host_ids_of_sxurl_1_1_differ_in_the_flag_of_a_port() {
    for (url, encoded, extracted) in [
        ("https://docs.rs/serde", "004817c7e16ca8efb818406f0000000040", "004817c7e16ca8efb818406f0000000000"),
        ("http://docs.rs:8080/", "104817c7e16ca8efb818406f0000000040", "104817c7e16ca8efb818406f0000000000"),
        (
            "ftp://api.github.com/a?b",
            "20ad25654fe3c00c4d0a7b4d3af06032c0",
            "20ad25654fe3c00c4d0a7b4d3af0603280",
        ),
    ] {
        let id = sxurl_1::encode_url_to_hex(url).expect("it has an id");
        let ids = [sxurl_1::encode_host_to_hex(url), sxurl_1::extract_host_from_full_sxurl(&id)];
        assert_eq!(ids, [encoded, extracted].map(|digits| Ok(format!("{digits:0<64}"))), "{url}");
        for id in ids.iter().flatten().chain([&id]) {
            let has_domain = |value: &str| sxurl_1::sxurl_has_domain(id, value);
            let answers = ["docs", "github", "DOCS", "docs.rs"].map(has_domain);
            let is_docs = url.contains("docs");
            assert_eq!(answers, [Ok(is_docs), Ok(!is_docs), Ok(false), Ok(false)], "{id}");
        }
    }
    let is_read = |id: &str| sxurl_1::extract_host_from_full_sxurl(id).is_ok();
    assert!(is_read(&["z".repeat(32), "0".repeat(32)].concat()) && !is_read(&"z".repeat(64)));
}
