//! Hashed URIs matched against URLs, and made with a key.

use crate::support::{Folder, command, finish, urlid, urlid_on};

/// The hashed URI of `http://h.example/a?b`, its query kept.
fn hashed(args: &[&str]) -> String {
    let base = ["id", "--kind", "hashed-uri", "--keep", "query", "http://h.example/a?b"];
    urlid(base.iter().chain(args)).out.trim().to_owned()
}

#[test]
fn match_prints_the_urls_that_a_hashed_uri_is_made_of() {
    let hashed = hashed(&[]);
    let url = "HTTP://H.example:80/a?b#c";
    urlid(["list", "match", "--urls", &hashed, "http://h.example/a?c", url]).is_quiet(0, &format!("{url}\n"));
    urlid(["list", "match", "--urls", &hashed, "http://h.example/a"]).is_quiet(1, "");
    urlid(["list", "match", "--urls", "-v", &hashed, "http://h.example/a", url])
        .is_quiet(0, "http://h.example/a\n");
    urlid_on(
        format!("{url}\nx\n").as_bytes(),
        ["list", "match", "--urls", "-c", "--base", "http://h.example/", &hashed],
    )
    .is_quiet(0, "1\n");
    urlid(["list", "match", "--urls", "--base", "http://h.example/x/", &hashed, "--file", "/dev/null"])
        .is_quiet(1, "");
    let refused = urlid(["list", "match", "--urls", &hashed, url, "http://h.example/a b"]);
    assert_eq!((refused.code, refused.out), (Some(3), format!("{url}\n")));
    for args in [
        &["list", "match", "--urls"][..],
        &["list", "match", "--urls", "http://h.example/"],
        &["list", "match", "--urls", "hashed:x-other=00", url],
    ] {
        assert_eq!(urlid(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn match_takes_hashed_uris_from_a_bare_file() {
    let folder = Folder::new();
    let sha256 = hashed(&["--alg", "x-sha256"]);
    let uris = folder.file("uris", format!("hashed:md5=00112233445566778899aabbccddeeff\n{sha256}\n\n"));
    let run = |url: &str| finish(command().args(["list", "match", "--urls", "--uris"]).arg(&uris).arg(url));
    run("http://h.example/a?b").is_quiet(0, "http://h.example/a?b\n");
    run("http://h.example/").is_quiet(1, "");
    let broken = folder.file("broken", format!("no\n{sha256}\n"));
    let ran = finish(
        command().args(["list", "match", "--urls", "--uris"]).arg(&broken).arg("http://h.example/a?b"),
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "http://h.example/a?b\n"));
    assert!(ran.err.contains("broken:1: ERR_HASHED_SCHEME"), "{}", ran.err);
}

#[test]
fn a_bare_file_may_have_comments_unknown_algorithms_and_nothing() {
    let folder = Folder::new();
    let url = "http://h.example/a?b";
    let run = |content: &str, options: &[&str]| {
        let uris = folder.file("uris", content);
        finish(command().args(["list", "match", "--urls", "--uris"]).arg(&uris).args(options).arg(url))
    };
    let sha1 = hashed(&[]);
    run(&format!("# of the draft\n{sha1}\n"), &[]).is_quiet(0, &format!("{url}\n"));
    let ran = run(&format!("hashed:x-other=00\n{sha1}\n"), &[]);
    assert_eq!((ran.code, ran.out), (Some(3), format!("{url}\n")));
    assert!(ran.err.contains("uris:1: ERR_ALGORITHM: "), "{}", ran.err);
    run("", &[]).is_quiet(1, "");
    urlid_on(format!("{sha1}\n").as_bytes(), ["list", "match", "--urls", "--uris", "-", url])
        .is_quiet(0, &format!("{url}\n"));
    assert_eq!(
        urlid_on(b"", ["list", "match", "--urls", "--uris", "-"]).code,
        Some(2),
        "standard input has the URLs"
    );
    run("# nothing\n", &["-v"]).is_quiet(0, &format!("{url}\n"));
    let list = urlid(["list", "make", "--quiet", "--variant", "p", url]).out;
    let ran = run(&list, &[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "a list has rules of its own");
    assert!(ran.err.contains("ERR_LIST_HEADER") && ran.err.contains("urlid list match"), "{}", ran.err);
}

#[test]
fn keyed_hashed_uris_are_made_and_matched_with_their_key() {
    let folder = Folder::new();
    let (key, other) = (folder.file("key", [7; 32]), folder.file("other", [8; 32]));
    let keyed =
        finish(command().args(["id", "--kind", "hashed-uri", "http://h.example/", "--key"]).arg(&key)).out;
    assert!(keyed.starts_with("hashed:x-hmac-sha256="), "{keyed}");
    let run = |key| {
        finish(
            command().args(["list", "match", "--urls", keyed.trim(), "http://h.example/", "--key"]).arg(key),
        )
    };
    run(&key).is_quiet(0, "http://h.example/\n");
    run(&other).is_quiet(1, "");
    let ran = urlid(["list", "match", "--urls", keyed.trim(), "http://h.example/"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("ERR_KEY"), "{}", ran.err);
    let ran = urlid(["id", "--kind", "hashed-uri", "--alg", "x-hmac-sha256", "http://h.example/"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("ERR_KEY"), "{}", ran.err);
}
