//! Which texts each intake accepts, and what its lists match.

use super::*;
use urlid::ErrorCode;

/// Texts that a browser opens and RFC 3986 does not allow: they evade every list whose intake is `rfc3986`.
const BROWSER_ONLY: [&str; 12] = [
    "http://h.example/a?|",
    "http://h.example/a b",
    "http://h.example/a\\b",
    "http://h.example/a^{`}",
    "http://h.example/%",
    "http://h.example/%zz?%",
    "http://h.example/#a#b",
    "http://h.example/\u{e9}",
    "http://\u{e9}.example/",
    " http://h.example/a\tb\n",
    "http:\\\\h.example\\a",
    "http://a\"{}`.example/",
];

fn web(variant: Variant, covers: Covers) -> ListRules {
    ListRules { keep: Keep::ALL, covers, ..ListRules::of_variant(variant) }
}

#[test]
fn the_web_intake_lists_and_matches_what_a_browser_opens() {
    for variant in [Variant::N, Variant::P] {
        for covers in COVERS {
            for uri in BROWSER_ONLY {
                let list = build(web(variant, covers), &[Algorithm::Sha1], [uri]);
                assert_eq!(found(&list, uri).len(), 1, "{uri:?} in variant {variant} that covers {covers}");
            }
        }
    }
    for uri in BROWSER_ONLY {
        let mut builder =
            ListBuilder::new(rfc3986(Variant::N, Keep::ALL, Covers::Url), &[Algorithm::Sha1], None).unwrap();
        assert_eq!(builder.add(uri, None).unwrap_err().code(), ErrorCode::NotUri, "{uri:?}");
    }
}

/// The canonical texts of the two intakes.
#[track_caller]
fn check(uri: &str, by_rfc3986: &str, by_web: &str) {
    let canonical = |rules: ListRules| match found(&build(rules, &[Algorithm::Sha1], [uri]), uri).pop() {
        Some(text) => text,
        None => panic!("{uri} does not match itself"),
    };
    assert_eq!(canonical(rfc3986(Variant::N, Keep::ALL, Covers::Url)), by_rfc3986, "{uri}");
    assert_eq!(canonical(web(Variant::N, Covers::Url)), by_web, "{uri}");
}

#[test]
fn the_intakes_differ_where_the_url_standard_differs_from_the_draft() {
    // An address with leading zeroes is decimal in the draft, octal in the URL Standard.
    check("http://011.1.1.1/", "http://11.1.1.1/", "http://9.1.1.1/");
    check("http://0x7f.1/", "http://0x7f.1/", "http://127.0.0.1/");
    check("http://h.example", "http://h.example", "http://h.example/");
    check("http://h.example/x/../y/", "http://h.example/x/../y/", "http://h.example/y/");
    check("http:h.example/a", "http:h.example/a", "http://h.example/a");
    check("http://[00::A]/", "http://[00::A]/", "http://[::a]/");
    // Browsers reject these too.
    check("http://h.example./", "http://h.example./", "http://h.example/");
    check("http://u:p@h.example/", "http://u:p@h.example/", "http://h.example/");
    check("http://h.example/a//b", "http://h.example/a//b", "http://h.example/a//b");
    check("http://h.example/%41%2f?'", "http://h.example/A%2f?'", "http://h.example/A%2f?'");
}

/// The texts of a list of the URL without user information and with it.
#[track_caller]
fn check_hosts(url: &str, plain: &str, written: &str) {
    for (host, expected) in [(UserInfo::Drop, plain), (UserInfo::Keep, written)] {
        let rules = ListRules { intake: Intake::Web(host), keep: Keep::ALL, ..ListRules::default() };
        assert_eq!(found(&build(rules, &[Algorithm::Sha1], [url]), url), [expected], "{url}, {host}");
    }
}

#[test]
fn plain_hosts_lose_user_information_and_one_final_dot() {
    check_hosts("http://x@h.example/", "http://h.example/", "http://x@h.example/");
    check_hosts("http://x:y@h.example:8/?q#f", "http://h.example:8/?q#f", "http://x:y@h.example:8/?q#f");
    check_hosts("http://:y@h.example./", "http://h.example/", "http://:y@h.example./");
    check_hosts("http://a@b@h.example/", "http://h.example/", "http://a%40b@h.example/");
    check_hosts("http://h.example./p.", "http://h.example/p.", "http://h.example./p.");
    check_hosts("http://h.example.:8/", "http://h.example:8/", "http://h.example.:8/");
    // One dot only: the host of an empty label is another one.
    check_hosts("http://h.example../", "http://h.example./", "http://h.example../");
    check_hosts("http://./", "http://./", "http://./");
    check_hosts("http://x@./", "http://./", "http://x@./");
    // Dots and at signs that a browser maps to these.
    check_hosts("http://x@h.example\u{3002}/", "http://h.example/", "http://x@h.example./");
    check_hosts("http://h.example%2e/", "http://h.example/", "http://h.example./");
    check_hosts("http:\\\\x@h.example.\\a", "http://h.example/a", "http://x@h.example./a");
    // Any scheme, and only where there is an authority.
    check_hosts("foo://u@H./x", "foo://h/x", "foo://u@h./x");
    check_hosts("mailto:x@h.example.", "mailto:x@h.example.", "mailto:x@h.example.");
    check_hosts("file://h.example./x", "file://h.example/x", "file://h.example./x");
    check_hosts("http://[::1]/a@b.", "http://[::1]/a@b.", "http://[::1]/a@b.");
    check_hosts("http://h.example/@x./", "http://h.example/@x./", "http://h.example/@x./");
}

#[test]
fn credentials_and_a_final_dot_do_not_hide_a_host() {
    let list = build(web(Variant::N, Covers::Subdomains), &[Algorithm::Sha1], ["http://evil.example/"]);
    for url in [
        "http://x@evil.example/",
        "http://evil.example./",
        "http://x@www.evil.example/p",
        "http://a:b@w.evil.example./p?q",
    ] {
        assert_eq!(found(&list, url), ["http://evil.example/"], "{url}");
    }
    for url in ["http://evil.example@good.example/", "http://evil.example../", "http://x@example/"] {
        assert!(found(&list, url).is_empty(), "{url}");
    }
}

#[test]
fn the_web_intake_rejects_what_the_url_standard_rejects() {
    let list = build(web(Variant::N, Covers::Subdomains), &[Algorithm::Sha1], ["http://h.example/"]);
    let matcher = ListMatcher::new(&list, None).unwrap();
    for uri in ["", "a/b", "http://", "http://a b/", "http://1.2.3.4.5/", "http://h:99999/"] {
        let rejected = matcher.find(&mut Scratch::default(), uri, None).unwrap_err();
        assert_eq!(rejected.code(), ErrorCode::UrlParse, "{uri:?}");
    }
    let found = matcher.find(&mut Scratch::default(), "../b?|", Some("http:\\\\w.h.example/a/b")).unwrap();
    assert_eq!(found.map(|found| found.canonical).as_deref(), Some("http://h.example/"));
}

#[test]
fn variant_none_matches_uris_as_written() {
    let rules = ListRules { variant: Variant::None, ..ListRules::default() };
    let error = ListBuilder::new(rules, &[Algorithm::Sha1], None).err().unwrap();
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (ErrorCode::ListHeader, "list has the intake `web` with variant `none`, expected `rfc3986`")
    );
    assert_eq!(ListRules::of_variant(Variant::None).intake, Intake::Rfc3986);
    assert_eq!(ListRules::of_variant(Variant::N), ListRules::default());
}

#[test]
fn a_rejected_candidate_counts_as_the_caller_says() {
    let reason = error::SHAPE.found("rejected");
    let rejected: Result<Option<()>, Error> = Err(reason.clone());
    let unread: Result<Option<()>, Error> = Err(error::SHARD_MISSING.error().with_shown(7));
    for (invalid_as, expected) in
        [(InvalidAs::Error, Err(&reason)), (InvalidAs::Match, Ok(true)), (InvalidAs::NoMatch, Ok(false))]
    {
        assert_eq!(invalid_as.is_match(&rejected), expected);
        assert_eq!(invalid_as.is_match::<_, Error>(&Ok(Some(()))), Ok(true));
        assert_eq!(invalid_as.is_match::<(), Error>(&Ok(None)), Ok(false));
        // It says nothing of the candidate.
        assert!(invalid_as.is_match(&unread).is_err());
        assert_eq!(invalid_as.to_string().parse(), Ok(invalid_as));
    }
}
