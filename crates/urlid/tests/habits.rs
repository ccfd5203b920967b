//! The traits and words that users expect of an identifier: bytes, digits, words, padding.

use std::borrow::Cow;
use std::collections::HashSet;

use urlid::compat::CrateUrlHash;
use urlid::hashed_uri::HashedUri;
use urlid::reference::{Context, Reference, ReferenceBuf, TokenKind};
use urlid::url_hash::{UrlShortHash, UrlVeryShortHash};
use urlid::{ErrorCode, Sxurl, Url, UrlHash};

const URL: &str = "https://docs.rs/";

#[test]
fn bytes_are_converted_both_ways() {
    let id = Sxurl::encode(URL).expect("it has one");
    assert_eq!(Sxurl::try_from(id.as_ref()), Ok(id));
    assert_eq!(Sxurl::try_from(<[u8; 32]>::from(id)), Ok(id));
    assert_eq!(Sxurl::try_from(&[0; 31][..]).map_err(|error| error.code()), Err(ErrorCode::IdLength));
    assert_eq!(Sxurl::try_from([0; 32]).map_err(|error| error.code()), Err(ErrorCode::IdVersion));

    let hash = UrlHash::encode(URL).expect("it is a URL");
    assert_eq!(UrlHash::try_from(hash.as_ref()), Ok(hash));
    assert_eq!(UrlHash::from(<[u8; 32]>::from(hash)), hash);
    assert_eq!(UrlHash::try_from(&[0; 33][..]).map_err(|error| error.code()), Err(ErrorCode::IdLength));
    assert_eq!(UrlShortHash::try_from(hash.short().as_ref()), Ok(hash.short()));
    assert_eq!(UrlVeryShortHash::try_from(hash.very_short().as_ref()), Ok(hash.very_short()));
}

#[test]
fn words_are_converted_both_ways() {
    let hash = UrlHash::encode(URL).expect("it is a URL");
    assert_eq!(UrlHash::from_words(hash.words()), hash);
    assert_eq!(UrlShortHash::from_words(hash.short().words()), hash.short());
    assert_eq!(UrlVeryShortHash::from_word(hash.very_short().word()), hash.very_short());
    assert_eq!(UrlShortHash::encode(URL), Ok(hash.short()));
    assert_eq!(UrlVeryShortHash::encode(URL), Ok(hash.very_short()));
}

#[test]
fn digits_are_written_in_either_case() {
    let id = Sxurl::encode(URL).expect("it has one");
    assert_eq!(format!("{id:x}"), id.to_hex());
    assert_eq!(format!("{id:X}"), id.to_hex().to_uppercase());
    assert_eq!(format!("{id:#x}"), format!("0x{}", id.to_hex()));
    let hash = CrateUrlHash::encode(URL).expect("it is a URL");
    assert_eq!(format!("{hash:x}"), hash.to_hex());
}

#[test]
fn every_display_honours_its_width() {
    let reference = Reference::parse("a/b", Context::Rfc3986).expect("it is short");
    let hash = UrlHash::encode(URL).expect("it is a URL");
    let texts: [(String, String); 7] = [
        (
            Sxurl::encode(URL).map(|id| format!("{id:>100}")).expect("it has one"),
            Sxurl::encode(URL).map(|id| id.to_string()).expect("it has one"),
        ),
        (format!("{hash:>100}"), hash.to_string()),
        (format!("{:>100}", hash.very_short()), hash.very_short().to_string()),
        (
            HashedUri::encode(URL).map(|uri| format!("{uri:>100}")).expect("it is a URI"),
            HashedUri::encode(URL).map(|uri| uri.to_string()).expect("it is a URI"),
        ),
        (Url::parse(URL).map(|url| format!("{url:>100}")).expect("it is a URL"), URL.to_owned()),
        (format!("{reference:>100}"), "a/b".to_owned()),
        (format!("{:>100}", TokenKind::File), "file".to_owned()),
    ];
    for (padded, text) in texts {
        assert_eq!((padded.len(), padded.trim_start()), (100, text.as_str()));
    }
}

#[test]
fn an_owned_reference_does_what_a_borrowed_one_does() {
    let base = ReferenceBuf::parse("http://h/a/b?q".to_owned(), Context::Rfc3986).expect("it is short");
    let reference = Reference::parse("c", Context::Rfc3986).expect("it is short");
    assert_eq!(base.goto(&reference), base.as_reference().goto(&reference));
    assert_eq!(base.goto_nonstrict(&reference), base.as_reference().goto_nonstrict(&reference));
    assert_eq!(base.upto(TokenKind::Query), base.as_reference().upto(TokenKind::Query));
    let set: HashSet<ReferenceBuf> = [base.clone(), base].into();
    assert_eq!(set.len(), 1);
}

#[test]
fn a_url_has_the_parts_of_other_libraries() {
    let origin = |text: &str| Url::parse(text).ok().and_then(|url| url.origin().map(Cow::into_owned));
    for (text, expected) in [
        ("https://u:p@example.com:8443/a", Some("https://example.com:8443")),
        ("http://[::1]:80/", Some("http://[::1]")),
        ("blob:https://example.com/0", Some("https://example.com")),
        ("file:///a", None),
        ("mailto:a@b", None),
    ] {
        assert_eq!(origin(text).as_deref(), expected, "{text}");
    }
    let url = Url::parse("https://example.com/a//?a=1&&b+c=%41%zz&=").expect("it is a URL");
    assert_eq!(url.domain(), Some("example.com"));
    assert_eq!(Url::parse("http://1.2.3.4/").expect("it is a URL").domain(), None);
    assert!(url.path_segments().expect("it is rooted").eq(["a", "", ""]));
    assert!(Url::parse("mailto:a@b").expect("it is a URL").path_segments().is_none());
    let pairs: Vec<_> = url.query_pairs().collect();
    let expected = [("a", "1"), ("b c", "A%zz"), ("", "")];
    assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}
