//! Values through serde: texts in a human-readable format (JSON), bytes in a binary format (postcard).
#![cfg(feature = "serde")]

use std::fmt::{Debug, Display};

use serde::Serialize;
use serde::de::DeserializeOwned;
use urlid::compat::CrateUrlHash;
use urlid::hashed_uri::{Algorithm, HashedUri, Keep};
use urlid::{Sxurl, Url, UrlHash};

const URL: &str = "https://www.example.co.uk:8443/a?b#c";

/// Checks that a value is its text in JSON and `binary` in postcard, and is read back from both.
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug + Display>(value: &T, binary: &[u8]) {
    let json = serde_json::to_string(value).expect("it is a text");
    assert_eq!(json, format!("\"{value}\""));
    assert_eq!(&serde_json::from_str::<T>(&json).expect("it was written"), value);
    assert_eq!(&serde_json::from_reader::<_, T>(json.as_bytes()).expect("it need not be borrowed"), value);

    let bytes = postcard::to_allocvec(value).expect("there is room");
    assert_eq!(bytes, binary);
    assert_eq!(&postcard::from_bytes::<T>(&bytes).expect("it was written"), value);
}

/// Returns the bytes after their length, as postcard writes them.
fn with_length(bytes: &[u8]) -> Vec<u8> {
    let length = u8::try_from(bytes.len()).expect("identifiers are short");
    [&[length], bytes].concat()
}

#[test]
fn identifiers_are_texts_in_json_and_bytes_in_postcard() {
    let id = Sxurl::encode(URL).expect("it has one");
    check(&id, &with_length(id.as_bytes()));
    let hash = UrlHash::encode(URL).expect("it is a URL");
    check(&hash, &with_length(hash.as_bytes()));
    check(&hash.short(), &with_length(hash.short().as_bytes()));
    check(&hash.very_short(), &with_length(hash.very_short().as_bytes()));
    let hash = CrateUrlHash::encode(URL).expect("it is a URL");
    check(&hash, &with_length(hash.as_bytes()));
    check(&hash.short(), &with_length(hash.short().as_bytes()));
    check(&hash.very_short(), &with_length(hash.very_short().as_bytes()));
}

#[test]
fn a_url_is_a_text_everywhere() {
    let url = Url::parse(URL).expect("it is a URL");
    check(&url, &with_length(URL.as_bytes()));
}

#[test]
fn a_hashed_uri_is_its_parts_in_postcard() {
    for (keep, flags) in
        [(Keep::NONE, [0, 0]), (Keep::QUERY, [1, 0]), (Keep::FRAGMENT, [0, 1]), (Keep::ALL, [1, 1])]
    {
        let uri = HashedUri::from_parts(Algorithm::Md5, &[7; 16], keep).expect("md5 has 16 bytes");
        check(&uri, &[&with_length(b"md5")[..], &with_length(&[7; 16]), &flags].concat());
    }
    let private: HashedUri = "hashed:x-other=00ff".parse().expect("the algorithm is for private use");
    check(&private, &[&with_length(b"x-other")[..], &with_length(&[0, 0xff]), &[0, 0]].concat());
}

#[test]
fn values_that_no_encoder_writes_are_rejected() {
    let reads = |bytes: &[u8]| postcard::from_bytes::<Sxurl>(bytes).is_ok();
    let id = Sxurl::encode(URL).expect("it has one");
    assert!(reads(&with_length(id.as_bytes())));
    assert!(!reads(&with_length(&id.as_bytes()[..31])));
    assert!(!reads(&with_length(&[0; 32])), "the version is 0");
    assert!(serde_json::from_str::<Sxurl>(&format!("\"{}\"", "0".repeat(64))).is_err());

    assert!(postcard::from_bytes::<UrlHash>(&with_length(&[0; 33])).is_err());
    let of_md5 = |length: usize| [&with_length(b"md5")[..], &with_length(&vec![7; length]), &[0, 0]].concat();
    assert!(postcard::from_bytes::<HashedUri>(&of_md5(16)).is_ok());
    assert!(postcard::from_bytes::<HashedUri>(&of_md5(15)).is_err());
}
