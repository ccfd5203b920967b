//! Errors of the identifiers: making them and reading them.

use urlid::compat::{CrateFormat, CrateSxurl};
use urlid::hashed_uri::{Algorithm, HashedUri, Key, Options};
use urlid::snapshot::Snapshot;
use urlid::sxurl::{HostPart, Sxurl};
use urlid::url_hash::UrlHash;

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    [encode(), decode(), crates(), hashes(), make(), parse()].into_iter().flatten().collect()
}

fn encode() -> Vec<Example> {
    vec![
        example!("the SXURL of `ws://h/`", Sxurl::encode("ws://h/")),
        example!("the SXURL of `h`", Sxurl::encode("h")),
        example!("the SXURL of `https:h`", Sxurl::encode("https:h")),
        example!("the SXURL of `https://[::1]/`", Sxurl::encode("https://[::1]/")),
        example!("the SXURL of `https://a^b/`", Sxurl::encode("https://a^b/")),
        example!("the SXURL of `https:///x`", Sxurl::encode("https:///x")),
        example!("the SXURL of `https://a..b/`", Sxurl::encode("https://a..b/")),
        example!("the SXURL of `https://h:0/`", Sxurl::encode("https://h:0/")),
        example!("a host part with a final dot", HostPart::map("example.")),
    ]
}

fn decode() -> Vec<Example> {
    let id = "1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356";
    let changed = |at: usize, digit: &str| {
        let mut id = id.to_owned();
        id.replace_range(at..at + 1, digit);
        Sxurl::from_hex(&id)
    };
    vec![
        example!("an SXURL of 63 digits", Sxurl::from_hex(&id[1..])),
        example!("an SXURL with an `x`", changed(9, "x")),
        example!("an SXURL of version 2", changed(0, "2")),
        example!("an SXURL of scheme 7", changed(1, "e")),
        example!("an SXURL with the reserved bit", changed(2, "1")),
        example!("an SXURL with a port that is 0", changed(2, "2")),
        example!("an SXURL with a port that it does not announce", changed(33, "1")),
    ]
}

fn crates() -> Vec<Example> {
    let of = |text| CrateSxurl::encode(text, CrateFormat::V1_1);
    let zeros = |start: &str| start.to_owned() + &"0".repeat(64 - start.len());
    vec![
        example!("the SXURL of crate 1.1 of `h`", of("h")),
        example!("the SXURL of crate 1.1 of `ws://example.com/`", of("ws://example.com/")),
        example!("the SXURL of crate 1.1 of `http:///`", of("http:///")),
        example!("the SXURL of crate 1.1 of `http://localhost/`", of("http://localhost/")),
        example!("the SXURL of crate 1.1 of `http://xn--a.com/`", of("http://xn--a.com/")),
        example!("the SXURL of crate 1.1 of `http://a..com/`", of("http://a..com/")),
        example!("an SXURL of crate 1.1 of 2 digits", CrateSxurl::from_hex("00", CrateFormat::V1_1)),
        example!(
            "an SXURL of crate 1.1 that starts with `g`",
            CrateSxurl::from_hex(&zeros("g"), CrateFormat::V1_1)
        ),
        example!(
            "an SXURL of crate 1.1 that starts with `01`",
            CrateSxurl::from_hex(&zeros("01"), CrateFormat::V1_1)
        ),
        example!(
            "an SXURL of crate 1.1 that starts with `30`",
            CrateSxurl::from_hex(&zeros("30"), CrateFormat::V1_1)
        ),
        example!(
            "an SXURL of crate 0.2 that starts with `20`",
            CrateSxurl::from_hex(&zeros("20"), CrateFormat::V0)
        ),
    ]
}

fn hashes() -> Vec<Example> {
    vec![
        example!("the url-hash `1-2-3`", "1-2-3".parse::<UrlHash>()),
        example!("the url-hash `1-2-3-04`", "1-2-3-04".parse::<UrlHash>()),
        example!("a url-hash of 64 digits with a `g`", UrlHash::from_hex(&"g".repeat(64))),
        example!("the snapshot `unicode=18.0`", "unicode=18.0".parse::<Snapshot>()),
    ]
}

fn make() -> Vec<Example> {
    let make = |uri: &str, base: Option<&str>, algorithm: &Algorithm| {
        let algorithm = algorithm.clone();
        HashedUri::encode_with(uri, &Options { base, algorithm, ..Options::default() })
    };
    let private: Algorithm = "x-new".parse().expect("it is for private use");
    vec![
        example!("the hashed URI of `http://h/a b`", make("http://h/a b", None, &Algorithm::Sha1)),
        example!("the hashed URI of `http://h/%`", make("http://h/%", None, &Algorithm::Sha1)),
        example!("the hashed URI of `http://h/#a#b`", make("http://h/#a#b", None, &Algorithm::Sha1)),
        example!("the hashed URI of `http://h:x/`", make("http://h:x/", None, &Algorithm::Sha1)),
        example!("the hashed URI of `a`", make("a", None, &Algorithm::Sha1)),
        example!("the hashed URI of `a`, based on `b`", make("a", Some("b"), &Algorithm::Sha1)),
        example!("the hashed URI of `http://h/` by x-new", make("http://h/", None, &private)),
        example!(
            "the hashed URI of `http://h/` by x-hmac-sha256",
            make("http://h/", None, &Algorithm::XHmacSha256)
        ),
        example!("the hash algorithm `sha256`", "sha256".parse::<Algorithm>()),
        example!("a key of 3 bytes", Key::new(b"abc")),
    ]
}

fn parse() -> Vec<Example> {
    vec![
        example!("the hashed URI `http://h/`", HashedUri::parse("http://h/")),
        example!("the hashed URI `hashed:=00`", HashedUri::parse("hashed:=00")),
        example!("the hashed URI `hashed:md5`", HashedUri::parse("hashed:md5")),
        example!("the hashed URI `hashed:md5=`", HashedUri::parse("hashed:md5=")),
        example!("the hashed URI `hashed:md5=00+path`", HashedUri::parse("hashed:md5=00+path")),
        example!("the hashed URI `hashed:sha256=00`", HashedUri::parse("hashed:sha256=00")),
        example!("the hashed URI `hashed:md5=00`", HashedUri::parse("hashed:md5=00")),
        example!("the hashed URI `hashed:x-new=000`", HashedUri::parse("hashed:x-new=000")),
    ]
}
