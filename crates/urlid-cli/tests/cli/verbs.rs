//! The output of each verb.

use std::path::Path;

use urlid_testing::root;

use crate::support::{DOCS, DOCS_ID, Folder, urlid, urlid_on, verbs};

const URL: &str = "https://openlibrary.io:443/charlie/hotel";

#[test]
fn id_makes_every_kind() {
    // vectors/public.json: pub-urlhash-014, pub-urlhash.crate-001, pub-sxurl.crate-011 and -012;
    // docs/spec/sxurl.md.
    for (kind, url, id) in [
        ("sxurl", DOCS, DOCS_ID),
        ("url-hash", URL, "6665717970336401-17144348346964290110-8676127418327760179-18299232156702324248"),
        ("url-short-hash", URL, "6665717970336401-17144348346964290110"),
        ("url-very-short-hash", URL, "6665717970336401"),
        (
            "url-hash-0.1",
            "https://northwind.dev/echo/hotel",
            "8979952768887268835-7703061417898945744-10796921821841556732-13287563340864055827",
        ),
        ("sxurl-crate-0", DOCS, "1002397f4018b8efa86c310000000001bb98911d784580332000000000000000"),
        ("sxurl-crate-1.0", DOCS, "004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000"),
        ("sxurl-crate-1.1", DOCS, "004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000"),
        ("hashed-uri", "http://www.thus.net", "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"),
    ] {
        urlid(["id", "--kind", kind, url]).is_quiet(0, &format!("{id}\n"));
    }
}

#[test]
fn id_prints_several_kinds_in_the_order_asked() {
    let short = "6665717970336401";
    let hashed = "hashed:md5=be96302a0468481aca954431cf293e05";
    urlid(["id", "--kind", "url-very-short-hash", "--kind", "url-very-short-hash", URL])
        .is_quiet(0, &format!("{short}\t{short}\n"));
    urlid(["id", "-k", "hashed-uri,sxurl", "--alg", "md5", "http://www.thus.net"])
        .is_quiet(0, &format!("{hashed}\t{}", urlid(["id", "http://www.thus.net"]).out));
}

#[test]
fn url_hashes_are_printed_as_digits_too() {
    // pub-urlhash-014.
    let hex = "917acb676fae17003eaa5ca6fcf5eced33fd733bebcb677818b6a56ab1eef3fd";
    urlid(["id", "--hex", "-k", "url-hash", URL]).is_quiet(0, &format!("{hex}\n"));
    urlid(["id", "--hex", "-k", "url-short-hash", URL]).is_quiet(0, &format!("{}\n", &hex[..32]));
    urlid(["id", "--hex", "-k", "url-very-short-hash", URL]).is_quiet(0, &format!("{}\n", &hex[..16]));
}

#[test]
fn hashed_uris_take_algorithm_variant_flags_and_base() {
    // The examples of the draft, section 4.4.
    let hashed = |args: &[&str]| urlid(["id", "-k", "hashed-uri"].iter().chain(args));
    hashed(&["--keep", "fragment", "http://www.thus.net#end"])
        .is_quiet(0, "hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag\n");
    hashed(&["--alg", "MD5", "http://10.20.30.40/a%62c"])
        .is_quiet(0, "hashed:md5=754a2c63a13aa2e8153d027066e31f8f\n");
    hashed(&["--variant", "none", "--alg", "md5", "http://10.20.30.40/a%62c"])
        .is_quiet(0, "hashed:md5=837469781676816f7c7fd04a4e8087d8\n");
    let relative = urlid_on(b"//www.thus.net", ["id", "-k", "hashed-uri", "--base", "http://h/"]);
    relative.is_quiet(0, "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n");
    for alg in ["sha2", "x-unknown", "x-hmac-sha256"] {
        assert_eq!(hashed(&["--alg", alg, DOCS]).code, Some(2), "{alg}");
    }
}

#[test]
fn id_takes_a_canonical_form_and_says_so() {
    let plain = urlid(["id", "-k", "url-hash,sxurl", "--format", "tsv", "https://docs.rs/"]);
    let form = "web+drop-fragment+drop-query=a,b";
    let ran = urlid(["id", "--as", form, "-k", "url-hash,sxurl", "--format", "tsv", "https://docs.rs/?b#c"]);
    let header = format!("url\turl-hash of {form}\tsxurl of {form}\terror");
    assert_eq!(ran.out.lines().next(), Some(&*header));
    let ids = |out: &str| out.lines().nth(1).map(|row| row.split('\t').skip(1).collect::<Vec<_>>().join(" "));
    assert_eq!(ids(&ran.out), ids(&plain.out));
    let ran = urlid_on(b"http://h:x/\n\nhttps://docs.rs/#c\n", ["id", "--as", "web+drop-fragment"]);
    assert_eq!((ran.code, &*ran.out), (Some(3), &*format!("\n\n{DOCS_ID}\n")));
    assert!(ran.err.contains("port is out of range"), "{}", ran.err);
    let keys = urlid(["id", "--as", "surt-0.3.1", DOCS]);
    assert!(keys.code == Some(2) && keys.err.contains("surt-0.3.1 gives keys"), "{}", keys.err);
}

/// A list of tracking parameters, and a form that names it.
const LIST: &str = r#"{"all": {"queryParams": ["ref"], "topLevelSites": ["*"]}}"#;
const FORM: &str = "web+drop-tracking@firefox-a650fb3f";

#[test]
fn a_list_of_tracking_parameters_is_given_by_a_file() {
    let folder = Folder::new();
    let (list, other) = (folder.file("list.json", LIST), folder.file("other.json", "{\"a\": 1}"));
    let url = "https://docs.rs/?ref=1&q";
    let verbs: [&[&str]; 4] = [
        &["canon", "--as", FORM],
        &["canon", "diff", "--to", "web", "--from", FORM],
        &["id", "--as", FORM],
        &["explain", "--as", FORM],
    ];
    for verb in verbs {
        let with =
            |file: &Path| urlid([verb, &["--tracking-list", file.to_str().expect("is text"), url]].concat());
        let ran = with(&list);
        assert!(ran.code == Some(0) && !ran.out.is_empty(), "{verb:?}: {}", ran.err);
        let ran = urlid([verb, &[url]].concat());
        ran.is(
            2,
            "",
            "urlid: ERR_CANON_NAME: list of tracking parameters is not given: found `firefox-a650fb3f`, expected firefox-46740ded\n\
             urlid: --tracking-list FILE gives the list of that name\n",
        );
        let ran = with(&other);
        let said = "ERR_LIST_LINE: list of tracking parameters is malformed: invalid type: integer `1`, expected an object of \
                    `queryParams` and `topLevelSites` at line 1 column 7";
        assert!(ran.code == Some(4) && ran.err.contains(said), "{verb:?}: {}", ran.err);
    }
    let list = list.to_str().expect("is text");
    urlid(["canon", "--as", FORM, "--tracking-list", list, url]).is_quiet(0, "https://docs.rs/?q\n");
    let said = "urlid: --tracking-list: this is firefox-a650fb3f, which the form does not name\n";
    urlid(["canon", "--as", "web", "--tracking-list", list, url]).is(2, "", said);
}

#[test]
fn keys_of_an_index_follow_a_list_of_tracking_parameters() {
    const LINE: &str = "https://docs.rs/?q 20260101000000 {\"url\": \"https://docs.rs/?ref=1&q\"}\n";
    let folder = Folder::new();
    let [list, index] =
        [("list.json", LIST), ("index.cdxj", LINE)].map(|(name, text)| folder.file(name, text));
    let [list, index] = [&list, &index].map(|path| path.to_str().expect("is text"));
    let with = ["--tracking-list", list];
    let check = ["cdx", "verify", "--as", FORM, index];
    let ran = urlid([&check[..], &with].concat());
    assert!(ran.code == Some(0) && ran.out.contains("1 key agrees, 0 differ"), "{}{}", ran.out, ran.err);
    let ran = urlid(check);
    assert!(ran.code == Some(2) && ran.err.contains("--tracking-list FILE gives the list"), "{}", ran.err);
    let find = ["cdx", "find", "--as", FORM, index, "https://docs.rs/?ref=2&q"];
    urlid([&find[..], &with].concat()).is_quiet(0, LINE);
    let rekey = ["cdx", "rekey", "--from", FORM, "--to", "web", index];
    let ran = urlid([&rekey[..], &with].concat());
    assert!(ran.code == Some(0) && ran.out.starts_with("https://docs.rs/?ref=1&q 2026"), "{}", ran.err);
    let ran = urlid([&rekey[..], &with, &["-o", list]].concat());
    assert!(ran.code == Some(2) && ran.err.contains("the command reads this file"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(list).expect("it is there"), LIST);
    let ran = urlid(["cdx", "make", "--as", FORM, index]);
    assert!(ran.code == Some(2) && ran.err.contains("--tracking-list FILE gives the list"), "{}", ran.err);
}

#[test]
fn id_makes_the_fingerprints_of_scrapy() {
    // Computed by Scrapy 2.19 with w3lib 2.5.0 and 2.4.1.
    let post = ["--method", "post", "--body", "ü=1"];
    for (kind, options, expected) in [
        ("scrapy-2.7/w3lib-2.5", &[][..], "d350537398b704e674f346f80671e8d042f6421c"),
        ("scrapy-2.7/w3lib-2.5", &post, "b6a35307a6d12c9dc46167884abbd1829dfd1cd7"),
        ("scrapy-2.7/w3lib-2.4", &[], "4c16be02d3512f1a7c723dca1985a232e18fbf01"),
        ("scrapy-2.7/w3lib-2.4", &post, "c87159cd674cac141177a496bf9fd6334f89a1e4"),
    ] {
        let args = [&["id", "-k", kind, "http://h/?b;a#f"], options].concat();
        urlid(args).is_quiet(0, &format!("{expected}\n"));
    }
    assert_eq!(urlid(["id", "-k", "scrapy-2.7/w3lib-2.5", "example.com"]).code, Some(4));
}

#[test]
fn parse_prints_tokens() {
    let tokens = "scheme\thttp\nauthority\tu@h:80\nuser\tu\nhost\th\nport\t80\nroot\t/\ndirectory\ta\ndirectory\t..\nfile\tb\nquery\tq\nfragment\t\n";
    urlid(["ref", "parse", "http://u@h:80/a/../b?q#"]).is_quiet(0, tokens);
    urlid(["ref", "parse", r"\a", "b"]).is_quiet(0, "root\t\\\nfile\ta\n\nfile\tb\n");
    urlid(["ref", "parse", "--context", "rfc3986", r"\a"]).is_quiet(0, "file\t\\a\n");
    urlid(["ref", "parse", "--context", "file", "C|/a"]).is_quiet(0, "drive\tC|\nroot\t/\nfile\ta\n");
    let object = r#"{"line":1,"text":"//h","class":"web","valid":true,"tokens":[["authority","h"]],"authority":{"user":null,"password":null,"host":"h","host_kind":"domain","port":null},"error":null}"#;
    urlid(["ref", "parse", "--format", "ndjson", "//h"]).is_quiet(0, &format!("{object}\n"));
    let object = r#"{"line":1,"text":"//u@","class":"web","valid":false,"tokens":[["authority","u@"]],"authority":{"user":"u","password":null,"host":"","host_kind":"empty","port":null},"error":null}"#;
    urlid(["ref", "parse", "--format", "ndjson", "//u@"]).is_quiet(0, &format!("{object}\n"));
}

#[test]
fn resolve_follows_four_rules() {
    // RFC 3986, section 5.4, and RFC 2396, appendix C.
    let base = "http://a/b/c/d;p?q";
    for (mode, reference, expected) in [
        ("web", "../g", "http://a/b/g"),
        ("web", "http:g", "http://a/b/c/g"),
        ("web", "g h", "http://a/b/c/g%20h"),
        ("strict", "http:g", "http:g"),
        ("nonstrict", "http:g", "http://a/b/c/g"),
        ("strict", "?y", "http://a/b/c/d;p?y"),
        ("rfc2396", "?y", "http://a/b/c/?y"),
        ("strict", "../../../g", "http://a/g"),
        ("rfc2396", "../../../g", "http://a/../g"),
    ] {
        urlid(["resolve", "--mode", mode, base, reference]).is_quiet(0, &format!("{expected}\n"));
    }
    urlid_on(b"g\n\n#s\n", ["resolve", base]).is_quiet(0, "http://a/b/c/g\n\nhttp://a/b/c/d;p?q#s\n");
    // An empty argument is a reference; a blank line is none.
    urlid(["resolve", base, "", "g"]).is_quiet(0, "http://a/b/c/d;p?q\nhttp://a/b/c/g\n");
    urlid(["resolve", "--mode", "strict", base, ""]).is_quiet(0, "http://a/b/c/d;p?q\n");
}

#[test]
fn canon_prints_every_form() {
    for (form, url, expected) in [
        ("web", "HTTP://Example.COM:80/%7ea/../b c", "http://example.com/b%20c"),
        ("generic", "HTTP://Example.com/%7ea/./b%2f", "http://example.com/~a/b%2F"),
        ("hashed-n", "HTTP://www.Thus.net", "http://www.thus.net"),
        ("hashed-n", "http://h/?q#f", "http://h/"),
        ("hashed-p", "http://h/a//b/index.html", "http://h/a/b/"),
        ("sxurl", "HTTPS://u:p@BÜCHER.de:0443", "https://xn--bcher-kva.de:443/"),
        ("surt-0.3.1", "http://www.Example.com:80/a/../b?d&c", "com,example)/b?c&d"),
        ("web+drop-fragment+drop-query=utm_*", "http://h/?utm_id=1&a#f", "http://h/?a"),
    ] {
        urlid(["canon", "--as", form, url]).is_quiet(0, &format!("{expected}\n"));
    }
    urlid(["canon", "--as", "hashed-n", "--keep", "query,fragment", "http://h/?q#f"])
        .is_quiet(0, "http://h/?q#f\n");
    urlid_on(b"../b?q#f\n", ["canon", "--as", "web+drop-fragment", "--base", "http://h/x/y/z"])
        .is_quiet(0, "http://h/x/b?q\n");
    for option in [["--base", "http://h/"], ["--keep", "query"]] {
        let ran = urlid(["canon", "--as", "generic", option[0], option[1], "http://h/"]);
        assert!(ran.code == Some(2) && ran.err.contains("ERR_CANON_NAME"), "{}", ran.err);
    }
    let unknown = urlid(["canon", "--as", "surt", "http://h/"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("ERR_CANON_NAME"), "{}", unknown.err);
    urlid_on(b"http://h/A\n\nx y\n", ["canon", "--as", "surt-0.3.1"]).is_quiet(0, "h)/a\n\nx%20y)/\n");
    let list = urlid(["canon", "--list"]);
    assert!(list.out.contains("\nw3lib-2.5\turl\t"), "{}", list.out);
    assert!(list.out.contains("\nsxurl\turl\t"), "{}", list.out);
    urlid(["canon", "--as", "sxurl+drop-fragment", "https://u@H/#f"]).is_quiet(0, "https://h/\n");
}

#[test]
fn canon_diff_prints_the_urls_that_differ() {
    let ran =
        urlid(["canon", "diff", "--from", "w3lib-2.4", "--to", "w3lib-2.5", "http://h/?a;b", "http://h/"]);
    assert_eq!(ran.out, "http://h/?a;b\thttp://h/?a=&b=\thttp://h/?a%3Bb=\n");
    assert!(ran.err.contains("1 of 2 URLs differ between w3lib-2.4 and w3lib-2.5"), "{}", ran.err);
}

#[test]
fn explain_shows_the_rules_that_change_a_text() {
    let ran = urlid(["explain", "--as", "surt-0.3.1", "--format", "json", "http://H/"]);
    assert!(ran.out.contains(r#""changes":[{"rule":"host-encode","#), "{}", ran.out);
    assert!(ran.out.ends_with("\"canonical\":\"h)/\"}\n"), "{}", ran.out);
}

#[test]
fn expressions_have_prefixes_and_hashes() {
    let ran = urlid(["canon", "expressions", "http://evil.com/blah#frag"]);
    let rows: Vec<Vec<&str>> = ran.out.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["evil.com/blah", "evil.com/"]);
    assert!(rows.iter().all(|row| row[1].len() == 8 && row[2].len() == 64 && row[2].starts_with(row[1])));
}

#[test]
fn detect_names_every_format_that_fits() {
    let v1 = "004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000";
    let ran = urlid([
        "parts",
        "--of",
        "text",
        v1,
        DOCS_ID,
        DOCS,
        "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481",
    ]);
    let lines: Vec<_> = ran.out.lines().map(|line| line.split(' ').collect::<Vec<_>>()).collect();
    assert_eq!(ran.code, Some(0));
    assert!(lines[0].contains(&"sxurl-crate-1.0") && !lines[0].contains(&"sxurl"), "{lines:?}");
    assert_eq!(lines[1][0], "sxurl");
    assert_eq!(lines[2], ["url"]);
    assert_eq!(lines[3], ["hashed-uri"]);
    urlid(["parts", "--of", "text", "--format", "ndjson", DOCS])
        .is_quiet(0, "{\"line\":1,\"text\":\"https://docs.rs/\",\"formats\":[\"url\"],\"not_sxurl\":null}\n");
    urlid(["parts", "--of", "text", "no format"]).is_quiet(1, "\n");
}

#[test]
fn split_cuts_at_the_public_suffix() {
    for (host, parts) in [
        ("www.example.co.uk", "www\texample\tco.uk"),
        ("co.uk", "\t\tco.uk"),
        ("localhost", "\t\tlocalhost"),
        ("a.b.BÜCHER.de", "a.b\txn--bcher-kva\tde"),
        ("octocat.github.io", "\toctocat\tgithub.io"),
    ] {
        urlid(["parts", "--of", "host", host]).is_quiet(0, &format!("{parts}\n"));
    }
    // What browsers open is a URL, and `localhost:80` is not a scheme of theirs.
    for url in ["https:docs.rs/x", "HTTP:/docs.rs", r"ws:\\docs.rs:80"] {
        urlid(["parts", "--of", "host", url]).is_quiet(0, "\tdocs\trs\n");
    }
    urlid(["parts", "--of", "host", "--psl-sections", "icann", "octocat.github.io"])
        .is_quiet(0, "octocat\tgithub\tio\n");
    for (host, code) in [
        ("h/p", "ERR_HOST_NOT_DNS"),
        ("h:80", "ERR_HOST_NOT_DNS"),
        ("localhost:80", "ERR_HOST_NOT_DNS"),
        ("https:", "ERR_URL_PARSE"),
        ("u@h", "ERR_HOST_NOT_DNS"),
        ("a..b", "ERR_HOST_LEN"),
    ] {
        let ran = urlid(["parts", "--of", "host", host]);
        assert_eq!(ran.code, Some(3), "{host}");
        assert!(ran.err.starts_with(&format!("argument:1: {code}: ")), "{host}: {}", ran.err);
    }
}

#[test]
fn vectors_of_the_repository_pass() {
    let mut files: Vec<_> = std::fs::read_dir(root().join("vectors"))
        .expect("the repository has vectors")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| !path.ends_with("differ.json"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let ran = urlid(
        std::iter::once("vectors".into()).chain(files.into_iter().map(Into::<std::ffi::OsString>::into)),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let last = ran.out.lines().last().expect("there is a sum");
    let passed: u32 = last.strip_suffix(" passed, 0 failed").expect("a sum").parse().expect("a number");
    assert!(passed > 400, "{last}");
}

#[test]
fn vectors_that_fail_are_named() {
    let folder = Folder::new();
    let vector = |id: &str, canonical: &str| {
        format!(
            r#"{{"id":"{id}","op":"urlhash","class":"c","input":{{"url":"http://h"}},"expect":{{"canonical":"{canonical}"}}}}"#
        )
    };
    let vectors = [vector("good", "http://h/"), vector("bad", "http://h")].join(",");
    let path = folder.file("v.json", format!(r#"{{"format":1,"vectors":[{vectors}]}}"#));
    let ran = urlid([std::ffi::OsStr::new("vectors"), path.as_os_str()]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("v.json: failed: bad: "), "{}", ran.out);
    assert!(ran.out.ends_with("\n1 passed, 1 failed\n"), "{}", ran.out);
    assert_eq!(urlid(["vectors", "missing.json"]).code, Some(4));
}

#[test]
fn version_names_the_snapshot() {
    urlid(["--version"]).is_quiet(0, concat!("urlid ", env!("CARGO_PKG_VERSION"), "\n"));
    let ran = urlid(["--version", "--format", "json"]);
    let version: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(version["urlid"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["snapshot"]["psl_sections"], "all");
    assert_eq!(version["snapshot"]["psl_sha256"].as_str().map(str::len), Some(64));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert_eq!(urlid(["--format", "json"]).code, Some(2));
}

#[test]
fn every_verb_has_help_a_page_and_completions() {
    let verbs = verbs(&[]);
    assert!(verbs.len() > 25, "{verbs:?}");
    for verb in &verbs {
        let words = || verb.iter().map(String::as_str);
        let help = urlid(["help"].into_iter().chain(words()));
        assert_eq!(help, urlid(words().chain(["--help"])), "help {verb:?}");
        let page = urlid(["man"].into_iter().chain(words()));
        assert!(
            page.code == Some(0) && page.out.contains(&format!("urlid\\-{}", verb.join("\\-"))),
            "man {verb:?}: {}",
            page.out
        );
    }
    assert!(urlid(["man"]).out.contains(".TH urlid"), "{}", urlid(["man"]).out);
    assert_eq!(urlid(["man", "nonsense"]).code, Some(2));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = urlid(["completions", shell]);
        assert!(script.code == Some(0) && script.out.contains("psl-sections"), "{shell}");
    }
    let folder = Folder::new();
    let ran = urlid([std::ffi::OsStr::new("man"), "--out".as_ref(), folder.path().as_os_str()]);
    ran.is_quiet(0, "");
    for verb in verbs {
        assert!(folder.path().join(format!("urlid-{}.1", verb.join("-"))).exists(), "{verb:?}");
    }
    assert!(!folder.path().join("urlid-help.1").exists());
}

#[test]
fn quiet_prints_errors_only() {
    urlid(["id", "--quiet", "ws:y"]).is_quiet(3, "\n");
    let ran = urlid(["id", "--quiet", "ws:y", "/nowhere"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(4), 1), "{}", ran.err);
}
